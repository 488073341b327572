/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens user-space programs and libraries: finds the file, checks its headers, reads its symbol tables. */
#include "translator/debuginfo/elf.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/str.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/elf_image.h"
#include "translator/debuginfo/pclntab.h"
#include "translator/debuginfo/scoped.h"
#include "translator/debuginfo/servers.h"

enum { MAX_INTERPRETERS = 4 };

static bool inside(uint64_t off, uint64_t len, uint64_t all)
{
	return off <= all && len <= all - off;
}

/* --- the file --- */

/* The program that a "#!" line names; for "env" the program that it will run. NULL if there is none. */
static const char *interpreter(struct arena *a, const struct bytes *file)
{
	const char *text = (const char *)file->p, *eol = memchr(text, '\n', file->n < 256 ? file->n : 256);
	char *line = arena_strndup(a, text + 2,
				   eol ? (size_t)(eol - text) - 2 : (file->n < 256 ? file->n : 256) - 2);
	char *word = strtok_r(line, " \t\r", &line), *slash;

	slash = word ? strrchr(word, '/') : NULL;
	if (!slash || strcmp(slash, "/env") != 0)
		return word;
	do
		word = strtok_r(line, " \t\r", &line);
	while (word && (word[0] == '-' || strchr(word, '=')));
	return word;
}

/* Also at the end of links. */
static bool is_regular(DIR *d, const char *name)
{
	struct stat st;

	return !fstatat(dirfd(d), name, &st, 0) && S_ISREG(st.st_mode);
}

static void add_names_in(struct arena *a, const char *folder, struct nearest *near)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && is_regular(d, e->d_name))
			nearest_add(near, arena_strdup(a, e->d_name));
	if (d)
		closedir(d);
}

/* The names in its folder, which comes before them, or in those of $PATH, that are nearest to that of a file that does not exist. */
static const char *near_files(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *p = slash ? NULL : getenv("PATH");
	struct nearest near;

	nearest_init(&near, slash ? slash + 1 : path);
	if (slash)
		add_names_in(a, slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path)), &near);
	while (p) {
		size_t n = strcspn(p, ":");

		if (n)
			add_names_in(a, arena_strndup(a, p, n), &near);
		p = p[n] ? p + n + 1 : NULL;
	}
	for (unsigned i = 0; slash && i < near.n; i++)
		near.best[i].s = arena_printf(a, "%.*s%s", (int)(slash + 1 - path), path, near.best[i].s);
	return nearest_text(&near, a);
}

bool elf_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A program in the folders of $PATH, or one or a library in the current folder. */
static const char *find_named(struct arena *a, const char *name)
{
	const char *found = child_find_program(a, name), *here = arena_printf(a, "./%s", name);
	struct stat st;

	if (found || stat(here, &st) || !S_ISREG(st.st_mode) || (access(here, X_OK) && !strstr(name, ".so")))
		return found;
	return here;
}

/*
 * The links exe, root and cwd in /proc lead to the file itself.  What they say is no path to it if it was deleted, or if the process has
 * another mount namespace: there the name through the link is kept.
 */
static const char *find_file(struct arena *a, const char *path, struct problem *why)
{
	const char *found = strchr(path, '/') ? path : find_named(a, path);
	char real[PATH_MAX];

	if (found && realpath(found, real) && elf_same_file(found, real))
		return arena_strdup(a, real);
	if (found && *found == '/' && access(found, F_OK) == 0)
		return arena_strdup(a, found);
	problem_set(why, a, PROBLEM_NO_FILE,
		    strchr(path, '/') ? "there is no file \"%s\"" : "there is no program \"%s\" in $PATH or the current folder",
		    path);
	if (why)
		why->near = near_files(a, path);
	return NULL;
}

