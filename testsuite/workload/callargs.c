/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls whose arguments are known, so that a test can compare how they are shown to the letter: all that they point to is at fixed addresses.
 * They begin after a call of sched_get_priority_max(0) and end with one.  Most of them fail, and nothing comes of the others.
 *
 * callargs: those of 64-bit programs; callargs 32: those of 32-bit ones.  callargs hostile: with what a program can do wrong.  callargs results:
 * such that the kernel writes something, and what that was.  callargs decoded: structures, passed and written.  callargs newer: calls of newer
 * kernels, and numbers that no kernel has.  callargs late: of memory that is not there when a call begins, and what changes while it runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

enum { SIZE = 0x4000, NOFD = -1, PAIR = 50 };

#define AREA 0x20000000ul
#define BAD 0x30000000ul

static char *const area = (char *)AREA;

/* A copy at the offset. */
static void *put(unsigned at, const void *what, size_t n)
{
	return memcpy(area + at, what, n);
}

static char *text(unsigned at, const char *what)
{
	return put(at, what, strlen(what) + 1);
}

static void mark(void)
{
	syscall(SYS_sched_get_priority_max, 0);
}

static void files(void)
{
	char *path = text(0x100, "/no/such/file"), *other = text(0x180, "other \"one\"\n\001");
	struct timespec times[2] = {{5, UTIME_NOW}, {1, 2}};
	struct rlimit limit = {1000, RLIM_INFINITY};

	syscall(SYS_open, path, O_RDONLY);
	syscall(SYS_open, path, O_RDWR | O_TRUNC | O_NOFOLLOW, 0777);
	syscall(SYS_open, path, O_WRONLY | O_CREAT | O_EXCL, 0640);
	syscall(SYS_open, other, O_RDONLY | O_NONBLOCK);
	syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	syscall(SYS_openat, 77, path, O_RDWR | O_APPEND | 0x80000000);
	syscall(SYS_openat, NOFD, "relative", O_CREAT | O_DIRECTORY | O_EXCL, 07);
	syscall(SYS_read, NOFD, area, 10);
	syscall(SYS_write, NOFD, text(0x200, "a\tb\0c"), 5);
	memset(area + 0x300, 'x', 100);
	syscall(SYS_write, NOFD, area + 0x300, 100);
	syscall(SYS_pwrite64, NOFD, area + 0x300, 2, 1l << 33);
	syscall(SYS_pread64, NOFD, area, 2, -1l);
	syscall(SYS_lseek, NOFD, -5l, SEEK_CUR);
	syscall(SYS_close, NOFD);
	syscall(SYS_stat, path, area);
	syscall(SYS_lstat, path, area);
	syscall(SYS_fstat, NOFD, area);
	syscall(SYS_newfstatat, AT_FDCWD, path, area, AT_SYMLINK_NOFOLLOW);
	syscall(SYS_statx, AT_FDCWD, path, AT_EMPTY_PATH, 0x7ff, area);
	syscall(SYS_access, path, R_OK | W_OK);
	syscall(SYS_access, path, F_OK);
	syscall(SYS_faccessat, AT_FDCWD, path, X_OK);
	syscall(SYS_fcntl, NOFD, F_SETFL, O_NONBLOCK);
	syscall(SYS_ioctl, NOFD, 0x5401, area);
	syscall(SYS_dup, NOFD);
	syscall(SYS_dup2, NOFD, 1000);
	syscall(SYS_dup3, NOFD, 1000, O_CLOEXEC);
	syscall(SYS_pipe, 0);
	syscall(SYS_pipe2, 0, O_CLOEXEC | O_NONBLOCK);
	syscall(SYS_chmod, path, 0644);
	syscall(SYS_chown, path, -1, 5);
	syscall(SYS_mkdir, path, 0755);
	syscall(SYS_mknod, path, S_IFIFO | 0600, 0);
	syscall(SYS_unlink, path);
	syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
	syscall(SYS_rename, path, other);
	syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 1);
	syscall(SYS_symlink, path, path);
	syscall(SYS_readlink, path, area, 10);
	syscall(SYS_utimensat, AT_FDCWD, path, put(0x400, times, sizeof times), 0);
	syscall(SYS_ftruncate, NOFD, -1l);
	syscall(SYS_fallocate, NOFD, 3, 16, 1l << 40);
	syscall(SYS_mount, path, path, path, 1 | 4096, 0);
	syscall(SYS_prlimit64, 0x7fffffff, RLIMIT_NOFILE, put(0x440, &limit, sizeof limit), 0);
	syscall(SYS_readv, NOFD, area, 3);
	syscall(SYS_preadv, NOFD, area, 3, 7, 0);
	syscall(SYS_sendfile, NOFD, NOFD, 0, 4);
	syscall(SYS_flock, NOFD, 2 | 4);
	syscall(SYS_umask, 022);
	syscall(SYS_getcwd, 0, 0);
	syscall(SYS_chdir, path);
}

static void sockets(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0x7f000001)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(443), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "/tmp/no such"};

	put(0x500, &in, sizeof in);
	put(0x540, &in6, sizeof in6);
	put(0x580, &un, sizeof un);
	syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 99);
	syscall(SYS_socket, AF_INET, SOCK_SEQPACKET | SOCK_NONBLOCK, IPPROTO_TCP);
	syscall(SYS_socket, 9999, 3, 0);
	syscall(SYS_connect, NOFD, area + 0x500, sizeof in);
	syscall(SYS_connect, NOFD, area + 0x540, sizeof in6);
	syscall(SYS_bind, NOFD, area + 0x580, sizeof un);
	strcpy(un.sun_path, "");
	strcpy(un.sun_path + 1, "abc");
	put(0x600, &un, sizeof un);
	syscall(SYS_connect, NOFD, area + 0x600, 6);
	syscall(SYS_connect, NOFD, 0, 6);
	syscall(SYS_accept, NOFD, 0, 0);
	syscall(SYS_accept4, NOFD, 0, 0, SOCK_NONBLOCK);
	syscall(SYS_listen, NOFD, 5);
	syscall(SYS_sendto, NOFD, text(0x680, "hello"), 5, MSG_DONTWAIT | MSG_NOSIGNAL, area + 0x500, sizeof in);
	syscall(SYS_recvfrom, NOFD, area, 5, MSG_PEEK, 0, 0);
	syscall(SYS_sendmsg, NOFD, area, 0);
	syscall(SYS_recvmsg, NOFD, area, MSG_TRUNC);
	syscall(SYS_shutdown, NOFD, SHUT_WR);
	syscall(SYS_setsockopt, NOFD, SOL_SOCKET, SO_REUSEADDR, area, 4);
	syscall(SYS_getsockopt, NOFD, IPPROTO_TCP, 1, area, area);
	syscall(SYS_socketpair, 9999, SOCK_DGRAM, 0, area);
}

