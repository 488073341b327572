// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Child processes by posix_spawn.  Input comes from a memory file, so that nothing can block on it; output is
 * read from pipes until both ends close or the child is gone, whichever is first.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

extern char **environ;

#define TICK_MS 20 /* between looks at a child whose end poll() does not report */

struct pipes {
	int in;             /* the child's stdin */
	int out[2], err[2]; /* err unused (-1) when merged */
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pipes(struct pipes *p)
{
	close_fd(&p->in);
	close_fd(&p->out[0]);
	close_fd(&p->out[1]);
	close_fd(&p->err[0]);
	close_fd(&p->err[1]);
}

static int open_input(const char *text)
{
	if (!text)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);

	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd >= 0 && file_put(fd, text, strlen(text)))
		close_fd(&fd);
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static int open_pipes(const struct child *c, struct pipes *p)
{
	*p = (struct pipes){-1, {-1, -1}, {-1, -1}};
	p->in = open_input(c->input);
	if (p->in < 0 || pipe2(p->out, O_CLOEXEC) || (!c->merge && pipe2(p->err, O_CLOEXEC))) {
		int saved = errno;

		close_pipes(p);
		errno = saved;
		return -1;
	}
	fcntl(p->out[0], F_SETFL, O_NONBLOCK);
	if (!c->merge)
		fcntl(p->err[0], F_SETFL, O_NONBLOCK);
	return 0;
}

static size_t count(const char *const *v)
{
	size_t n = 0;

	while (v && v[n])
		n++;
	return n;
}

static bool names_same(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return !strncmp(a, b, n) && b[n] == '=';
}

/* Ours, without what the additions replace, and the additions; the block is freed by the caller. */
static char **environment(const char *const *more)
{
	size_t nours = count((const char *const *)environ), nmore = count(more), n = 0;
	char **env = mem_calloc(nours + nmore + 1, sizeof *env);

	for (size_t i = 0; i < nours; i++) {
		bool replaced = false;

		for (size_t j = 0; j < nmore && !replaced; j++)
			replaced = names_same(more[j], environ[i]);
		if (!replaced)
			env[n++] = environ[i];
	}
	for (size_t j = 0; j < nmore; j++)
		env[n++] = (char *)more[j];
	return env;
}

static int add_files(const struct child_start *c, posix_spawn_file_actions_t *files)
{
	const int fds[] = {c->in, c->out, c->err};
	int e = 0;

	for (int i = 0; i < 3 && !e; i++)
		if (fds[i] >= 0)
			e = posix_spawn_file_actions_adddup2(files, fds[i], i);
	return e || !c->cwd ? e : posix_spawn_file_actions_addchdir_np(files, c->cwd);
}

static void set_attributes(const struct child_start *c, posix_spawnattr_t *attr)
{
	sigset_t none, defaults;
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_setsigmask(attr, &none);
	posix_spawnattr_setsigdefault(attr, &defaults);
	if (c->group) {
		posix_spawnattr_setpgroup(attr, c->group == CHILD_OWN_GROUP ? 0 : c->group);
		flags |= POSIX_SPAWN_SETPGROUP;
	}
	posix_spawnattr_setflags(attr, flags);
}

