// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks in the output: takes records of WIRE_STACKS apart, and finds what is at the addresses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "loader/loader.h"

/* A text, and the stack after it. */
struct part {
	struct wire_part size;
	char *text;
	const char *stack; /* addresses, not aligned */
};

/* The part that ends at *n, which moves to its beginning. */
static bool last_part(struct part *p, char *payload, size_t *n)
{
	size_t stack;

	if (*n < sizeof p->size)
		return false;
	*n -= sizeof p->size;
	memcpy(&p->size, payload + *n, sizeof p->size);
	stack = (size_t)p->size.frames * sizeof(uint64_t);
	if (p->size.frames > WIRE_FRAMES_MAX || *n < stack || *n - stack < p->size.text)
		return false;
	*n -= stack;
	p->stack = payload + *n;
	*n -= p->size.text;
	p->text = payload + *n;
	return true;
}

/* "NAME+0xOFFSET/0xSIZE [MODULE]", the last of which may be missing. */
static void take_apart(struct sink_frame *f, const char *symbol)
{
	const char *module = strstr(symbol, " ["), *at = strrchr(symbol, '+');
	unsigned long long offset, size;

	if (!at || sscanf(at, "+0x%llx/0x%llx", &offset, &size) != 2)
		return;
	f->name = symbol;
	f->name_len = (size_t)(at - symbol);
	f->offset = offset;
	f->size = size;
	f->module = module ? module + 2 : "kernel";
	f->module_len = strcspn(f->module, "]");
}

static const char *symbol_of(struct sink *s, const struct wire_record *r, uint64_t address)
{
	return s->symbols ? symbols_find(s->symbols, r->order, address) : "";
}

static void put_frames(struct sink *s, const struct wire_record *r, const uint64_t *addresses, unsigned n)
{
	struct sink_frame frames[WIRE_FRAMES_MAX] = {0};

	for (unsigned i = 0; i < n; i++) {
		frames[i].address = addresses[i];
		take_apart(&frames[i], symbol_of(s, r, addresses[i]));
	}
	s->form->stack(s, r->cpu, frames, n);
}

static void put_lines(struct sink *s, const struct wire_record *r, const uint64_t *addresses, unsigned n)
{
	char line[sizeof((struct wire_symbol *)0)->text + 64], address[24];

	for (unsigned i = 0; i < n; i++) {
		const char *symbol = symbol_of(s, r, addresses[i]);
		int len;

		snprintf(address, sizeof address, "0x%llx", (unsigned long long)addresses[i]);
		len = snprintf(line, sizeof line, " %s : %s%s\n", address, *symbol ? symbol : address, strchr(symbol, '[') ? "" : " [kernel]");
		s->form->text(s, r->cpu, line, (size_t)len);
	}
}

static void put_part(struct sink *s, const struct wire_record *r, const struct part *p)
{
	uint64_t addresses[WIRE_FRAMES_MAX];

	if (p->size.text)
		s->form->text(s, r->cpu, p->text, p->size.text);
	memcpy(addresses, p->stack, p->size.frames * sizeof *addresses);
	if (s->form->stack && p->size.frames)
		put_frames(s, r, addresses, p->size.frames);
	else
		put_lines(s, r, addresses, p->size.frames);
}

bool sink_stacks(struct sink *s, const struct wire_record *r, char *payload)
{
	size_t most = r->len / sizeof(struct wire_part) + 1, left = r->len, n = 0;
	struct part *parts = mem_calloc(most, sizeof *parts);
	bool sound = true;

	while (left && sound)
		sound = last_part(&parts[n++], payload, &left);
	while (n && sound)
		put_part(s, r, &parts[--n]);
	free(parts);
	return sound;
}
