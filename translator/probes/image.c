/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files that process(...) and .library(...) mean, and has families look for points in them. */
#include "translator/probes/image.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/command.h"
#include "base/intern.h"
#include "runtime/sites/uprobe.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/libraries.h"

typedef VEC(const char *) text_list;

/* "/lib64/libfoo.so.1" may be in a folder of /lib that has the name of the architecture; NULL: it is in no folder of libraries. */
static const char *in_folder_of_target(struct session *s, const char *path)
{
	const char *base = strrchr(path, '/'), *folder = base;
	const char *multi = s->target->libraries;
	bool is_wild;

	while (folder && folder > path && folder[-1] != '/')
		folder--;
	if (!base || folder == base || strncmp(folder, "lib", 3))
		return NULL;
	is_wild = str_has_glob(arena_strndup(&s->arena, folder, (size_t)(base - folder)));
	if (!is_wild && strspn(folder + 3, "64") != (size_t)(base - folder - 3))
		return NULL;
	return arena_printf(&s->arena, "%.*s/%s%s", (int)(is_wild ? base - path : folder + 3 - path), path, multi, base);
}

/* Where the file is that a script names: a library where the system has it, a program where -c has it. */
static const char *where_is(struct session *s, const char *path)
{
	const char *slash = strchr(path, '/'), *other, *program;

	if (slash) {
		other = access(path, F_OK) ? in_folder_of_target(s, path) : NULL;
		return other && !access(other, F_OK) ? other : path;
	}
	if (strstr(path, ".so") && (other = libraries_of_system(s, path)))
		return other;
	program = s->opt.cmd && !child_find_program(&s->arena, path) && access(path, F_OK) ? command_first(&s->arena, s->opt.cmd) : "";
	slash = strrchr(program, '/');
	return slash && !strcmp(slash + 1, path) ? program : path;
}

struct elf_image *image_open(struct session *s, const char *path, struct problem *why)
{
	const char *key;
	struct elf_image *e;
	struct problem *missing;

	path = where_is(s, path);
	key = intern(path);
	e = map_get(&s->images, key);
	if (e)
		return e;
	/* Not to be looked for again: all of $PATH is read for the names that are near. */
	missing = why ? map_get(&s->missing_images, key) : NULL;
	if (missing) {
		*why = *missing;
		return NULL;
	}
	e = elf_open(&s->arena, s->target, path, why);
	if (e) {
		map_set(&s->arena, &s->images, key, e);
	} else if (why && why->code == PROBLEM_NO_FILE) {
		const char *library = strchr(path, '/') ? NULL : libraries_short(s, path);

		if (library)
			why->near = library;
		missing = arena_alloc(&s->arena, sizeof *missing);
		*missing = *why;
		map_set(&s->arena, &s->missing_images, key, missing);
	}
	return e;
}

const char *image_program(struct session *s, const char *path, struct problem *why)
{
	struct elf_image *e = image_open(s, path, why);

	return e ? elf_facts(e)->path : elf_32_bit_program(&s->arena, s->target, path);
}

/* A file that has several names, as a library by the links to it, is taken once, and so is a program that several scripts run. */
static bool has_file(struct session *s, const text_list *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++) {
		struct problem ignored = {0};
		if (!strcmp(image_program(s, l->v[i], &ignored), path))
			return true;
	}
	return false;
}

/* Libraries need not be executable. */
static void add_files(struct session *s, const char *pattern, bool any, text_list *out)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++) {
			/* without a slash it would be looked for in $PATH */
			const char *path = arena_printf(&s->arena, "%s%s", strchr(pattern, '/') ? "" : "./", g.gl_pathv[i]);
			struct problem ignored = {0};
			struct stat st;
			if (stat(path, &st) || !S_ISREG(st.st_mode) || (access(path, X_OK) && !strstr(path, ".so")))
				continue;
			const char *program = any || image_open(s, path, &ignored) ? image_program(s, path, &ignored) : NULL;
			if (program && !has_file(s, out, program))
				vec_push(&s->arena, out, path);
		}
	globfree(&g);
}

/* Where nothing matches, libraries may be in a folder of this target's. */
static void add_glob(struct session *s, const char *pattern, bool any, text_list *out)
{
	const char *other = in_folder_of_target(s, pattern);

	add_files(s, pattern, any, out);
	if (!out->n && other)
		add_files(s, other, any, out);
}

