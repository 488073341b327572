/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds libraries as the dynamic linker does: folders that the files name, $LD_LIBRARY_PATH, /etc/ld.so.cache, the folders of the system. */
#include "translator/probes/libraries.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "translator/debuginfo/elf.h"
#include "translator/probes/image.h"

/* Where the dynamic linker of a Debian or Fedora system looks without further configuration.  % is the target's own folder. */
static const char *const library_dirs[] = {
	"/lib/%", "/usr/lib/%", "/lib64", "/usr/lib64", "/usr/local/lib", "/lib", "/usr/lib",
};

/* As /usr/lib/ssl is, beside libssl.so.3. */
static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static const char *in_folders(struct session *s, const char *name)
{
	for (size_t i = 0; i < sizeof library_dirs / sizeof library_dirs[0]; i++) {
		int n = (int)strcspn(library_dirs[i], "%");
		const char *path = arena_printf(&s->arena, "%.*s%s/%s", n, library_dirs[i], library_dirs[i][n] ? s->target->libraries : "", name);
		if (access(path, R_OK) == 0 && !is_folder(path))
			return path;
	}
	return NULL;
}

/*
 * The cache: a head, nlibs entries, and texts, whose places count from the head. Before it there may be the cache of an older form, with
 * entries of its own. An entry with bits in hwcap is for some processors only.
 */
struct cache_head {
	char magic[20];
	uint32_t nlibs, len;
	uint8_t flags, unused[3];
	uint32_t extension, reserved[3];
};
struct cache_entry {
	int32_t flags;
	uint32_t name, path, os_version;
	uint64_t hwcap;
};

static size_t cache_begins(const char *bytes, size_t n)
{
	static const char old[] = "ld.so-1.7.0";
	uint32_t nlibs;

	if (n < 16 || memcmp(bytes, old, strlen(old)))
		return 0;
	memcpy(&nlibs, bytes + 12, sizeof nlibs);
	return (16 + (size_t)nlibs * 12 + 7) & ~(size_t)7;
}

static const char *cache_text(const char *head, size_t n, uint32_t at)
{
	return at < n && memchr(head + at, 0, n - at) ? head + at : NULL;
}

/* The path of the entry *at or the next that is for all processors, and its name. */
static const char *next_in_cache(const char *bytes, size_t n, size_t *at, const char **name)
{
	static const char magic[] = "glibc-ld.so.cache1.1";
	size_t begins = cache_begins(bytes, n);
	struct cache_head head;

	if (begins > n || n - begins < sizeof head)
		return NULL;
	bytes += begins;
	n -= begins;
	memcpy(&head, bytes, sizeof head);
	if (memcmp(head.magic, magic, sizeof head.magic) || head.nlibs > (n - sizeof head) / sizeof(struct cache_entry))
		return NULL;
	while (*at < head.nlibs) {
		struct cache_entry e;
		const char *text, *path;

		memcpy(&e, bytes + sizeof head + (*at)++ * sizeof e, sizeof e);
		text = cache_text(bytes, n, e.name);
		path = cache_text(bytes, n, e.path);
		*name = text;
		if (!e.hwcap && text && path)
			return path;
	}
	return NULL;
}

const char *libraries_in_cache(const char *bytes, size_t n, const char *name, size_t *at)
{
	const char *path, *found;

	while ((path = next_in_cache(bytes, n, at, &found)) != NULL)
		if (!strcmp(found, name))
			return path;
	return NULL;
}

/* /etc/ld.so.cache; empty if it cannot be read. */
struct library_cache {
	const char *bytes;
	size_t size;
};

static const struct library_cache *cache_of(struct session *s)
{
	struct library_cache *c = s->library_cache;

	if (c)
		return c;
	c = s->library_cache = arena_alloc(&s->arena, sizeof *c);
	c->size = 0;
	c->bytes = file_read(&s->arena, "/etc/ld.so.cache", &c->size);
	if (!c->bytes)
		c->size = 0;
	return c;
}