static void waiting(void)
{
	struct timespec half = {0, 500}, bad = {3, -1};
	struct timeval tv = {0, 7};
	struct itimerval it = {{1, 2}, {3, -4}};

	put(0x700, &half, sizeof half);
	put(0x710, &bad, sizeof bad);
	put(0x720, &tv, sizeof tv);
	put(0x730, &it, sizeof it);
	syscall(SYS_poll, BAD, 3, 0);
	syscall(SYS_ppoll, 0, 0, area + 0x700, 0, 8);
	syscall(SYS_select, 0, 0, 0, 0, area + 0x720);
	syscall(SYS_pselect6, 0, 0, 0, 0, area + 0x700, 0);
	syscall(SYS_epoll_create1, EPOLL_CLOEXEC | 1);
	syscall(SYS_epoll_ctl, NOFD, EPOLL_CTL_MOD, 5, area);
	syscall(SYS_epoll_wait, NOFD, area, 4, -1);
	syscall(SYS_nanosleep, area + 0x700, 0);
	syscall(SYS_nanosleep, area + 0x710, area);
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 1, area + 0x710, 0);
	syscall(SYS_clock_gettime, 9999, area);
	syscall(SYS_setitimer, ITIMER_PROF, area + 0x730, 0);
	syscall(SYS_futex, area + 0x800, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1);
	syscall(SYS_futex, area + 0x800, FUTEX_WAIT, 5, area + 0x700);
	syscall(SYS_futex, area + 0x800, FUTEX_CMP_REQUEUE, 1, 2, area + 0x808, 77);
	syscall(SYS_wait4, 0x7fffffff, 0, WNOHANG | WUNTRACED, 0);
	syscall(SYS_waitid, P_PID, 0x7fffffff, 0, WEXITED | WNOHANG, 0);
	syscall(SYS_sched_yield);
}

/* As the kernel has it. */
struct action {
	unsigned long handler, flags, restorer, mask;
};

static void others(void)
{
	struct action a = {0x1234, SA_RESTART | SA_SIGINFO, 0, 1ul << (SIGUSR2 - 1) | 1ul << (SIGTERM - 1)}, none = {1, 0, 0, 0};
	char **list = put(0x900, (char *[]){area + 0x100, area + 0x680, NULL, NULL}, 4 * sizeof(char *));
	uint64_t set = 1ul << (SIGHUP - 1) | 1ul << 33, all = ~0ul & ~(1ul << (SIGKILL - 1));

	put(0x920, &a, sizeof a);
	put(0x940, &none, sizeof none);
	put(0x960, &set, sizeof set);
	put(0x968, &all, sizeof all);
	syscall(SYS_rt_sigaction, 99, area + 0x920, 0, 8);
	syscall(SYS_rt_sigaction, SIGKILL, area + 0x940, area, 8);
	syscall(SYS_rt_sigaction, SIGKILL, 0, 0, 7);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, area + 0x960, 0, 7);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, area + 0x968, 0, 7);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, 0, 0, 7);
	syscall(SYS_kill, 0x7fffffff, SIGTERM);
	syscall(SYS_tgkill, 0x7fffffff, 0x7fffffff, 35);
	syscall(SYS_kill, 0x7fffffff, 0);
	syscall(SYS_mmap, AREA + 1, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, NOFD, 0);
	syscall(SYS_munmap, AREA + 1, 4096);
	syscall(SYS_mprotect, AREA + 1, 4096, PROT_NONE);
	syscall(SYS_madvise, AREA + 1, 4096, MADV_DONTNEED);
	syscall(SYS_brk, 0);
	syscall(SYS_clone, CLONE_VM | CLONE_THREAD | SIGCHLD, 0, 0, 0, 0);
	syscall(SYS_unshare, 0x40000001);
	syscall(SYS_execve, area + 0x100, list, list);
	syscall(SYS_execveat, AT_FDCWD, area + 0x100, list + 2, 0, AT_EMPTY_PATH);
	syscall(SYS_getpid);
	syscall(SYS_getrlimit, RLIMIT_STACK, 0);
	syscall(SYS_shmget, 0, 0, 0666 | 01000);
	syscall(SYS_arch_prctl, 0x9999, 0);
	syscall(SYS_prctl, 1, 9999, 3, 4, 5);
	syscall(SYS_ptrace, 16, 0x7fffffff, 0, 0);
	syscall(SYS_getrandom, 0, 0, 1);
	syscall(SYS_ioprio_set, 1, 0x7fffffff, 2 << 13 | 7);
	syscall(440, 1, 2, 3, 4, 5);
	syscall(998, 1, 2, 3, 4, 5, 6);
}

/* ---- what the kernel writes ---- */

