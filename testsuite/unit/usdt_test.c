// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes of markers, made by the assembler, read back; operands of both architectures; and files that are damaged. */
#include <stdio.h>
#include <unistd.h>

#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/usdt.h"

/* A note as the header makes it: of the instruction at pc. */
#define NOTE(pc, base, semaphore, name, arguments)                                                                    \
	".pushsection .note.stapsdt,\"\",@note\n.balign 4\n.4byte 2f-1f, 4f-3f, 3\n1: .asciz \"stapsdt\"\n2: .balign 4\n"    \
	"3: .8byte " pc "\n.8byte " base "\n.8byte " semaphore "\n.asciz \"test\"\n.asciz \"" name "\"\n.asciz \"" arguments \
	"\"\n4: .balign 4\n.popsection\n"

static const char source[] =
	".globl code\n.type code, @function\ncode: nop\nnop\nsecond: ret\n"
	NOTE("code", "0", "0", "plain", "-4@%eax 8@8(%rsp)")
	NOTE("code", "0", "0", "plain", "-4@%eax 8@8(%rsp)")      /* the same once more */
	NOTE("code+1-64", "base-64", "sem-64", "moved", "")         /* was at other addresses when it was linked: 64 lower */
	NOTE("second", "base", "sem", "semaphore", "8@counter(%rip) 8@twice(%rip) 8@none+8(%rip)")
	NOTE("second", "base", "sem", "shares_it", "")
	NOTE("second", "base", "sem+2", "wants_another", "")      /* the first by name has its semaphore */
	NOTE("second", "0", "zeros", "in_bss", "")
	NOTE("second", "0", "sem+1", "odd", "")
	NOTE("second", "0", "code", "read_only", "")
	NOTE("second", "0", "constant", "becomes_read_only", "")
	NOTE("sem", "0", "0", "in_data", "")                     /* no code: left out */
	NOTE("0x7fffffffffff", "0", "0", "nowhere", "")
	".section .stapsdt.base,\"a\"\nbase: .byte 0\n"
	".section .data.rel.ro,\"aw\"\n.8byte code\nconstant: .8byte 0\n.fill 8192\n"
	".data\n.balign 4096\n.globl counter\n.type counter, @object\ncounter: .8byte 5\nsem: .2byte 0, 0\n.balign 8\n"
	"twice: .8byte 0\n.bss\n.fill 8192\nzeros: .2byte 0\n";

/* The library of the source. */
static const char *program(void)
{
	const char *in = write_file("notes.s", source, sizeof source - 1), *out = arena_printf(&arena, "%s/notes.so", dir);
	const char *second = write_file("more.s", "twice: .8byte 0\n", 16);

	CHECK(run((const char *[]){"gcc", "-shared", "-nostdlib", "-Wl,-z,relro", "-o", out, in, second, NULL}));
	return out;
}

static const struct usdt_marker *find(const struct usdt_markers *all, const char *name)
{
	for (size_t i = 0; i < all->v.n; i++)
		if (!strcmp(all->v.v[i].name, name))
			return &all->v.v[i];
	return NULL;
}

static void test_notes_are_read_and_moved(void)
{
	struct elf_image *e = open_image(program());
	const struct usdt_markers *all = e ? usdt_markers(e) : NULL;
	const struct elf_function *code = e ? elf_function(e, "code", NULL) : NULL;

	if (!e || !CHECK(code != NULL))
		return;
	const struct usdt_marker *plain = find(all, "plain"), *moved = find(all, "moved"), *semaphore = find(all, "semaphore");
	CHECK_EQ(all->v.n, 9);
	CHECK(!find(all, "in_data") && !find(all, "nowhere"));
	if (CHECK(plain && moved && semaphore)) {
		CHECK_STR(plain->provider, "test");
		CHECK_STR(plain->arguments, "-4@%eax 8@8(%rsp)");
		CHECK_EQ(plain->address, code->entry);
		CHECK_EQ(plain->file_off, code->file_off);
		CHECK_EQ(plain->semaphore, 0);
		CHECK_EQ(moved->address, code->entry + 1);
		CHECK_EQ(moved->semaphore, semaphore->semaphore);
		CHECK_EQ(semaphore->address, code->entry + 2);
		CHECK(!plain->why && !moved->why && !semaphore->why);
	}
	elf_close(e);
}