/* A parent may have left SIGCHLD ignored; then the exit status of a child would be lost. */
static void heed_children(void)
{
	struct sigaction sa;

	if (!sigaction(SIGCHLD, NULL, &sa) && sa.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

int child_start(const struct child_start *c, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int e = posix_spawn_file_actions_init(&files);

	heed_children();
	if (e)
		return e;
	e = posix_spawnattr_init(&attr);
	if (!e) {
		set_attributes(c, &attr);
		e = add_files(c, &files);
		if (!e)
			e = posix_spawnp(pid, c->argv[0], &files, &attr, (char *const *)c->argv, c->env ? c->env : environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return e;
}

pid_t child_fork(int death_signal)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	signal(SIGXFSZ, SIG_DFL); /* see std_guard() */
	if (!death_signal)
		return 0;
	prctl(PR_SET_PDEATHSIG, death_signal);
	if (getppid() != parent)
		_exit(1);
	return 0;
}

int child_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return child_status(status);
}

/* Starts it: 0, or an errno. */
static int spawn(struct child *c, const struct pipes *p, pid_t *pid)
{
	pid_t own = c->timeout_s ? CHILD_OWN_GROUP : 0;
	char **env = environment(c->env);
	struct child_start start = {.argv = c->argv, .env = env, .cwd = c->cwd, .in = p->in, .out = p->out[1],
				    .err = c->merge ? p->out[1] : p->err[1], .group = c->group ? c->group : own};
	int e = child_start(&start, pid);

	if (e && c->group) { /* somebody may have ended the sweeper */
		c->group = 0;
		start.group = own;
		e = child_start(&start, pid);
	}
	free(env);
	return e;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void keep(struct child *c, struct sb *to, const char *text, size_t n)
{
	size_t room = to->n < CHILD_OUTPUT_MAX ? CHILD_OUTPUT_MAX - to->n : 0;

	if (n > room) {
		n = room;
		c->truncated = true;
	}
	sb_putn(to, text, n);
}

/*
 * Reads what is available, even more than a pipe holds, but not for ever: a program may write faster than we
 * read.  Closes the end when there will be no more.
 */
static void take(struct child *c, int *fd, struct sb *to)
{
	char buf[64 * 1024];

	for (int i = 0; i < 32 && *fd >= 0; i++) {
		ssize_t n = read(*fd, buf, sizeof buf);

		if (n > 0)
			keep(c, to, buf, (size_t)n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			close_fd(fd);
		else if (errno == EAGAIN)
			return;
	}
}

/* Milliseconds for poll(): until the deadline (-1 = none), in ticks when only waitpid() reports the end. */
static int wait_time(int64_t deadline, bool ticks)
{
	int64_t left = deadline < 0 ? -1 : deadline - now_ms();

	if (deadline >= 0 && left < 0)
		left = 0;
	if (ticks && (left < 0 || left > TICK_MS))
		left = TICK_MS;
	return left > INT32_MAX ? INT32_MAX : (int)left;
}

/* In the group of a sweeper, which SIGTERM does not end, what the child has started need not go at once. */
static void end_late(const struct child *c, pid_t pid)
{
	if (c->group) {
		kill(-c->group, SIGTERM);
		kill(pid, SIGKILL);
	} else {
		kill(-pid, SIGKILL);
	}
}

/* Reads until the child has ended; its wait status. */
static int attend(struct child *c, struct pipes *p, pid_t pid)
{
	int64_t deadline = c->timeout_s ? now_ms() + (int64_t)c->timeout_s * 1000 : -1;
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	int status = 0;

	while (!waitpid(pid, &status, WNOHANG)) {
		struct pollfd fds[] = {{p->out[0], POLLIN, 0}, {p->err[0], POLLIN, 0}, {pidfd, POLLIN, 0}};

		poll(fds, 3, wait_time(deadline, pidfd < 0));
		take(c, &p->out[0], &c->out);
		take(c, &p->err[0], &c->err);
		if (deadline >= 0 && now_ms() >= deadline && !c->timed_out) {
			c->timed_out = true;
			deadline = -1;
			end_late(c, pid);
		}
	}
	take(c, &p->out[0], &c->out);
	take(c, &p->err[0], &c->err);
	close_fd(&pidfd);
	return status;
}

int child_run(struct child *c)
{
	struct pipes p;
	pid_t pid;

	c->timed_out = c->truncated = false;
	c->status = 127;
	if (open_pipes(c, &p))
		return -1;

	int e = spawn(c, &p, &pid);

	close_fd(&p.in);
	close_fd(&p.out[1]);
	close_fd(&p.err[1]);
	if (e) {
		close_pipes(&p);
		errno = e;
		return -1;
	}

	int status = attend(c, &p, pid);

	close_pipes(&p);
	c->status = child_status(status);
	errno = 0;
	return c->status ? -1 : 0;
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

const char *child_find_program(struct arena *a, const char *name)
{
	if (!*name)
		return NULL;
	if (strchr(name, '/'))
		return is_program(name) ? arena_strdup(a, name) : NULL;

	const char *path = getenv("PATH");

	for (const char *p = path ? path : "/bin:/usr/bin"; p;) {
		size_t n = strcspn(p, ":");
		const char *full = arena_printf(a, "%.*s/%s", n ? (int)n : 1, n ? p : ".", name);

		if (is_program(full))
			return full;
		p = p[n] ? p + n + 1 : NULL;
	}
	return NULL;
}
