// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of a file that is found while a session runs: what tables/tables.c writes is what runtime/rt/image_tables.c reads, and damage is refused. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <elf.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "tables/tables.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"
#include "translator/debuginfo/elf.h"

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1};

#define ALL (RT_PROGRAMS | RT_PROGRAMS_UNWIND | RT_PROGRAMS_SYMBOLS)
#define TRACKED 0x1fe

static struct arena arena;

/* Of this program. */
static void make(unsigned wanted, unsigned tracked, struct sb *out)
{
	sb_free(out);
	*out = (struct sb){0};
	CHECK_EQ(tables_make(&arena, "/proc/self/exe", "/bin/a\nb", wanted, tracked, out), 0);
}

static rt_u32 offset_of(const struct rt_image *m, const char *name)
{
	for (rt_u32 i = 0; i < m->nsymbols; i++)
		if (!strcmp(m->names + m->symbols[i].name, name))
			return m->symbols[i].at;
	return 0;
}

static void test_what_is_written_is_read(void)
{
	struct rt_image m;
	struct sb out = {0};
	char text[256];
	rt_u32 at;

	make(ALL, TRACKED, &out);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	CHECK_STR(m.path, "/bin/a<0A>b");
	CHECK(m.build_id && strlen(m.build_id) == 40);
	CHECK(m.rules && m.nrows > 50 && m.nblocks > 50 && m.ncode >= 1);
	at = offset_of(&m, "main");
	CHECK(at && at - m.code[0].off < m.code[0].size);
	native_found = &m;
	rt_where_text(RT_WHERE(0, at, 0), text, sizeof text);
	CHECK_HAS(text, "main+0x0/0x");
	CHECK_HAS(text, " [/bin/a<0A>b]");
	native_found = NULL;
	sb_free(&out);
}

/* Only what the script asks for. */
static void test_what_is_not_wanted_is_left_out(void)
{
	struct rt_image m;
	struct sb out = {0};

	make(RT_PROGRAMS, TRACKED, &out);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	CHECK(!m.rules && !m.nrows && !m.nsymbols && m.ncode && m.build_id);
	make(RT_PROGRAMS | RT_PROGRAMS_SYMBOLS, TRACKED, &out);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	CHECK(!m.rules && m.nsymbols);
	sb_free(&out);
}

/* A register that the rules of other files do not follow would have the value of another frame. */
static void test_no_rule_goes_by_a_register_that_is_not_tracked(void)
{
	enum { FRAME = 2 };
	struct rt_image m;
	struct sb out = {0};
	struct rt_image_tables head;
	unsigned by_frame = 0;

	make(ALL, 0, &out);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	memcpy(&head, out.s, sizeof head);
	for (rt_u32 i = 0; i < head.nrules; i++)
		CHECK(m.rules[i].cfa == RT_CFA_UNKNOWN || (!m.rules[i].reg && !m.rules[i].changed));
	make(ALL, FRAME, &out);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	for (rt_u32 i = 0; i < head.nrules; i++) {
		CHECK(m.rules[i].cfa == RT_CFA_UNKNOWN || m.rules[i].reg <= 1);
		CHECK(!(m.rules[i].changed & ~(unsigned)FRAME));
		by_frame += m.rules[i].reg == 1;
	}
	CHECK(by_frame);
	sb_free(&out);
}

static void test_what_is_no_program_has_no_tables(void)
{
	struct sb out = {0};

	CHECK_EQ(tables_make(&arena, "/etc/passwd", "passwd", ALL, TRACKED, &out), -1);
	CHECK_EQ(tables_make(&arena, "/usr/bin/ldd", "ldd", ALL, TRACKED, &out), -1); /* a script: its interpreter is another file */
	CHECK_EQ(out.n, 0);
	sb_free(&out);
}

enum { TEXT = 1 << 20 };

/* A program of so many symbols, all in one string of 1 MB: each name begins one byte later than the one before. */
static void put_program(struct sb *file, unsigned nsymbols)
{
	const size_t symbols = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), text = symbols + nsymbols * sizeof(Elf64_Sym);
	const Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT}, .e_type = ET_EXEC,
				 .e_machine = (Elf64_Half)target_native()->elf_machine, .e_version = EV_CURRENT, .e_phoff = sizeof head,
				 .e_shoff = text + TEXT, .e_ehsize = sizeof head, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
				 .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3};
	const Elf64_Phdr code = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000, .p_filesz = text, .p_memsz = text};
	const Elf64_Shdr sections[3] = {
		{0},
		{.sh_type = SHT_SYMTAB, .sh_offset = symbols, .sh_size = text - symbols, .sh_link = 2, .sh_entsize = sizeof(Elf64_Sym)},
		{.sh_type = SHT_STRTAB, .sh_offset = text, .sh_size = TEXT}};

	sb_putn(file, (const char *)&head, sizeof head);
	sb_putn(file, (const char *)&code, sizeof code);
	for (unsigned i = 0; i < nsymbols; i++) {
		const Elf64_Sym s = {
			.st_name = i, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1, .st_value = 0x400000 + i, .st_size = 1};

		sb_putn(file, (const char *)&s, sizeof s);
	}
	for (unsigned i = 0; i < TEXT; i++)
		sb_putc(file, i == TEXT - 1 ? 0 : (char)('a' + i % 26));
	sb_putn(file, (const char *)sections, sizeof sections);
}