static int open_file(struct elf_image *e, const char *path, struct problem *why)
{
	unsigned i;

	e->facts.given = arena_strdup(e->arena, path);
	if (elf_is_build_id(path) && !(path = elf_find_build_id(e->arena, e->target, path))) {
		problem_set(why, e->arena, PROBLEM_NO_FILE, "no program with the build-id %s is found", e->facts.given);
		if (why)
			why->hint = "it is looked for in the folders /usr/lib/.build-id and /usr/lib/debug/.build-id, "
				    "and among the programs in $PATH";
		return -1;
	}
	for (i = 0; i < MAX_INTERPRETERS; i++) {
		e->facts.path =
			path && path[0]
				? find_file(e->arena, path, why)
				: (problem_set(why, e->arena, PROBLEM_NO_FILE, "no program is named"), NULL);
		if (!e->facts.path || bytes_of_file(e->arena, e->facts.path, &e->file, why) < 0)
			return -1;
		if (e->file.n < 2 || memcmp(e->file.p, "#!", 2) != 0)
			return 0;
		if (!e->facts.script)
			e->facts.script = e->facts.path;
		path = interpreter(e->arena, &e->file);
		bytes_free(&e->file);
	}
	return problem_set(why, e->arena, PROBLEM_BAD_FORMAT,
			   "\"%s\" is a script whose interpreters are scripts without end", e->facts.given);
}

/* --- headers --- */

static int is_of_32_bits(const struct elf_image *e, struct problem *why)
{
	const char *slash = strrchr(e->facts.path, '/');

	problem_set(why, e->arena, PROBLEM_BAD_FORMAT, "\"%s\" is a 32-bit program: only 64-bit ones and their markers can be probed", e->facts.path);
	if (why)
		why->hint = arena_printf(e->arena, "of 32-bit programs these can: process(\"%s\").begin, .end, .thread, .syscall; and all system "
					 "calls: probe syscall.open { if (execname() == \"%.15s\") ... }",
					 e->facts.given, slash ? slash + 1 : e->facts.path);
	return -1;
}

static int check_header(struct elf_image *e, Elf64_Ehdr *h, struct problem *why)
{
	const char *path = e->facts.path;

	if (e->file.n < EI_NIDENT || memcmp(e->file.p, ELFMAG, SELFMAG) != 0)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT,
				   "\"%s\" is neither an ELF file nor a script", path);
	if (e->file.p[EI_CLASS] == ELFCLASS32)
		return is_of_32_bits(e, why);
	if (e->file.p[EI_CLASS] != ELFCLASS64 || e->file.p[EI_DATA] != ELFDATA2LSB)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT, "\"%s\" is not a 64-bit %s program",
				   path, e->target->kernel);
	if (e->file.n < sizeof *h)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT, "\"%s\" is cut short", path);
	memcpy(h, e->file.p, sizeof *h);
	if (h->e_machine != e->target->elf_machine)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT,
				   "\"%s\" is a program for another machine", path);
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT,
				   "\"%s\" is neither a program nor a shared library", path);
	if (h->e_phentsize != sizeof(Elf64_Phdr) ||
	    !inside(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr), e->file.n))
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT,
				   "the program headers of \"%s\" are damaged", path);
	return 0;
}

const char *elf_32_bit_program(struct arena *a, const struct target *target, const char *path)
{
	struct elf_image e = {.arena = a, .target = target};
	struct problem ignored = {0};
	uint16_t machine = 0;

	if (open_file(&e, path, &ignored))
		return NULL;
	/* up to there both kinds of headers are the same */
	if (e.file.n >= sizeof(Elf32_Ehdr) && !memcmp(e.file.p, ELFMAG, SELFMAG) && e.file.p[EI_CLASS] == ELFCLASS32)
		memcpy(&machine, e.file.p + offsetof(Elf32_Ehdr, e_machine), sizeof machine);
	bytes_free(&e.file);
	return machine && (machine == target->elf_machine_32 || machine == target->elf_machine) ? e.facts.path : NULL;
}

static const Elf64_Phdr *segment(const struct elf_image *e, uint32_t type)
{
	unsigned i;

	for (i = 0; i < e->nsegments; i++)
		if (e->segments[i].p_type == type &&
		    inside(e->segments[i].p_offset, e->segments[i].p_filesz, e->file.n))
			return &e->segments[i];
	return NULL;
}

bool elf_offset(const struct elf_image *e, uint64_t addr, bool executable, uint64_t *off)
{
	unsigned i;

	for (i = 0; i < e->nsegments; i++) {
		const Elf64_Phdr *s = &e->segments[i];

		if (s->p_type != PT_LOAD || addr < s->p_vaddr || addr - s->p_vaddr >= s->p_filesz ||
		    (executable && !(s->p_flags & PF_X)) || !inside(s->p_offset, s->p_filesz, e->file.n))
			continue;
		*off = addr - s->p_vaddr + s->p_offset;
		return true;
	}
	return false;
}

