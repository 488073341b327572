// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes as a program with DWARF.  Asks about all functions and some types; nothing may crash or hang. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "testsuite/fuzz/fuzz.h"
#include "translator/debuginfo/plt.h"
#include "translator/debuginfo/usdt.h"
#include "translator/debuginfo/unwind.h"

struct context {
	struct arena *a;
	struct elf_image *e;
	size_t n;
};

static bool ask_function(void *ctx, const struct elf_function *f)
{
	struct context *c = ctx;
	struct problem why;
	struct proto p;

	elf_function_file(c->e, f);
	elf_only_inlined(c->e, f->name);
	if (elf_function(c->e, f->name, &why) == NULL)
		abort(); /* it was listed */
	if (elf_function_proto(c->e, f, &p, &why) == 0)
		fuzz_proto(c->a, &p);
	return ++c->n < 64;
}

static void ask_markers(struct context *c)
{
	const struct usdt_markers *all = usdt_markers(c->e);
	struct proto p;

	for (size_t i = 0; i < all->v.n && i < 64; i++) {
		usdt_arguments(c->e, &all->v.v[i], &p);
		fuzz_proto(c->a, &p);
	}
}

/* Rows ascend, from the beginning of the file on, and name rules that are there. */
static void ask_unwind(struct elf_image *e)
{
	const struct unwind_table *t = elf_unwind(e);

	for (size_t i = 0; t && i < t->nrows; i++)
		if (t->rule[i] >= t->nrules || (i ? t->at[i] <= t->at[i - 1] : t->at[i] != 0))
			abort();
	for (size_t i = 0; t && i < t->nrules; i++)
		if (t->rules[i].reg >= UNWIND_REGISTERS)
			abort();
	elf_interpreter(e);
}

static const char *file_of(const uint8_t *data, size_t size)
{
	static char path[64];
	int fd;

	snprintf(path, sizeof path, "/dev/shm/spile-fuzz-%d", (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct context c = {.a = &a};
	const char *path = file_of(data, size), *const * needed;
	struct problem why;
	struct dtypes *types;
	int64_t value;

	if (size > 1 && data[0] == '#' && data[1] == '!')
		return 0; /* it would find real programs */
	c.e = elf_open(&a, &target_x86_64, path, &why);
	if (c.e) {
		elf_needed(c.e, &needed);
		ask_unwind(c.e);
		elf_functions(c.e, "*", ask_function, &c, &why);
		elf_function(c.e, "no_such_name", &why);
		ask_markers(&c);
		plt_entries(c.e);
		types = elf_types(c.e, &why);
		if (types) {
			dtypes_find(types, "struct nod", &why);
			if (dtypes_find(types, "node", &why))
				fuzz_type(&a, dtypes_find(types, "node", &why));
			dtypes_enumerator(types, "RED", &value);
		}
		elf_close(c.e);
	}
	unlink(path);
	arena_free(&a);
	intern_reset();
	return 0;
}
