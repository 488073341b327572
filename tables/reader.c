// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of one file, made by a process of its own.  See reader.h. */
#include "tables/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "tables/tables.h"

enum { NOBODY = 65534, FILES = 64, CPU_SECONDS = 5, REAP_MS = 1000 };
#define MEMORY ((rlim_t)1 << 30)
#define THE_FILE "/proc/self/fd/0"

/* ---- the process of its own ---- */

/* The file is standard input, the pipe standard output, and nobody reads what libraries complain about.  Nothing else stays open. */
static bool take_files(int file, int pipe)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (file <= 2 || pipe <= 2 || null <= 2 || dup2(file, 0) < 0 || dup2(pipe, 1) < 0 || dup2(null, 2) < 0)
		return false;
	for (int fd = 3; fd < FILES; fd++)
		close(fd);
	return true;
}

/* A file that reaches its limit is an error, no signal. */
static bool take_limits(void)
{
	static const struct {
		int what;
		rlim_t most;
	} limits[] = {{RLIMIT_AS, MEMORY}, {RLIMIT_CPU, CPU_SECONDS}, {RLIMIT_CORE, 0}, {RLIMIT_NOFILE, FILES}, {RLIMIT_FSIZE, TABLES_MOST}};

	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (setrlimit(limits[i].what, &(struct rlimit){limits[i].most, limits[i].most}))
			return false;
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* May only root have written it?  What a user mounts may say so of any file, but is mounted without set-user-ID programs. */
static bool is_of_root(const struct stat *st)
{
	struct statvfs fs;

	return !st->st_uid && !(st->st_mode & (S_IWGRP | S_IWOTH)) && !fstatvfs(0, &fs) && !(fs.f_flag & ST_NOSUID);
}

/* The change of the user takes back what child_fork() has asked for. */
static bool become_nobody(pid_t parent)
{
	return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY) &&
	       !prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent;
}

/* From here on it is what this user could open. */
static bool open_again(void)
{
	int fd = open(THE_FILE, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd > 2 && dup2(fd, 0) == 0 && !close(fd);
}

static bool is_unchanged(const struct stat *before)
{
	struct stat now;

	return !fstat(0, &now) && now.st_size == before->st_size && !memcmp(&now.st_mtim, &before->st_mtim, sizeof now.st_mtim) &&
	       !memcmp(&now.st_ctim, &before->st_ctim, sizeof now.st_ctim);
}

static bool make(const struct reader *r, const struct wire_program *p, pid_t parent)
{
	char name[PATH_MAX];
	struct arena a = {0};
	struct sb out = {0};
	struct stat st;
	ssize_t n = readlink(THE_FILE, name, sizeof name - 1);

	if (n <= 0 || fstat(0, &st) || !S_ISREG(st.st_mode) || (!is_of_root(&st) && !become_nobody(parent)) || !open_again())
		return false;
	name[n] = 0;
	return !r->make(&a, THE_FILE, name, p->wanted, p->tracked, &out) && is_unchanged(&st) && !file_put(1, out.s, out.n);
}

/* First it says that what it does is the session's own.  Its memory is the first to be taken when there is none. */
static _Noreturn void read_file(const struct reader *r, const struct wire_program *p, int pipe, pid_t parent)
{
	pid_t own = getpid();
	int score;

	if (r->session >= 0)
		ioctl(r->session, WIRE_READER, &own);
	score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (score >= 0)
		file_put(score, "1000", 4);
	_exit(!take_files(p->fd, pipe) || !take_limits() || !make(r, p, parent));
}

/* ---- the one that asks ---- */

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* All that comes until the other end is closed; false: too much, or too late. */
static bool receive(int pipe, long until, struct sb *out)
{
	char part[64 * 1024];
	struct pollfd ready = {.fd = pipe, .events = POLLIN};

	while (out->n <= TABLES_MOST) {
		long left = until - now_ms();
		ssize_t n;

		if (left <= 0 || (poll(&ready, 1, (int)left) < 0 && errno != EINTR))
			return false;
		n = ready.revents ? read(pipe, part, sizeof part) : -1;
		if (!n)
			return true;
		if (n > 0)
			sb_putn(out, part, (size_t)n);
		ready.revents = 0;
	}
	return false;
}

/* Its wait status; false: it does not end, since it waits for a file. */
static bool reap(pid_t pid, int *status)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	for (long until = now_ms() + REAP_MS; now_ms() < until; nanosleep(&ms, NULL))
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
	return false;
}

/* True: it has said by its end that all is well. */
static bool end(struct reader *r, pid_t pid, bool received)
{
	int status;

	if (!received)
		kill(pid, SIGKILL);
	if (reap(pid, &status))
		return received && WIFEXITED(status) && !WEXITSTATUS(status);
	kill(pid, SIGKILL);
	r->lost[r->nlost++] = pid;
	return false;
}

static void reap_lost(struct reader *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->nlost; i++)
		if (!waitpid(r->lost[i], NULL, WNOHANG))
			r->lost[n++] = r->lost[i];
	r->nlost = n;
}

bool reader_ask(struct reader *r, const struct wire_program *p, struct sb *out)
{
	pid_t own = getpid(), pid;
	int ends[2];
	bool made;

	reap_lost(r);
	if (r->nlost == READER_LOST || pipe2(ends, O_CLOEXEC))
		return false;
	pid = child_fork(SIGKILL);
	if (!pid)
		read_file(r, p, ends[1], own);
	close(ends[1]);
	made = pid > 0 && receive(ends[0], now_ms() + r->limit_ms, out);
	close(ends[0]);
	made = pid > 0 && end(r, pid, made);
	if (r->session >= 0)
		ioctl(r->session, WIRE_READER, &own);
	return made && out->n;
}