static const char *hex(struct arena *a, const unsigned char *p, size_t n)
{
	char *text = arena_alloc(a, 2 * n + 1);
	size_t i;

	for (i = 0; i < n; i++)
		sprintf(text + 2 * i, "%02x", p[i]);
	return text;
}

static void build_id_in(struct elf_image *e, const Elf64_Phdr *s)
{
	uint64_t at = 0, name, desc;
	Elf64_Nhdr h;

	while (s->p_filesz - at >= sizeof h) {
		const unsigned char *note = e->file.p + s->p_offset + at;

		memcpy(&h, note, sizeof h);
		name = ((uint64_t)h.n_namesz + 3) & ~3ull;
		desc = ((uint64_t)h.n_descsz + 3) & ~3ull;
		if (!inside(at + sizeof h, name + desc, s->p_filesz))
			return;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    memcmp(note + sizeof h, "GNU", 4) == 0 && h.n_descsz <= 64)
			e->facts.build_id = hex(e->arena, note + sizeof h + name, h.n_descsz);
		at += sizeof h + name + desc;
	}
}

static const Elf64_Dyn *dynamic(const struct elf_image *e, size_t *n)
{
	const Elf64_Phdr *s = segment(e, PT_DYNAMIC);

	*n = s ? s->p_filesz / sizeof(Elf64_Dyn) : 0;
	return s ? arena_memdup(e->arena, e->file.p + s->p_offset, *n * sizeof(Elf64_Dyn)) : NULL;
}

static bool dynamic_value(const Elf64_Dyn *d, size_t n, int64_t tag, uint64_t *value)
{
	size_t i;

	for (i = 0; i < n && d[i].d_tag != DT_NULL; i++)
		if (d[i].d_tag == tag) {
			*value = d[i].d_un.d_val;
			return true;
		}
	return false;
}

static int read_headers(struct elf_image *e, struct problem *why)
{
	const Elf64_Dyn *d;
	uint64_t flags = 0, soname;
	Elf64_Ehdr h;
	size_t n;
	unsigned i;

	if (check_header(e, &h, why) < 0)
		return -1;
	e->entry = h.e_entry;
	e->nsegments = h.e_phnum;
	e->segments = arena_memdup(e->arena, e->file.p + h.e_phoff, e->nsegments * sizeof *e->segments);
	for (i = 0; i < e->nsegments; i++)
		if (e->segments[i].p_type == PT_NOTE &&
		    inside(e->segments[i].p_offset, e->segments[i].p_filesz, e->file.n))
			build_id_in(e, &e->segments[i]);
	d = dynamic(e, &n);
	dynamic_value(d, n, DT_FLAGS_1, &flags);
	e->facts.pie = h.e_type == ET_DYN;
	e->facts.executable = h.e_type == ET_EXEC || (flags & DF_1_PIE) ||
			      (segment(e, PT_INTERP) && !dynamic_value(d, n, DT_SONAME, &soname));
	return 0;
}

static int open_alone(struct elf_image *e, const char *path, struct problem *why)
{
	e->facts.given = e->facts.path = arena_strdup(e->arena, path);
	return bytes_of_file(e->arena, path, &e->file, why);
}

static struct elf_image *open_image(struct arena *a, const struct target *target, const char *path, bool alone, struct problem *why)
{
	struct elf_image *e = arena_new(a, struct elf_image);

	e->arena = a;
	e->target = target;
	e->alone = alone;
	if ((alone ? open_alone(e, path, why) : open_file(e, path, why)) < 0)
		return NULL;
	if (read_headers(e, why) < 0) {
		bytes_free(&e->file);
		return NULL;
	}
	return e;
}

struct elf_image *elf_open(struct arena *a, const struct target *target, const char *path, struct problem *why)
{
	return open_image(a, target, path, false, why);
}

struct elf_image *elf_open_alone(struct arena *a, const struct target *target, const char *path, struct problem *why)
{
	return open_image(a, target, path, true, why);
}

void elf_close(struct elf_image *e)
{
	if (e->dwarf)
		dwarf_file_close(e->dwarf);
	e->dwarf = NULL;
	elf_returns_close(e);
	bytes_free(&e->debug);
	bytes_free(&e->packed);
	bytes_free(&e->file);
}

