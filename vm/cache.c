// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that can be made again: KIND-RELEASE-KEY in the folder vm of Spile's cache.  When a new one is added and there is more than
 * LIMIT_MB, the least recently used ones are removed.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/store.h"
#include "vm/vm.h"

enum { LIMIT_MB = 1024 };

char *cache_dir(void)
{
	const char *cache = paths_cache();
	char *dir = cache ? textf("%s/vm", cache) : NULL;

	if (dir && !file_make_folder(dir, 0700) && !access(dir, W_OK))
		return dir;
	dir = textf("%s/cache", guest_base_dir());
	if (file_make_folder(dir, 0700))
		die("set SPILE_DIR to a folder that can be written", "cannot make %s: %s", dir, strerror(errno));
	return dir;
}

char *cache_find(const char *kind, const char *release, struct hash128 key, char **tmp)
{
	char *dir = cache_dir(), hex[33], *path;

	hash128_hex(key, hex);
	path = textf("%s/%s-%s-%s", dir, kind, release, hex);
	*tmp = NULL;
	if (!store_use(path)) {
		store_trim((const struct store_part[]){{dir, 0}, {0}}, (unsigned long long)LIMIT_MB << 20, NULL);
		*tmp = textf("%s.%d", path, (int)getpid());
	}
	return path;
}

void cache_store(const char *tmp, const char *path)
{
	if (store_publish(tmp, path)) {
		int e = errno;

		unlink(tmp);
		die(NULL, "cannot write %s: %s", path, strerror(e));
	}
}