static void results(void)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "\0callargs"};
	socklen_t *length = (socklen_t *)(area + 0x10);
	unsigned named = sizeof un.sun_family + 9;
	int *pipes = (int *)area, *pair = (int *)(area + 8), fd;

	syscall(SYS_pipe2, pipes, 0);
	syscall(SYS_write, pipes[1], text(0x100, "hello\n\0x"), 8);
	memset(area + 0x180, 'y', 100);
	syscall(SYS_write, pipes[1], area + 0x180, 100);
	syscall(SYS_read, pipes[0], area + 0x200, 6);
	syscall(SYS_read, pipes[0], area + 0x200, 1000);
	syscall(SYS_read, NOFD, area + 0x200, 1000);
	syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(fd, (struct sockaddr *)&un, named))
		exit(1);
	*length = 100;
	syscall(SYS_getsockname, fd, area + 0x300, length);
	syscall(SYS_getpeername, fd, area + 0x300, length);
	syscall(SYS_getsockname, fd, area + 0x300, BAD);
	syscall(SYS_chdir, "/proc");
	syscall(SYS_readlink, "/proc/self/cwd", area + 0x400, 100);
	syscall(SYS_getcwd, area + 0x500, 100);
	syscall(SYS_clock_getres, CLOCK_MONOTONIC, area + 0x600);
	syscall(SYS_clock_getres, CLOCK_MONOTONIC, 0);
	syscall(SYS_brk, 0);
	syscall(SYS_mremap, AREA, SIZE, SIZE, 0);
	syscall(SYS_mmap, AREA, 0x1000, 0, 0, 0, 0);
	syscall(SYS_shmat, -1, 0, 0);
	printf("pipe [%d, %d] pair [%d, %d]\n", pipes[0], pipes[1], pair[0], pair[1]);
}

/* ---- structures that are passed or written, with numbers that are known ---- */

static void child(int status, int sig)
{
	pid_t pid = fork();

	if (!pid) {
		if (sig)
			raise(sig);
		_exit(status);
	}
	syscall(SYS_waitid, P_PID, pid, area + 0x800, WEXITED | WNOWAIT, 0);
	syscall(SYS_wait4, -1, area + 0x800, 0, 0);
}

static void pieces(const int *pipes, const int *pair)
{
	struct iovec *v = (struct iovec *)(area + 0x900);
	struct msghdr *m = (struct msghdr *)(area + 0xa00);
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0x7f000001)};

	v[0] = (struct iovec){text(0x100, "one"), 3};
	v[1] = (struct iovec){text(0x110, "and two"), 7};
	v[2] = (struct iovec){(void *)BAD, 9};
	syscall(SYS_writev, pipes[1], v, 2);
	syscall(SYS_writev, NOFD, v, 3);
	v[0] = (struct iovec){area + 0x200, 5};
	v[1] = (struct iovec){area + 0x210, 100};
	syscall(SYS_readv, pipes[0], v, 2);
	syscall(SYS_preadv2, NOFD, v, 2, 0, 0, 0);
	syscall(SYS_writev, NOFD, BAD, 2);
	syscall(SYS_writev, NOFD, v, 0);
	*m = (struct msghdr){.msg_iov = v, .msg_iovlen = 1};
	v[0] = (struct iovec){text(0x100, "hello"), 5};
	syscall(SYS_sendmsg, pair[0], m, MSG_NOSIGNAL);
	v[0] = (struct iovec){area + 0x200, 100};
	m->msg_name = area + 0x300;
	m->msg_namelen = 100;
	syscall(SYS_recvmsg, pair[1], m, 0);
	*m = (struct msghdr){.msg_name = put(0x300, &in, sizeof in), .msg_namelen = sizeof in, .msg_control = area, .msg_controllen = 24};
	syscall(SYS_sendmsg, NOFD, m, 0);
}

static void ready(const int *pipes)
{
	struct { int fd; short events, revents; } *p = (void *)(area + 0x900);
	struct epoll_event *e = (struct epoll_event *)(area + 0xa00);
	unsigned long *set = (unsigned long *)(area + 0xb00);
	struct timespec zero = {0, 0};
	int epoll = epoll_create1(0);

	put(0x700, &zero, sizeof zero);
	p[0].fd = pipes[0], p[0].events = 1, p[0].revents = 0;
	p[1].fd = pipes[1], p[1].events = 5, p[1].revents = 0;
	p[2].fd = 999, p[2].events = 0, p[2].revents = 0;
	syscall(SYS_poll, p, 3, 0);
	syscall(SYS_ppoll, p, 1, area + 0x700, 0, 8);
	set[0] = 1ul << pipes[0] | 1ul << pipes[1];
	set[2] = 1ul << pipes[1];
	syscall(SYS_select, pipes[1] + 1, set, set + 2, 0, 0);
	set[0] = 1;
	syscall(SYS_select, -1, set, 0, 0, 0);
	e->events = EPOLLOUT | EPOLLET;
	e->data.u64 = 0x100000005;
	syscall(SYS_epoll_ctl, epoll, EPOLL_CTL_ADD, pipes[1], e);
	e->events = 0;
	syscall(SYS_epoll_wait, epoll, e, 4, 0);
}

/* Messages with descriptors, of which one is sent. */
static void messages(const int *pair)
{
	struct { struct msghdr m; unsigned int length; } *all = (void *)(area + 0xa00);
	struct iovec *v = (struct iovec *)(area + 0x900);
	struct cmsghdr *c = (struct cmsghdr *)(area + 0x980);

	v[0] = (struct iovec){text(0x100, "first"), 5};
	v[1] = (struct iovec){text(0x110, "second"), 6};
	memset(all, 0, 2 * sizeof *all);
	memset(c, 0, CMSG_SPACE(4));
	*c = (struct cmsghdr){.cmsg_len = CMSG_LEN(4), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(c), pair, 4);
	all[0].m = (struct msghdr){.msg_iov = v, .msg_iovlen = 1, .msg_control = c, .msg_controllen = CMSG_LEN(4)};
	all[1].m = (struct msghdr){.msg_iov = v + 1, .msg_iovlen = 1};
	syscall(SYS_sendmmsg, pair[0], all, 2, 0);
	syscall(SYS_sendmmsg, NOFD, all, 1, 0);
	v[0] = (struct iovec){area + 0x200, 3};
	v[1] = (struct iovec){area + 0x210, 100};
	c->cmsg_level = c->cmsg_type = 0;
	all[0].m.msg_controllen = 0;
	all[0].m.msg_control = 0;
	syscall(SYS_recvmmsg, pair[1], all, 2, MSG_DONTWAIT, 0);
	syscall(SYS_sendmmsg, NOFD, BAD, 1, 0);
}