const struct elf_facts *elf_facts(const struct elf_image *e)
{
	return &e->facts;
}

/* The program's own block is where its linker was sure that it is; those of libraries are where its dynamic linker has found room. */
static bool program_block(struct elf_image *e, int64_t *distance)
{
	const Elf64_Phdr *s = segment(e, PT_TLS);
	uint64_t align = s && s->p_align ? s->p_align : 1;

	if (!s || !e->facts.executable || (align & (align - 1)) || !e->target->thread_block)
		return false;
	*distance = e->target->thread_block(s->p_vaddr, s->p_memsz, align);
	return true;
}

static void use_thread_block(struct elf_image *e)
{
	struct elf_blocks blocks;
	int64_t distance;

	if (segment(e, PT_TLS) && !e->facts.executable && elf_thread_blocks(e->target, &blocks))
		dwarf_use_library_blocks(e->dwarf, blocks.list, blocks.offset);
	if (program_block(e, &distance))
		dwarf_use_program_block(e->dwarf, distance);
}

bool elf_has_dwarf(struct elf_image *e)
{
	struct dwarf_found found;

	if (!e->dwarf_tried) {
		e->dwarf_tried = true;
		e->dwarf = dwarf_file_open(e->arena, e->target, e->facts.path, e->facts.pie, e->alone, &found);
		e->facts.has_dwarf = e->dwarf != NULL;
		e->facts.debug_file = found.separate;
		e->facts.lack = found.lack;
		if (e->dwarf && !e->alone)
			use_thread_block(e);
	}
	return e->dwarf != NULL;
}

/* A string of the dynamic string table, ending within the file. */
static const char *dynamic_string(const struct elf_image *e, uint64_t table, uint64_t off)
{
	uint64_t at;

	if (!elf_offset(e, table, false, &at) || !inside(at, off, e->file.n) || at + off == e->file.n ||
	    !memchr(e->file.p + at + off, 0, e->file.n - at - off))
		return NULL;
	return (const char *)e->file.p + at + off;
}

size_t elf_needed(struct elf_image *e, const char *const **names)
{
	VEC(const char *) all = {0};
	const char *name;
	uint64_t table;
	size_t n, i;
	const Elf64_Dyn *d = dynamic(e, &n);

	*names = NULL;
	if (!dynamic_value(d, n, DT_STRTAB, &table))
		return 0;
	for (i = 0; i < n && d[i].d_tag != DT_NULL; i++)
		if (d[i].d_tag == DT_NEEDED && (name = dynamic_string(e, table, d[i].d_un.d_val)) != NULL)
			vec_push(e->arena, &all, name);
	*names = all.v;
	return all.n;
}

const char *elf_run_path(struct elf_image *e, bool *is_rpath)
{
	uint64_t table, at;
	size_t n;
	const Elf64_Dyn *d = dynamic(e, &n);
	const char *folders = NULL;
	bool runs = dynamic_value(d, n, DT_RUNPATH, &at);

	if ((runs || dynamic_value(d, n, DT_RPATH, &at)) && dynamic_value(d, n, DT_STRTAB, &table))
		folders = dynamic_string(e, table, at);
	*is_rpath = folders && !runs;
	return folders;
}

const char *elf_interpreter(const struct elf_image *e)
{
	const Elf64_Phdr *s = segment(e, PT_INTERP);

	if (!s || !s->p_filesz || e->file.p[s->p_offset + s->p_filesz - 1])
		return NULL;
	return (const char *)e->file.p + s->p_offset;
}

size_t elf_code(struct elf_image *e, const struct elf_code **code)
{
	VEC(struct elf_code) v = {0};

	for (unsigned i = 0; i < e->nsegments; i++) {
		const Elf64_Phdr *s = &e->segments[i];
		const struct elf_code one = {s->p_offset, s->p_filesz, s->p_vaddr};
		if (s->p_type == PT_LOAD && s->p_flags & PF_X && inside(s->p_offset, s->p_filesz, e->file.n))
			vec_push(e->arena, &v, one);
	}
	*code = v.v;
	return v.n;
}

