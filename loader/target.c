// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program of -c and the process of -x.  The program exists, with its pid, before the session starts, and
 * waits in front of its exec on a pipe until all probes are armed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"
#include "loader/loader.h"

/* Words and nothing that a shell would look at: run without one. */
static bool is_plain(const char *s)
{
	const char *first = s + strspn(s, " ");

	if (memchr(first, '=', strcspn(first, " ")))
		return false;
	return !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+=.,:/@%")];
}

/* More than one command, or what `exec' would not take. */
static bool is_compound(const char *s)
{
	const char *first = s + strspn(s, " \t");

	return strpbrk(s, "|&;<>(){}\n`!#") || memchr(first, '=', strcspn(first, " \t"));
}

/* A word that only the shell itself can carry out: there is no such program, and no use of `exec'. */
static bool is_builtin(const char *s)
{
	static const char *const words[] = { ".",      ":",	  "alias", "cd",     "command", "eval",	 "exec",  "exit",
					     "export", "getopts", "hash",  "read",   "readonly", "set",	 "shift", "times",
					     "trap",   "type",	  "ulimit", "umask", "unalias", "unset", "wait" };
	const char *first = s + strspn(s, " \t");
	size_t n = strcspn(first, " \t");

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == n && !memcmp(words[i], first, n))
			return true;
	return false;
}

const char *const *target_argv(struct arena *a, const char *command)
{
	VEC(const char *) argv = { 0 };

	if (is_plain(command) && !is_builtin(command)) {
		for (const char *p = command + strspn(command, " "); *p; p += strspn(p, " ")) {
			vec_push(a, &argv, arena_strndup(a, p, strcspn(p, " ")));
			p += strcspn(p, " ");
		}
	} else {
		vec_push(a, &argv, "/bin/sh");
		vec_push(a, &argv, "-c");
		vec_push(a, &argv, is_compound(command) || is_builtin(command) ? command : arena_printf(a, "exec %s", command));
	}
	vec_push(a, &argv, (const char *)NULL);
	return argv.v;
}

/* In the child. */
static _Noreturn void wait_and_exec(const char *const *argv, int release)
{
	sigset_t none;
	char go;
	ssize_t n;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	while ((n = read(release, &go, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0); /* the session did not start */
	execvp(argv[0], (char *const *)argv);
	say_error("cannot run \"%s\": %s", argv[0], strerror(errno));
	_exit(127);
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int target_start(struct target *t, const char *command)
{
	struct arena a = { 0 };
	const char *const *argv = target_argv(&a, command);
	int fds[2] = { -1, -1 };

	if (!argv[0])
		say_error("-c: the command is empty");
	else if (pipe2(fds, O_CLOEXEC) || (t->pid = fork()) < 0)
		say_error("cannot start \"%s\": %s", command, strerror(errno));
	if (!argv[0] || fds[0] < 0 || t->pid < 0) {
		arena_free(&a);
		return -1;
	}
	if (!t->pid) {
		close(fds[1]);
		wait_and_exec(argv, fds[0]);
	}
	arena_free(&a);
	close(fds[0]);
	t->is_child = true;
	t->release = fds[1];
	t->pidfd = open_pidfd(t->pid);
	if (t->pidfd >= 0)
		return 0;
	say_error("cannot watch process %d: %s", (int)t->pid, strerror(errno));
	target_end(t);
	return -1;
}

int target_attach(struct target *t, pid_t pid)
{
	t->pid = pid;
	t->release = -1;
	t->pidfd = open_pidfd(pid);
	if (t->pidfd >= 0)
		return 0;
	say_error("-x %d: %s", (int)pid, errno == ESRCH ? "there is no such process" : strerror(errno));
	return -1;
}

void target_release(struct target *t)
{
	if (t->release < 0)
		return;
	if (write(t->release, "g", 1) != 1)
		say_warning("cannot release process %d: %s", (int)t->pid, strerror(errno));
	close(t->release);
	t->release = -1;
}

int target_exited(struct target *t)
{
	t->exited = true;
	if (!t->is_child || waitpid(t->pid, &t->status, 0) != t->pid)
		return 0;
	if (WIFEXITED(t->status) && !WEXITSTATUS(t->status))
		return 0;
	if (WIFEXITED(t->status))
		say_warning("Child process exited with status %d", WEXITSTATUS(t->status));
	else
		say_warning("Child process exited with signal %d (%s)", WTERMSIG(t->status),
			    strsignal(WTERMSIG(t->status)));
	return 1;
}

void target_end(struct target *t)
{
	if (!t->pid)
		return;
	if (t->release >= 0) {
		close(t->release); /* it sees the end of the pipe and exits */
		t->release = -1;
		waitpid(t->pid, NULL, 0);
	}
	if (t->pidfd >= 0)
		close(t->pidfd);
	t->pidfd = -1;
}
