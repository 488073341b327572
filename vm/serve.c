// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's side of a session: waits on its port for a start, runs the command in a process group of its
 * own, moves its streams as they come, and answers with its status once it and everything that holds its
 * output have ended.
 *
 * A client that goes away takes its command with it: SIGTERM, then SIGKILL. Output is read in chunks as large
 * as one write to the port can carry, and a command that prints line by line is read at most once a
 * millisecond, so lines cost nothing here.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm/proto.h"
#include "vm/vm.h"

enum { IN_BUFFER = 4 * PROTO_CHUNK, PIPE_BYTES = 1 << 20, GRACE_S = 3, HANGUP_LOOKS = 100, START_PATIENCE = 20 };
#define REST_S 0.001

struct server {
	int port;
	const uint8_t *cookie;
	struct serve_shared *shared;
	const struct strings *shares;
	uint8_t *in; /* from the host; in_n bytes */
	size_t in_n;
};

struct command {
	pid_t pid;
	int pidfd;        /* -1 once it was waited for */
	int in, out[PROTO_STREAMS]; /* our ends of its pipes, -1 once closed */
	uint8_t *input;   /* stdin on its way; input_n bytes from input_at */
	size_t input_at, input_n;
	bool input_eof;            /* after these */
	uint8_t data[PROTO_CHUNK]; /* a frame on its way to the host, data_n bytes from data_at */
	size_t data_at, data_n;
	uint32_t credit; /* stdin consumed and not yet reported to the client */
	bool closed;     /* the command reads no more stdin; not yet reported either */
	uint32_t status;
	double rest_until; /* do not read output before this time, to read more at once */
	double kill_at;    /* 0, or when SIGKILL follows SIGTERM */
	bool signalled;    /* by the client */
	double leave_at;   /* 0, or when to stop waiting for processes that still hold the output */
	bool gone;         /* the client is gone */
};

/*
 * Is the client really gone?  The kernel reports connections separately from the data, and perhaps late: a port can seem hung up because
 * of the client before this one.  So the state must last for a while.  The while is a number of checks, since on a busy host the whole
 * guest may stand still for longer than any time limit.
 */
static bool hung_up(const struct server *s)
{
	struct pollfd p = {.fd = s->port, .events = POLLIN};

	for (int look = 0; look < HANGUP_LOOKS; look++, usleep(5000))
		if (poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP))
			return false;
	return true;
}