struct dtypes *elf_types(struct elf_image *e, struct problem *why)
{
	if (elf_has_dwarf(e))
		return dwarf_file_types(e->dwarf);
	problem_set(why, e->arena, PROBLEM_NO_DEBUGINFO, "\"%s\" has no debug information", e->facts.path);
	if (why && e->facts.names_of_go)
		why->hint = "of a stripped program of Go only the names and lines of functions are known: build it without -ldflags=-s and -w, "
			    "or take what its functions are passed from long_arg(1), long_arg(2) ..., and what they return from returnval()";
	else if (why)
		why->hint = e->facts.lack ? e->facts.lack :
			    servers_advice(e->arena, e->facts.build_id, "compile it with -g, install its -dbgsym package");
	return NULL;
}

bool elf_is_served(struct elf_image *e, struct problem *why)
{
	const char *fault;

	if (!servers_are_named()) {
		problem_set(why, e->arena, PROBLEM_NO_DEBUGINFO, "no debuginfod server is named");
		if (why)
			why->hint = "set DEBUGINFOD_URLS, as in DEBUGINFOD_URLS=https://debuginfod.elfutils.org";
		return false;
	}
	if (e->facts.build_id && dwarf_file_of_server(e->arena, e->facts.build_id))
		return true;
	problem_set(why, e->arena, PROBLEM_NO_DEBUGINFO, "no server of DEBUGINFOD_URLS has debug information of \"%s\"%s%s", e->facts.path,
		    e->facts.build_id ? ", build " : ": it has no build-id", e->facts.build_id ? e->facts.build_id : "");
	fault = e->facts.build_id ? servers_fault(e->arena, e->facts.build_id) : NULL;
	if (fault)
		problem_set(why, e->arena, PROBLEM_NO_DEBUGINFO, "a server of DEBUGINFOD_URLS cannot be asked: %s", fault);
	return false;
}

int elf_variable_in_scope(struct elf_image *e, uint64_t scope, const char *name, struct fetch *f, struct problem *why)
{
	return elf_types(e, NULL) ? dwarf_variable_in_scope(e->dwarf, scope, name, f, why) : -1;
}

/* --- symbol tables --- */

/* Symbols that name functions with code here: no undefined ones, no cold halves of functions. */
static bool is_function(const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);
	const char *dot;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || s->st_shndx == SHN_UNDEF || s->st_value == 0 ||
	    !name[0])
		return false;
	dot = strstr(name, ".cold");
	return !dot || (dot[5] && dot[5] != '.');
}

/* The name without its version: "memcpy@@GLIBC_2.14". */
static const char *unversioned(struct arena *a, const char *name)
{
	const char *at = strchr(name, '@');

	return at && at != name ? arena_strndup(a, name, (size_t)(at - name)) : name;
}

/* A walk over the symbols of a file. */
struct walk {
	struct elf_image *e;
	void (*found)(struct walk *w, const Elf64_Sym *s, const char *name);
	struct arena *scratch; /* elf_symbols() */
	elf_names *names;
	size_t (*visit)(const char *name, bool defined); /* elf_any_symbol() */
	const char *name; /* elf_symbol() */
	const char *mangled; /* as it is in mangled names */
	size_t length;
	uint64_t addr;
	unsigned type; /* compare_object() */
	unsigned n;
};

static const char *cut(const struct elf_image *e, const char *name)
{
	return e->alone && strnlen(name, ELF_NAME_MOST + 1) > ELF_NAME_MOST ? arena_strndup(e->arena, name, ELF_NAME_MOST) : name;
}

static void add_function(struct walk *w, const Elf64_Sym *s, const char *name)
{
	name = cut(w->e, name);
	if (is_function(s, name))
		vec_push(w->scratch, w->names,
			 ((struct elf_name){.name = unversioned(w->e->arena, name),
					    .addr = s->st_value,
					    .size = s->st_size,
					    .global = ELF64_ST_BIND(s->st_info) != STB_LOCAL,
					    .weak = ELF64_ST_BIND(s->st_info) == STB_WEAK,
					    .ifunc = ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC}));
}

