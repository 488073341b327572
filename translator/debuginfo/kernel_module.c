/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and unpacks kernel modules. */
#include "translator/debuginfo/kernel_module.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "translator/debuginfo/kernel_private.h"

/* The module name in a path such as kernel/fs/xfs/xfs.ko.xz, with '_' for '-'; false if it is not a module. */
static bool name_of(const char *path, size_t n, char *out, size_t cap)
{
	const char *slash = memrchr(path, '/', n), *s = slash ? slash + 1 : path, *end = path + n, *dot;
	size_t i, len;

	dot = memmem(s, (size_t)(end - s), ".ko", 3);
	len = dot ? (size_t)(dot - s) : 0;
	if (!dot || len == 0 || len >= cap)
		return false;
	for (i = 0; i < len; i++)
		out[i] = s[i] == '-' ? '_' : s[i];
	out[len] = 0;
	return true;
}

/* The first word of the next line, up to `until' or the line's end; *p moves to after the line. */
static bool next_word(const char **p, const char *end, char until, const char **word, size_t *n)
{
	const char *eol, *stop;

	if (*p >= end)
		return false;
	eol = memchr(*p, '\n', (size_t)(end - *p));
	eol = eol ? eol : end;
	stop = memchr(*p, until, (size_t)(eol - *p));
	*word = *p;
	*n = (size_t)((stop ? stop : eol) - *p);
	*p = eol + 1;
	return true;
}

/* The line (up to its ':' or end) of a list that names the module; names go to near if it is not NULL. */
static const char *find_line(const struct bytes *list, const char *wanted, struct arena *a,
			     struct nearest *near)
{
	const char *p = (const char *)list->p, *end = p + list->n, *word;
	char name[256];
	size_t n;

	while (next_word(&p, end, ':', &word, &n)) {
		if (!name_of(word, n, name, sizeof name))
			continue;
		if (strcmp(name, wanted) == 0)
			return arena_strndup(a, word, n);
		if (near)
			nearest_add(near, arena_strdup(a, name));
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

const char *kernel_module_name(struct arena *a, const char *text)
{
	char *name = arena_strdup(a, text), *s;
	bool in_set = false;

	for (s = name; *s; s++)
		if (*s == '[' && strchr(s, ']'))
			in_set = true; /* "a-z" there */
		else if (*s == ']')
			in_set = false;
		else if (*s == '-' && !in_set)
			*s = '_';
	return name;
}

int kernel_module_read(struct arena *a, const char *path, struct bytes *out, struct problem *why)
{
	struct bytes packed;
	int r;

	if (bytes_of_file(a, path, out, why) < 0)
		return -1;
	if (!unpack_is_packed(out->p, out->n))
		return 0;
	packed = *out;
	r = unpack(a, packed.p, packed.n, path, out, why);
	bytes_free(&packed);
	return r;
}

/* The file of a line of modules.dep. */
static const char *path_of(struct arena *a, const struct kernel_places *k, const char *line)
{
	return line[0] == '/' ? line : arena_printf(a, "%s/%s", k->modules, line);
}

int kernel_module_path(struct arena *a, const struct kernel_places *k, const char *name, const char **path, struct problem *why)
{
	const char *wanted = kernel_module_name(a, name), *line;
	struct bytes list;

	for (const struct kernel_module_file *f = k->given; f; f = f->next)
		if (!strcmp(f->name, wanted)) {
			*path = f->path;
			return 0;
		}
	if (!k->modules)
		return problem_set(why, a, PROBLEM_NO_MODULE, "the modules of kernel %s are not installed",
				   k->release);
	if (bytes_of_file(a, arena_printf(a, "%s/modules.dep", k->modules), &list, why) < 0)
		return -1;
	line = find_line(&list, wanted, a, NULL);
	bytes_free(&list);
	if (!line)
		return not_there(a, k, wanted, why);
	*path = path_of(a, k, line);
	return 0;
}

int kernel_module_bytes(struct arena *a, const struct kernel_places *k, const char *name, struct bytes *out,
			struct problem *why)
{
	const char *path;

	return kernel_module_path(a, k, name, &path, why) ? -1 : kernel_module_read(a, path, out, why);
}

const char *kernel_module_of(struct kernel_info *k, const char *text)
{
	const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text;
	struct kernel_module_file *f;

	if (!slash || !*name || *name == '.') /* a folder: no module is called so */
		return kernel_module_name(k->arena, text);
	f = arena_new(k->arena, struct kernel_module_file);
	name = kernel_module_name(k->arena, arena_strndup(k->arena, name, strcspn(name, ".")));
	*f = (struct kernel_module_file){.name = name, .path = arena_strdup(k->arena, text), .next = k->places.given};
	k->places.given = f;
	return name;
}

const char *kernel_module_id(struct arena *a, const struct bytes *file)
{
	const unsigned char *p = file->p;
	char *hex, *to;
	Elf64_Nhdr h;
	size_t n = file->n;

	if (unpack_machine(file) && !unpack_section(file, ".note.gnu.build-id", &p, &n))
		return NULL;
	if (n < sizeof h + 4)
		return NULL;
	memcpy(&h, p, sizeof h);
	if (h.n_type != NT_GNU_BUILD_ID || h.n_namesz != 4 || memcmp(p + sizeof h, "GNU", 4) || h.n_descsz > n - sizeof h - 4)
		return NULL;
	to = hex = arena_alloc(a, 2 * (size_t)h.n_descsz + 1);
	*to = 0;
	for (p += sizeof h + 4; h.n_descsz--; to += 2)
		sprintf(to, "%02x", *p++);
	return hex;
}

/* --- by a pattern --- */

typedef VEC(struct kernel_module) modules;

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct kernel_module *)x)->name, ((const struct kernel_module *)y)->name);
}