/* Options whose form another argument tells, and what the kernel writes of several numbers. */
static void options(const int *pipes, const int *pair)
{
	int *numbers = (int *)(area + 0x900);
	uint64_t *attr = (uint64_t *)(area + 0x980);
	struct iovec *v = (struct iovec *)(area + 0xa00);

	syscall(SYS_fstatfs, pipes[0], area + 0xc00);
	syscall(SYS_statfs, "/no/such/file", area + 0xc00);
	syscall(SYS_sysinfo, area + 0xc00);
	numbers[0] = 0, numbers[1] = 5;
	syscall(SYS_setgroups, 2, numbers);
	syscall(SYS_getgroups, 10, area + 0xc00);
	syscall(SYS_getgroups, 0, area + 0xc00);
	numbers[0] = 0x8003;
	syscall(SYS_sched_setaffinity, 0x7fffffff, 8, numbers);
	syscall(SYS_sched_setaffinity, 0, 8, put(0x940, &(uint64_t){1}, 8));
	syscall(SYS_sched_getaffinity, 0, 128, area + 0xc00);
	v[0] = (struct iovec){text(0x100, "here"), 4};
	v[1] = (struct iovec){(void *)BAD, 4};
	syscall(SYS_process_vm_writev, 0x7fffffff, v, 1, v + 1, 1, 0);
	numbers[0] = 1;
	syscall(SYS_ioctl, pair[0], 0x5421, numbers);
	syscall(SYS_ioctl, pair[0], 0x5451, 1);
	syscall(SYS_ioctl, pair[0], 0x5413, area + 0xc00);
	strcpy(area + 0xc00, "lo");
	syscall(SYS_ioctl, pair[0], 0x8933, area + 0xc00);
	strcpy(area + 0xc00, "no such");
	syscall(SYS_ioctl, pair[0], 0x8913, area + 0xc00);
	syscall(SYS_prctl, 16, area + 0xc00, 1, 2, 3);
	syscall(SYS_prctl, 4, 1, 1, 2, 3);
	syscall(SYS_prctl, 1, SIGTERM, 1, 2, 3);
	syscall(SYS_prctl, 2, area + 0xc00, 1, 2, 3);
	syscall(SYS_prctl, 3, 1, 2, 3, 4);
	syscall(SYS_prctl, 23, 21, 1, 2, 3);
	attr[0] = (uint64_t)text(0x120, "/no/such/map");
	attr[1] = 0;
	syscall(SYS_bpf, 7, attr, 16);
	attr[0] = 1ull << 32 | 77;
	attr[1] = 0;
	syscall(SYS_bpf, 0, attr, 15);
}

/* Of threads: who they are, how they are scheduled, what they may do. */
static void privileges(void)
{
	uint32_t *ids = (uint32_t *)(area + 0xc00);
	uint32_t *header = put(0x900, (uint32_t[]){0x20080522, 0}, 8);
	uint64_t *attr = put(0x980, (uint64_t[]){48, 1, 5, 1, 2, 3}, 48);

	syscall(SYS_getresuid, ids, ids + 1, ids + 2);
	syscall(SYS_getresgid, ids, ids + 1, ids + 2);
	ids[0] = 0;
	syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, ids);
	syscall(SYS_sched_setparam, 0, ids);
	syscall(SYS_sched_getparam, 0, ids);
	syscall(SYS_sched_setattr, 0x7fffffff, attr, 0);
	syscall(SYS_capget, header, ids);
	header[1] = 0x7fffffff;
	syscall(SYS_capset, header, ids);
	syscall(SYS_sendfile, NOFD, NOFD, put(0x910, &(uint64_t){7}, 8), 4);
	syscall(SYS_prctl, 47, 1, 21, 0, 0);
	syscall(SYS_prctl, 25, ids, 0, 0, 0);
	syscall(SYS_prctl, 0x53564d41, 0, BAD + 1, 0x1000, text(0x100, "a name"));
	attr[0] = 77;
	attr[1] = 37; /* BPF_XDP */
	syscall(SYS_bpf, 34, attr, 4);
	syscall(SYS_bpf, 9, attr, 12);
	syscall(SYS_uname, area + 0xc00);
}

static void decoded(void)
{
	int *pipes = (int *)area, *pair = (int *)(area + 8), file = memfd_create("decoded", 0);
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 2};
	struct rlimit limit = {0, RLIM_INFINITY};
	struct itimerval timer = {{0, 0}, {0, 0}};
	uint64_t how[3] = {O_RDWR | O_CLOEXEC, 0, 8}, clone[8] = {CLONE_THREAD | CLONE_VM, 0, 0, 0, SIGCHLD, 0, 0x1000};

	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || ftruncate(file, 123))
		exit(1);
	pieces(pipes, pair);
	ready(pipes);
	syscall(SYS_stat, "/dev/null", area + 0xc00);
	syscall(SYS_fstat, file, area + 0xc00);
	syscall(SYS_statx, file, "", AT_EMPTY_PATH, 0x2c1, area + 0xc00); /* from 6.13 on these times are only there if asked for */
	syscall(SYS_fcntl, file, F_GETFD, 77);
	syscall(SYS_fcntl, file, F_SETFD, 1);
	syscall(SYS_fcntl, file, F_SETFL, O_NONBLOCK);
	syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 10);
	syscall(SYS_fcntl, file, F_SETLK, put(0xd00, &lock, sizeof lock));
	syscall(SYS_ioctl, pipes[0], 0x541b, area + 0xd80);
	syscall(SYS_ioctl, pipes[0], 0xdeadbeef, area + 0xd80);
	syscall(SYS_prctl, 15, text(0x100, "a name"), 0, 0, 0);
	*(int *)(area + 0x900) = 1;
	syscall(SYS_setsockopt, pair[0], SOL_SOCKET, SO_PASSCRED, area + 0x900, 4);
	*(int *)(area + 0x910) = 4;
	syscall(SYS_getsockopt, pair[0], SOL_SOCKET, SO_TYPE, area + 0x900, area + 0x910);
	syscall(SYS_prlimit64, 0, RLIMIT_CORE, put(0x440, &limit, sizeof limit), 0);
	syscall(SYS_getrlimit, RLIMIT_CORE, area + 0x450);
	syscall(SYS_setitimer, ITIMER_REAL, put(0x460, &timer, sizeof timer), area + 0x490);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, area + 0x490, 8);
	syscall(SYS_openat2, NOFD, "x", put(0x500, how, sizeof how), sizeof how);
	syscall(SYS_clone3, put(0x540, clone, sizeof clone), sizeof clone);
	child(3, 0);
	child(0, SIGKILL);
	syscall(SYS_wait4, -1, area + 0x800, WNOHANG, 0);
	messages(pair);
	options(pipes, pair);
	privileges();
}

