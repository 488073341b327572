/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs compilers and linkers: no shell, several at a time, output to a file each, times noted. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/std.h"
#include "base/visible.h"
#include "translator/build/private.h"

extern char **environ;

void run_step(struct build *b, const char *name, double seconds)
{
	if (b->nsteps == sizeof b->steps / sizeof b->steps[0])
		return;
	b->steps[b->nsteps++] = (struct build_step){.name = name, .seconds = seconds};
}

const char *const *run_argv(struct build *b, build_argv *v)
{
	vec_push(b->arena, v, NULL);
	v->n--;
	return v->v;
}

void argv_append(struct build *b, build_argv *to, const build_argv *from)
{
	for (size_t i = 0; i < from->n; i++)
		vec_push(b->arena, to, from->v[i]);
}

struct run run_compile(struct build *b, const build_argv *cc, const char *cwd, const char *in,
		       const char *out, const char *what)
{
	build_argv argv = {0};
	struct run r = {.what = what, .cwd = cwd, .log = arena_printf(b->arena, "%s.log", out)};

	argv_append(b, &argv, cc);
	vec_push(b->arena, &argv, "-o");
	vec_push(b->arena, &argv, out);
	vec_push(b->arena, &argv, in);
	r.argv = run_argv(b, &argv);
	return r;
}

/*
 * Does an environment variable change how a kernel is built?  It may come from a make that runs us, or be set for other builds.  A
 * name in the list that ends in '_' means all names that begin so.
 */
static bool would_interfere(const char *setting)
{
	static const char *const names[] = {
		"LC_ALL",	"MAKEFLAGS",	"GNUMAKEFLAGS",	   "MAKELEVEL",	      "MFLAGS",	      "MAKEFILES",
		"GCC_COLORS",	"KBUILD_",	"KCFLAGS",	   "KAFLAGS",	      "KCPPFLAGS",    "CFLAGS_MODULE",
		"AFLAGS_MODULE", "LDFLAGS_MODULE", "ARCH",	   "CROSS_COMPILE",   "LLVM",	      "LOCALVERSION",
	};
	size_t n = strcspn(setting, "=");

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t len = strlen(names[i]);

		if (names[i][len - 1] == '_' ? !strncmp(setting, names[i], len)
					     : n == len && !strncmp(setting, names[i], len))
			return true;
	}
	return false;
}

/* Our environment with a C locale (messages are parsed) and the additions in front. */
static char **environment(const char *const *extra)
{
	size_t n = 0, m = 0, i = 0;
	char **env;

	while (environ[n])
		n++;
	for (; extra && extra[m];)
		m++;
	env = mem_calloc(n + m + 2, sizeof *env);
	for (; i < m; i++)
		env[i] = (char *)extra[i];
	env[i++] = (char *)"LC_ALL=C";
	for (size_t k = 0; k < n; k++) {
		if (!would_interfere(environ[k]))
			env[i++] = environ[k];
	}
	return env;
}

/* in: the child's stdin, which is closed here.  out: its stdout; -1: the log. */
static pid_t start(struct build *b, struct run *r, int in, int out)
{
	char **env = environment(r->env);
	int log = open(r->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct child_start c = {.argv = r->argv, .env = env, .cwd = r->cwd, .in = in, .out = out < 0 ? log : out, .err = log};
	pid_t pid = -1;

	if (in < 0 || log < 0) {
		r->start_errno = errno;
	} else {
		c.group = cache_watch_work(b);
		r->start_errno = child_start(&c, &pid);
	}
	if (r->start_errno && c.group && in >= 0 && log >= 0) { /* somebody may have ended the watcher */
		c.group = 0;
		r->start_errno = child_start(&c, &pid);
	}
	if (in >= 0)
		close(in);
	if (log >= 0)
		close(log);
	free(env);
	return r->start_errno ? -1 : pid;
}

static void show(const struct run *r)
{
	struct sb line = {0};

	busy_end();
	sb_puts(&line, "+");
	for (const char *const *p = r->argv; *p; p++) {
		sb_putc(&line, ' ');
		visible_put(&line, *p, strlen(*p), "");
	}
	fprintf(stderr, "%s\n", line.s);
	sb_free(&line);
}

/* Index of a run that has ended, else of the oldest: other children of this process are never reaped. */
static size_t ended_run(const pid_t *pids, size_t n)
{
	siginfo_t info = {0};
	size_t oldest = n;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT))
		info.si_pid = 0;
	for (size_t i = n; i-- > 0;) {
		if (pids[i] > 0 && pids[i] == info.si_pid)
			return i;
		if (pids[i] > 0)
			oldest = i;
	}
	return oldest;
}

