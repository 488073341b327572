/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a kernel by its symbol table.  See ksyms.h. */
#include "translator/debuginfo/ksyms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/kernel.h"

/* One line of the text for each function: what it is (below), a space, its name. */
static const struct {
	char code;
	const char *start, *end; /* symbols around its section */
	const char *why;
} kinds[] = {
	{'-', NULL, NULL, NULL},
	{'u', NULL, NULL, NULL}, /* the function tracer has no call in it */
	{'b', NULL, NULL, "the kernel's own list says that no probe may be in it"},
	{'e', "__entry_text_start", "__entry_text_end", "it is code at the entry to the kernel, where no probe may be"},
	{'n', "__noinstr_text_start", "__noinstr_text_end", "it is marked noinstr, because it runs where no probe may be"},
	{'k', "__kprobes_text_start", "__kprobes_text_end", "it is marked __kprobes, because probes need it"},
};

enum { NKINDS = sizeof kinds / sizeof *kinds };

struct ksyms {
	size_t n;
	const char **lines; /* sorted by the name, which begins at [2] */
};

/* ---- making the text ---- */

static const char blacklisted[] = "_kbl_addr_"; /* NOKPROBE_SYMBOL(f) makes a variable of this name and f's */

static bool is_function(const struct kallsyms_symbol *s)
{
	size_t n = strlen(s->name);

	return strchr("tTwW", s->type) && n && !strpbrk(s->name, " \n") && strncmp(s->name, "__pfx_", 6) &&
	       strncmp(s->name, "__cfi_", 6) && !strstr(s->name, ".cold") && s->name[0] != '.' && s->name[0] != '$';
}

static uint64_t address_of(const struct kallsyms_symbol *v, size_t n, const char *name)
{
	for (size_t i = 0; name && i < n; i++)
		if (strcmp(v[i].name, name) == 0)
			return v[i].address;
	return 0;
}

static int by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Names in NOKPROBE_SYMBOL(), sorted; heap. */
static const char **list_blacklisted(const struct kallsyms_symbol *v, size_t n, size_t *count)
{
	const char **names = NULL;
	size_t k = 0;

	for (int pass = 0; pass < 2; pass++) {
		k = 0;
		for (size_t i = 0; i < n; i++)
			if (strncmp(v[i].name, blacklisted, sizeof blacklisted - 1) == 0) {
				if (pass)
					names[k] = v[i].name + sizeof blacklisted - 1;
				k++;
			}
		if (!pass && !(names = malloc((k + 1) * sizeof *names)))
			abort();
	}
	qsort(names, k, sizeof *names, by_text);
	*count = k;
	return names;
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct kallsyms_symbol *)x)->name, ((const struct kallsyms_symbol *)y)->name);
}

struct bounds {
	uint64_t start[NKINDS], end[NKINDS];
};

/* Does the tracer have its call at the beginning of the function?  Where nothing is known, yes. */
static bool has_place(const struct ksyms_places *places, uint64_t address)
{
	size_t low = 0, high = places->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (places->v[mid] < address)
			low = mid + 1;
		else
			high = mid;
	}
	return !places->n || (low < places->n && places->v[low] - address < KERNEL_FUNCTION_HEAD);
}

static char kind_of(const struct bounds *b, const struct kallsyms_symbol *s, const char *const *listed, size_t nlisted,
		    const struct ksyms_places *places)
{
	if (nlisted && bsearch(&s->name, listed, nlisted, sizeof *listed, by_text))
		return 'b';
	for (size_t i = 0; i < NKINDS; i++)
		if (s->address >= b->start[i] && s->address < b->end[i])
			return kinds[i].code;
	return has_place(places, s->address) ? '-' : 'u';
}

bool ksyms_places_bounds(const struct kallsyms_symbol *v, size_t n, uint64_t *start, uint64_t *end)
{
	*start = address_of(v, n, "__start_mcount_loc");
	*end = address_of(v, n, "__stop_mcount_loc");
	return *start && *start < *end;
}

void ksyms_text(const struct kallsyms_symbol *v, size_t n, const struct ksyms_places *places, struct sb *out)
{
	uint64_t init = address_of(v, n, "_sinittext"), init_end = address_of(v, n, "_einittext");
	struct kallsyms_symbol *f = malloc((n + 1) * sizeof *f);
	struct bounds bounds = {0};
	const char **listed;
	size_t nlisted, k = 0;

	if (!f)
		abort();
	for (size_t i = 0; i < NKINDS; i++) {
		bounds.start[i] = address_of(v, n, kinds[i].start);
		bounds.end[i] = address_of(v, n, kinds[i].end);
	}
	for (size_t i = 0; i < n; i++) /* what ran at boot is gone */
		if (is_function(&v[i]) && !(v[i].address >= init && v[i].address < init_end))
			f[k++] = v[i];
	qsort(f, k, sizeof *f, by_name);
	listed = list_blacklisted(v, n, &nlisted);
	for (size_t i = 0, next; i < k; i = next) {
		char kind = kind_of(&bounds, &f[i], listed, nlisted, places);

		for (next = i + 1; next < k && strcmp(f[i].name, f[next].name) == 0; next++) /* one that may be traced will do */
			if (kind != '-')
				kind = kind_of(&bounds, &f[next], listed, nlisted, places);
		sb_printf(out, "%c %s\n", kind, f[i].name);
	}
	free(listed);
	free(f);
}

