/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks TIMES: passes markers of the provider "marks" so often: some with operands of every kind, and those of copies of an inline function in
 * two threads and two children.  For x86-64.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/sys/sdt.h"
#include "workload.h"

long marks_table[8] = {10, 11, 0x7fffffff81828384, -13, 14, 15, 16, 17};
static long marks_static[2] = {21, -22};
static double real = 2.5;

#define MARK(name, ...) STAP_PROBE_ASM(marks, name, __VA_ARGS__)

/* Every part of a register. */
PROBED void parts(void)
{
	__asm__ volatile("mov $0x1ff, %%r9\n"
			 MARK(parts, 8@%%rax -8@%%rax 4@%%eax -4@%%eax 2@%%ax -2@%%ax 1@%%al -1@%%al 1@%%ah -1@%%ah -4@%%rax %%eax %%r9b 2@%%r9w)
			 : : "a"(0x8899aabbccddeeff) : "r9");
}

/* Every register. */
PROBED void registers(void)
{
	__asm__ volatile("sub $128, %%rsp\n push %%rbp\n"
			 "mov $1, %%rax\n mov $2, %%rbx\n mov $3, %%rcx\n mov $4, %%rdx\n mov $5, %%rsi\n mov $6, %%rdi\n mov $7, %%rbp\n"
			 "mov $8, %%r8\n mov $9, %%r9\n mov $10, %%r10\n mov $11, %%r11\n mov $12, %%r12\n mov $13, %%r13\n mov $14, %%r14\n"
			 "mov $15, %%r15\n"
			 MARK(registers, 8@%%rax 8@%%rbx 8@%%rcx 8@%%rdx 4@%%esi 4@%%edi 2@%%bp 8@%%r8 4@%%r9d 2@%%r10w 1@%%r11b 8@%%r12
			      8@%%r13 8@%%r14 8@%%r15 1@%%sil 1@%%dil 1@%%bpl 8@%%rsp)
			 "pop %%rbp\n add $128, %%rsp"
			 : : : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory");
}

/* Memory by base, index and scale, and symbols. */
PROBED void memory(long i)
{
	long *base = marks_table + 1;

	__asm__ volatile(MARK(memory, 8@(%%rax) -8@-8(%%rax) 4@8(%%rax) -4@8(%%rax) 2@8(%%rax) -2@8(%%rax) 1@8(%%rax) -1@8(%%rax)
			      8@(%%rax,%%rcx,8) -8@-4+12(%%rax,%%rcx,4) 8@8(%%rax,%%rcx) 8@marks_table(%%rip) -8@24+marks_table(%%rip)
			      -8@marks_static+8(%%rip) 8@$marks_table 8@(,%%rdx,8) 8f@real(%%rip))
			 : : "a"(base), "c"(i), "d"((unsigned long)base / 8), "m"(marks_table), "m"(marks_static), "m"(real));
}

/* Constants, and what a probe cannot read. */
PROBED void others(void)
{
	__asm__ volatile(MARK(others, 8@$5 -4@$-1 4@$-1 1@$0x1ff -2@$65535 8f@%%xmm0 8@%%fs:40 8@nowhere(%%rip) 8@%%eax 16@(%%rsp) 4f@%%ecx
			      8@marks_table@GOTPCREL(%%rip)) ::);
}

static inline __attribute__((always_inline)) void inlined(long call, char kind)
{
	STAP_PROBE3(marks, inlined, call, kind, &marks_table[call % 8]);
}

PROBED void first(long call)
{
	inlined(call, 'a');
}

PROBED void second(long call, long more)
{
	inlined(call + more, 'b');
	if (more > 1)
		inlined(7, 'c');
}

static void *run(void *times)
{
	for (long i = 0; i < (long)times; i++) {
		first(i);
		second(i, i % 3);
	}
	return NULL;
}

static void run_in_child(long times)
{
	pid_t pid = fork();

	if (!pid) {
		run((void *)times);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	long times = argument(argc, argv, 1, 1), n = 4 * times, thirds = 0;
	pthread_t threads[2];

	for (long i = 0; i < times; i++) {
		STAP_PROBE(marks, nothing);
		parts();
		registers();
		memory(2);
		others();
		thirds += i % 3 > 1;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, (void *)times);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		run_in_child(times);
	printf("table %p inlined %ld\n", (void *)marks_table, 2 * n + 4 * thirds);
	return 0;
}
