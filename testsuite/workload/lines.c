/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines FILE: checks what stress scripts print, lines "PRODUCER NUMBER abcdefghijklmnopqrstuvwxyz" where each
 * producer numbers its own from 1.  Prints how many lines there are, of how many producers, how many numbers are missing,
 * and how many lines are not whole or not in order; a line "produced N" is repeated unchanged.
 */
#include <string.h>

#include "workload.h"

#define TAIL "abcdefghijklmnopqrstuvwxyz\n"

int main(int argc, char **argv)
{
	static long last[100];
	static char line[1000];
	long lines = 0, producers = 0, left_out = 0, bad = 0;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;

	if (!f)
		return 1;
	while (fgets(line, sizeof(line), f)) {
		char *p;
		unsigned long producer = strtoul(line, &p, 10);
		long number = strtol(p, &p, 10);

		if (!strncmp(line, "produced ", 9)) {
			fputs(line, stdout);
			continue;
		}
		lines++;
		if (producer >= 100 || number <= last[producer] || *p != ' ' || strcmp(p + 1, TAIL) != 0) {
			bad++;
			continue;
		}
		producers += !last[producer];
		left_out += number - last[producer] - 1;
		last[producer] = number;
	}
	printf("lines %ld producers %ld left out %ld bad %ld\n", lines, producers, left_out, bad);
	fclose(f);
	return 0;
}