/* The path of a process's program, or the link to it where that path leads elsewhere from here: it was replaced, or is in a container. */
static const char *exe_of(struct session *s, const struct component *c, int64_t pid)
{
	const char *link = arena_printf(&s->arena, "/proc/%lld/exe", (long long)pid);
	char path[PATH_MAX];
	ssize_t n = readlink(link, path, sizeof path - 1);

	if (n < 0) {
		s_error(s, c->arg->loc, E_NO_MATCH, "process %lld: %s", (long long)pid,
			errno == ENOENT ? "there is no such process" : strerror(errno));
		return NULL;
	}
	path[n] = 0;
	return elf_same_file(link, path) ? arena_strdup(&s->arena, path) : link;
}

const char *const *image_paths(struct session *s, const struct component *c, bool any, int64_t *pid, bool *target)
{
	text_list out = {0};

	*pid = 0;
	*target = false;
	if (!c->arg) {
		if (!s->opt.cmd) {
			struct diag *d = s_error(s, c->loc, E_NO_TARGET_PROGRAM, "a bare process means the program of -c, and there is no -c");
			diag_hint(&s->diags, d, "%s", s->opt.example_call ? s->opt.example_call : "name it: process(\"/bin/ls\")");
			return NULL;
		}
		vec_push(&s->arena, &out, command_first(&s->arena, s->opt.cmd));
		*target = true;
	} else if (c->arg->kind == N_NUMBER) {
		const char *path = exe_of(s, c, c->arg->num);
		if (!path)
			return NULL;
		*pid = c->arg->num;
		vec_push(&s->arena, &out, path);
	} else if (str_has_glob(c->arg->text)) {
		add_glob(s, c->arg->text, any, &out);
		if (!out.n) {
			s_error(s, c->arg->loc, E_NO_MATCH, "no program matches \"%s\"", c->arg->text);
			return NULL;
		}
	} else {
		vec_push(&s->arena, &out, c->arg->text);
	}
	vec_push(&s->arena, &out, NULL);
	return out.v;
}

/* ---- points in them ---- */

struct site *image_site(struct image_search *c, const struct probe_family *f)
{
	const struct elf_facts *facts = elf_facts(c->image);
	struct site *t = probe_site(c->s, f, c->p, c->out);

	t->is_user = true;
	t->s[0] = facts->path;
	t->s[1] = facts->build_id;
	if (c->target)
		t->n[3] |= SITE_UPROBE_TARGET;
	if (c->pid) {
		t->n[3] |= SITE_UPROBE_PID;
		t->own = arena_memdup(&c->s->arena, &(int64_t[SITE_UPROBE_OWN]){[SITE_UPROBE_OWN_PID] = c->pid},
				      sizeof(int64_t[SITE_UPROBE_OWN]));
		t->nown = SITE_UPROBE_OWN;
	}
	return t;
}

/* The component that names the program. */
static const struct component *process_of(const struct point *p)
{
	return &p->c[!strcmp(p->c[0].name, "debuginfod")];
}

static int no_library(struct image_search *c, const char *path, const struct component *library, const struct unfound *unfound)
{
	struct session *s = c->s;
	struct diag *d;

	if (c->p->optional)
		return 0;
	if (!unfound->name) {
		d = s_error(s, library->arg->loc, E_NO_MATCH, "%s uses no library \"%s\"", path, library->arg->text);
		if (unfound->of_system)
			diag_hint(&s->diags, d, "the program is not linked with it; if it loads it by dlopen(), give the full name: %s",
				  unfound->of_system);
		else
			diag_hint_near(&s->diags, d, unfound->near);
		return -1;
	}
	d = s_error(s, library->arg->loc, E_NO_MATCH, "%s is linked with \"%s\", but its file is not found", unfound->by, unfound->name);
	diag_hint(&s->diags, d, "looked for in %s", unfound->looked_in);
	diag_hint(&s->diags, d, "name its file: library(\"/path/%s\"), or the folder: LD_LIBRARY_PATH=/path", unfound->name);
	return -1;
}

/* Is it served by debuginfod, where that is asked for; then its points. */
static int look_in(struct image_search *c, struct problem *why)
{
	if (c->image && process_of(c->p) != c->p->c && !elf_is_served(c->image, why))
		c->image = NULL;
	return c->image ? c->look(c) : -1;
}

