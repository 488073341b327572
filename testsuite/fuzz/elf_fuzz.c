// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes as a program with DWARF.  Asks all that the translator may ask (elf_ask.h); nothing may crash or hang. */
#include "testsuite/fuzz/elf_ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];

	if (size > 1 && data[0] == '#' && data[1] == '!')
		return 0; /* it would find real programs */
	snprintf(path, sizeof path, "/dev/shm/spile-fuzz-%d", (int)getpid());
	ask_write(path, data, size);
	ask_all(path);
	unlink(path);
	return 0;
}