/* ---- newer calls: of the first number on that one of the kernels lacks, 451, all ---- */

static void newer(void)
{
	char *path = text(0x100, "/no/such/file"), *empty = text(0x180, "");
	uint64_t attr[4] = {1 | 8, 0x20, 1 << 18, 0}, rules[2] = {1 << 2 | 1 << 13, 0}, waiters[6] = {5, AREA + 0x800, 2, 6, AREA + 0x808, 2};
	uint64_t set = 1, where[2] = {AREA + 0x560, 7}, request[3] = {24, 5, 3}, range[2] = {1, 2};
	struct { uint64_t access; int fd; } rule = {1 << 3, NOFD};
	struct timespec half = {0, 500};
	uint32_t ring[30] = {0, 0, 1};

	put(0x500, attr, sizeof attr);
	put(0x520, rules, sizeof rules);
	put(0x540, &rule, 12);
	put(0x560, &set, sizeof set);
	put(0x570, where, sizeof where);
	put(0x580, waiters, sizeof waiters);
	put(0x5c0, request, sizeof request);
	put(0x5e0, range, sizeof range);
	put(0x600, ring, sizeof ring);
	put(0x700, &half, sizeof half);
	syscall(SYS_personality, 0xffffffff);
	syscall(SYS_syslog, 99, 0, 0);
	syscall(SYS_pselect6, 0, 0, 0, 0, area + 0x700, area + 0x570);
	syscall(SYS_getxattr, path, path, area + 0x900, 10);
	syscall(425, 0, area + 0x600);                                                /* io_uring_setup */
	syscall(426, NOFD, 1, 2, 1 | 2, 0, 0);                                        /* io_uring_enter */
	syscall(427, NOFD, 22, 0, 1);                                                 /* io_uring_register */
	syscall(428, AT_FDCWD, path, O_CLOEXEC | AT_EMPTY_PATH);                      /* open_tree */
	syscall(429, NOFD, empty, NOFD, path, 4 | 0x20);                              /* move_mount */
	syscall(430, path, 1);                                                        /* fsopen */
	syscall(431, NOFD, 1, path, 0, 0);                                            /* fsconfig */
	syscall(432, NOFD, 1, 1 | 8);                                                 /* fsmount */
	syscall(433, AT_FDCWD, path, 8 | 1);                                          /* fspick */
	syscall(440, NOFD, area + 0x580, 1, MADV_COLD, 0);                            /* process_madvise */
	syscall(442, AT_FDCWD, path, 0x8000, area + 0x500, 32);                       /* mount_setattr */
	syscall(444, area + 0x520, 7, 0);                                             /* landlock_create_ruleset: too short */
	syscall(445, NOFD, 1, area + 0x540, 0);                                       /* landlock_add_rule */
	syscall(445, NOFD, 2, area + 0x5e0, 0);
	syscall(449, area + 0x580, 2, 0, area + 0x700, CLOCK_MONOTONIC);              /* futex_waitv */
	syscall(451, NOFD, area + 0x5e0, area + 0x900, 0);                            /* cachestat */
	syscall(452, AT_FDCWD, path, 0644, AT_SYMLINK_NOFOLLOW);                      /* fchmodat2 */
	syscall(453, 0, 1, 1);                                                        /* map_shadow_stack */
	syscall(454, area + 0x800, 0, 1, 2 | 0x80);                                   /* futex_wake */
	syscall(455, area + 0x800, 5, 0xffffffff, 2, area + 0x700, CLOCK_MONOTONIC);  /* futex_wait */
	syscall(456, area + 0x580, 1, 1, 1);                                          /* futex_requeue: with a flag that it does not have */
	syscall(457, area + 0x5c0, area + 0x900, 100, 1);                             /* statmount: the same */
	syscall(458, area + 0x5c0, area + 0x900, 2, 8);                               /* listmount: the same */
	syscall(459, 100, 0, 0, 0);                                                   /* lsm_get_self_attr */
	syscall(460, 101, area, 5, 1);                                                /* lsm_set_self_attr */
	syscall(461, area, 0, 1);                                                     /* lsm_list_modules */
	syscall(462, AREA + 1, 4096, 1);                                              /* mseal */
	syscall(998, 1, 2, 3, 4, 5, 6);
	syscall(0x40000001, 1, 2, 3, 4, 5, 6);
	syscall(-5l, 1, 2, 3, 4, 5, 6);
}

/* ---- what is not in memory when the call begins ---- */

#define LATE 0x21000000ul