static void check_why(const struct usdt_markers *all, const char *name, const char *why)
{
	const struct usdt_marker *m = find(all, name);

	if (CHECK(m != NULL))
		CHECK_HAS(m->why, why);
}

static void test_semaphores_that_cannot_be_raised(void)
{
	struct elf_image *e = open_image(program());
	const struct usdt_markers *all = e ? usdt_markers(e) : NULL;

	if (!e)
		return;
	check_why(all, "in_bss", ".bss");
	check_why(all, "odd", "odd place");
	check_why(all, "wants_another", "another semaphore");
	CHECK(find(all, "shares_it") && !find(all, "shares_it")->why);
	check_why(all, "read_only", "read-only");
	check_why(all, "becomes_read_only", "RELRO");
	elf_close(e);
}

static void test_symbols_are_found_if_there_is_one(void)
{
	struct elf_image *e = open_image(program());
	const struct usdt_marker *m = e ? find(usdt_markers(e), "semaphore") : NULL;
	struct proto p;

	if (!e || !CHECK(m != NULL))
		return;
	usdt_arguments(e, m, &p);
	if (CHECK_EQ(p.nparams, 3), p.nparams == 3) {
		CHECK(p.params[0].placed);
		CHECK(!p.params[1].placed && strstr(p.params[1].why.text, "twice(%rip)")); /* two files have one */
		CHECK(!p.params[2].placed);
	}
	elf_close(e);
}

static const char *shown(const struct target *t, const char *text)
{
	static const char *const kinds[] = {"constant", "register", "vector", "memory"};
	struct target_operand o;

	if (!t->operand(text, &o))
		return "no";
	if (o.kind == OPERAND_VECTOR)
		return "vector";
	if (o.kind == OPERAND_REGISTER)
		return arena_printf(&arena, "register %d width %u bit %u", o.reg, o.width, o.bit);
	return arena_printf(&arena, "%s %d %d*%u %lld %.*s", kinds[o.kind], o.reg, o.index, o.scale, (long long)o.offset, (int)o.symbol_length,
			    o.symbol ? o.symbol : "");
}

struct operand_case {
	const char *text, *want;
};

static void check_operands(const struct target *t, const struct operand_case *v)
{
	for (; v->text; v++)
		if (strcmp(shown(t, v->text), v->want)) {
			printf("# %s: %s\n", v->text, shown(t, v->text));
			CHECK_STR(shown(t, v->text), v->want);
		}
}

