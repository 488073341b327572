// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries that can be made again: see store.h. */
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"

#define IN_USE_S 60 /* an entry used this recently is never removed to make room */

struct entry {
	const char *path;
	unsigned long long bytes;
	time_t used;
};

typedef VEC(struct entry) entries;

bool store_use(const char *path)
{
	/* It is usable also without the right to set its times: in another user's cache, or mounted read-only. */
	return !utimensat(AT_FDCWD, path, NULL, 0) || !access(path, R_OK);
}

int store_publish(const char *made, const char *path)
{
	int fd = open(made, O_RDONLY | O_CLOEXEC);
	struct stat st;

	/* A file is whole once it has its name, also after a crash of the machine.  The caller checks what is in a folder. */
	if (fd < 0 || fstat(fd, &st) || (S_ISREG(st.st_mode) && fsync(fd))) {
		int e = errno;

		if (fd >= 0)
			close(fd);
		errno = e;
		return -1;
	}
	close(fd);
	return rename(made, path) && !(S_ISDIR(st.st_mode) && (errno == ENOTEMPTY || errno == EEXIST)) ? -1 : 0;
}

static unsigned long long folder_bytes(struct arena *a, const char *dir)
{
	unsigned long long sum = 0;
	DIR *d = opendir(dir);

	for (struct dirent *e; d && (e = readdir(d));) {
		struct stat st;

		if (e->d_name[0] != '.' && stat(arena_printf(a, "%s/%s", dir, e->d_name), &st) == 0)
			sum += (unsigned long long)st.st_blocks * 512;
	}
	if (d)
		closedir(d);
	return sum + 4096;
}

static void collect(struct arena *a, const char *dir, int depth, bool folders, entries *out)
{
	DIR *d = opendir(dir);

	for (struct dirent *e; d && (e = readdir(d));) {
		const char *path = arena_printf(a, "%s/%s", dir, e->d_name);
		struct stat st;

		if (e->d_name[0] == '.' || stat(path, &st))
			continue;
		if (depth && S_ISDIR(st.st_mode))
			collect(a, path, depth - 1, folders, out);
		else if (!depth && folders && S_ISDIR(st.st_mode))
			vec_push(a, out, ((struct entry){path, folder_bytes(a, path), st.st_mtime}));
		else if (!depth && !folders && S_ISREG(st.st_mode))
			vec_push(a, out, ((struct entry){path, (unsigned long long)st.st_blocks * 512, st.st_mtime}));
	}
	if (d)
		closedir(d);
}

static int by_use(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	return a->used < b->used ? -1 : a->used > b->used;
}

/* Others may look at the entry this moment: it vanishes at once, then its files go. */
static void remove_entry(struct arena *a, const char *path, const char *grave, size_t n)
{
	const char *gone = grave ? arena_printf(a, "%s/gone-%zu", grave, n) : path;

	if (gone == path || rename(path, gone) == 0)
		file_remove_tree(gone);
}

void store_trim(const struct store_part *parts, unsigned long long limit, const char *grave)
{
	unsigned long long sum = 0;
	struct arena a = {0};
	entries all = {0};
	time_t now = time(NULL);

	for (; parts->dir; parts++)
		collect(&a, parts->dir, parts->depth, grave, &all);
	for (size_t i = 0; i < all.n; i++)
		sum += all.v[i].bytes;
	if (sum > limit && all.n) {
		qsort(all.v, all.n, sizeof all.v[0], by_use);
		/* A little below the limit, so that not every run from now on has to trim. */
		for (size_t i = 0; i < all.n && sum > limit - limit / 10 && all.v[i].used + IN_USE_S <= now; i++) {
			remove_entry(&a, all.v[i].path, grave, i);
			sum -= all.v[i].bytes;
		}
	}
	arena_free(&a);
}
