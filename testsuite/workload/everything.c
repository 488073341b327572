/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * everything [ROUNDS] [FOLDER]: calls as many parts of the kernel as a short program can: processes, threads, signals, timers, files,
 * memory, sockets.  What a kernel does not have is left out: this is load, not a test of the kernel.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

static long passed_over;
static volatile sig_atomic_t signals;

static long take(long result)
{
	if (result < 0)
		passed_over++;
	return result;
}

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void wait_for(pid_t pid)
{
	int status;

	if (pid > 0)
		take(waitpid(pid, &status, 0));
}

static void processes(void)
{
	static char *const argv[] = {"/bin/true", NULL};
	pid_t pid = fork();

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(1);
	}
	wait_for(pid);
	pid = vfork();
	if (pid == 0) {
		execv(argv[0], argv);
		_exit(1);
	}
	wait_for(pid);
	pid = fork();
	if (pid == 0) {
		unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWPID);
		prctl(PR_SET_NAME, "renamed");
		setpriority(PRIO_PROCESS, 0, 5);
		raise(SIGKILL);
	}
	wait_for(pid);
}

static void traced_child(void)
{
	pid_t pid = fork();
	int status, i;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	if (pid < 0)
		return;
	for (i = 0; i < 20 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status); i++)
		take(ptrace(i < 10 ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL, NULL));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

static void *thread(void *mutex)
{
	pthread_mutex_lock(mutex);
	usleep(100);
	sched_yield();
	pthread_mutex_unlock(mutex);
	return NULL;
}

static void threads(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_t t[4];
	int i, n = 0;

	for (i = 0; i < 4; i++)
		n += pthread_create(&t[n], NULL, thread, &mutex) == 0;
	for (i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void signals_and_timers(void)
{
	struct itimerval soon = {.it_value.tv_usec = 500};
	struct itimerspec at = {.it_value.tv_nsec = 500000};
	struct timespec pause = {.tv_nsec = 2000000};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
	unsigned long long count;
	timer_t timer;
	sigset_t set;
	int fd;

	setitimer(ITIMER_REAL, &soon, NULL);
	nanosleep(&pause, NULL);
	if (take(timer_create(CLOCK_MONOTONIC, &event, &timer)) == 0) {
		timer_settime(timer, 0, &at, NULL);
		nanosleep(&pause, NULL);
		timer_delete(timer);
	}
	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	take(timerfd_settime(fd, 0, &at, NULL));
	take(read(fd, &count, sizeof(count)));
	close(fd);
	kill(getpid(), SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK);
	kill(getpid(), SIGUSR1);
	take(read(fd, (char[256]){0}, 256));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	close(fd);
}

static void waiting(void)
{
	int ends[2], epoll = epoll_create1(0), event = eventfd(0, 0), watch = inotify_init1(IN_NONBLOCK);
	struct epoll_event e = {.events = EPOLLIN}, got;
	struct pollfd polled = {.fd = event, .events = POLLIN};

	if (take(pipe(ends)) < 0)
		return;
	take(inotify_add_watch(watch, ".", IN_ALL_EVENTS));
	take(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &e));
	take(epoll_wait(epoll, &got, 1, 1));
	take(write(ends[1], "x", 1));
	take(epoll_wait(epoll, &got, 1, 1000));
	take(write(event, "\1\0\0\0\0\0\0", 8));
	take(poll(&polled, 1, 1000));
	close(ends[0]), close(ends[1]), close(epoll), close(event), close(watch);
}

static void files(void)
{
	static char block[65536];
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600), to = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	off_t at = 0;
	char *m;

	take(write(fd, block, sizeof(block)));
	take(fsync(fd));
	take(pread(fd, block, 4096, 100));
	take(sendfile(to, fd, &at, 30000));
	take(copy_file_range(fd, NULL, to, NULL, 10000, 0));
	take(fallocate(fd, 0, 0, 200000));
	take(ftruncate(fd, 5000));
	take(fsetxattr(fd, "user.name", "value", 5, 0));
	take(flock(fd, LOCK_EX));
	m = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (m != MAP_FAILED) {
		m[10] = 1;
		msync(m, 5000, MS_SYNC);
		munmap(m, 5000);
	}
	close(fd), close(to);
	take(link("file", "link")), take(symlink("file", "symbolic")), take(rename("copy", "other"));
	take(mkdir("folder", 0700)), take(chmod("file", 0644)), take(utimensat(AT_FDCWD, "file", NULL, 0));
	take(access("symbolic", R_OK)), take(readlink("symbolic", block, 100));
	if (take(mount("none", "folder", "tmpfs", 0, NULL)) == 0)
		umount("folder");
	unlink("file"), unlink("link"), unlink("symbolic"), unlink("other"), rmdir("folder");
}

static void memory(void)
{
	size_t size = 4 << 20;
	char *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int id = shmget(IPC_PRIVATE, 8192, 0600);
	void *shared;

	if (m != MAP_FAILED) {
		memset(m, 1, size / 4);
		madvise(m, size / 8, MADV_DONTNEED);
		mprotect(m, 4096, PROT_READ);
		take(mlock(m, 8192));
		m = mremap(m, size, 2 * size, MREMAP_MAYMOVE);
		munmap(m, 2 * size);
	}
	if (take(id) < 0)
		return;
	shared = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	shmdt(shared);
}

/* Sends a message and an answer: in a stream between two ends, or as datagrams of one socket to itself. */
static void talk(int family, int type, struct sockaddr *address, socklen_t length)
{
	int server = socket(family, type, 0), client = -1, end = -1;
	char text[8000] = "";

	if (take(server) < 0)
		return;
	take(bind(server, address, length));
	take(getsockname(server, address, &length));
	if (type == SOCK_STREAM) {
		take(listen(server, 1));
		client = socket(family, type, 0);
		take(connect(client, address, length));
		end = accept(server, NULL, NULL);
		take(write(client, text, sizeof(text)));
		take(read(end, text, sizeof(text)));
		take(shutdown(end, SHUT_RDWR));
		close(client), close(end);
	} else {
		take(sendto(server, text, 1000, 0, address, length));
		take(recv(server, text, sizeof(text), MSG_DONTWAIT));
	}
	close(server);
}

static void network(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "socket"};

	talk(AF_INET, SOCK_STREAM, (void *)&in, sizeof(in));
	talk(AF_INET, SOCK_DGRAM, (void *)&in, sizeof(in));
	talk(AF_INET6, SOCK_STREAM, (void *)&in6, sizeof(in6));
	talk(AF_UNIX, SOCK_STREAM, (void *)&local, sizeof(local));
	unlink("socket");
}

int main(int argc, char **argv)
{
	long rounds = argument(argc, argv, 1, 1), i;

	if (argc > 2 && chdir(argv[2]))
		return 1;
	signal(SIGALRM, on_signal);
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_signal);
	for (i = 0; i < rounds; i++) {
		processes();
		traced_child();
		threads();
		signals_and_timers();
		waiting();
		files();
		memory();
		network();
	}
	printf("rounds %ld\nsignals %d\npassed over %ld\n", rounds, (int)signals, passed_over);
	return 0;
}