static void test_operands_of_x86_64(void)
{
	static const struct operand_case cases[] = {
		{"%rax", "register 0 width 8 bit 0"}, {"%edx", "register 1 width 4 bit 0"}, {"%cx", "register 2 width 2 bit 0"},
		{"%bl", "register 3 width 1 bit 0"}, {"%sil", "register 4 width 1 bit 0"}, {"%dh", "register 1 width 1 bit 8"},
		{"%rsp", "register 7 width 8 bit 0"}, {"%spl", "register 7 width 1 bit 0"}, {"%r8", "register 8 width 8 bit 0"},
		{"%r10d", "register 10 width 4 bit 0"}, {"%r15w", "register 15 width 2 bit 0"}, {"%r9b", "register 9 width 1 bit 0"},
		{"%r9l", "register 9 width 1 bit 0"}, {"%rip", "no"}, {"%r16", "no"}, {"%sih", "no"}, {"%rax8", "no"}, {"%", "no"},
		{"%xmm15", "vector"}, {"%ymm0", "vector"}, {"%st(1)", "vector"}, {"%mm3", "vector"}, {"%fs:40", "no"},
		{"$5", "constant -1 -1*1 5 "}, {"$-0x10", "constant -1 -1*1 -16 "}, {"$table+8", "constant -1 -1*1 8 table"},
		{"$", "no"}, {"$5x", "no"}, {"$a+b", "no"}, {"$99999999999999999999", "no"}, {"$-a", "no"},
		{"(%rax)", "memory 0 -1*1 0 "}, {"-8(%rbp)", "memory 6 -1*1 -8 "}, {"-4+16(%rsp)", "memory 7 -1*1 12 "},
		{"8(%rax,%rcx,4)", "memory 0 2*4 8 "}, {"(%rax,%rcx)", "memory 0 2*1 0 "}, {"(,%r15,8)", "memory -1 15*8 0 "},
		{"a.b$c(%rip)", "memory -1 -1*1 0 a.b$c"}, {"4+a(%rip)", "memory -1 -1*1 4 a"}, {"a-4(%rip)", "memory -1 -1*1 -4 a"},
		{"a(%rax)", "memory 0 -1*1 0 a"}, {"a", "memory -1 -1*1 0 a"}, {"4096", "memory -1 -1*1 4096 "},
		{"8(%rip)", "no"}, {"a@GOTPCREL(%rip)", "no"}, {"8(%eax)", "no"}, {"8(%rax,%rcx,3)", "no"}, {"8(%rax", "no"}, {"8(%rax)x", "no"},
		{"8(%rax,)", "no"}, {"()", "no"}, {"", "no"}, {"*8(%rax)", "no"}, {NULL, NULL},
	};

	check_operands(&target_x86_64, cases);
}

static void test_operands_of_arm64(void)
{
	static const struct operand_case cases[] = {
		{"x0", "register 0 width 8 bit 0"}, {"w30", "register 30 width 4 bit 0"}, {"sp", "register 31 width 8 bit 0"}, {"x31", "no"},
		{"xzr", "constant -1 -1*1 0 "}, {"5", "constant -1 -1*1 5 "}, {"#-3", "constant -1 -1*1 -3 "}, {"[x3]", "memory 3 -1*1 0 "},
		{"[sp, 28]", "memory 31 -1*1 28 "}, {"[x1, #-8]", "memory 1 -1*1 -8 "}, {"[x1, x2]", "memory 1 2*1 0 "},
		{"[x1, x2, lsl 3]", "memory 1 2*8 0 "}, {"[x1, w2, sxtw 3]", "no"}, {"[w1]", "no"}, {"[x1", "no"}, {"[x1]!", "no"}, {"d0", "vector"},
		{"v3", "vector"}, {"x", "no"}, {"", "no"}, {"table", "no"}, {NULL, NULL},
	};

	check_operands(&target_arm64, cases);
}

/* A byte of the notes; each fifth file ends there. */
static size_t damage_notes(char *bytes, size_t n, unsigned round)
{
	size_t at, size = section(bytes, ".note.stapsdt", &at);

	if (!CHECK(size > 0))
		return n;
	at += round % size;
	bytes[at] = round % 3 ? (char)0xff : 0x7f;
	return round % 5 ? n : at;
}

static void ask(struct elf_image *e)
{
	const struct usdt_markers *all = usdt_markers(e);

	for (size_t i = 0; i < all->v.n; i++) {
		struct proto p;

		usdt_arguments(e, &all->v.v[i], &p);
	}
}

/* Whatever the notes have, they are read within the file. */
static void test_damaged_notes_are_survived(void)
{
	CHECK(survive(program(), 600, damage_notes, ask) > 400);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 1;
	UNIT_RUN(test_notes_are_read_and_moved);
	UNIT_RUN(test_semaphores_that_cannot_be_raised);
	UNIT_RUN(test_symbols_are_found_if_there_is_one);
	UNIT_RUN(test_operands_of_x86_64);
	UNIT_RUN(test_operands_of_arm64);
	UNIT_RUN(test_damaged_notes_are_survived);
	run((const char *[]){"rm", "-r", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