/* Texts in a file that is mapped; the kernel is the first to look at a page. */
static void late(void)
{
	static const char bytes[] = "\1\2\3\4\5\6\x7f\xff\x80\xc1 \"";
	char *file = (char *)LATE, *two = area + SIZE - 6;
	static const socklen_t rooms[] = {0, 1, 2, 3, 5, 100};
	struct timespec none = {0, 0};
	unsigned long list[3] = {LATE + 0x100, LATE + 0x200, 0};
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "\0callargs"};
	int fd = memfd_create("late", 0), empty = memfd_create("no program", 0), sock = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t *length = (socklen_t *)(area + 0x10);

	if (ftruncate(fd, 0x1000) || pwrite(fd, "/no/such/file", 14, 0) != 14 || pwrite(fd, bytes, sizeof bytes, 0x100) < 0 ||
	    pwrite(fd, "/proc/self/cwd", 15, 0x200) != 15 || pwrite(fd, &none, sizeof none, 0x300) < 0 || pwrite(fd, list, sizeof list, 0x400) < 0 ||
	    mmap(file, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0) != file ||
	    mmap(area + SIZE, 0x1000, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0) != area + SIZE || chdir("/proc"))
		exit(1);
	memset(area + 0x100, 0, 0x100);
	memcpy(two, "first/", 6);
#define AWAY madvise(file, 0x1000, MADV_DONTNEED), madvise(area + SIZE, 0x1000, MADV_DONTNEED)
	AWAY, syscall(SYS_open, file, O_RDONLY);
	AWAY, syscall(SYS_open, file + 0x100, O_RDONLY);
	syscall(SYS_open, file + 0x100, O_RDONLY);
	AWAY, syscall(SYS_open, two, O_RDONLY); /* the end is missing */
	AWAY, syscall(SYS_link, file, file + 0x100);
	AWAY, syscall(SYS_execveat, empty, "", file + 0x400, 0, AT_EMPTY_PATH);
	AWAY, syscall(SYS_nanosleep, file + 0x300, 0);
	AWAY, syscall(SYS_write, NOFD, file, 5); /* the kernel does not look */
	AWAY, syscall(SYS_open, BAD, O_RDONLY);
	text(0x100, "/proc/self/cwd"); /* what is read becomes something else */
	syscall(SYS_readlink, area + 0x100, area + 0x100, 100);
	AWAY, syscall(SYS_readlink, file + 0x200, area + 0x100, 3);
	if (bind(sock, (struct sockaddr *)&un, sizeof un.sun_family + 9))
		exit(1);
	for (unsigned i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		*length = rooms[i];
		memset(area + 0x300, 'Z', 100);
		syscall(SYS_getsockname, sock, area + 0x300, length);
	}
	AWAY, syscall(SYS_getsockname, sock, area + 0x300, file + 0x300);
}

/* ---- what a program can do wrong ---- */

static void hostile(void)
{
	char **list = (char **)(area + 0x1000);
	char *end = area + SIZE - 8;

	memset(end, 'e', 8); /* a text without an end, before memory that is not there */
	syscall(SYS_open, end, O_RDONLY);
	syscall(SYS_open, BAD, O_RDONLY);
	syscall(SYS_open, 0, O_RDONLY);
	syscall(SYS_open, -1l, 0x100003);
	syscall(SYS_write, NOFD, end, 1ul << 60);
	syscall(SYS_write, NOFD, BAD, 8);
	syscall(SYS_write, NOFD, end, 0);
	for (int i = 0; i < 0x400; i++) /* longer than any text of a script, and than MOST_STRINGS */
		list[i] = area + 0x100;
	text(0x100, "z");
	syscall(SYS_execve, area + 0x100, list, list);
	list[1] = (char *)BAD;
	list[2] = NULL;
	syscall(SYS_execve, BAD, list, BAD);
	syscall(SYS_execve, area + 0x100, end, 0);
	syscall(SYS_execve, area + 0x100, area + SIZE - 4, area + SIZE - 4);
	memset(area + 0x100, '\1', 0x800);
	area[0x900] = 0;
	syscall(SYS_open, area + 0x100, O_RDONLY);
	syscall(SYS_connect, NOFD, end, 1000000);
	syscall(SYS_connect, NOFD, area + 0x100, 1);
	syscall(SYS_nanosleep, BAD, 0);
	syscall(SYS_rt_sigaction, 1 << 30, BAD, 0, 8);
	syscall(SYS_mount, area + 0x100, area + 0x100, 0, -1l, 0);
}

/* ---- 32-bit programs ---- */

static void call32(long nr, long a, long b, long c, long d, long e, long f)
{
	register long save __asm__("r11") = f;

	__asm__ volatile("push %%rbp; mov %%r11, %%rbp; int $0x80; pop %%rbp"
			 : "+a"(nr), "+r"(save)
			 : "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory", "r8", "r9", "r10");
}

