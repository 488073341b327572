// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Says that it is CPython, and has nonsense where that has its frames: built with -rdynamic by the test. The argument says what is
 * wrong. It is hit in its only call of getppid().
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <elf.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

struct { char bytes[166688]; } _PyRuntime;
uint64_t Py_Version = 0x030b02f0, PyCode_Type, PyUnicode_Type, PyBytes_Type;

static uint64_t interpreter[8], thread[64], cframe[4], frame[16], code[64], name[8], table[8], other[64];
static unsigned char *bad = (unsigned char *)0x5555000000000000;

static void set(void *at, unsigned offset, const void *value)
{
	memcpy((char *)at + offset, &value, sizeof(value));
}

/* One frame of a function "f" in the file "f", at line 7 by its table. */
static void make(void)
{
	static const unsigned char lines[] = {0x80 | 13 << 3, 2 << 1}; /* 1 unit, 2 lines on */

	set(&_PyRuntime, 40, interpreter);
	set(&_PyRuntime, 576, thread);
	set(interpreter, 16, thread);
	set(thread, 16, interpreter);
	set(thread, 56, cframe);
	set(thread, 160, (void *)(uintptr_t)syscall(SYS_gettid));
	set(cframe, 8, frame);
	set(frame, 32, code);
	set(frame, 56, (char *)code + 184);
	set(code, 8, &PyCode_Type);
	set(code, 72, (void *)5);
	set(code, 112, name);
	set(code, 128, name);
	set(code, 136, table);
	set(name, 8, &PyUnicode_Type);
	set(name, 16, (void *)1);
	set(name, 32, (void *)0x64);
	strcpy((char *)name + 48, "f");
	set(table, 8, &PyBytes_Type);
	set(table, 16, (void *)sizeof(lines));
	memcpy((char *)table + 32, lines, sizeof(lines));
}

/* Has the kernel keep an auxiliary vector whose last entries are where the program headers are: as long as one of Linux 6.1 may be. */
static void put_headers_last(void)
{
	unsigned long vector[48] = {0};

	for (int i = 0; i < 40; i += 2)
		vector[i] = AT_IGNORE;
	vector[40] = AT_PHDR;
	vector[41] = getauxval(AT_PHDR);
	vector[42] = AT_PHENT;
	vector[43] = getauxval(AT_PHENT);
	vector[44] = AT_PHNUM;
	vector[45] = getauxval(AT_PHNUM);
	if (prctl(PR_SET_MM, PR_SET_MM_AUXV, vector, sizeof(vector), 0))
		perror("PR_SET_MM_AUXV");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	static unsigned char long_table[1 << 20];

	make();
	if (!strcmp(what, "3.12"))
		Py_Version = 0x030c00f0;
	else if (!strcmp(what, "no version"))
		Py_Version = 0;
	else if (!strcmp(what, "circle of frames"))
		set(frame, 48, frame);
	else if (!strcmp(what, "circle of threads")) {
		set(thread, 160, 0);
		set(thread, 8, thread);
	} else if (!strcmp(what, "circle of interpreters")) {
		set(thread, 160, 0);
		set(interpreter, 0, interpreter);
	} else if (!strcmp(what, "among others")) {
		set(&_PyRuntime, 576, other);
		set(interpreter, 16, other);
		set(other, 8, thread);
	} else if (!strcmp(what, "headers last"))
		put_headers_last();
	else if (!strcmp(what, "bad runtime"))
		set(&_PyRuntime, 576, bad);
	else if (!strcmp(what, "bad frame"))
		set(frame, 48, bad);
	else if (!strcmp(what, "bad code"))
		set(frame, 32, bad);
	else if (!strcmp(what, "no code"))
		set(code, 8, &PyUnicode_Type);
	else if (!strcmp(what, "no string"))
		set(name, 8, &PyCode_Type);
	else if (!strcmp(what, "long string")) {
		set(name, 16, (void *)-1);
	} else if (!strcmp(what, "control characters")) {
		strcpy((char *)name + 48, "a\n b at \033[2J");
		set(name, 16, (void *)strlen((char *)name + 48));
	} else if (!strcmp(what, "no string's form")) {
		set(name, 32, (void *)(0x20 | 7 << 2));
	} else if (!strcmp(what, "no table"))
		set(code, 136, 0);
	else if (!strcmp(what, "other table"))
		set(table, 8, &PyCode_Type);
	else if (!strcmp(what, "short table"))
		set(frame, 56, (char *)code + 184 + 2);
	else if (!strcmp(what, "long table") || !strcmp(what, "table of numbers")) {
		memset(long_table, !strcmp(what, "long table") ? 0x80 : 0x7f, sizeof(long_table));
		set(long_table, 8, &PyBytes_Type);
		set(long_table, 16, (void *)INT64_MAX);
		set(code, 136, long_table);
		set(frame, 56, (char *)code + 184 + (1 << 20));
	} else if (!strcmp(what, "before the function"))
		set(frame, 56, (char *)code + 182);
	else if (*what)
		return 2;
	return getppid() < 0;
}