/* Reads what the host sent. False when no client seems connected and nothing is left. */
static bool fill(struct server *s)
{
	while (s->in_n < IN_BUFFER) {
		ssize_t n = read(s->port, s->in + s->in_n, IN_BUFFER - s->in_n);

		if (n > 0) {
			s->in_n += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		return n < 0;
	}
	return true;
}

static void drop(struct server *s, size_t n)
{
	s->in_n -= n;
	memmove(s->in, s->in + n, s->in_n);
}

/*
 * Without a client a port is always "hung up" and cannot be waited for with poll; the driver sends SIGIO when
 * that changes.  Checking each second takes almost no time; a missed signal only costs that second.
 */
static void wait_client(struct server *s)
{
	struct timespec t = {.tv_sec = 1};
	struct pollfd p = {.fd = s->port, .events = POLLIN};
	sigset_t set;

	if (poll(&p, 1, -1) >= 0 && !(p.revents & POLLHUP))
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	sigtimedwait(&set, NULL, &t);
}

/*
 * Waits for n bytes of input; false if the client leaves before.  The client has sent the beginning, so if it seems not to be connected,
 * the report of its connection is probably late: data can overtake it when the kernel's worker for such reports hardly gets to run.
 */
static bool need(struct server *s, size_t n)
{
	unsigned int patience = START_PATIENCE;

	while (s->in_n < n) {
		struct pollfd p = {.fd = s->port, .events = POLLIN};

		if (!fill(s) && hung_up(s) && !patience--)
			return false;
		if (s->in_n < n)
			poll(&p, 1, -1);
	}
	return true;
}

static uint8_t *find_cookie(const struct server *s)
{
	return memmem(s->in, s->in_n, s->cookie, 16);
}

/* The next start and its strings; bytes before it belong to a session that is over. */
static char *next_start(struct server *s, struct proto_start *start)
{
	for (;;) {
		uint8_t *at = find_cookie(s);
		char *text;
		size_t have;

		if (!at) {
			if (s->in_n > 15)
				drop(s, s->in_n - 15);
			/* A start that was read counts, even if its client does not seem to be connected yet. */
			fill(s);
			if (!find_cookie(s))
				wait_client(s);
			continue;
		}
		drop(s, (size_t)(at - s->in));
		if (!need(s, sizeof(*start)))
			continue;
		memcpy(start, s->in, sizeof(*start));
		drop(s, sizeof(*start));
		if (start->version != PROTO_VERSION || start->len > PROTO_MAX_START)
			continue;
		text = mem_calloc(1, start->len + 1);
		/* Another start within it: the client of this one left before it had sent everything. */
		for (have = 0; have < start->len && need(s, 1) && !find_cookie(s);) {
			size_t n = start->len - have;

			n = n < s->in_n ? n : s->in_n;
			memcpy(text + have, s->in, n);
			drop(s, n);
			have += n;
		}
		if (have == start->len)
			return text;
		free(text);
	}
}

/* Blocking, for the few bytes that begin and end a session; gives up when the client leaves. */
static void send_all(struct server *s, const void *p, size_t n)
{
	const uint8_t *b = p;

	while (n) {
		ssize_t put = write(s->port, b, n);
		struct pollfd pf = {.fd = s->port, .events = POLLOUT};

		if (put > 0) {
			b += put;
			n -= (size_t)put;
			continue;
		}
		if (poll(&pf, 1, -1) > 0 && (pf.revents & POLLHUP) && hung_up(s))
			return;
	}
}

static void send_frame(struct server *s, enum proto_type type, const void *a, size_t an, const void *b,
		       size_t bn)
{
	uint8_t *buf = mem_calloc(1, sizeof(struct proto_frame) + an + bn);
	struct proto_frame f = {.type = (uint8_t)type, .len = (uint32_t)(an + bn)};

	memcpy(buf, &f, sizeof(f));
	memcpy(buf + sizeof(f), a, an);
	if (bn)
		memcpy(buf + sizeof(f) + an, b, bn);
	send_all(s, buf, sizeof(f) + an + bn);
	free(buf);
}

static void send_fail(struct server *s, uint32_t status, const char *text)
{
	send_frame(s, F_FAIL, &status, sizeof(status), text, strlen(text));
}

/*
 * Forgets unused names and attributes of the host's files, so that the command sees the files as they are now.  A remount does that,
 * first for the overlay, which holds references to the names below it.
 */
static void refresh(const struct server *s)
{
	char lower[32];

	snprintf(lower, sizeof lower, "/proc/self/fd/%d", s->shared->lower);
	mount(NULL, "/", NULL, MS_REMOUNT, NULL);
	mount(NULL, lower, NULL, MS_REMOUNT | MS_RDONLY, NULL);
}

/* In the child: executes the command or reports why not. */
static void become(const char *cwd, char **argv, char **envp, int report)
{
	struct {
		uint32_t status;
		char text[512];
	} e = {.status = EXIT_CANNOT_RUN};
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	environ = envp;
	if (chdir(cwd)) {
		snprintf(e.text, sizeof(e.text), "cannot go to %s in the guest: %s", cwd, strerror(errno));
	} else {
		execvp(argv[0], argv);
		if (errno == ENOENT || errno == ENOTDIR)
			e.status = EXIT_NOT_FOUND;
		snprintf(e.text, sizeof(e.text), "cannot run %s in the guest: %s", argv[0], strerror(errno));
	}
	if (file_put(report, &e, sizeof(e.status) + strlen(e.text) + 1))
		_exit(EXIT_VM);
	_exit((int)e.status);
}

/* Further writes to it give SIGPIPE. */
static void close_output(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_outputs(struct command *c)
{
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		close_output(&c->out[i]);
}

static void pipe_pair(int p[2])
{
	if (pipe2(p, O_CLOEXEC))
		_exit(1);
	fcntl(p[0], F_SETPIPE_SZ, PIPE_BYTES);
}

/* Splits the strings of a start. False when they do not match the start. */
static bool split(char *text, const struct proto_start *st, char **cwd, char ***argv, char ***envp)
{
	char *end = text + st->len, *p = text;
	size_t n = 0;

	*argv = mem_calloc(1, (st->argc + 1ul) * sizeof(char *));
	*envp = mem_calloc(1, (st->envc + 1ul) * sizeof(char *));
	for (; p < end; p += strlen(p) + 1, n++) {
		if (n == 0)
			*cwd = p;
		else if (n <= st->argc)
			(*argv)[n - 1] = p;
		else if (n - st->argc <= st->envc)
			(*envp)[n - 1 - st->argc] = p;
	}
	return st->argc && n == 1ul + st->argc + st->envc;
}

static bool spawn(struct server *s, const struct proto_start *st, char *text, struct command *c)
{
	int in[2], out[PROTO_STREAMS][2], report[2];
	char **argv, **envp, *cwd = NULL;
	struct {
		uint32_t status;
		char text[512];
	} e;
	bool merge = st->flags & START_MERGE;
	ssize_t n;

	if (st->argc > PROTO_MAX_START || st->envc > PROTO_MAX_START ||
	    !split(text, st, &cwd, &argv, &envp)) {
		send_fail(s, EXIT_VM, "the request to the guest is malformed");
		return false;
	}
	pipe_pair(in);
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		pipe_pair(out[i]);
	pipe_pair(report);
	refresh(s);
	c->pid = fork();
	if (!c->pid) {
		setsid();
		/* If descriptor 3 was free, it is that of the first pipe, which is 0 by then. */
		if (dup2(in[0], 0) < 0 || dup2(out[0][1], 1) < 0 || dup2(out[!merge][1], 2) < 0 ||
		    ((st->flags & START_FILE) && dup2(out[2][1], 3) < 0))
			_exit(EXIT_VM);
		become(cwd, argv, envp, report[1]);
	}
	close(in[0]), close(report[1]);
	c->in = in[1];
	fcntl(c->in, F_SETFL, O_NONBLOCK);
	for (unsigned i = 0; i < PROTO_STREAMS; i++) {
		close(out[i][1]);
		c->out[i] = out[i][0];
		fcntl(c->out[i], F_SETFL, O_NONBLOCK);
	}
	n = c->pid < 0 ? 0 : read(report[0], &e, sizeof(e));
	close(report[0]);
	free(argv);
	free(envp);
	if (c->pid > 0 && n == 0) {
		c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
		return true;
	}
	close(c->in);
	close_outputs(c);
	if (c->pid < 0)
		send_fail(s, EXIT_CANNOT_RUN, "the guest cannot make another process");
	else
		send_fail(s, e.status, e.text);
	waitpid(c->pid, NULL, 0);
	return false;
}

static void terminate(struct command *c, int sig)
{
	/* The process group may outlive its leader, and the leader may have been waited for already. */
	kill(-c->pid, sig);
}

/* The client left, or another one took its place: this output is not wanted any more. */
static void abandon(struct command *c)
{
	if (c->gone)
		return;
	c->gone = true;
	c->kill_at = std_now() + GRACE_S;
	terminate(c, SIGTERM);
}

static void close_input(struct command *c)
{
	if (c->in < 0)
		return;
	close(c->in);
	c->in = -1;
	c->input_n = c->input_at = 0;
	c->closed = true;
}

static void take_frame(struct command *c, const struct proto_frame *f, const uint8_t *p)
{
	uint32_t v = 0;

	switch (f->type) {
	case F_STDIN:
		if (c->in < 0)
			break;
		if (c->input_at == c->input_n)
			c->input_at = c->input_n = 0;
		if (c->input_n + f->len > 2 * PROTO_WINDOW) {
			memmove(c->input, c->input + c->input_at, c->input_n - c->input_at);
			c->input_n -= c->input_at;
			c->input_at = 0;
		}
		if (c->input_n + f->len > 2 * PROTO_WINDOW)
			break; /* the client ignores its window */
		memcpy(c->input + c->input_n, p, f->len);
		c->input_n += f->len;
		break;
	case F_STDIN_EOF:
		c->input_eof = true;
		break;
	case F_SIGNAL:
		if (f->len != sizeof(v))
			break;
		memcpy(&v, p, sizeof(v));
		if (v < NSIG)
			terminate(c, (int)v);
		c->signalled = true;
		/* The command has ended: do not wait any more for processes that still hold its output. */
		if (c->pidfd < 0)
			close_outputs(c);
		break;
	case F_CLOSED:
		if (f->len != sizeof(v))
			break;
		memcpy(&v, p, sizeof(v));
		if (v - 1 < PROTO_STREAMS)
			close_output(&c->out[v - 1]);
		break;
	default:
		break;
	}
}

/* Handles whole frames. A new start, or bytes that cannot be a frame, mean that this session's client is gone. */
static void take_input(struct server *s, struct command *c)
{
	struct proto_frame f;
	size_t at = 0;

	if (c->gone)
		return;
	if (find_cookie(s)) {
		abandon(c);
		return;
	}
	while (s->in_n - at >= sizeof(f)) {
		memcpy(&f, s->in + at, sizeof(f));
		if ((f.type > F_SIGNAL && f.type != F_CLOSED) || f.len > PROTO_PAYLOAD || s->in_n - at < sizeof(f) + f.len)
			break;
		take_frame(c, &f, s->in + at + sizeof(f));
		at += sizeof(f) + f.len;
	}
	drop(s, at);
}

static void feed(struct command *c)
{
	ssize_t n;

	if (c->input_at < c->input_n) {
		n = write(c->in, c->input + c->input_at, c->input_n - c->input_at);
		if (n > 0) {
			c->input_at += (size_t)n;
			c->credit += (uint32_t)n;
		} else if (errno != EAGAIN && errno != EINTR) {
			close_input(c);
		}
	}
	if (c->input_at == c->input_n && c->input_eof)
		close_input(c);
}

/* Reads one chunk of output into a frame; closes the stream at its end. */
static void collect(struct command *c, int *fd, enum proto_type type)
{
	struct proto_frame f = {.type = (uint8_t)type};
	ssize_t n = read(*fd, c->data + sizeof(f), PROTO_PAYLOAD);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close(*fd);
		*fd = -1;
		return;
	}
	if (c->gone)
		return;
	f.len = (uint32_t)n;
	memcpy(c->data, &f, sizeof(f));
	c->data_at = 0;
	c->data_n = sizeof(f) + (size_t)n;
	if (n < PROTO_PAYLOAD / 2)
		c->rest_until = std_now() + REST_S;
}

/* A credit as the frame to send next. */
static void frame_credit(struct command *c)
{
	uint32_t v = c->closed ? UINT32_MAX : c->credit;
	struct proto_frame f = {.type = F_CREDIT, .len = sizeof(v)};

	memcpy(c->data, &f, sizeof(f));
	memcpy(c->data + sizeof(f), &v, sizeof(v));
	c->data_at = 0;
	c->data_n = sizeof(f) + sizeof(v);
	c->credit = 0;
	c->closed = false;
}

/* Frames must not mix: credits go only between data frames. */
static void send_pending(struct server *s, struct command *c)
{
	ssize_t n;

	if (c->gone) {
		c->data_at = c->data_n = 0;
		return;
	}
	if (c->data_at == c->data_n && (c->credit || c->closed))
		frame_credit(c);
	while (c->data_at < c->data_n) {
		n = write(s->port, c->data + c->data_at, c->data_n - c->data_at);
		if (n <= 0)
			return;
		c->data_at += (size_t)n;
	}
}

static void reap(struct command *c)
{
	int st;

	if (waitpid(c->pid, &st, WNOHANG) != c->pid)
		return;
	c->status = WIFEXITED(st) ? (uint32_t)WEXITSTATUS(st) : 128u + (uint32_t)WTERMSIG(st);
	close(c->pidfd);
	c->pidfd = -1;
	c->leave_at = c->signalled ? std_now() + GRACE_S : 0;
	close_input(c);
}

static bool has_output(const struct command *c)
{
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		if (c->out[i] >= 0)
			return true;
	return false;
}

enum { P_PORT, P_OUT, P_IN = P_OUT + PROTO_STREAMS, P_END, P_COUNT };

static int wait_ms(const struct command *c, bool resting, bool sending)
{
	double at = c->kill_at > 0 ? c->kill_at : sending ? 0 : c->leave_at;
	double left = at > 0 ? at - std_now() : 3600;

	if (resting && left > c->rest_until - std_now())
		return 1;
	return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

static void step(struct server *s, struct command *c)
{
	struct pollfd p[P_COUNT];
	bool sending = c->data_at < c->data_n || c->credit || c->closed;
	bool resting = c->pidfd >= 0 && std_now() < c->rest_until, more = false;

	for (int i = 0; i < P_COUNT; i++)
		p[i] = (struct pollfd){.fd = -1, .events = POLLIN};
	if (!c->gone)
		p[P_PORT].fd = s->port;
	if (s->in_n == IN_BUFFER)
		p[P_PORT].events = 0;
	if (sending)
		p[P_PORT].events |= POLLOUT;
	for (unsigned i = 0; i < PROTO_STREAMS && !sending && !resting; i++)
		p[P_OUT + i].fd = c->out[i];
	if (c->input_at < c->input_n)
		p[P_IN] = (struct pollfd){.fd = c->in, .events = POLLOUT};
	p[P_END].fd = c->pidfd;
	poll(p, P_COUNT, wait_ms(c, resting, sending));
	if (c->kill_at > 0 && std_now() > c->kill_at) {
		terminate(c, SIGKILL);
		c->kill_at = std_now() + GRACE_S;
	}
	if (p[P_PORT].revents & POLLIN)
		fill(s);
	if (p[P_PORT].revents & POLLHUP && hung_up(s))
		abandon(c);
	take_input(s, c);
	if (c->in >= 0)
		feed(c);
	for (unsigned i = PROTO_STREAMS; i-- > 0;) { /* stderr before stdout */
		more |= p[P_OUT + i].revents;
		if (p[P_OUT + i].revents && c->out[i] >= 0 && c->data_at == c->data_n)
			collect(c, &c->out[i], proto_stream(i));
	}
	if (c->leave_at > 0 && std_now() > c->leave_at && !sending && !resting && !more)
		close_outputs(c); /* after all that was there */
	send_pending(s, c);
	if (p[P_END].revents)
		reap(c);
}

/* Data written to folders shared with the host is there before the client gets the status. */
static void sync_shares(const struct server *s)
{
	for (size_t i = 0; i < s->shares->n; i++) {
		int fd = open(s->shares->v[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0) {
			syncfs(fd);
			close(fd);
		}
	}
}

static void run(struct server *s, const struct proto_start *st, char *text)
{
	struct command *c = mem_calloc(1, sizeof(*c));

	c->input = mem_calloc(1, 2 * PROTO_WINDOW);
	if (spawn(s, st, text, c)) {
		/* Data that came with the start gives no further event. */
		take_input(s, c);
		feed(c);
		while (c->pidfd >= 0 || (!c->gone && (has_output(c) || c->data_at < c->data_n)))
			step(s, c);
		close_outputs(c);
		sync_shares(s);
		if (!c->gone)
			send_frame(s, F_EXIT, &c->status, sizeof(c->status), NULL, 0);
	}
	free(c->input);
	free(c);
}

static void session(struct server *s, const struct proto_start *st, char *text)
{
	uint32_t zero = 0;

	send_all(s, st->nonce, sizeof(st->nonce));
	switch (st->kind) {
	case KIND_EXEC:
		run(s, st, text);
		break;
	case KIND_POWEROFF:
		send_frame(s, F_EXIT, &zero, sizeof(zero), NULL, 0);
		s->shared->poweroff = 1;
		_exit(0); /* process 1 notices that */
	case KIND_PING:
		send_frame(s, F_EXIT, &zero, sizeof(zero), NULL, 0);
		break;
	default:
		send_fail(s, EXIT_VM, "the guest does not know this kind of request");
		break;
	}
}

void serve_port(int fd, const uint8_t cookie[16], struct serve_shared *shared, const struct strings *shares)
{
	struct server s = {
		.port = fd, .cookie = cookie, .shared = shared, .shares = shares, .in = mem_calloc(1, IN_BUFFER)};
	struct proto_start start;
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
	for (;;) {
		char *text = next_start(&s, &start);

		shared->active++;
		session(&s, &start, text);
		shared->last_end_s = (long)std_now();
		shared->active--;
		free(text);
	}
}