/* What only tables of the kernel's own are made of is nobody's variable. */
static bool is_object(const struct kallsyms_symbol *s)
{
	static const char *const made[] = {"__ksym",  "__kstr", "__kcrc",     "__UNIQUE_ID", "__bpf_trace",
					   "__event_", "__tp",   "__initcall", "_kbl_addr_"};

	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (strncmp(s->name, made[i], strlen(made[i])) == 0)
			return false;
	return !strchr("tTwW", s->type) && s->name[0] && s->name[0] != '.' && !strpbrk(s->name, " \n");
}

void ksyms_objects_text(const struct kallsyms_symbol *v, size_t n, const struct ksyms_places *places, struct sb *out)
{
	struct kallsyms_symbol *f = malloc((n + 1) * sizeof *f);
	size_t k = 0;

	(void)places;
	if (!f)
		abort();
	for (size_t i = 0; i < n; i++)
		if (is_object(&v[i]))
			f[k++] = v[i];
	qsort(f, k, sizeof *f, by_name);
	for (size_t i = 0; i < k; i++)
		if (!i || strcmp(f[i - 1].name, f[i].name) != 0)
			sb_printf(out, "- %s\n", f[i].name);
	free(f);
}

size_t ksyms_of_running(struct arena *a, const char *path, const struct kallsyms_symbol **out)
{
	struct kallsyms_symbol *v = NULL;
	size_t n = 0, cap = 0, size = 0;
	char *line = NULL;
	FILE *f = fopen(path, "re");

	*out = NULL;
	while (f && getline(&line, &size, f) > 0) {
		char *type, *name;
		uint64_t address = strtoull(line, &type, 16);

		if (type == line || type[0] != ' ' || !type[1] || type[2] != ' ' || strchr(type, '['))
			continue;
		name = type + 3;
		name[strcspn(name, " \t\n")] = 0;
		if (!name[0])
			continue;
		if (n == cap) {
			struct kallsyms_symbol *more;

			cap = cap ? 2 * cap : 65536;
			more = arena_array(a, struct kallsyms_symbol, cap);
			if (n)
				memcpy(more, v, n * sizeof *v);
			v = more;
		}
		v[n++] = (struct kallsyms_symbol){.address = address, .type = type[1], .name = arena_strdup(a, name)};
	}
	free(line);
	if (f)
		fclose(f);
	*out = v;
	return n;
}

/* ---- reading it ---- */

struct ksyms *ksyms_parse(struct arena *a, const char *text, size_t n)
{
	struct ksyms *k = arena_new(a, struct ksyms);
	char *copy = arena_strndup(a, text, n), *line, *end;
	size_t lines = 0;

	for (line = copy; (end = strchr(line, '\n')) != NULL; line = end + 1)
		lines++;
	k->lines = arena_array(a, const char *, lines + 1);
	for (line = copy; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = 0;
		if (end - line > 2 && line[1] == ' ' && (!k->n || strcmp(k->lines[k->n - 1] + 2, line + 2) < 0))
			k->lines[k->n++] = line;
	}
	return k;
}

bool ksyms_is_empty(const struct ksyms *k)
{
	return k->n == 0;
}

static int by_line_name(const void *name, const void *line)
{
	return strcmp(name, *(const char *const *)line + 2);
}

static const char *const *line_of(const struct ksyms *k, const char *name)
{
	return k->n ? bsearch(name, k->lines, k->n, sizeof *k->lines, by_line_name) : NULL;
}

bool ksyms_is_traced(const struct ksyms *k, const char *name)
{
	const char *const *line = line_of(k, name);

	return !line || (*line)[0] == '-';
}

bool ksyms_find(const struct ksyms *k, const char *name, const char **unprobeable)
{
	const char *const *line = line_of(k, name);

	*unprobeable = NULL;
	for (size_t i = 0; line && i < NKINDS; i++)
		if (kinds[i].code == (*line)[0])
			*unprobeable = kinds[i].why;
	return line != NULL;
}

void ksyms_each(const struct ksyms *k, void (*cb)(void *ctx, const char *name), void *ctx)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->lines[i][0] == '-')
			cb(ctx, k->lines[i] + 2);
}
