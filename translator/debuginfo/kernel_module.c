/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and unpacks kernel modules. */
#include "translator/debuginfo/kernel_module.h"

#include <elf.h>
#include <string.h>

/* The module name in a path such as kernel/fs/xfs/xfs.ko.xz, with '_' for '-'; false if it is no module. */
static bool name_of(const char *path, size_t n, char *out, size_t cap)
{
	const char *slash = memrchr(path, '/', n), *s = slash ? slash + 1 : path, *end = path + n, *dot;
	size_t i, len;

	dot = memmem(s, (size_t)(end - s), ".ko", 3);
	len = dot ? (size_t)(dot - s) : 0;
	if (!dot || len >= cap)
		return false;
	for (i = 0; i < len; i++)
		out[i] = s[i] == '-' ? '_' : s[i];
	out[len] = 0;
	return true;
}

/* The line (up to its ':' or end) of a list that names the module; names go to near if it is not NULL. */
static const char *find_line(const struct bytes *list, const char *wanted, struct arena *a,
			     struct nearest *near)
{
	const char *p = (const char *)list->p, *end = p + list->n;
	char name[256];

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p)), *stop;

		if (!eol)
			eol = end;
		stop = memchr(p, ':', (size_t)(eol - p));
		if (!stop)
			stop = eol;
		if (name_of(p, (size_t)(stop - p), name, sizeof name)) {
			if (strcmp(name, wanted) == 0)
				return arena_strndup(a, p, (size_t)(stop - p));
			if (near)
				nearest_add(near, arena_strdup(a, name));
		}
		p = eol + 1;
	}
	return NULL;
}

static int not_there(struct arena *a, const struct kernel_places *k, const char *wanted, struct problem *why)
{
	struct bytes list;
	struct nearest near;
	bool builtin;

	if (!why)
		return -1;
	nearest_init(&near, wanted);
	if (bytes_of_file(a, arena_printf(a, "%s/modules.builtin", k->modules), &list, NULL) == 0) {
		builtin = find_line(&list, wanted, a, NULL);
		bytes_free(&list);
		if (builtin) {
			problem_set(why, a, PROBLEM_NO_MODULE, "\"%s\" is built into kernel %s", wanted,
				    k->release);
			why->hint = "use kernel.function(...) for it";
			return -1;
		}
	}
	problem_set(why, a, PROBLEM_NO_MODULE, "kernel %s has no module \"%s\"", k->release, wanted);
	if (bytes_of_file(a, arena_printf(a, "%s/modules.dep", k->modules), &list, NULL) == 0) {
		find_line(&list, wanted, a, &near);
		why->near = nearest_text(&near, a);
		bytes_free(&list);
	}
	return -1;
}

int kernel_module_bytes(struct arena *a, const struct kernel_places *k, const char *name, struct bytes *out,
			struct problem *why)
{
	char *wanted = arena_strdup(a, name), *s;
	const char *line = NULL;
	struct bytes list, packed;
	int r;

	for (s = wanted; *s; s++)
		if (*s == '-')
			*s = '_';
	if (!k->modules)
		return problem_set(why, a, PROBLEM_NO_MODULE, "the modules of kernel %s are not installed",
				   k->release);
	if (bytes_of_file(a, arena_printf(a, "%s/modules.dep", k->modules), &list, why) < 0)
		return -1;
	line = find_line(&list, wanted, a, NULL);
	bytes_free(&list);
	if (!line)
		return not_there(a, k, wanted, why);
	line = line[0] == '/' ? line : arena_printf(a, "%s/%s", k->modules, line);
	if (bytes_of_file(a, line, out, why) < 0)
		return -1;
	if (!unpack_is_packed(out->p, out->n))
		return 0;
	packed = *out;
	r = unpack(a, packed.p, packed.n, line, out, why);
	bytes_free(&packed);
	return r;
}

/* The objects and functions of a symbol table; strings end within theirs. */
static bool find_symbol(struct arena *a, const Elf64_Sym *v, size_t n, const char *strings, size_t len, const char *name, struct nearest *near)
{
	for (size_t i = 0; i < n; i++) {
		unsigned type = ELF64_ST_TYPE(v[i].st_info);
		if (v[i].st_shndx == SHN_UNDEF || v[i].st_name >= len || (type != STT_OBJECT && type != STT_FUNC && type != STT_NOTYPE) ||
		    !memchr(strings + v[i].st_name, 0, len - v[i].st_name))
			continue;
		if (strcmp(strings + v[i].st_name, name) == 0)
			return true;
		if (type == STT_OBJECT)
			nearest_add(near, arena_strdup(a, strings + v[i].st_name));
	}
	return false;
}

int kernel_module_has_symbol(struct arena *a, const struct kernel_places *k, const char *module, const char *name, struct nearest *near)
{
	const unsigned char *symbols, *strings;
	size_t nsymbols, nstrings;
	struct bytes elf;
	int found = -1;

	if (kernel_module_bytes(a, k, module, &elf, NULL) < 0)
		return -1;
	if (unpack_section(&elf, ".symtab", &symbols, &nsymbols) && unpack_section(&elf, ".strtab", &strings, &nstrings) &&
	    (uintptr_t)symbols % _Alignof(Elf64_Sym) == 0)
		found = find_symbol(a, (const Elf64_Sym *)symbols, nsymbols / sizeof(Elf64_Sym), (const char *)strings, nstrings, name, near);
	bytes_free(&elf);
	return found;
}
