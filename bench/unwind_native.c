// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench/unwind_native [MILLIONS]: the time to walk up a stack of twenty frames natively, by runtime/rt/unwind.h and the tables that the translator
 * makes of this program, which is built without frame pointers, and of its libraries.  Prints "FRAMES frames, FASTEST ns, MEDIAN ns", of batches
 * of a thousand walks.
 *
 * What the kernel adds is not in it: taking the lock of the mappings, finding the mapping of a file, and access to the program's memory.  Exit
 * status 1: the addresses are not those that glibc's backtrace() has, which goes by the same call frame information.
 */
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tables/tables.h"
#include "testsuite/unit/port_native.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/unwind.h"

enum { IMAGES = 8, FRAMES = 20, WALKS = 1000 };

static struct rt_image images[IMAGES];
static struct rt_code codes[2 * IMAGES]; /* of all images: where they are */
static unsigned nimages, ncodes;
static const struct unwind_table *tables[IMAGES];

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "unwind", .limits = &native_limits, .probes = probes, .nprobes = 1, .images = images, .nimages = IMAGES,
};

/* ---- tables, as translator/emit/images.c writes them ---- */

static void make_tables(struct arena *a)
{
	unsigned followed = 0;

	for (unsigned i = 0; i < nimages; i++)
		followed |= unwind_followed(tables[i]);
	for (unsigned i = 0; i < nimages; i++) {
		const struct unwind_table *t = tables[i];
		rt_u32 n = t->at[t->nrows - 1] / RT_IMAGE_BLOCK + 1, *blocks = arena_array(a, rt_u32, n);
		struct rt_unwind_rule *rules = arena_array(a, struct rt_unwind_rule, t->nrules);

		for (size_t k = 0; k < t->nrules; k++)
			rules[k] = tables_rule(&t->rules[k], followed);
		for (rt_u32 k = 0, row = 0; k < n; k++) {
			while (row + 1 < t->nrows && t->at[row + 1] <= k * RT_IMAGE_BLOCK)
				row++;
			blocks[k] = row;
		}
		images[i] = (struct rt_image){.path = "", .at = t->at, .rule = t->rule, .rules = rules, .blocks = blocks,
					      .nrows = (rt_u32)t->nrows, .nblocks = n};
	}
}

/* A file of this process, and where its code is. */
static int add_file(struct dl_phdr_info *file, size_t size, void *arena)
{
	const char *path = file->dlpi_name[0] ? file->dlpi_name : "/proc/self/exe";
	struct problem why;
	struct elf_image *e;

	(void)size;
	if (nimages == IMAGES || path[0] != '/' || !(e = elf_open(arena, target_native(), path, &why)) || !(tables[nimages] = elf_unwind(e)))
		return 0;
	for (unsigned i = 0; i < file->dlpi_phnum; i++) {
		const ElfW(Phdr) *s = &file->dlpi_phdr[i];
		rt_u64 start = file->dlpi_addr + s->p_vaddr;

		if (s->p_type == PT_LOAD && s->p_flags & PF_X && ncodes < 2 * IMAGES)
			codes[ncodes++] = (struct rt_code){.start = start, .end = start + s->p_memsz, .base = start - s->p_offset, .image = nimages};
	}
	nimages++;
	return 0;
}

static struct rt_code code_at(rt_u64 addr)
{
	for (unsigned i = 0; i < ncodes; i++)
		if (addr - codes[i].start < codes[i].end - codes[i].start)
			return codes[i];
	return (struct rt_code){.start = addr, .end = addr + 1, .image = RT_NO_IMAGE, .why = RT_END_NO_CODE};
}

/* ---- walks ---- */

static ucontext_t here; /* where they begin */

/* Registers in the order of target_native()->followed. */
static enum rt_stack_end begin_here(struct rt_unwind *u)
{
	static const int of[] = {REG_RBP, REG_R10, REG_R12, REG_R13, REG_R14, REG_R15, REG_RDI, REG_RAX};

	u->at = (rt_u64)here.uc_mcontext.gregs[REG_RIP];
	u->reg[0] = (rt_u64)here.uc_mcontext.gregs[REG_RSP];
	for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
		u->reg[i + 1] = (rt_u64)here.uc_mcontext.gregs[of[i]];
	return RT_END_LIMIT;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* All but the first address, at which glibc is in another call. */
static int check(const struct rt_frame *got, rt_u32 n)
{
	void *want[FRAMES + 8];
	int known = backtrace(want, FRAMES + 8), first = 0;

	while (first < known && (rt_u64)(unsigned long)want[first] != got[2].at)
		first++;
	for (rt_u32 i = 2; i < n; i++)
		if (first + (int)i - 2 >= known || (rt_u64)(unsigned long)want[first + (int)i - 2] != got[i].at) {
			fprintf(stderr, "frame %u is 0x%llx, and not what backtrace() has\n", i, (unsigned long long)got[i].at);
			return 1;
		}
	return 0;
}

static __attribute__((noinline)) int measure(unsigned batches)
{
	double *ns = calloc(batches, sizeof *ns);
	struct rt_frame frames[FRAMES];
	struct rt_ctx *c = native_ctx();
	enum rt_stack_end end;
	char *mark = rt_mark(c);
	rt_u32 n = 0;

	getcontext(&here);
	for (unsigned i = 0; ns && i < batches; i++) {
		double start = now_ns();

		for (unsigned k = 0; k < WALKS; k++) {
			n = rt_port_unwind_stack(c, frames, FRAMES, &end);
			rt_release(c, mark);
		}
		ns[i] = (now_ns() - start) / WALKS;
		native_ctx_again(c);
	}
	if (!ns || n != FRAMES || check(frames, n))
		return fprintf(stderr, "%u frames, the end is %d\n", n, (int)end), 1;
	qsort(ns, batches, sizeof *ns, compare);
	printf("%u frames, %.0f ns, %.0f ns\n", n, ns[0], ns[batches / 2]);
	native_ctx_end(c);
	free(ns);
	return 0;
}

static int (*volatile nested)(unsigned depth, unsigned batches);

static volatile unsigned left; /* something is left to do after the call, or there would be no frame */

static __attribute__((noinline)) int call_nested(unsigned depth, unsigned batches)
{
	int rc = depth ? nested(depth - 1, batches) : measure(batches);

	left = depth;
	return rc;
}

int main(int argc, char **argv)
{
	struct arena a = {0};
	int rc;

	native_limits.action = 10000000;
	native_unwind_begin = begin_here;
	native_unwind_code = code_at;
	dl_iterate_phdr(add_file, &a);
	make_tables(&a);
	nested = call_nested;
	rc = nested(14, argc > 1 ? 1000 * (unsigned)atoi(argv[1]) : 1000);
	arena_free(&a);
	return rc;
}
