// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program of -c, the process of -x, and commands of the script.  The program's process exists, with its pid, before the session
 * starts; it waits on a socket, before its exec, until all probes are armed.  The program is looked up before that, so that a mistyped one
 * begins no session, and the child only has to call exec; if that fails nevertheless, the child reports it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/command.h"
#include "base/file.h"
#include "base/std.h"
#include "base/vec.h"
#include "loader/loader.h"

#define GRACE_MS 3000    /* from SIGTERM to SIGKILL */
#define FAMILY_MOST 4096

struct family { /* pids, or their descriptors */
	pid_t *v;
	size_t n, cap;
};

/* In the child.  If the loader is killed, it cannot end the command with the session. */
static _Noreturn void wait_and_exec(const char *program, const char *const *argv, int loader)
{
	sigset_t none;
	char go;
	ssize_t n;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	say.sink = NULL; /* it is the parent's */
	while ((n = read(loader, &go, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0); /* the session did not start */
	execvp(program, (char *const *)argv);
	say_error("cannot run \"%s\": %s", argv[0], strerror(errno));
	_exit(write(loader, &go, 1) == 1 ? 127 : 126);
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* The process, or -1: reported. */
static pid_t fork_child(const char *const *argv, int *child)
{
	struct arena a = { 0 };
	const char *why = NULL, *program = command_program(&a, argv[0], &why);
	int ends[2] = { -1, -1 };
	pid_t pid = -1;

	if (!program)
		say_error("cannot run \"%s\": %s", argv[0], why);
	else if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) || (pid = child_fork(SIGTERM)) < 0)
		say_error("cannot start \"%s\": %s", argv[0], strerror(errno));
	if (!pid) {
		close(ends[0]);
		wait_and_exec(program, argv, ends[1]);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	*child = ends[0];
	arena_free(&a);
	return pid;
}

int target_start(struct target *t, const char *command)
{
	struct arena a = { 0 };
	const char *const *argv = command_argv(&a, command);
	pid_t pid = -1;

	if (argv[0])
		pid = fork_child(argv, &t->child);
	else
		say_error("-c: the command is empty");
	arena_free(&a);
	if (pid < 0)
		return -1;
	t->pid = pid;
	t->is_child = true;
	t->pidfd = open_pidfd(t->pid);
	if (t->pidfd >= 0)
		return 0;
	say_error("cannot watch process %d: %s", (int)t->pid, strerror(errno));
	target_end(t);
	return -1;
}

int target_run(struct target *t, const char *command)
{
	const char *const argv[] = { "/bin/sh", "-c", command, NULL };
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC), error;

	*t = (struct target){ .is_child = true, .released = true, .excused = true, .child = -1, .pidfd = -1 };
	error = child_start(&(struct child_start){ .argv = argv, .in = in, .out = -1, .err = -1 }, &t->pid);
	if (in >= 0)
		close(in);
	if (error) {
		say_error("system(): cannot run \"%s\": %s", command, strerror(error));
		return -1;
	}
	t->pidfd = open_pidfd(t->pid);
	if (t->pidfd >= 0)
		return 0;
	say_error("system(): cannot watch process %d: %s", (int)t->pid, strerror(errno));
	target_end(t);
	return -1;
}

int target_attach(struct target *t, pid_t pid)
{
	t->pid = pid;
	t->pidfd = open_pidfd(pid);
	if (t->pidfd >= 0)
		return 0;
	say_error("-x %d: %s", (int)pid, errno == ESRCH ? "there is no such process" : strerror(errno));
	return -1;
}

void target_release(struct target *t)
{
	if (t->child < 0)
		return;
	if (write(t->child, "g", 1) != 1)
		say_warning("cannot release process %d: %s", (int)t->pid, strerror(errno));
	t->released = true;
}

/* For a child that has exited: did it never execute the command? */
static bool not_executed(const struct target *t)
{
	char byte;

	return t->released && recv(t->child, &byte, 1, MSG_DONTWAIT) == 1;
}

int target_exited(struct target *t)
{
	t->exited = true;
	if (!t->is_child || waitpid(t->pid, &t->status, 0) != t->pid)
		return 0;
	if (t->excused)
		return not_executed(t);
	if (WIFEXITED(t->status) && !WEXITSTATUS(t->status))
		return 0;
	if (WIFEXITED(t->status))
		say_warning("Child process exited with status %d", WEXITSTATUS(t->status));
	else
		say_warning("Child process exited with signal %d (%s)", WTERMSIG(t->status),
			    strsignal(WTERMSIG(t->status)));
	return 1;
}

static pid_t parent_of(struct arena *a, pid_t pid)
{
	const char *line = file_read(a, arena_printf(a, "/proc/%d/stat", (int)pid), NULL);
	const char *name_end = line ? strrchr(line, ')') : NULL; /* the name, in (), may have any character, even a newline */
	int parent = 0;

	if (!name_end || sscanf(name_end, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/*
 * Adds the processes that these have started, recursively: a shell that ends does not end what it has started.  All of /proc is read:
 * /proc/PID/task/PID/children only exists in kernels with CONFIG_PROC_CHILDREN.
 */
static void find_family(struct arena *a, struct family *f)
{
	struct family parents = { 0 }, others = { 0 };
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d))) {
		pid_t other = atoi(e->d_name);

		if (other <= 0)
			continue;
		vec_push(a, &others, other);
		vec_push(a, &parents, parent_of(a, other));
	}
	if (d)
		closedir(d);
	for (size_t known = 0; known < f->n; known++)
		for (size_t i = 0; i < others.n && f->n < FAMILY_MOST; i++)
			if (parents.v[i] == f->v[known])
				vec_push(a, f, others.v[i]);
}

/* A process that left our process group, a daemon, is meant to stay. */
static bool must_end(const struct target *t, pid_t pid)
{
	return pid == t->pid || getpgid(pid) == getpgrp();
}

static void signal_family(const struct target *t, const struct family *f, int sig)
{
	for (size_t i = 0; i < f->n; i++)
		if (must_end(t, f->v[i]))
			kill(f->v[i], sig);
}

static bool ends_within(int pidfd, int ms)
{
	struct pollfd p = { pidfd, POLLIN, 0 };

	return poll(&p, 1, ms) == 1;
}

/* Opens those that must end: when their parent has died, they cannot be found through it. */
static void watch_family(struct arena *a, const struct target *t, const struct family *f, struct family *pids, struct family *pidfds)
{
	for (size_t i = 0; i < f->n; i++) {
		int fd = must_end(t, f->v[i]) ? open_pidfd(f->v[i]) : -1;

		if (fd < 0)
			continue;
		vec_push(a, pids, f->v[i]);
		vec_push(a, pidfds, fd);
	}
}

/* Those that still run after the time of grace. */
static struct family survivors(struct arena *a, const struct family *pids, const struct family *pidfds)
{
	struct family left = { 0 };
	double end = std_now() + GRACE_MS * 1e-3;

	for (size_t i = 0; i < pids->n; i++) {
		double rest = end - std_now();

		if (!ends_within(pidfds->v[i], rest > 0 ? (int)(rest * 1e3) : 0))
			vec_push(a, &left, pids->v[i]);
		close(pidfds->v[i]);
	}
	return left;
}

/* Sends SIGTERM, then SIGKILL to those that still run, also if the command itself has ended. */
static void end_family(const struct target *t)
{
	struct arena a = { 0 };
	struct family all = { 0 }, pids = { 0 }, pidfds = { 0 }, left;

	vec_push(&a, &all, t->pid);
	find_family(&a, &all);
	watch_family(&a, t, &all, &pids, &pidfds);
	signal_family(t, &all, SIGTERM);
	left = survivors(&a, &pids, &pidfds);
	if (left.n) {
		find_family(&a, &left);
		signal_family(t, &left, SIGKILL);
	}
	arena_free(&a);
}

/* The child is ours and not waited for, so its pid is its own. */
static int end_child(struct target *t)
{
	if (!ends_within(t->pidfd, 0))
		t->excused = true;
	if (t->released)
		end_family(t);
	else
		shutdown(t->child, SHUT_WR); /* it reads end of file and exits */
	if (!ends_within(t->pidfd, t->released ? 0 : GRACE_MS))
		kill(t->pid, SIGKILL);
	if (ends_within(t->pidfd, GRACE_MS))
		return target_exited(t);
	say_warning("process %d of -c does not end although it was killed: the kernel is busy for it, see /proc/%d/stack", (int)t->pid, (int)t->pid);
	return 0;
}

int target_end(struct target *t)
{
	int failed = 0;

	if (!t->pid)
		return 0;
	if (t->is_child && !t->exited && t->pidfd >= 0)
		failed = end_child(t);
	if (t->child >= 0)
		close(t->child);
	t->child = -1;
	if (t->pidfd >= 0)
		close(t->pidfd);
	t->pidfd = -1;
	return failed;
}
