// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names of addresses in stacks.  The module knows them; each is asked for once, and again where the answer holds no longer, since a
 * module of the kernel came or went.  So nobody reads the list of all the kernel's symbols, and it matters neither what that shows to
 * whom, nor that a stack is read some time after it was written.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "loader/loader.h"

#define FIRST_SIZE 1024

struct symbol {
	uint64_t address; /* 0: free */
	uint64_t order;   /* the last record for which it holds */
	const char *text;
};

static int ask_module(struct symbols *s, struct wire_symbol *about)
{
	return ioctl(s->fd, WIRE_LOOKUP, about);
}

void symbols_open(struct symbols *s, const char *directory)
{
	char path[160];

	snprintf(path, sizeof path, "%s/symbols", directory);
	*s = (struct symbols){ .fd = open(path, O_RDONLY | O_CLOEXEC), .ask = ask_module };
}

void symbols_close(struct symbols *s)
{
	free(s->known);
	arena_free(&s->texts);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct symbols){ .fd = -1 };
}

/* The address's place, or the free one where it belongs. */
static struct symbol *place_of(const struct symbols *s, uint64_t address)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 32) % s->size;

	while (s->known[i].address && s->known[i].address != address)
		i = (i + 1) % s->size;
	return &s->known[i];
}

static void grow(struct symbols *s)
{
	struct symbols old = *s;

	s->size = old.size ? 2 * old.size : FIRST_SIZE;
	s->known = mem_calloc(s->size, sizeof *s->known);
	for (size_t i = 0; i < old.size; i++)
		if (old.known[i].address)
			*place_of(s, old.known[i].address) = old.known[i];
	free(old.known);
}

/* An answer that does not come is one that holds for this record. */
static void ask(struct symbols *s, struct symbol *about, uint64_t order)
{
	struct wire_symbol q = { .address = about->address, .order = order };

	if (!s->ask || s->ask(s, &q))
		q = (struct wire_symbol){ .order = order };
	q.text[sizeof q.text - 1] = 0;
	if (!about->text || strcmp(about->text, q.text) != 0)
		about->text = arena_strdup(&s->texts, q.text);
	about->order = q.order;
}

const char *symbols_find(struct symbols *s, uint64_t order, uint64_t address)
{
	struct symbol *known;

	if (!address)
		return "";
	if (2 * s->n >= s->size)
		grow(s);
	known = place_of(s, address);
	if (!known->address) {
		known->address = address;
		s->n++;
	}
	if (!known->text || known->order < order)
		ask(s, known, order);
	return known->text;
}
