/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standins libc|guestfs|qemu [TIMES]: passes markers of programs that the tests do without, by their provider, names and arguments.
 *
 *	libc     malloc() with two arenas, and a child that only moves the break
 *	guestfs  a start of libguestfs; TIMES (1) of them
 *	qemu     standins_qemu.c; TIMES (100)
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/sys/sdt.h"
#include "workload.h"

void standins_qemu(long times);

static char arenas[2][64], heaps[3][64];

PROBED void break_grows(long end, size_t size)
{
	STAP_PROBE2(libc, memory_sbrk_more, (void *)end, size);
}

/* Three heaps, of which one goes. */
PROBED void heaps_come_and_go(void)
{
	size_t size = 135168;

	for (int i = 0; i < 3; i++)
		STAP_PROBE2(libc, memory_heap_new, heaps[i], size);
	STAP_PROBE2(libc, memory_heap_more, heaps[0], size + 65536);
	STAP_PROBE2(libc, memory_heap_less, heaps[0], size + 4096);
	STAP_PROBE2(libc, memory_heap_free, heaps[2], size);
}

PROBED void arenas_are_used(void)
{
	for (int i = 0; i < 2; i++)
		STAP_PROBE2(libc, memory_arena_new, arenas[i], (size_t)1000 + i);
	STAP_PROBE1(libc, memory_arena_reuse_free_list, arenas[0]);
	STAP_PROBE2(libc, memory_arena_reuse, arenas[1], arenas[0]);
	for (int i = 0; i < 3; i++)
		STAP_PROBE3(libc, memory_arena_reuse_wait, &arenas[1][8], arenas[1], NULL);
	STAP_PROBE3(libc, memory_arena_reuse_wait, &arenas[0][8], arenas[0], arenas[1]);
}

static void in_child(void (*run)(void))
{
	pid_t pid = fork();

	if (!pid) {
		run();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void break_of_child(void)
{
	break_grows(0x20000000, 8192);
}

static void libc(void)
{
	for (long i = 0; i < 3; i++)
		break_grows(0x10000000 + i * 135168, 135168);
	STAP_PROBE2(libc, memory_sbrk_less, (void *)0x10000000, (size_t)5504);
	heaps_come_and_go();
	arenas_are_used();
	STAP_PROBE2(libc, memory_mallopt_free_dyn_thresholds, 1052672, 2105344L);
	in_child(break_of_child);
}

static void becomes_the_emulator(void)
{
	STAP_PROBE(guestfs, launch_run_qemu);
}

/* The third step takes a tenth of a second. */
static void guestfs(long times)
{
	for (long i = 0; i < times; i++) {
		STAP_PROBE(guestfs, launch_start);
		STAP_PROBE(guestfs, launch_build_appliance_start);
		usleep(100000);
		STAP_PROBE(guestfs, launch_build_appliance_end);
		in_child(becomes_the_emulator);
		STAP_PROBE(guestfs, launch_end);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "libc"))
		libc();
	else if (!strcmp(what, "guestfs"))
		guestfs(argument(argc, argv, 2, 1));
	else if (!strcmp(what, "qemu"))
		standins_qemu(argument(argc, argv, 2, 100));
	else
		return 1;
	return 0;
}
