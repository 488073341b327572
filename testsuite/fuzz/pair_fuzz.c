// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as two files, with a line "--8<--" between: a program, and what has more of its debug information: a .dwo file, the file
 * that programs share after dwz, or a separate file.  Asks all; nothing may crash or hang.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "testsuite/fuzz/elf_ask.h"

static const char pair_cut[] = "\n--8<--\n";

static char pair_folder[64], pair_program[80], pair_part[80];

static void pair_remove(void)
{
	static const char *const names[] = {"part.dwo", "part.dwz", "part.debug", "part", "program", ""};
	char path[96];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", pair_folder, names[i]);
		remove(path);
	}
}

/* A folder with the program, and the part by all names that programs of the corpus have for it. */
static void pair_prepare(void)
{
	static const char *const names[] = {"part.dwo", "part.dwz", "part.debug"};
	char link[96];

	if (pair_folder[0])
		return;
	snprintf(pair_folder, sizeof pair_folder, "/dev/shm/spile-pair-%d", (int)getpid());
	if (mkdir(pair_folder, 0700) < 0)
		abort();
	snprintf(pair_program, sizeof pair_program, "%s/program", pair_folder);
	snprintf(pair_part, sizeof pair_part, "%s/part", pair_folder);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(link, sizeof link, "%s/%s", pair_folder, names[i]);
		if (symlink("part", link) < 0)
			abort();
	}
	atexit(pair_remove);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = memmem(data, size, pair_cut, strlen(pair_cut));
	size_t first = cut ? (size_t)(cut - data) : size, second = cut ? first + strlen(pair_cut) : size;

	if (size > 1 && data[0] == '#' && data[1] == '!')
		return 0; /* it would find real programs */
	pair_prepare();
	ask_write(pair_program, data, first);
	ask_write(pair_part, data + second, size - second);
	ask_all(pair_program);
	return 0;
}
