// SPDX-License-Identifier: GPL-2.0-or-later
/* For the script decoding: calls as libc of 32-bit programs makes them, among them socketcall(), and times of 32 and 64 bits. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void on(int s)
{
}

int main(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, from;
	struct timespec t = {0, 1000};
	struct timeval tv = {0, 1000};
	struct stat st;
	struct statfs fs;
	struct rlimit rl;
	struct rusage ru;
	struct iovec v[2] = {{"one", 3}, {"two", 3}};
	struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
	struct sigaction sa = {.sa_handler = on};
	struct itimerval it = {{0, 0}, {100, 5}}, none = {{0}};
	socklen_t n = sizeof(a);
	char b[100];
	int s, c, d, p[2], yes = 1, status;
	fd_set set;

	s = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	bind(s, (void *)&a, sizeof(a)); listen(s, 3); getsockname(s, (void *)&a, &n);
	c = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	connect(c, (void *)&a, sizeof(a)); n = sizeof(from); d = accept(s, (void *)&from, &n);
	send(c, "hello", 5, MSG_NOSIGNAL); recv(d, b, sizeof(b), 0); sendmsg(d, &m, 0); n = sizeof(from);
	recvfrom(c, b, sizeof(b), MSG_DONTWAIT, (void *)&from, &n);
	n = sizeof(yes); getsockopt(c, SOL_SOCKET, SO_ERROR, &yes, &n); shutdown(c, SHUT_WR); getpeername(c, (void *)&from, &n); close(d);
	s = socket(AF_INET, SOCK_DGRAM, 0); sendto(s, "datagram", 8, 0, (void *)&a, sizeof(a)); socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	write(p[0], "x", 1);
	struct pollfd pf = {p[1], POLLIN}; poll(&pf, 1, 0); FD_ZERO(&set); FD_SET(p[1], &set); select(p[1] + 1, &set, 0, 0, &tv);
	d = epoll_create1(0); struct epoll_event e = {EPOLLIN, {.fd = 5}}; epoll_ctl(d, EPOLL_CTL_ADD, p[1], &e); epoll_wait(d, &e, 1, 0);
	stat("/dev/null", &st); lstat("/etc/passwd", &st); fstat(0, &st); statfs("/proc", &fs); access("/etc/passwd", R_OK);
	d = open("/tmp/i386.file", O_RDWR | O_CREAT | O_TRUNC, 0600); writev(d, v, 2);
	lseek(d, 1, SEEK_SET); pread(d, b, 4, 2); ftruncate(d, 3);
	struct flock l = {.l_type = F_WRLCK, .l_len = 5}; fcntl(d, F_SETLK, &l); fcntl(d, F_GETFL);
	mmap(0, 4096, PROT_READ, MAP_PRIVATE, d, 0); unlink("/tmp/i386.file");
	getrlimit(RLIMIT_NOFILE, &rl); getrusage(RUSAGE_SELF, &ru); nanosleep(&t, 0);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0); gettimeofday(&tv, 0);
	sigaction(SIGUSR1, &sa, 0); kill(getpid(), SIGUSR1); setitimer(ITIMER_REAL, &it, 0); setitimer(ITIMER_REAL, &none, &it);
	utimensat(AT_FDCWD, "/no/such", (struct timespec[]){{1, 2}, {3, UTIME_OMIT}}, 0);
	mkdir("/no/such/x", 0755); readlink("/proc/self/exe", b, 20);
	if (!(s = fork()))
		execl("/no/such/program", "a", "b", (char *)0), _exit(3);
	wait4(s, &status, 0, &ru); getgroups(10, (void *)b); getcwd(b, 100);
	return 0;
}