static int open_nothing(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static pid_t start_alone(struct build *b, struct run *r)
{
	return start(b, r, open_nothing(), -1);
}

void run_progress(struct build *b, double seconds)
{
	if (!b->work || !seconds)
		return;
	b->worked += seconds;
	busy_progress(b->worked >= b->work ? 99 : (unsigned)(100 * b->worked / b->work));
}

static void wait_for(struct build *b, struct run *r, pid_t pid, double since)
{
	r->status = child_wait(pid);
	r->seconds = std_now() - since;
	run_step(b, r->what, r->seconds);
	run_progress(b, r->work);
}

/* Waits for one of ours: its index, or n. */
static size_t wait_one(struct build *b, struct run *runs, pid_t *pids, const double *since, size_t n)
{
	size_t first = ended_run(pids, n);

	if (first == n)
		return n;
	wait_for(b, &runs[first], pids[first], since[first]);
	pids[first] = 0;
	return first;
}

/* The first that was not started and need not wait: its index, or n. */
static size_t next_run(const struct run *runs, const bool *started, size_t n)
{
	size_t i = 0;

	while (i < n && (started[i] || runs[i].waits))
		i++;
	return i;
}

int run_all(struct build *b, struct run *runs, size_t n)
{
	return run_each(b, runs, n, NULL, NULL);
}

int run_each(struct build *b, struct run *runs, size_t n, void (*ended)(void *data, struct run *r), void *data)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t jobs = b->jobs ? b->jobs : cpus > 0 ? (size_t)cpus : 1;
	pid_t *pids = mem_calloc(n, sizeof *pids);
	double *since = mem_calloc(n, sizeof *since);
	bool *started = mem_calloc(n, sizeof *started);
	size_t running = 0, i;
	int rc = 0;

	for (;;) {
		i = next_run(runs, started, n);
		if (running && (running == jobs || i == n)) {
			size_t first = wait_one(b, runs, pids, since, n);

			running--;
			if (ended && first < n)
				ended(data, &runs[first]);
			continue;
		}
		if (i == n)
			break;
		if (b->verbose >= 2)
			show(&runs[i]);
		started[i] = true;
		since[i] = std_now();
		pids[i] = start_alone(b, &runs[i]);
		if (pids[i] > 0)
			running++;
		else
			runs[i].status = 127;
	}
	for (i = 0; i < n; i++) {
		runs[i].status = started[i] ? runs[i].status : 127;
		rc |= runs[i].status ? -1 : 0;
	}
	free(pids);
	free(since);
	free(started);
	return rc;
}

int run_pipe(struct build *b, struct run runs[2])
{
	double since = std_now();
	pid_t pids[2] = {-1, -1};
	int fds[2], rc = 0;

	if (pipe2(fds, O_CLOEXEC)) {
		runs[0].start_errno = errno;
		return -1;
	}
	for (int i = 0; b->verbose >= 2 && i < 2; i++)
		show(&runs[i]);
	pids[0] = start(b, &runs[0], open_nothing(), fds[1]);
	close(fds[1]);
	if (pids[0] > 0)
		pids[1] = start(b, &runs[1], fds[0], -1);
	else
		close(fds[0]);
	for (int i = 0; i < 2; i++) {
		if (pids[i] > 0)
			wait_for(b, &runs[i], pids[i], since);
		else
			runs[i].status = 127;
		rc |= runs[i].status ? -1 : 0;
	}
	return rc;
}

/* --- one that stops halfway --- */

int run_begin(struct build *b, struct run *r, struct run_halfway *h)
{
	int fds[2];
	char c;

	*h = (struct run_halfway){.talk = -1, .since = std_now()};
	if (b->verbose >= 2)
		show(r);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) {
		r->start_errno = errno;
		r->status = 127;
		return -1;
	}
	h->talk = fds[0];
	h->pid = start(b, r, fds[1], -1);
	if (h->pid < 0) {
		r->status = 127;
		close(h->talk);
		return -1;
	}
	while (read(h->talk, &c, 1) == 1)
		if (c == '\n') {
			run_step(b, r->what, std_now() - h->since);
			return 0;
		}
	close(h->talk);
	wait_for(b, r, h->pid, h->since);
	r->status |= !r->status; /* it was to stop */
	return -1;
}

int run_end(struct build *b, struct run *r, struct run_halfway *h, bool go)
{
	h->since = std_now();
	if (go && send(h->talk, "go\n", 3, MSG_NOSIGNAL) != 3)
		go = false; /* it has ended, and its status says why */
	if (!go)
		shutdown(h->talk, SHUT_RDWR);
	wait_for(b, r, h->pid, h->since);
	close(h->talk);
	return r->status ? -1 : 0;
}

const char *run_log(struct build *b, const struct run *r)
{
	char *s = r->start_errno ? NULL : file_read(b->arena, r->log, NULL);

	if (r->start_errno)
		return arena_printf(b->arena, "%s: %s", r->argv[0], strerror(r->start_errno));
	return s ? s : "";
}