/* The first one for this machine. */
static const char *in_cache(struct session *s, const char *name)
{
	const struct library_cache *cache = cache_of(s);
	size_t at = 0;
	const char *path;
	struct problem ignored = {0};

	while ((path = libraries_in_cache(cache->bytes, cache->size, name, &at)) != NULL)
		if (access(path, R_OK) == 0 && image_open(s, path, &ignored))
			return path;
	return NULL;
}

const char *libraries_of_system(struct session *s, const char *name)
{
	const char *path = in_cache(s, name);

	return path ? path : in_folders(s, name);
}

/* A folder of a run path without its placeholders, as the dynamic linker replaces them; NULL: it depends on more than the file. */
static const char *expand(struct session *s, struct elf_image *e, const char *folder, size_t n)
{
	const char *path = elf_facts(e)->path;
	const struct {
		const char *name, *text;
	} words[] = {
		{"ORIGIN", arena_printf(&s->arena, "%.*s", (int)(strrchr(path, '/') - path), path)},
		{"LIB", arena_printf(&s->arena, "lib/%s", s->target->libraries)},
		{"PLATFORM", s->target->machine},
	};
	struct sb b = {0};
	const char *text;

	for (size_t i = 0, k; i < n; i++) {
		bool braces = folder[i] == '$' && i + 1 < n && folder[i + 1] == '{';
		const char *word = folder + i + 1 + braces;
		size_t len = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		for (k = 0; k < sizeof words / sizeof *words; k++)
			if (folder[i] == '$' && strlen(words[k].name) == len && !strncmp(words[k].name, word, len))
				break;
		if (k == sizeof words / sizeof *words) {
			sb_putc(&b, folder[i]);
			continue;
		}
		sb_printf(&b, "%s", words[k].text);
		i += len + 2 * (size_t)braces;
	}
	text = arena_strdup(&s->arena, b.s ? b.s : "");
	sb_free(&b);
	return text[0] == '/' ? text : NULL;
}

/* The first folder of the path, with ':' or ';' between them, that has such a library for this machine. */
static const char *in_path(struct session *s, struct elf_image *program, const char *folders, const char *name)
{
	for (size_t n; folders && *folders; folders += n + !!folders[n]) {
		const char *folder, *path;
		struct problem ignored = {0};

		n = strcspn(folders, ":;");
		folder = expand(s, program, folders, n);
		path = folder ? arena_printf(&s->arena, "%s/%s", folder, name) : NULL;
		if (path && access(path, R_OK) == 0 && image_open(s, path, &ignored))
			return path;
	}
	return NULL;
}

const struct libraries_file *libraries_linked(struct session *s, struct elf_image *image, const struct libraries_file *by)
{
	struct libraries_file *l = arena_alloc(&s->arena, sizeof *l);

	*l = (struct libraries_file){image, by};
	return l;
}

/* Folders of DT_RPATH hold for what is linked with the file, too; those of DT_RUNPATH for its own libraries only, and instead. */
const char *libraries_path(struct session *s, const struct libraries_file *by, const char *name)
{
	bool is_rpath = false;
	const char *own = elf_run_path(by->image, &is_rpath), *path = NULL;
	bool inherits = !own || is_rpath;

	if (strchr(name, '/'))
		return access(name, R_OK) == 0 ? name : NULL;
	for (const struct libraries_file *l = by; inherits && l && !path; l = l->by) {
		const char *folders = elf_run_path(l->image, &is_rpath);

		if (is_rpath)
			path = in_path(s, l->image, folders, name);
	}
	if (!path)
		path = in_path(s, by->image, getenv("LD_LIBRARY_PATH"), name);
	if (!path && !inherits)
		path = in_path(s, by->image, own, name);
	return path ? path : libraries_of_system(s, name);
}

static void add_looked(struct session *s, struct sb *out, struct elf_image *program, const char *folders, const char *why)
{
	for (size_t n; folders && *folders; folders += n + !!folders[n]) {
		const char *folder;

		n = strcspn(folders, ":;");
		folder = expand(s, program, folders, n);
		if (folder)
			sb_printf(out, "%s%s (%s)", out->n ? ", " : "", folder, why);
	}
}

