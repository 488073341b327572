// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of functions in stripped Go programs: the forms of all versions, written by hand, and a program of Go, if that is there, of which
 * symbols and debug information say the same.  Damaged ones are in the fuzzers' corpus.
 */
#include <string.h>

#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/unwind.h"

/*
 * Two functions of 16 bytes.  The second one's stack is 0, 8, 1000 and 0 bytes deep for 4 bytes each; it is lines 7 and 9 of one file, then line 2 of
 * another, then of none.  FORM: 16, 18 or 20; TEXT: what the header has as the address of the code; OUTER: flags of the first function.
 */
static const char source[] =
	".section .go.buildinfo,\"a\"\n.byte 0\n"
	".text\n.globl _rt0_amd64_linux, other\ntext:\n_rt0_amd64_linux: .fill 16\nother: .fill 16\n"
	".section SECTION\ntab: .long MAGIC\n.byte 0, 0, 1, 8\n.quad 2, 2\n"
	".if FORM > 16\n.quad TEXT\n.endif\n"
	".quad names - tab, units - tab, files - tab, values - tab, list - tab\n"
	"names: .byte 0\none: .asciz \"_rt0_amd64_linux\"\ntwo: .asciz \"main.(*counter).add\"\n"
	"units: .long 99, 0, second - files, -1\n"
	"files: .asciz \"/src/main.go\"\nsecond: .asciz \"/src/other.go\"\n"
	"values: .byte 0\nflat: .byte 2, 16, 0\nstack: .byte 2, 4, 16, 4, 0xc0, 15, 4, 0xcf, 15, 4, 0\n"
	"file: .byte 2, 8, 2, 4, 2, 4, 0\nline: .byte 16, 4, 4, 4, 13, 8, 0\n"
	"list:\n.if FORM > 16\n.long 0, first_record - list, 16, second_record - list, 32\n"
	".else\n.quad text, first_record - list, text + 16, second_record - list, text + 32\n.endif\n"
	".macro record name, stack, file, line, flags\n"
	".if FORM > 16\n.long 0\n.else\n.quad 0\n.endif\n"
	".long \\name - names, 0, 0, \\stack, \\file, \\line, 0, 1\n.if FORM == 20\n.long 0\n.endif\n.byte 0, \\flags, 0, 0\n.endm\n"
	"first_record: record one, flat-values, 0, 0, 1\n"
	"second_record: record two, stack-values, file-values, line-values, 0\n"
	".section .note.GNU-stack\n";

struct written {
	const char *magic, *form, *text, *section, *how;
};

static struct elf_image *open_written(const struct written *w)
{
	struct sb all = {0};
	const char *path;

	for (const char *p = source; *p; p++) {
		static const char *const words[] = {"MAGIC", "FORM", "TEXT", "SECTION"};
		const char *const with[] = {w->magic, w->form, w->text, w->section};
		size_t i = 0;

		while (i < 4 && strncmp(p, words[i], strlen(words[i])) != 0)
			i++;
		sb_puts(&all, i < 4 ? with[i] : (char[]){*p, 0});
		p += i < 4 ? strlen(words[i]) - 1 : 0;
	}
	path = write_file("table.s", all.s, all.n);
	sb_free(&all);
	path = compile("written", arena_printf(&arena, "cc -nostdlib -s -Wl,-e,_rt0_amd64_linux %s -o %%O %s", w->how, path));
	return path ? open_image(path) : NULL;
}

struct found {
	const struct elf_function *f[4];
	size_t n;
};

static bool add(void *ctx, const struct elf_function *f)
{
	struct found *all = ctx;

	all->f[all->n++ % 4] = f;
	return true;
}

static void check_lines(struct elf_image *e, uint64_t at)
{
	static const struct {
		unsigned off, line;
		const char *file;
	} want[] = {{0, 7, "/src/main.go"}, {4, 9, "/src/main.go"}, {8, 2, "/src/other.go"}, {12, 0, ""}};
	const struct line_table *t = elf_lines(e);

	if (!CHECK(t && t->rows.n == 4))
		return;
	for (size_t i = 0; i < 4; i++) {
		CHECK_EQ(t->rows.v[i].off, at + want[i].off);
		CHECK_EQ(t->rows.v[i].line, want[i].line);
		CHECK_STR(t->files.v[t->rows.v[i].file], want[i].file);
	}
}

static const struct unwind_rule *rule_at(const struct unwind_table *t, uint64_t off)
{
	size_t i = t->nrows;

	while (i && t->at[i - 1] > off)
		i--;
	return &t->rules[i ? t->rule[i - 1] : 0];
}

static void check_stacks(struct elf_image *e, uint64_t at)
{
	static const int depth[] = {0, 8, 1000, 0};
	const struct unwind_table *t = elf_unwind(e);

	if (!target_native()->return_on_stack)
		return;
	if (!CHECK(t != NULL))
		return;
	CHECK_EQ(rule_at(t, at - 16)->cfa, UNWIND_OUTERMOST);
	for (size_t i = 0; i < 16; i++) {
		const struct unwind_rule *r = rule_at(t, at + i);

		CHECK_EQ(r->cfa, UNWIND_REGISTER);
		CHECK_EQ(r->off, depth[i / 4] + 8);
		CHECK_EQ(r->saved[0].off, -8);
	}
	CHECK_EQ(rule_at(t, at + 16)->cfa, UNWIND_UNKNOWN);
}