/* Calls that stand for several, old forms, structures of 32-bit programs, and a number that no kernel has. */
static void compat_several(void)
{
	uint32_t *args = (uint32_t *)(area + 0xa00), *more = (uint32_t *)(area + 0xb00);

	memcpy(args, (uint32_t[]){NOFD, AREA + 0x780, 16}, 12);
	call32(102, 3, AREA + 0xa00, 0, 0, 0, 0);                                    /* socketcall, SYS_CONNECT */
	call32(102, 99, AREA + 0xa00, 0, 0, 0, 0);
	call32(117, 23, 5, 4096, 0, 0, 0);                                           /* ipc, SHMGET */
	memcpy(args, (uint32_t[]){7, -2u}, 8);
	call32(117, 12, NOFD, 20, 04000, AREA + 0xa00, 0);                           /* MSGRCV */
	call32(117, 12 | 1 << 16, NOFD, 20, 04000, AREA + 0xa00, -3);
	call32(117, 12, NOFD, 20, 04000, BAD, 0);
	call32(117, 11, NOFD, 20, 04000, AREA + 0xa00, 0);                           /* MSGSND */
	call32(117, 13, 0x7a5b, 0600, 0, 0, 0);                                      /* MSGGET */
	call32(117, 14, NOFD, 0, 0, 0, 0);                                           /* MSGCTL */
	call32(117, 1, NOFD, 3, 0, AREA + 0xa00, 0);                                 /* SEMOP */
	call32(117, 4, NOFD, 3, 0, AREA + 0xa00, AREA + 0x700);                      /* SEMTIMEDOP */
	call32(117, 2, 0x7a5b, 3, 0600, 0, 0);                                       /* SEMGET */
	call32(117, 3, NOFD, 2, 16, AREA + 0xa00, 0);                                /* SEMCTL */
	call32(117, 21, NOFD, 010000, AREA + 0xa00, 0, 0);                           /* SHMAT */
	call32(117, 22, 0, 0, 0, BAD, 0);                                            /* SHMDT */
	call32(117, 24, NOFD, 0, 0, 0, 0);                                           /* SHMCTL */
	call32(117, 99, 1, 2, 3, 4, 5);
	memcpy(args, (uint32_t[]){AREA + 1, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, NOFD, 0}, 24);
	call32(90, AREA + 0xa00, 0, 0, 0, 0, 0);                                     /* mmap, old */
	memcpy(args, (uint32_t[]){0, 0, 0, 0, AREA + 0x700}, 20);
	call32(82, AREA + 0xa00, 0, 0, 0, 0, 0);                                     /* select, old */
	args[0] = 1 << (SIGUSR1 - 1);
	call32(126, SIG_BLOCK, AREA + 0xa00, 0, 0, 0, 0);                            /* sigprocmask */
	call32(136, 0xffffffff, 0, 0, 0, 0, 0);                                      /* personality */
	memcpy(more, (uint32_t[]){AREA + 0xa00, 8}, 8);
	call32(308, 0, 0, 0, 0, AREA + 0x700, AREA + 0xb00);                         /* pselect6 */
	memcpy(more, (uint32_t[]){AREA + 0x100, 3, BAD, 5}, 16);
	call32(334, NOFD, AREA + 0xb00, 2, 7, 1, 0);                                 /* pwritev */
	call32(186, AREA + 0xa00, 0, 0, 0, 0, 0);                                    /* sigaltstack, with a small stack */
	call32(114, 0x7fffffff, 0, WNOHANG, 0, 0, 0);                                /* wait4 */
	call32(76, RLIMIT_CORE, AREA + 0xc00, 0, 0, 0, 0);                           /* getrlimit, old */
	call32(191, RLIMIT_CORE, AREA + 0xc00, 0, 0, 0, 0);                          /* getrlimit */
	call32(99, AREA + 0x800, AREA + 0xc00, 0, 0, 0, 0);                          /* statfs */
	call32(268, AREA + 0x800, 84, AREA + 0xc00, 0, 0, 0);                        /* statfs64 */
	call32(250, NOFD, 7, 1, 5, 3, 0);                                            /* fadvise64 */
	call32(272, NOFD, 7, 1, 5, 2, 3);                                            /* fadvise64_64 */
	call32(193, AREA + 0x100, 1, 2, 0, 0, 0);                                    /* truncate64 */
	call32(999, 1, 2, 3, 4, 5, 6);
}

/* Calls of sockets by socketcall(), of a pair with fixed numbers: one that waits for nothing, so that what is read is there. */
static void compat_sockets(void)
{
	uint32_t passed[][6] = {
		{AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, BAD},
		{PAIR, AREA + 0x100, 8, MSG_DONTWAIT},
		{PAIR + 1, AREA + 0xb00, 100, MSG_DONTWAIT, AREA + 0xb80, AREA + 0xbc0},
		{PAIR, SOL_SOCKET, SO_TYPE, AREA + 0xb00, AREA + 0xbc4},
		{PAIR, SOL_SOCKET, SO_KEEPALIVE, AREA + 0x860, 4},
		{PAIR, AREA + 0xb80, AREA + 0xbc8},
		{NOFD, AREA + 0x100, 8, MSG_DONTWAIT, AREA + 0x780, 16},
		{NOFD, AREA + 0x7a0, MSG_OOB},
		{NOFD, AREA + 0xb80, AREA + 0xbc8, SOCK_CLOEXEC},
		{PAIR, SHUT_WR},
	};
	static const int numbers[] = {8, 9, 12, 15, 14, 6, 11, 16, 18, 13};

	put(0x860, (int[]){1}, 4);
	put(0xbc0, (uint32_t[]){20, 4, 20}, 12);
	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		put(0xa00, passed[i], sizeof passed[i]);
		call32(102, numbers[i], AREA + 0xa00, 0, 0, 0, 0);
	}
	call32(102, 3, BAD, 0, 0, 0, 0);
	call32(102, 3, AREA + SIZE - 8, 0, 0, 0, 0);                                 /* at the end of what can be read */
}

/* Before the calls that are compared: descriptors of other numbers than those that the caller left open. */
static void open_pair(void)
{
	int two[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, two) || dup2(two[0], PAIR) < 0 || dup2(two[1], PAIR + 1) < 0)
		_exit(1);
}

