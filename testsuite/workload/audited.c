/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audited TIMES: so many calls of getpgid(), each of which a filter of seccomp lets the kernel log. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

PROBED long audited_work(long n)
{
	return syscall(SYS_getpgid, 0) < 0 ? -1 : n + 1;
}

int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_LOG),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof code / sizeof *code, .filter = code};
	long n = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return 1;
	for (long i = argument(argc, argv, 1, 1); i > 0; i--)
		n = audited_work(n);
	printf("audited %ld\n", n);
	return 0;
}