static void check_written(const struct written *w)
{
	struct elf_image *e = open_written(w);
	struct problem why = {0};
	struct found all = {0};

	if (!e)
		return;
	CHECK_EQ(elf_functions(e, "*", add, &all, &why), 2);
	if (CHECK(all.n == 2)) {
		CHECK_STR(all.f[0]->name, "_rt0_amd64_linux");
		CHECK_STR(all.f[1]->name, "main.(*counter).add");
		CHECK_EQ(all.f[1]->entry, all.f[0]->entry + 16);
		CHECK_EQ(all.f[1]->size, 16);
		CHECK(elf_facts(e)->names_of_go);
		check_lines(e, all.f[1]->file_off);
		check_stacks(e, all.f[1]->file_off);
		CHECK(elf_function_proto(e, all.f[1], &(struct proto){0}, &why) < 0);
		CHECK_HAS(why.hint, "long_arg(1)");
	}
	elf_close(e);
}

#define FIXED ".gopclntab,\"a\""
#define MOVED ".data.rel.ro.gopclntab,\"aw\""

static void test_forms_of_all_versions(void)
{
	static const struct written all[] = {
		{"0xfffffffa", "16", "0", FIXED, "-no-pie"},       {"0xfffffff0", "18", "text", FIXED, "-no-pie"},
		{"0xfffffff1", "20", "text", FIXED, "-no-pie"},    {"0xfffffff1", "20", "text", MOVED, "-pie"},
		{"0xfffffff1", "20", "text", MOVED, "-static-pie"},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		check_written(&all[i]);
}

static void test_no_address_of_the_code_but_a_known_beginning(void)
{
	check_written(&(struct written){"0xfffffff1", "20", "0", FIXED, "-no-pie"});
	check_written(&(struct written){"0xfffffff1", "20", "0", FIXED, "-pie"});
}

static void check_nothing(const struct written *w)
{
	struct elf_image *e = open_written(w);
	struct problem why = {0};
	struct found all = {0};

	if (!e)
		return;
	elf_functions(e, "main.*", add, &all, &why);
	CHECK_EQ(all.n, 0);
	CHECK(!elf_facts(e)->names_of_go);
	elf_close(e);
}

static void test_what_is_not_certain_is_not_taken(void)
{
	check_nothing(&(struct written){"0xfffffffb", "18", "text", FIXED, "-no-pie"});           /* Go 1.2 */
	check_nothing(&(struct written){"0xfffffff1", "20", "0x100", FIXED, "-no-pie"});          /* no code is there */
	check_nothing(&(struct written){"0xfffffff1", "20", "0", FIXED, "-no-pie -Wl,-e,other"}); /* the beginning is another */
}

/* ---- with Go ---- */

static const char program[] = "package main\n\n//go:noinline\nfunc add(a, b int) int { return a + b }\n\n"
			      "func main() {\n\tm := map[int]string{1: \"a\"}\n\tdefer println(len(m))\n\tprintln(add(1, 2))\n}\n";

/* Of each function that both know: the same address, and stacks as deep everywhere in it. */
static void compare(struct elf_image *whole, struct elf_image *stripped, const char *name, unsigned *n)
{
	const struct unwind_table *x = elf_unwind(whole), *y = elf_unwind(stripped);
	const struct elf_function *f = elf_function(whole, name, NULL), *g = elf_function(stripped, name, NULL);
	unsigned different = 0;

	if (!f || !g)
		return;
	++*n;
	if (f->entry != g->entry || f->size > g->size || !x || !y) {
		CHECK_STR(name, "the same in both");
		return;
	}
	for (uint64_t i = 0; i < f->size; i++) {
		const struct unwind_rule *a = rule_at(x, f->file_off + i), *b = rule_at(y, f->file_off + i);

		if (b->cfa == UNWIND_OUTERMOST) /* Go's linker writes that into debug information for other machines only */
			continue;
		different += a->cfa != b->cfa || a->off != b->off || a->reg != b->reg || a->is_signal != b->is_signal;
	}
	if (different)
		CHECK_STR(name, "stacks as deep");
}

struct names {
	const char *v[4000];
	size_t n;
};

static bool add_name(void *ctx, const struct elf_function *f)
{
	struct names *all = ctx;

	all->v[all->n++] = f->name;
	return all->n < 4000;
}

static void test_a_program_is_as_before_it_was_stripped(void)
{
	static struct names all;
	const char *file = write_file("program.go", program, strlen(program)), *path;
	const char *env = arena_printf(&arena, "env HOME=%s GOCACHE=%s/cache GO111MODULE=off go", dir, dir);
	struct elf_image *whole, *stripped;
	unsigned n = 0;

	if (!shell_less("go version", "")) {
		printf("# skipped: there is no Go\n");
		return;
	}
	if (!(path = compile("whole", arena_printf(&arena, "%s build -o %%O %s", env, file))))
		return;
	whole = open_image(path);
	path = compile("less", arena_printf(&arena, "strip -o %%O %s", path));
	stripped = path ? open_image(path) : NULL;
	if (!whole || !stripped)
		return;
	elf_functions(stripped, "*", add_name, &all, NULL);
	for (size_t i = 0; i < all.n; i++)
		compare(whole, stripped, all.v[i], &n);
	CHECK(n > 500);
	CHECK(elf_lines(stripped) != NULL);
	elf_close(whole);
	elf_close(stripped);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 99;
	UNIT_RUN(test_forms_of_all_versions);
	UNIT_RUN(test_no_address_of_the_code_but_a_known_beginning);
	UNIT_RUN(test_what_is_not_certain_is_not_taken);
	UNIT_RUN(test_a_program_is_as_before_it_was_stripped);
	run((const char *const[]){"rm", "-rf", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