/* Where libraries_path() looks, in its order, for people. */
static const char *looked_in(struct session *s, const struct libraries_file *by)
{
	bool is_rpath = false;
	const char *own = elf_run_path(by->image, &is_rpath), *text;
	bool inherits = !own || is_rpath;
	struct sb out = {0};

	for (const struct libraries_file *l = by; inherits && l; l = l->by) {
		const char *folders = elf_run_path(l->image, &is_rpath);

		if (is_rpath)
			add_looked(s, &out, l->image, folders, arena_printf(&s->arena, "DT_RPATH of %s", elf_facts(l->image)->path));
	}
	add_looked(s, &out, by->image, getenv("LD_LIBRARY_PATH"), "$LD_LIBRARY_PATH");
	if (!inherits)
		add_looked(s, &out, by->image, own, arena_printf(&s->arena, "DT_RUNPATH of %s", elf_facts(by->image)->path));
	sb_printf(&out, "%s/etc/ld.so.cache and the system's folders, as /lib/%s", out.n ? ", " : "", s->target->libraries);
	text = arena_strdup(&s->arena, out.s);
	sb_free(&out);
	return text;
}

/* Is name the soname without its version ("libc.so"), or without ".so" as well ("libc")? */
static bool is_short_for(const char *name, const char *library)
{
	size_t len = strlen(name);

	return !strncmp(library, name, len) &&
	       (!strncmp(library + len, ".so", 3) || (len > 3 && !strcmp(name + len - 3, ".so") && library[len] == '.'));
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A file that has no name of its own (soname) is needed by the path that the linker was given. */
static bool is_called(const char *library, const char *name)
{
	library = last_part(library);
	return !strcmp(library, name) || str_glob(name, library) || is_short_for(name, library);
}

/* What the library's name has after the short name, in any case, which need not have its "lib"; "": it is another. */
static const char *after_short(const char *name, const char *library)
{
	size_t len = strcspn(name, ".");

	if (strncasecmp(library, name, len) && !strncasecmp(library, "lib", 3))
		library += 3;
	return len && !strncasecmp(library, name, len) ? library + len : "";
}

/* "c" is half of "libc.so.6", as for the option -l of compilers; and part of "libc6.so". */
static bool is_half_of(const char *name, const char *library)
{
	return after_short(name, library)[0] == '.';
}

static bool is_part_of(const char *name, const char *library)
{
	const char *rest = after_short(name, library);

	return *rest && !isalpha((unsigned char)*rest);
}

static const char *or_library(struct session *s, const char *text, const char *library)
{
	return text ? arena_printf(&s->arena, "%s or \"%s\"", text, library) : arena_printf(&s->arena, "\"%s\"", library);
}

/* Libraries of the system for which the name stands so, in quotes; NULL: there are none. */
static const char *of_system(struct session *s, const char *name, bool (*stands_for)(const char *name, const char *library))
{
	const struct library_cache *cache = cache_of(s);
	const char *library, *before = "", *text = NULL;
	size_t at = 0;

	while (next_in_cache(cache->bytes, cache->size, &at, &library)) {
		if (!strcmp(library, before) || !stands_for(name, library) || !in_cache(s, library))
			continue;
		text = or_library(s, text, library);
		before = library;
	}
	return text;
}

const char *libraries_short(struct session *s, const char *name)
{
	return of_system(s, name, is_short_for);
}

/* Those of a program that the name may mean, in quotes; NULL: there are none. */
static const char *near_names(struct session *s, const char *name, const char *const *names, size_t n)
{
	const char *text = NULL;
	struct nearest near;

	for (size_t i = 0; i < n; i++)
		if (is_half_of(name, names[i]))
			text = or_library(s, text, names[i]);
	for (size_t i = 0; i < n && !text; i++)
		if (is_part_of(name, names[i]))
			text = or_library(s, text, names[i]);
	if (text)
		return text;
	nearest_init(&near, name);
	for (size_t i = 0; i < n; i++) {
		nearest_add(&near, arena_strndup(&s->arena, names[i], strcspn(names[i], ".")));
		nearest_add(&near, names[i]);
	}
	return nearest_text(&near, &s->arena);
}

/* The libraries of a program, in the order in which the dynamic linker loads them, each once. */
struct walk {
	VEC(const struct libraries_file *) files;
	VEC(const char *) names;
	size_t file, library; /* where it is */
};

static bool is_new(const struct walk *w, const char *name)
{
	for (size_t i = 0; i < w->names.n; i++)
		if (!strcmp(w->names.v[i], name))
			return false;
	return true;
}

static struct walk walk_begin(struct session *s, struct elf_image *program)
{
	struct walk w = {0};

	vec_push(&s->arena, &w.files, libraries_linked(s, program, NULL));
	return w;
}

/* Name of the next one, its path (NULL: it is not found), and the file that is linked with it; NULL: there are no more. */
static const char *walk_next(struct session *s, struct walk *w, const char **path, const struct libraries_file **by)
{
	for (; w->file < w->files.n; w->file++, w->library = 0) {
		const char *const *needed;
		size_t n = elf_needed(w->files.v[w->file]->image, &needed);

		while (w->library < n) {
			const char *name = needed[w->library++];
			struct problem ignored = {0};
			struct elf_image *e;

			if (!is_new(w, name))
				continue;
			*by = w->files.v[w->file];
			*path = libraries_path(s, *by, name);
			e = *path ? image_open(s, *path, &ignored) : NULL;
			vec_push(&s->arena, &w->names, name);
			if (e)
				vec_push(&s->arena, &w->files, libraries_linked(s, e, *by));
			return name;
		}
	}
	return NULL;
}

static void note_unfound(struct session *s, struct unfound *unfound, const char *name, const struct libraries_file *by)
{
	*unfound = (struct unfound){.name = name, .by = elf_facts(by->image)->path, .looked_in = looked_in(s, by)};
}

const char *libraries_find(struct session *s, struct elf_image *program, const char *name, struct unfound *unfound)
{
	struct walk w = walk_begin(s, program);
	struct problem ignored = {0};
	const struct libraries_file *by;
	const char *library, *path;

	while (!strchr(name, '/') && (library = walk_next(s, &w, &path, &by)) != NULL) {
		if (!is_called(library, name))
			continue;
		if (!path)
			note_unfound(s, unfound, library, by);
		return path;
	}
	path = libraries_path(s, w.files.v[0], name);
	if (!path && !strchr(name, '/') && access(name, R_OK) == 0 && !is_folder(name)) /* as a program in the current folder */
		path = arena_printf(&s->arena, "./%s", name);
	unfound->of_system = path && image_open(s, path, &ignored) ? NULL : libraries_short(s, name);
	if (path && !unfound->of_system) /* skip linker scripts, such as libm.so */
		return path;
	unfound->near = near_names(s, name, w.names.v, w.names.n);
	if (!unfound->near && !unfound->of_system)
		unfound->of_system = of_system(s, name, is_half_of);
	return NULL;
}

/* The path that the dynamic linker takes, or that of the file. */
static bool has_path(struct session *s, const char *path, const char *pattern)
{
	struct problem ignored = {0};
	struct elf_image *e = image_open(s, path, &ignored);

	return str_glob(pattern, path) || (e && str_glob(pattern, elf_facts(e)->path));
}

void libraries_matching(struct session *s, struct elf_image *program, const char *pattern, struct libraries_paths *out, struct unfound *unfound)
{
	struct walk w = walk_begin(s, program);
	const struct libraries_file *by;
	const char *library, *path;

	while ((library = walk_next(s, &w, &path, &by)) != NULL) {
		if (!str_glob(pattern, last_part(library)) && !(path && has_path(s, path, pattern)))
			continue;
		if (path)
			vec_push(&s->arena, &out->v, path);
		else if (!unfound->name)
			note_unfound(s, unfound, library, by);
	}
	if (!unfound->name)
		unfound->near = near_names(s, pattern, w.names.v, w.names.n);
}