static void read_table(struct walk *w, const struct bytes *file, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
	uint64_t i, n = table->sh_size / sizeof(Elf64_Sym);
	const char *text = (const char *)file->p + strings->sh_offset;
	Elf64_Sym s;

	if (strings->sh_size == 0 || text[strings->sh_size - 1] != 0)
		return;
	for (i = 0; i < n; i++) {
		memcpy(&s, file->p + table->sh_offset + i * sizeof s, sizeof s);
		if (s.st_name < strings->sh_size)
			w->found(w, &s, text + s.st_name);
	}
}

static void read_tables(struct walk *w, const struct bytes *file)
{
	Elf64_Shdr s, strings;
	Elf64_Ehdr h;
	unsigned i;

	if (file->n < sizeof h || memcmp(file->p, ELFMAG, SELFMAG) != 0)
		return;
	memcpy(&h, file->p, sizeof h);
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof s ||
	    !inside(h.e_shoff, (uint64_t)h.e_shnum * sizeof s, file->n))
		return;
	for (i = 0; i < h.e_shnum; i++) {
		memcpy(&s, file->p + h.e_shoff + i * sizeof s, sizeof s);
		if ((s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM) || s.sh_link >= h.e_shnum)
			continue;
		memcpy(&strings, file->p + h.e_shoff + s.sh_link * sizeof s, sizeof s);
		if (strings.sh_type != SHT_STRTAB || !inside(s.sh_offset, s.sh_size, file->n) ||
		    !inside(strings.sh_offset, strings.sh_size, file->n))
			continue;
		if (s.sh_type == SHT_SYMTAB)
			w->e->facts.has_symtab = true;
		read_table(w, file, &s, &strings);
	}
}

/* The names that a stripped program of Go has kept. */
static void read_go_table(struct walk *w)
{
	const struct pclntab *t = elf_go_table(w->e);
	struct pclntab_function f;

	w->e->facts.names_of_go = t != NULL;
	for (size_t i = 0; t && pclntab_function(t, i, &f); i++) {
		const Elf64_Sym s = {
			.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC), .st_shndx = 1 /* any */, .st_value = f.entry, .st_size = f.end - f.entry};
		w->found(w, &s, f.name);
	}
}

static void read_symbols(struct walk *w)
{
	struct elf_image *e = w->e;
	const unsigned char *data;
	size_t len;

	read_tables(w, &e->file);
	elf_has_dwarf(e);
	if (e->facts.debug_file &&
	    (e->debug.n || bytes_of_file(e->arena, e->facts.debug_file, &e->debug, NULL) == 0))
		read_tables(w, &e->debug);
	if (e->facts.has_symtab && !e->packed.n)
		return;
	if (e->packed.n ||
	    (unpack_section(&e->file, ".gnu_debugdata", &data, &len) && unpack_is_packed(data, len) &&
	     unpack(e->arena, data, len, e->facts.path, &e->packed, NULL) == 0))
		read_tables(w, &e->packed);
	if (!e->facts.has_symtab)
		read_go_table(w);
}

void elf_symbols(struct elf_image *e, struct arena *scratch, elf_names *names)
{
	struct walk w = {.e = e, .found = add_function, .scratch = scratch, .names = names};

	read_symbols(&w);
}

static void ask_symbol(struct walk *w, const Elf64_Sym *s, const char *name)
{
	if (!w->n)
		w->n = (unsigned)w->visit(name, s->st_shndx != SHN_UNDEF);
}

size_t elf_any_symbol(struct elf_image *e, size_t (*visit)(const char *name, bool defined))
{
	struct walk w = {.e = e, .found = ask_symbol, .visit = visit};

	read_tables(&w, &e->file);
	read_tables(&w, &e->debug);
	read_tables(&w, &e->packed);
	return w.n;
}

static void compare_symbol(struct walk *w, const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || (type != STT_NOTYPE && type != STT_OBJECT && type != STT_FUNC) ||
	    strncmp(name, w->name, w->length) != 0 || (name[w->length] && name[w->length] != '@'))
		return;
	if (!w->n || w->addr != s->st_value)
		w->n++;
	w->addr = s->st_value;
}

bool elf_symbol(struct elf_image *e, const char *name, size_t length, uint64_t *addr)
{
	struct walk w = {.e = e, .found = compare_symbol, .name = name, .length = length};

	read_symbols(&w);
	*addr = w.addr;
	return w.n == 1;
}

