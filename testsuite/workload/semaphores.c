/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * semaphores LIBRARY: has markers with semaphores, and does what it reads, a letter each; it prints what the semaphores are.
 *
 *	s       prints them: those of the markers "plain", "twice", which is at two places, and "entry", where a function begins, and that
 *	        of the library if it is loaded
 *	h       passes the markers of which the semaphore is not 0, and prints how many
 *	l, u    loads or unloads the library, which has the marker "loaded"
 *	f, v    the same as s, h and l in a child of fork(); s in a child of vfork()
 *	x       executes itself, without a child
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define _SDT_HAS_SEMAPHORES 1
#include "include/sys/sdt.h"
#include "workload.h"

#define SEMAPHORE(name) __attribute__((section(".probes"), used)) volatile unsigned short name##_semaphore
SEMAPHORE(semaphores_plain);
SEMAPHORE(semaphores_twice);
SEMAPHORE(semaphores_entry);

long begins_with_a_marker(long n);
__asm__(".text\n.globl begins_with_a_marker\n.type begins_with_a_marker, @function\nbegins_with_a_marker:\n"
	STAP_PROBE_ASM(semaphores, entry, 8@%rdi)
	"lea 1(%rdi), %rax\nret\n.size begins_with_a_marker, . - begins_with_a_marker\n");

static void *library;
static const char *path;
static volatile unsigned short *loaded_semaphore;
static long (*loaded)(long call);

static void show(const char *who)
{
	printf("%s %d %d %d", who, semaphores_plain_semaphore, semaphores_twice_semaphore, semaphores_entry_semaphore);
	if (library)
		printf(" %d", *loaded_semaphore);
	puts("");
}

static void hit(const char *who)
{
	int n = 0;

	if (semaphores_plain_semaphore)
		STAP_PROBE1(semaphores, plain, ++n);
	if (semaphores_twice_semaphore) {
		STAP_PROBE1(semaphores, twice, ++n);
		STAP_PROBE1(semaphores, twice, ++n);
	}
	if (semaphores_entry_semaphore)
		n = (int)begins_with_a_marker(n);
	if (library && *loaded_semaphore)
		n = (int)loaded(n);
	printf("%s hits %d\n", who, n);
}

static void load(void)
{
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		puts(dlerror());
		exit(1);
	}
	*(void **)&loaded = dlsym(library, "library_loaded");
	loaded_semaphore = dlsym(library, "semaphores_loaded_semaphore");
}

static void unload(void)
{
	dlclose(library);
	library = NULL;
}

static void in_child(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		show("child");
		hit("child");
		if (!library) {
			load();
			show("child");
		}
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void in_vfork(void)
{
	pid_t pid;

	fflush(stdout);
	pid = vfork();
	if (!pid) {
		show("vfork");
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	char c;

	path = argc > 1 ? argv[1] : "";
	while (read(0, &c, 1) == 1) {
		switch (c) {
		case 's': show("own"); break;
		case 'h': hit("own"); break;
		case 'l': load(); break;
		case 'u': unload(); break;
		case 'f': in_child(); break;
		case 'v': in_vfork(); break;
		case 'x': fflush(stdout); execv("/proc/self/exe", argv); return 1;
		default: break;
		}
		fflush(stdout);
	}
	return 0;
}