/* All libraries that the pattern matches: those without such points are left out, if others have some. */
static int search_libraries(struct image_search *c, const char *path, const struct component *library)
{
	struct session *s = c->s;
	struct libraries_paths paths = {0};
	struct unfound unfound = {0};
	struct diags all, first = {0};
	size_t before = c->out->v.n;

	libraries_matching(s, c->image, library->arg->text, &paths, &unfound);
	if (!paths.v.n)
		return no_library(c, path, library, &unfound);
	c->loc = library->arg->loc;
	if (unfound.name && !c->p->optional) {
		struct diag *d = s_error(s, c->loc, W_PROGRAM_SKIPPED, "\"%s\", with which %s is linked, is left out: its file is not found",
					 unfound.name, unfound.by);
		diag_hint(&s->diags, d, "looked for in %s", unfound.looked_in);
	}
	all = s->diags;
	for (size_t i = 0; i < paths.v.n; i++) {
		struct problem why = {0};

		s->diags = (struct diags){.arena = &s->arena, .sources = &s->sources};
		c->image = image_open(s, paths.v.v[i], &why);
		int rc = look_in(c, &why);
		if (!c->image)
			session_problem(s, c->loc, &why, "%s", "");
		struct diags one = s->diags;
		s->diags = all;
		if (!rc)
			diag_move(&s->diags, &one);
		else if (!i)
			first = one;
		all = s->diags;
	}
	if (c->out->v.n > before || c->p->optional)
		return 0;
	if (paths.v.n == 1)
		diag_move(&s->diags, &first);
	else
		s_error(s, library->arg->loc, E_NO_MATCH, "none of the %zu libraries of %s that match \"%s\" has such a %s", paths.v.n, path,
			library->arg->text, c->sought);
	return -1;
}

static int search_in(struct image_search *c, const char *path)
{
	const struct component *library = probe_component(c->p, "library"), *process = process_of(c->p);
	struct session *s = c->s;
	struct problem why = {0};

	c->loc = process->arg ? process->arg->loc : process->loc;
	c->image = image_open(s, path, &why);
	if (c->image && library && str_has_glob(library->arg->text))
		return search_libraries(c, path, library);
	if (c->image && library) {
		struct unfound unfound = {0};
		const char *file = libraries_find(s, c->image, library->arg->text, &unfound);

		if (!file)
			return no_library(c, path, library, &unfound);
		c->image = image_open(s, file, &why);
		c->loc = library->arg->loc;
	}
	int rc = look_in(c, &why);
	if (c->image || c->p->optional)
		return c->image ? rc : 0;
	const char *instead = why.code == PROBLEM_NO_FILE ? probe_absent_program(s, c->p, path) : NULL;
	if (instead) {
		why.hint = instead;
		why.near = NULL;
	}
	session_problem(s, c->loc, &why, "%s", "");
	return -1;
}

/* For a wildcard, programs without such points are left out with a warning; it is an error when none is left. */
static int search_several(struct image_search *c, const char *const *paths)
{
	struct session *s = c->s;
	struct loc loc = process_of(c->p)->arg->loc;
	size_t before = c->out->v.n;
	const char *const *path;
	enum { MOST_SKIPPED = 3 }; /* that are told one by one */
	unsigned skipped = 0;

	for (path = paths; *path; path++) {
		const char *text;
		struct diags all = s->diags;

		s->diags = (struct diags){.arena = &s->arena, .sources = &s->sources};
		int rc = search_in(c, *path);
		struct diags one = s->diags;
		s->diags = all;
		if (!rc)
			diag_move(&s->diags, &one);
		if (!rc || c->p->optional)
			continue;
		text = one.first ? one.first->text : "nothing is there to be probed";
		if (skipped++ < MOST_SKIPPED) {
			struct diag *d = s_error(s, loc, W_PROGRAM_SKIPPED, "%s is left out: %s", *path, text);
			diag_hint(&s->diags, d, "a narrower wildcard leaves it out silently");
		}
	}
	if (skipped > MOST_SKIPPED)
		s_error(s, loc, W_PROGRAM_SKIPPED, "%u of the %d programs are left out, of which the first %d are told", skipped,
			(int)(path - paths), MOST_SKIPPED);
	if (c->out->v.n > before || c->p->optional)
		return 0;
	s_error(s, loc, E_NO_MATCH, "none of the %d programs has such a %s", (int)(path - paths), c->sought);
	return -1;
}