bool elf_own_symbol(struct elf_image *e, const char *name, uint64_t *addr)
{
	struct walk w = {.e = e, .found = compare_symbol, .name = name, .length = strlen(name)};

	read_tables(&w, &e->file);
	*addr = w.addr;
	return w.n == 1;
}

/* --- variables --- */

/* Is it the symbol of a variable of the name: itself, "name.0" of a function's, or a mangled one? */
static void compare_variable(struct walk *w, const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF || (type != STT_OBJECT && type != STT_TLS && type != STT_COMMON))
		return;
	if (!strncmp(name, "_Z", 2))
		w->n += strstr(name, w->mangled) != NULL;
	else
		w->n += !strncmp(name, w->name, w->length) && (!name[w->length] || name[w->length] == '.');
}

/* May the file have a variable of the name, though the debug information that was read has none?  Where there is no symbol table, any. */
static bool may_have_variable(struct elf_image *e, const char *name)
{
	struct walk w = {.e = e, .found = compare_variable, .name = scoped_last(name)};

	w.length = strlen(w.name);
	w.mangled = arena_printf(e->arena, "%zu%s", w.length, w.name);
	read_symbols(&w);
	return w.n || !e->facts.has_symtab;
}

static void compare_object(struct walk *w, const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || (type != STT_OBJECT && type != STT_TLS) ||
	    strncmp(name, w->name, w->length) != 0 || (name[w->length] && name[w->length] != '@'))
		return;
	if (!w->n || w->addr != s->st_value || w->type != type)
		w->n++;
	w->addr = s->st_value;
	w->type = type;
}

/* From the offset in the block to the address, as of_thread() of dwarf_expr.c does. */
static bool in_thread_block(struct elf_image *e, struct fetch *f)
{
	struct elf_blocks blocks;
	int64_t distance;

	if (e->facts.executable) {
		if (!program_block(e, &distance))
			return false;
		*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_THREAD});
		*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_PLUS});
		*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_ADD, .n = distance});
		return true;
	}
	if (!e->facts.pie || !elf_thread_blocks(e->target, &blocks))
		return false;
	*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_BIAS});
	*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_BLOCK, .n = blocks.list, .size = blocks.offset});
	*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_PLUS});
	return true;
}

bool elf_variable_symbol(struct elf_image *e, const char *name, struct fetch *f)
{
	struct walk w = {.e = e, .found = compare_object, .name = name, .length = strlen(name)};

	read_symbols(&w);
	if (w.n != 1)
		return false;
	*f = (struct fetch){.where = FETCH_IN_MEMORY, .space = FETCH_USER};
	*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_CONST, .n = (int64_t)w.addr});
	if (w.type == STT_TLS)
		return in_thread_block(e, f);
	if (e->facts.pie) {
		*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_BIAS});
		*f = fetch_append(e->arena, f, (struct fetch_op){.code = FETCH_PLUS});
	}
	return true;
}

int elf_variable(struct elf_image *e, const char *name, const char *file, struct fetch *f, struct problem *why)
{
	if (!elf_types(e, why))
		return -1;
	if (!dwarf_variable(e->dwarf, name, file, f, why))
		return 0;
	if (why && !why->hint && e->facts.lack && may_have_variable(e, name))
		why->hint = e->facts.lack;
	return -1;
}

int elf_object(struct elf_image *e, const char *name, const char *file, uint64_t *address, const struct dtype **type, struct problem *why)
{
	struct fetch f;

	if (elf_variable(e, name, file, &f, why))
		return -1;
	if (f.where != FETCH_IN_MEMORY || f.ops[0].code != FETCH_CONST || (f.nops != 1 && (f.nops != 3 || f.ops[1].code != FETCH_BIAS)))
		return problem_set(why, e->arena, PROBLEM_NOT_PLACED, "\"%s\" has no fixed address: it is a constant, or each thread has one", name);
	*address = (uint64_t)f.ops[0].n;
	*type = f.type;
	return 0;
}

uint64_t elf_code_start(const struct elf_image *e)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < e->nsegments; i++)
		if (e->segments[i].p_type == PT_LOAD && (e->segments[i].p_flags & PF_X) && e->segments[i].p_vaddr < first)
			first = e->segments[i].p_vaddr;
	return first;
}

void elf_place_given(struct elf_image *e, struct proto_value *values, size_t n)
{
	abi_place_given(e->arena, values, n, FETCH_USER);
}
