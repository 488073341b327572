/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the runtime is made of, and a hash of their texts.  The hash is part of the key under which each run looks for a kit, and
 * reading 250 files takes most of the time to compute it.  So it is kept, with a stamp of the files: their names, sizes, times and inodes.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "translator/build/private.h"

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] != '.' && dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".def"));
}

/* Not the folder user, which is not for kernels, nor modules, which is for those that people write, nor that of another architecture. */
static bool is_wanted(const struct build *b, const char *sub, const char *name)
{
	const char *end = strstr(sub, "/arch/");

	return *sub ? !end || end[6] || !strcmp(name, b->arch) : strcmp(name, "user") && strcmp(name, "modules");
}

struct found {
	build_argv *files;
	struct hash128 stamp;
	time_t newest; /* time of the last change of any */
};

/* A change of the text changes the ctime, which nobody can set back, unless both are within the clock's grain: see keep(). */
static void add(struct build *b, const char *name, const struct stat *st, struct found *out)
{
	const long long facts[] = {(long long)st->st_ino,    st->st_size,	     st->st_mtim.tv_sec,
				   st->st_mtim.tv_nsec, st->st_ctim.tv_sec, st->st_ctim.tv_nsec};

	out->stamp = hash128_add_bulk(hash128_add_bulk(out->stamp, name, strlen(name)), facts, sizeof facts);
	out->newest = st->st_ctim.tv_sec > out->newest ? st->st_ctim.tv_sec : out->newest;
	vec_push(b->arena, out->files, name);
}

/* Adds those below the folder sub of the runtime, relative to that, in a fixed order. */
static int sources_below(struct build *b, const char *sub, struct found *out)
{
	struct arena *a = b->arena;
	struct dirent **list;
	const char *path = arena_printf(a, "%s/%s", b->runtime_dir, sub);
	int n = scandir(path, &list, NULL, alphasort);
	int rc = 0;

	if (n < 0)
		return errno == ENOENT ? 0 : -1;
	for (int i = 0; i < n; i++) {
		const char *name = arena_printf(a, "%s%s", sub, list[i]->d_name);
		struct stat st;

		if (list[i]->d_name[0] != '.' && stat(arena_printf(a, "%s/%s", b->runtime_dir, name), &st) == 0) {
			if (S_ISDIR(st.st_mode) && is_wanted(b, sub, list[i]->d_name))
				rc |= sources_below(b, arena_printf(a, "%s/", name), out);
			else if (S_ISREG(st.st_mode) && is_source(list[i]->d_name))
				add(b, name, &st, out);
		}
		free(list[i]);
	}
	free(list);
	return rc;
}

static int find(struct build *b, struct found *out)
{
	if (access(b->runtime_dir, R_OK | X_OK) || sources_below(b, "", out)) {
		diag_report(b->diags, (struct loc){0}, E_IO, "cannot read the runtime's sources in %s: %s",
			    b->runtime_dir, strerror(errno));
		return -1;
	}
	return 0;
}

int sources_of_runtime(struct build *b, build_argv *out)
{
	return find(b, &(struct found){.files = out});
}

/* --- the hash --- */

static int hash_texts(struct build *b, const build_argv *files, struct hash128 *h)
{
	for (size_t i = 0; i < files->n; i++) {
		const char *path = arena_printf(b->arena, "%s/%s", b->runtime_dir, files->v[i]);
		size_t size;

		*h = hash128_add_str(*h, files->v[i]);
		if (!file_hash(h, path, &size))
			continue;
		diag_report(b->diags, (struct loc){0}, E_IO, "cannot read %s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}

/*
 * Not if a file has just changed: it may change again without another time.  What cannot be written is no loss but time; each folder of a
 * runtime has a file of its own, with the last stamp.
 */
static void keep(const char *path, const struct found *f, const char *stamp, const char *hash)
{
	enum { GRAIN_S = 2 };
	char text[2 * 33 + 1];
	time_t now = time(NULL);

	if (f->newest < now - GRAIN_S)
		(void)!file_replace(path, text, (size_t)snprintf(text, sizeof text, "%s %s\n", stamp, hash), 0600);
}

static bool is_kept(struct build *b, const char *path, const char *stamp, char hash[33])
{
	size_t n;
	const char *text = file_read(b->arena, path, &n);

	if (!text || n != 2 * 33 || memcmp(text, stamp, 32) || text[32] != ' ' || text[65] != '\n')
		return false;
	memcpy(hash, text + 33, 32);
	hash[32] = 0;
	return true;
}

int sources_hash(struct build *b, char hash[33])
{
	build_argv files = {0};
	struct found f = {.files = &files, .stamp = hash128_init()};
	struct hash128 h = hash128_init();
	char stamp[33], name[33];
	const char *path;

	if (find(b, &f))
		return -1;
	hash128_hex(f.stamp, stamp);
	hash128_hex(hash128_add_str(h, b->runtime_dir), name);
	path = cache_path(b, "sources", name);
	if (is_kept(b, path, stamp, hash))
		return 0;
	if (hash_texts(b, &files, &h))
		return -1;
	hash128_hex(h, hash);
	keep(path, &f, stamp, hash);
	return 0;
}
