/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which function an address of the kernel's code, or of a module's, is in. */
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/kernel_private.h"

/* A function as it is found; name: NULL if there is none. */
struct found {
	const char *name;
	uint64_t start;
	unsigned namesakes; /* functions of the same name, this one too */
};

static int several(struct kernel_info *k, const struct found *f, struct problem *why)
{
	return problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "%u functions have the name of the one there, %s", f->namesakes, f->name);
}

/* ---- the kernel ---- */

void kernel_list_code(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out)
{
	uint64_t start = 0, end = 0;

	(void)k;
	for (size_t i = 0; i < in->n; i++) {
		if (!strcmp(in->v[i].name, "_stext"))
			start = in->v[i].address;
		else if (!strcmp(in->v[i].name, "_etext"))
			end = in->v[i].address;
	}
	for (size_t i = 0; i < in->n; i++)
		if (in->v[i].address >= start && in->v[i].address < end && strchr("tTwW", in->v[i].type) && !strchr(in->v[i].name, '\n'))
			sb_printf(out, "%llx %s\n", (unsigned long long)in->v[i].address, in->v[i].name);
	if (out->n)
		sb_printf(out, "%llx _etext\n", (unsigned long long)end);
}

/* A line of the text. */
struct line {
	uint64_t address;
	const char *name;
	size_t len; /* of the name */
};

/* False: there is none any more. */
static bool next_line(const char **text, struct line *l)
{
	char *end;

	l->address = strtoull(*text, &end, 16);
	if (*end != ' ')
		return false;
	l->name = end + 1;
	l->len = strcspn(l->name, "\n");
	*text = l->name + l->len + (l->name[l->len] != 0);
	return true;
}

/* What compilers put before functions. */
static bool is_padding(const char *name)
{
	return !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6);
}

static const char *name_of(struct kernel_info *k, const struct line *l)
{
	return arena_strndup(k->arena, l->name, l->len);
}

/* Of two names at one place the later one is taken if BTF knows it as a function, and not the other one. */
static bool is_better(struct kernel_info *k, const struct line *l, const struct line *than)
{
	return l->address != than->address || (kernel_has_function(k, NULL, name_of(k, l)) && !kernel_has_function(k, NULL, name_of(k, than)));
}

/* The last function that begins at or before the address. */
static struct found find(struct kernel_info *k, uint64_t address)
{
	const char *text = kernel_code_text(k);
	struct line l, last = {0};

	while (next_line(&text, &l)) {
		if (l.address > address)
			return (struct found){.name = last.len ? name_of(k, &last) : NULL, .start = last.address};
		if (!last.len || is_better(k, &l, &last))
			last = l;
	}
	return (struct found){0};
}

unsigned kernel_functions_named(struct kernel_info *k, const char *name)
{
	const char *text = kernel_code_text(k);
	size_t len = strlen(name);
	struct line l;
	unsigned n = 0;

	while (next_line(&text, &l))
		n += l.len == len && !memcmp(l.name, name, len);
	return n;
}

static int in_kernel(struct kernel_info *k, uint64_t address, struct found *f, struct problem *why)
{
	if (!*kernel_code_text(k)) {
		problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "what is at an address of kernel %s is not known: its image cannot be read",
			    k->places.release);
		return -1;
	}
	*f = find(k, address);
	if (!f->name || is_padding(f->name)) {
		problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "no code of the kernel is linked to 0x%llx", (unsigned long long)address);
		if (why)
			why->hint = "an address in the running kernel, as in /proc/kallsyms: kernel.statement(ADDRESS).absolute, in guru mode (-g)";
		return -1;
	}
	f->namesakes = kernel_functions_named(k, f->name);
	return 0;
}

/* ---- modules ---- */

/* Is it a function of a section .text?  Its name. */
static const char *function_of(Elf *elf, const GElf_Shdr *symtab, const GElf_Sym *s, size_t strings)
{
	Elf_Scn *scn = GELF_ST_TYPE(s->st_info) == STT_FUNC ? elf_getscn(elf, s->st_shndx) : NULL;
	GElf_Shdr h;
	const char *section = scn && gelf_getshdr(scn, &h) ? elf_strptr(elf, strings, h.sh_name) : NULL;

	return section && !strcmp(section, ".text") ? elf_strptr(elf, symtab->sh_link, s->st_name) : NULL;
}

static void find_in_file(struct kernel_info *k, Elf *elf, uint64_t address, struct found *f)
{
	Elf_Data *symbols = NULL;
	GElf_Shdr symtab;
	const char *name;
	size_t strings;
	GElf_Sym s;

	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn && !symbols; scn = elf_nextscn(elf, scn))
		if (gelf_getshdr(scn, &symtab) && symtab.sh_type == SHT_SYMTAB)
			symbols = elf_getdata(scn, NULL);
	if (!symbols || elf_getshdrstrndx(elf, &strings))
		return;
	for (int i = 0; gelf_getsym(symbols, i, &s); i++)
		if (address >= s.st_value && address - s.st_value < s.st_size && (name = function_of(elf, &symtab, &s, strings)))
			*f = (struct found){.name = arena_strdup(k->arena, name), .start = s.st_value};
	for (int i = 0; f->name && gelf_getsym(symbols, i, &s); i++) {
		name = function_of(elf, &symtab, &s, strings);
		f->namesakes += name && !strcmp(name, f->name);
	}
}

static int in_module(struct kernel_info *k, const char *module, uint64_t address, struct found *f, struct problem *why)
{
	struct bytes file;
	Elf *elf;

	if (kernel_module_bytes(k->arena, &k->places, module, &file, why) < 0)
		return -1;
	elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_memory((char *)(uintptr_t)file.p, file.n);
	if (elf)
		find_in_file(k, elf, address, f);
	elf_end(elf);
	bytes_free(&file);
	if (f->name)
		return 0;
	problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "there is no function at 0x%llx of module %s", (unsigned long long)address, module);
	if (why)
		why->hint = "addresses are counted from the beginning of its section .text, as nm and objdump print them";
	return -1;
}

int kernel_code_at(struct kernel_info *k, const char *module, uint64_t address, const char **function, uint64_t *offset, struct problem *why)
{
	struct found f = {0};

	if (kernel_is_module(module) ? in_module(k, module, address, &f, why) : in_kernel(k, address, &f, why))
		return -1;
	if (f.namesakes > 1)
		return several(k, &f, why);
	*function = f.name;
	*offset = address - f.start;
	return 0;
}
