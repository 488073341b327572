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
	unsigned frames;
	bool is_user, brief;
};

/* The part that ends at *n, which moves to its beginning. */
static bool last_part(struct part *p, char *payload, size_t *n)
{
	size_t stack;

	if (*n < sizeof p->size)
		return false;
	*n -= sizeof p->size;
	memcpy(&p->size, payload + *n, sizeof p->size);
	p->is_user = p->size.frames & WIRE_PART_USER;
	p->brief = p->size.frames & WIRE_PART_BRIEF;
	p->frames = p->size.frames & ~(WIRE_PART_USER | WIRE_PART_BRIEF);
	stack = p->frames * (p->is_user ? sizeof(struct wire_frame) : sizeof(uint64_t));
	if (p->frames > WIRE_FRAMES_MAX || *n < stack || *n - stack < p->size.text)
		return false;
	*n -= stack;
	p->stack = payload + *n;
	*n -= p->size.text;
	p->text = payload + *n;
	return true;
}

static const char *const ends[] = {
#define X(id, text) [id] = text,
	WIRE_ENDS(X)
#undef X
};

/* "[MODULE+0xOFFSET]" */
static void take_file_apart(struct sink_frame *f, const char *symbol)
{
	const char *at = strrchr(symbol, '+');
	unsigned long long offset;

	if (*symbol != '[' || !at || sscanf(at, "+0x%llx]", &offset) != 1)
		return;
	f->offset = offset;
	f->module = symbol + 1;
	f->module_len = (size_t)(at - f->module);
}

/* " at FILE:LINE", which may be missing; gives what follows. */
static const char *take_source(struct sink_frame *f, const char *text)
{
	const char *end = strncmp(text, " at ", 4) ? NULL : text + 4;
	size_t digits;

	while (end && (end = strchr(end, ':'))) {
		digits = strspn(++end, "0123456789");
		if (!digits || strncmp(end + digits, " [", 2) != 0)
			continue;
		f->source = text + 4;
		f->source_len = (size_t)(end + digits - f->source);
		return end + digits;
	}
	return text;
}

/* "NAME+0xOFFSET/0xSIZE at FILE:LINE [MODULE]", the last two of which may be missing. */
static void take_apart(struct sink_frame *f, const char *symbol)
{
	unsigned long long offset, size;

	for (const char *at = symbol; (at = strstr(at, "+0x")); at++) {
		const char *rest;
		int n = 0;

		if (sscanf(at, "+0x%llx/0x%llx%n", &offset, &size, &n) != 2)
			continue;
		rest = take_source(f, at + n);
		if (*rest && strncmp(rest, " [", 2) != 0)
			continue;
		f->name = symbol;
		f->name_len = (size_t)(at - symbol);
		f->offset = offset;
		f->size = size;
		f->module = *rest ? rest + 2 : "kernel";
		f->module_len = strlen(f->module) - (*rest != 0);
		return;
	}
	take_file_apart(f, symbol);
}

static const char *symbol_of(struct sink *s, const struct wire_record *r, uint64_t address)
{
	return s->symbols ? symbols_find(s->symbols, r->order, address) : "";
}

static const char *end_of(const struct wire_frame *f)
{
	return f->at ? NULL : f->where < WIRE_END_COUNT ? ends[f->where] : "";
}

static void put_frames(struct sink *s, const struct wire_record *r, const struct wire_frame *v, unsigned n)
{
	struct sink_frame frames[WIRE_FRAMES_MAX] = {0};

	for (unsigned i = 0; i < n; i++) {
		frames[i].address = v[i].at;
		frames[i].end = end_of(&v[i]);
		if (!frames[i].end)
			take_apart(&frames[i], symbol_of(s, r, v[i].where));
	}
	s->form->stack(s, r->cpu, frames, n);
}

/* A line of a stack: of the kernel, " ADDRESS : SYMBOL [kernel]"; of a program, " ADDRESS : SYMBOL [FILE]", or only " SYMBOL". */
static int line_of(char *line, size_t size, const struct part *p, const struct wire_frame *f, const char *symbol)
{
	char address[24];
	const char *named = *symbol && *symbol != '[' ? "" : address;

	snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->at);
	if (end_of(f))
		return snprintf(line, size, " (%s)\n", end_of(f));
	if (p->brief)
		return *named ? snprintf(line, size, " %s\n", named) : snprintf(line, size, " %.*s\n", (int)strcspn(symbol, "/"), symbol);
	if (!p->is_user && !*symbol)
		symbol = address, named = "";
	return snprintf(line, size, " %s : %s%s%s%s\n", address, named, *named && *symbol ? " " : "", symbol,
			p->is_user || strchr(symbol, '[') ? "" : " [kernel]");
}

static void put_lines(struct sink *s, const struct wire_record *r, const struct part *p, const struct wire_frame *v)
{
	char line[sizeof((struct wire_symbol *)0)->text + 64];

	for (unsigned i = 0; i < p->frames; i++) {
		int len = line_of(line, sizeof line, p, &v[i], end_of(&v[i]) ? "" : symbol_of(s, r, v[i].where));

		s->form->text(s, r->cpu, line, (size_t)len);
	}
}

static void put_part(struct sink *s, const struct wire_record *r, const struct part *p)
{
	struct wire_frame v[WIRE_FRAMES_MAX];

	if (p->size.text)
		s->form->text(s, r->cpu, p->text, p->size.text);
	if (p->is_user)
		memcpy(v, p->stack, p->frames * sizeof *v);
	for (unsigned i = 0; i < p->frames && !p->is_user; i++) {
		memcpy(&v[i].at, p->stack + i * sizeof v[i].at, sizeof v[i].at);
		v[i].where = v[i].at;
	}
	if (s->form->stack && p->frames)
		put_frames(s, r, v, p->frames);
	else
		put_lines(s, r, p, v);
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
