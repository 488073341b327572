// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module of runtime/calls, which the modules of some scripts carry: loaded before the first session that has it, unloaded after the last.
 * While calls are under way it stays, and whichever session ends next removes it, also one without it or with another version.  A session
 * goes on without it, so what goes wrong here is said with -v only.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loader/loader.h"
#include "runtime/rt/carried.h"

void calls_load(struct arena *a, const char *image, size_t size)
{
	size_t n, room;
	const char *carried = module_find_section(image, size, CARRIED_CALLS_SECTION, &n), *name;
	char *copy;

	if (!carried)
		return;
	if (module_must_be_signed()) { /* the kernel would refuse it with a line on the console */
		say_verbose("this kernel takes signed modules only: %s is not loaded, returns are hooked", CARRIED_CALLS_MODULE);
		return;
	}
	copy = arena_alloc(a, n);
	memcpy(copy, carried, n);
	name = module_find_name(copy, n, &room);
	if (!name) {
		say_verbose("%s in this module is damaged: returns are hooked", CARRIED_CALLS_MODULE);
		return;
	}
	if (syscall(SYS_init_module, copy, n, "") == 0)
		say_verbose("loaded %s", name);
	else if (errno != EEXIST)
		say_verbose("cannot load %s: %s; returns are hooked", name, strerror(errno));
}

static void unload(const char *name)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK) == 0)
		say_verbose("unloaded %s", name);
	else if (errno != ENOENT)
		say_verbose("%s stays: another session uses it, or calls are under way; the next session that ends tries again", name);
}

void calls_unload(void)
{
	const size_t n = sizeof CARRIED_CALLS_PREFIX - 1;
	DIR *d = opendir("/sys/module");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, CARRIED_CALLS_PREFIX, n))
			unload(e->d_name);
	if (d)
		closedir(d);
}
