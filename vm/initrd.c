// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the initial file system of a guest: this very program as /init, and the modules it has to load,
 * uncompressed, as /modules/00.ko, 01.ko ... in order. Kept in the cache by content, so a new build or a
 * changed kernel makes a new one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

/* One entry of a "newc" archive: a header of 8-digit hex fields, name, data, each padded to 4 bytes. */
static void cpio_entry(FILE *f, const char *name, unsigned mode, const void *data, size_t len)
{
	static unsigned inode;
	static const char zero[4];
	size_t n = strlen(name) + 1;

	fprintf(f, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", mode ? ++inode : 0, mode, 0,
		0, 1, 0, (unsigned)len, 0, 0, 0, 0, (unsigned)n, 0);
	fwrite(name, 1, n, f);
	fwrite(zero, 1, -(110 + n) & 3, f);
	fwrite(data, 1, len, f);
	fwrite(zero, 1, -len & 3, f);
}

static void write_archive(FILE *f, const struct kernel *k, const char *self, size_t self_len)
{
	struct strings modules = {0};
	const char *missing;

	kernel_modules(k, &modules, &missing);
	cpio_entry(f, "init", 0100755, self, self_len);
	cpio_entry(f, "modules", 040755, "", 0);
	for (size_t i = 0; i < modules.n; i++) {
		size_t len;
		char *data = unpack_module(textf("%s/%s", k->modules, modules.v[i]), &len);

		cpio_entry(f, textf("modules/%02zu.ko", i), 0100644, data, len);
	}
	cpio_entry(f, "TRAILER!!!", 0, "", 0);
}

char *initrd_get(const struct kernel *k)
{
	char *dep = textf("%s/modules.dep", k->modules), *path, *tmp;
	size_t self_len;
	char *self = file_read(vm_arena(), "/proc/self/exe", &self_len);
	FILE *f;

	if (!self)
		die("mount /proc", "cannot read /proc/self/exe: %s", strerror(errno));
	path = cache_find("initrd", k->release, file_identity(hash128_add(hash128_init(), self, self_len), dep), &tmp);
	if (tmp) {
		f = fopen(tmp, "we");
		if (f)
			write_archive(f, k, self, self_len);
		if (!f || ferror(f) || fclose(f)) {
			int e = errno;

			unlink(tmp);
			die(NULL, "cannot write %s: %s", tmp, strerror(e));
		}
		cache_store(tmp, path);
	}
	return path;
}