static int make_of(unsigned nsymbols, struct sb *out)
{
	char path[] = "/tmp/spile-tables-XXXXXX";
	int fd = mkstemp(path), rc;
	struct sb file = {0};
	struct arena a = {0};

	put_program(&file, nsymbols);
	CHECK(fd >= 0 && !file_put(fd, file.s, file.n));
	close(fd);
	rc = tables_make(&a, path, "many", ALL, TRACKED, out);
	CHECK(a.used < (size_t)256 << 20);
	unlink(path);
	sb_free(&file);
	arena_free(&a);
	return rc;
}

/* A handler that prints one would run as long as the name is. */
static void test_names_are_cut(void)
{
	enum { N = 4000 };
	struct sb out = {0};
	struct rt_image m;

	CHECK_EQ(make_of(N, &out), 0);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	CHECK_EQ(m.nsymbols, N);
	for (rt_u32 i = 0; i < m.nsymbols; i++)
		CHECK_EQ(strlen(m.names + m.symbols[i].name), ELF_NAME_MOST);
	sb_free(&out);
}

/* Of some of the symbols, the nearest to an address would be a wrong one. */
static void test_too_many_names_are_none(void)
{
	struct sb out = {0};
	struct rt_image m;

	CHECK_EQ(make_of((unsigned)(TABLES_MOST / ELF_NAME_MOST) + 1, &out), 0);
	CHECK(rt_image_tables_read(out.s, out.n, &m));
	CHECK(!m.nsymbols && m.ncode == 1);
	sb_free(&out);
}

static void test_a_script_is_not_followed(void)
{
	char path[] = "/tmp/spile-script-XXXXXX";
	int fd = mkstemp(path);
	struct sb out = {0};

	CHECK(fd >= 0 && !file_put(fd, "#!/proc/self/exe\n", 17));
	close(fd);
	CHECK_EQ(tables_make(&arena, path, "script", ALL, TRACKED, &out), -1);
	CHECK_EQ(out.n, 0);
	unlink(path);
	sb_free(&out);
}

static rt_u64 start_at, words[16];

static enum rt_stack_end begin_at(struct rt_unwind *u)
{
	u->at = start_at;
	for (unsigned i = 0; i < RT_UNWIND_REGISTERS; i++)
		u->reg[i] = (rt_u64)(uintptr_t)&words[i];
	return RT_END_LIMIT;
}

static struct rt_code code_at(rt_u64 addr)
{
	return (struct rt_code){.start = 0, .end = 1 << 30, .image = addr < 1 << 30 ? 0 : RT_NO_IMAGE, .why = RT_END_FOREIGN};
}

/* What is accepted is used, under the sanitizers. */
static void use(const struct rt_image *m)
{
	struct rt_ctx *c = native_ctx();

	native_found = m;
	native_unwind_begin = begin_at;
	native_unwind_code = code_at;
	native_good_from = (rt_u64)(uintptr_t)words;
	native_good_to = native_good_from + sizeof words;
	native_unwind_forget();
	for (unsigned i = 0; i < 20; i++) {
		start_at = native_below(m->nblocks ? m->nblocks * RT_IMAGE_BLOCK + 1000 : 1000);
		words[native_below(16)] = native_below(1 << 20);
		rt_ubacktrace(c, -1, 1);
		rt_usymname(c, start_at);
		rt_umodaddr(c, start_at);
		native_ctx_again(c);
	}
	native_good_from = native_good_to = 0;
	native_unwind_begin = NULL;
	native_found = NULL;
	native_ctx_end(c);
}

/* Of the exact size, so that the sanitizers see what is read beyond it. */
static void test_damage(void)
{
	struct sb out = {0};
	unsigned refused = 0, used = 0;

	make(ALL, TRACKED, &out);
	for (unsigned i = 0; i < 300; i++) {
		size_t n = i % 3 ? out.n : native_below((rt_u32)out.n);
		char *copy = malloc(n + 1);
		struct rt_image m;

		memcpy(copy, out.s, n);
		for (unsigned k = 0; n && k < 1 + i % 5; k++)
			copy[i % 2 ? native_below(n < 4096 ? (rt_u32)n : 4096) : native_below((rt_u32)n)] = (char)native_random();
		copy = realloc(copy, n ? n : 1);
		if (rt_image_tables_read(copy, n, &m)) {
			use(&m);
			used++;
		} else {
			refused++;
		}
		free(copy);
	}
	CHECK(used && refused);
	sb_free(&out);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_what_is_written_is_read);
	UNIT_RUN(test_what_is_not_wanted_is_left_out);
	UNIT_RUN(test_no_rule_goes_by_a_register_that_is_not_tracked);
	UNIT_RUN(test_what_is_no_program_has_no_tables);
	UNIT_RUN(test_names_are_cut);
	UNIT_RUN(test_too_many_names_are_none);
	UNIT_RUN(test_a_script_is_not_followed);
	UNIT_RUN(test_damage);
	arena_free(&arena);
	return unit_done();
}
