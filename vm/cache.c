// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that can be made again: KIND-RELEASE-KEY in $XDG_CACHE_HOME/spile/vm. A file is made under a name of
 * its own and then renamed, so processes never see half of one; what was not used for a week goes when
 * something new comes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm/vm.h"

enum { KEEP_DAYS = 7 };

char *cache_dir(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *dir;

	if (xdg && *xdg == '/')
		dir = textf("%s/spile/vm", xdg);
	else if (home && *home == '/')
		dir = textf("%s/.cache/spile/vm", home);
	else
		dir = NULL;
	if (dir && !file_make_folder(dir, 0755) && !access(dir, W_OK))
		return dir;
	dir = textf("%s/cache", guest_base_dir());
	if (file_make_folder(dir, 0700))
		die("set XDG_CACHE_HOME to a folder that can be written", "cannot make %s: %s", dir,
		    strerror(errno));
	return dir;
}

uint64_t cache_key_add(uint64_t h, const void *p, size_t n)
{
	const uint8_t *s = p;

	/* FNV-1a */
	if (!h)
		h = 0xcbf29ce484222325u;
	while (n--)
		h = (h ^ *s++) * 0x100000001b3u;
	return h;
}

uint64_t cache_key(uint64_t h, const char *path)
{
	struct stat st;

	h = cache_key_add(h, path, strlen(path));
	if (stat(path, &st))
		return h;
	h = cache_key_add(h, &st.st_size, sizeof(st.st_size));
	return cache_key_add(h, &st.st_mtim, sizeof(st.st_mtim));
}

static void drop_old(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && !fstatat(dirfd(d), e->d_name, &st, 0) && S_ISREG(st.st_mode) &&
		    time(NULL) - st.st_mtime > KEEP_DAYS * 86400)
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

char *cache_find(const char *kind, const char *release, uint64_t key, char **tmp)
{
	char *dir = cache_dir(),
	     *path = textf("%s/%s-%s-%016llx", dir, kind, release, (unsigned long long)key);

	*tmp = NULL;
	if (utimensat(AT_FDCWD, path, NULL, 0)) {
		drop_old(dir);
		*tmp = textf("%s.%d", path, (int)getpid());
	}
	return path;
}

void cache_store(char *tmp, const char *path)
{
	int fd = open(tmp, O_RDONLY | O_CLOEXEC);

	/* What bears the name is whole, also after a crash of the host. */
	if (fd < 0 || fsync(fd) || close(fd) || rename(tmp, path)) {
		int e = errno;

		unlink(tmp);
		die(NULL, "cannot write %s: %s", path, strerror(e));
	}
}