/* Times of 32 bits, and the same calls with those of 64. */
static void compat_times(void)
{
	put(0xc80, (int64_t[]){5, 600, 7, 800}, 32);
	put(0xcc0, (int32_t[]){5, 600, 7, 800}, 16);
	call32(104, 99, AREA + 0xcc0, 0, 0, 0, 0);                                   /* setitimer */
	call32(240, AREA + 0xa00, FUTEX_WAIT, 5, AREA + 0x700, 0, 0);                /* futex */
	call32(422, AREA + 0xa00, FUTEX_WAIT, 5, AREA + 0x710, 0, 0);                /* futex_time64 */
	call32(309, 0, 0, AREA + 0x700, 0, 8, 0);                                    /* ppoll */
	call32(414, 0, 0, AREA + 0x710, 0, 8, 0);                                    /* ppoll_time64 */
	call32(271, AREA + 0x100, AREA + 0xcc0, 0, 0, 0, 0);                         /* utimes */
	call32(320, AT_FDCWD, AREA + 0x100, AREA + 0xcc0, 0, 0, 0);                  /* utimensat */
	call32(412, AT_FDCWD, AREA + 0x100, AREA + 0xc80, 0, 0, 0);                  /* utimensat_time64 */
	call32(264, 9999, AREA + 0xcc0, 0, 0, 0, 0);                                 /* clock_settime */
	call32(404, 9999, AREA + 0xc80, 0, 0, 0, 0);                                 /* clock_settime64 */
	call32(266, CLOCK_MONOTONIC, AREA + 0xc00, 0, 0, 0, 0);                      /* clock_getres */
	call32(406, CLOCK_MONOTONIC, AREA + 0xc00, 0, 0, 0, 0);                      /* clock_getres_time64 */
	call32(325, NOFD, 0, AREA + 0xcc0, 0, 0, 0);                                 /* timerfd_settime */
	call32(411, NOFD, 0, AREA + 0xc80, 0, 0, 0);                                 /* timerfd_settime64 */
}

static void compat(void)
{
	int32_t half[2] = {0, 500}, action[5] = {0x1234, SA_RESTART, 0, 1 << (SIGUSR2 - 1), 0};
	struct timespec wide = {0, 600};
	uint32_t parts[2] = {AREA + 0x100, 3}, message[7] = {AREA + 0x780, 16, AREA + 0x760, 1, 0, 0, 0};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0x7f000001)};
	struct { int fd; short events, revents; } poll = {NOFD, 1, 0};
	uint32_t list[2] = {AREA + 0x100, 0};

	text(0x100, "/no/such/file");
	put(0x700, half, sizeof half);
	put(0x710, &wide, sizeof wide);
	put(0x720, action, sizeof action);
	put(0x740, list, sizeof list);
	call32(5, AREA + 0x100, O_WRONLY | O_CREAT | O_EXCL, 0600, 0, 0, 0);           /* open */
	call32(3, NOFD, AREA, 0xffffffff, 0, 0, 0);                                  /* read */
	call32(180, NOFD, AREA, 2, 5, 1, 0);                                         /* pread64 */
	call32(194, NOFD, 7, 2, 0, 0, 0);                                            /* ftruncate64 */
	call32(93, NOFD, -1, 0, 0, 0, 0);                                            /* ftruncate */
	call32(324, NOFD, 1, 16, 0, 0, 1);                                           /* fallocate */
	call32(162, AREA + 0x700, 0, 0, 0, 0, 0);                                    /* nanosleep */
	call32(407, 1, 0, AREA + 0x710, 0, 0, 0);                                    /* clock_nanosleep_time64 */
	call32(174, 99, AREA + 0x720, 0, 8, 0, 0);                                   /* rt_sigaction */
	call32(11, AREA + 0x100, AREA + 0x740, 0, 0, 0, 0);                          /* execve */
	call32(192, AREA + 1, 4096, 1, 0x32, -1, 3);                                 /* mmap2 */
	call32(90, AREA, 0, 0, 0, 0, 0);                                             /* mmap, old */
	call32(52, AREA + 0x100, 2, 0, 0, 0, 0);                                     /* umount2 */
	call32(20, 0, 0, 0, 0, 0, 0);                                                /* getpid */
	put(0x760, parts, sizeof parts);
	put(0x770, &poll, sizeof poll);
	put(0x780, &in, sizeof in);
	put(0x7a0, message, sizeof message);
	put(0x7c0, (int[]){F_RDLCK, 8, 0, 9, 0, 0}, 24);
	text(0x800, "/dev/null");
	call32(146, NOFD, AREA + 0x760, 1, 0, 0, 0);                                 /* writev */
	call32(168, AREA + 0x770, 1, 0, 0, 0, 0);                                    /* poll */
	call32(370, NOFD, AREA + 0x7a0, 0, 0, 0, 0);                                 /* sendmsg */
	call32(221, NOFD, 13, AREA + 0x7c0, 0, 0, 0);                                /* fcntl64, F_SETLK64 */
	call32(106, AREA + 0x800, AREA + 0x900, 0, 0, 0, 0);                         /* stat */
	call32(195, AREA + 0x800, AREA + 0x900, 0, 0, 0, 0);                         /* stat64 */
	call32(300, AT_FDCWD, AREA + 0x800, AREA + 0x900, 0, 0, 0);                  /* fstatat64 */
	put(0x820, (uint16_t[]){0, 5}, 4);
	put(0x828, (int[]){6}, 4);
	call32(81, 2, AREA + 0x820, 0, 0, 0, 0);                                     /* setgroups, of 16 bits each */
	call32(80, 10, AREA + 0x900, 0, 0, 0, 0);                                    /* getgroups */
	call32(205, 10, AREA + 0x900, 0, 0, 0, 0);                                   /* getgroups32 */
	call32(165, AREA + 0x900, AREA + 0x902, AREA + 0x904, 0, 0, 0);              /* getresuid, of 16 bits */
	call32(140, NOFD, 0, 5, AREA + 0x900, SEEK_CUR, 0);                          /* _llseek */
	call32(187, NOFD, NOFD, AREA + 0x828, 4, 0, 0);                              /* sendfile, of 32 bits */
	compat_several();
	compat_sockets();
	compat_times();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (mmap(area, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != area)
		return 1;
	memset(area, 0, SIZE);
	if (!strcmp(what, "32"))
		open_pair();
	mark();
	if (!strcmp(what, "hostile")) {
		hostile();
	} else if (!strcmp(what, "32")) {
		compat();
	} else if (!strcmp(what, "results")) {
		results();
	} else if (!strcmp(what, "decoded")) {
		decoded();
	} else if (!strcmp(what, "newer")) {
		newer();
	} else if (!strcmp(what, "late")) {
		late();
	} else {
		files();
		sockets();
		waiting();
		others();
	}
	mark();
	return 0;
}