/* The modules of a list (modules.dep, modules.builtin) that match, sorted; path is the line. */
static modules listed(struct arena *a, const struct kernel_places *k, const char *file, const char *glob)
{
	struct bytes list;
	modules out = {0};
	const char *p, *word;
	char name[256];
	size_t n;

	if (!k->modules || bytes_of_file(a, arena_printf(a, "%s/%s", k->modules, file), &list, NULL) < 0)
		return out;
	p = (const char *)list.p;
	while (next_word(&p, (const char *)list.p + list.n, ':', &word, &n))
		if (name_of(word, n, name, sizeof name) && str_glob(glob, name))
			vec_push(a, &out, ((struct kernel_module){arena_strdup(a, name), arena_strndup(a, word, n)}));
	bytes_free(&list);
	if (out.n)
		qsort(out.v, out.n, sizeof *out.v, by_name);
	return out;
}

/* Those of /proc/modules that match, sorted. */
static modules loaded(struct arena *a, const struct kernel_places *k, const char *glob)
{
	modules installed = listed(a, k, "modules.dep", glob), out = {0};
	struct bytes list;
	const char *p, *word;
	size_t n;

	if (bytes_of_file(a, k->loaded, &list, NULL) < 0)
		return out;
	p = (const char *)list.p;
	while (next_word(&p, (const char *)list.p + list.n, ' ', &word, &n)) {
		struct kernel_module m = {.name = arena_strndup(a, word, n)}, *file;

		if (!m.name[0] || !str_glob(glob, m.name))
			continue;
		file = installed.n ? bsearch(&m, installed.v, installed.n, sizeof m, by_name) : NULL;
		m.path = file ? file->path : NULL;
		vec_push(a, &out, m);
	}
	bytes_free(&list);
	if (out.n)
		qsort(out.v, out.n, sizeof *out.v, by_name);
	return out;
}

bool kernel_module_exists(struct arena *a, const struct kernel_places *k, const char *name, struct problem *why)
{
	const char *wanted = kernel_module_name(a, name);

	if (listed(a, k, "modules.dep", wanted).n || listed(a, k, "modules.builtin", wanted).n || (k->loaded && loaded(a, k, wanted).n))
		return true;
	not_there(a, k, wanted, why);
	return false;
}

/* Sets why when no module matches. */
static void none_matches(struct arena *a, const struct kernel_places *k, const char *glob, struct problem why[static 1])
{
	modules others = k->loaded ? listed(a, k, "modules.dep", glob) : (modules){0};
	modules builtin = listed(a, k, "modules.builtin", glob);
	char *plain = arena_strdup(a, glob), *to = plain;
	struct nearest near;
	size_t i;

	problem_set(why, a, PROBLEM_NO_MODULE, "no %smodule of kernel %s matches \"%s\"", k->loaded ? "loaded " : "", k->release, glob);
	if (others.n) {
		why->hint = arena_printf(a, "load it first: modprobe %s", others.v[0].name);
		return;
	}
	if (builtin.n) {
		why->hint = arena_printf(a, "%s is built into the kernel: use kernel.function(...) for it", builtin.v[0].name);
		return;
	}
	for (i = 0; glob[i]; i++)
		if (!strchr("*?", glob[i]))
			*to++ = glob[i];
	*to = 0;
	nearest_init(&near, plain);
	others = k->loaded ? loaded(a, k, "*") : listed(a, k, "modules.dep", "*");
	for (i = 0; i < others.n; i++)
		nearest_add(&near, others.v[i].name);
	why->near = nearest_text(&near, a);
}

size_t kernel_module_matching(struct arena *a, const struct kernel_places *k, const char *glob, const struct kernel_module **out,
			      struct problem *why)
{
	const char *pattern = kernel_module_name(a, glob);
	modules all = k->loaded ? loaded(a, k, pattern) : listed(a, k, "modules.dep", pattern);
	size_t i, n = 0;

	if (!k->modules && !k->loaded) {
		problem_set(why, a, PROBLEM_NO_MODULE, "the modules of kernel %s are not installed", k->release);
		return 0;
	}
	for (i = 0; i < all.n; i++) {
		if (n && !strcmp(all.v[n - 1].name, all.v[i].name))
			continue;
		all.v[n] = all.v[i];
		all.v[n].path = all.v[n].path ? path_of(a, k, all.v[n].path) : NULL;
		n++;
	}
	if (!n && why)
		none_matches(a, k, glob, why);
	*out = all.v;
	return n;
}

size_t kernel_module_installed(struct arena *a, const struct kernel_places *k, const char *glob, const struct kernel_module **out)
{
	modules all = listed(a, k, "modules.dep", glob);

	*out = all.v;
	return all.n;
}

/* --- symbols --- */

/* Lines of the list are "alias symbol:NAME MODULE". */
const char *kernel_module_exporting(struct arena *a, const struct kernel_places *k, const char *symbol)
{
	const char *wanted = arena_printf(a, " symbol:%s ", symbol), *found, *end, *module = NULL;
	struct bytes list;

	if (!k->modules || bytes_of_file(a, arena_printf(a, "%s/modules.symbols", k->modules), &list, NULL) < 0)
		return NULL;
	found = memmem(list.p, list.n, wanted, strlen(wanted));
	end = (const char *)list.p + list.n;
	if (found) {
		const char *from = found + strlen(wanted), *to = memchr(from, '\n', (size_t)(end - from));
		module = arena_strndup(a, from, (size_t)((to ? to : end) - from));
	}
	bytes_free(&list);
	return module;
}

/* Finds an object or function in a symbol table; strings end within their section. */
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