int image_search(struct image_search *c)
{
	struct diags all = c->s->diags;

	/* a pattern that matches nothing, or a process that has ended, may be so where the point is optional */
	if (c->p->optional)
		c->s->diags = (struct diags){.arena = &c->s->arena, .sources = &c->s->sources};
	const char *const *paths = image_paths(c->s, process_of(c->p), false, &c->pid, &c->target);
	if (c->p->optional)
		c->s->diags = all;
	if (!paths)
		return c->p->optional ? 0 : -1;
	if (paths[0] && paths[1])
		return search_several(c, paths);
	return paths[0] ? search_in(c, paths[0]) : 0;
}

/* ---- stacks ---- */

static bool is_in(const image_list *l, const struct elf_image *e)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(elf_facts(l->v[i])->path, elf_facts(e)->path))
			return true;
	return false;
}

static void add_image(struct session *s, image_list *out, const char *path, struct problem *why)
{
	struct elf_image *e = path ? image_open(s, path, why) : NULL;

	if (e && !is_in(out, e))
		vec_push(&s->arena, out, e);
}

/* The files that a process has mapped as code: the sixth word of a line is the path. */
static void add_mapped(struct session *s, image_list *out, int pid)
{
	FILE *f = fopen(arena_printf(&s->arena, "/proc/%d/maps", pid), "re");
	char line[PATH_MAX + 128], access[5];
	struct problem ignored;
	int at;

	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		at = 0;
		if (sscanf(line, "%*s %4s %*s %*s %*s %n", access, &at) == 1 && at && access[2] == 'x' && line[at] == '/')
			add_image(s, out, arena_strdup(&s->arena, line + at), &ignored);
	}
	if (f)
		fclose(f);
}

bool image_is_of_kernel(struct session *s, const char *name)
{
	struct problem ignored = {0};

	return !strchr(name, '/') && (!strcmp(name, "kernel") || !strcmp(name, "vmlinux") || kernel_has_module(s->kernel, name, &ignored));
}

bool image_is_vdso(struct session *s, const struct elf_image *e)
{
	const char *path = kernel_vdso(s->kernel);

	return path && elf_same_file(elf_facts(e)->path, path);
}

static void add_named(struct session *s, image_list *out)
{
	for (size_t i = 0; i < s->opt.modules.n; i++) {
		const char *name = s->opt.modules.v[i];
		struct problem why = {0};
		if (image_is_of_kernel(s, name))
			continue;
		if (image_open(s, name, &why))
			add_image(s, out, name, &why);
		else
			session_no_names(s, &why, name);
	}
}

typedef VEC(const struct libraries_file *) file_list; /* of each in a list of images */

/* Those that are new in the list. */
static void note_linked(struct session *s, const image_list *images, file_list *all, const struct libraries_file *by)
{
	while (all->n < images->n) {
		const struct libraries_file *l = libraries_linked(s, images->v[all->n], by);

		vec_push(&s->arena, all, l);
	}
}

/* What those in the list are linked with, and what that is linked with ... */
static void add_linked(struct session *s, image_list *out)
{
	file_list by = {0};
	struct problem ignored = {0};

	for (size_t i = 0; i < out->n; i++) {
		const char *const *needed;
		size_t n = elf_needed(out->v[i], &needed);

		note_linked(s, out, &by, NULL);
		for (size_t k = 0; k < n; k++) {
			add_image(s, out, libraries_path(s, by.v[i], needed[k]), &ignored);
			note_linked(s, out, &by, by.v[i]);
		}
		add_image(s, out, elf_interpreter(out->v[i]), &ignored);
	}
}

size_t image_all(struct session *s, image_list *out)
{
	struct problem ignored = {0};
	size_t named;

	for (size_t i = 0; i < s->prog.probes.n; i++)
		for (size_t k = 0; k < s->prog.probes.v[i]->sites.n; k++) {
			const struct site *t = s->prog.probes.v[i]->sites.v[k];
			if (t->is_user && t->s[0] && t->s[0][0] == '/' && !t->is_never)
				add_image(s, out, t->s[0], &ignored);
		}
	if (s->opt.cmd)
		add_image(s, out, command_first(&s->arena, s->opt.cmd), &ignored);
	add_named(s, out);
	named = out->n;
	add_image(s, out, kernel_vdso(s->kernel), &ignored);
	if (s->opt.target_pid)
		add_mapped(s, out, s->opt.target_pid);
	add_linked(s, out);
	return named;
}
