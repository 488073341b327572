// SPDX-License-Identifier: GPL-2.0-or-later
/* The client's side of a session: claims a port of the guest, sends the command, moves its streams and signals, returns its status. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "vm/proto.h"
#include "vm/vm.h"

extern char **environ;

enum { BUFFER = 8 * PROTO_CHUNK, GIVE_UP_SIGNALS = 3, END_S = 30 };

#define ONE_INTERRUPT 0.3 /* seconds: signals within this time are one signal that came in several ways */

/* Signals passed on to the command. */
static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
static volatile sig_atomic_t pending[NSIG], any_pending;
static sigset_t passed_set, waiting_mask;

struct session {
	struct exec *x;
	int sock, lock;
	uint8_t nonce[16];
	bool answered, done;
	int status;
	uint8_t *in; /* from the guest; in_n bytes from in_at */
	size_t in_at, in_n;
	uint8_t *out; /* to the guest */
	size_t out_at, out_n;
	size_t window;             /* bytes of stdin that may be sent */
	bool stdin_open;
	struct output sinks[PROTO_STREAMS]; /* our stdout, stderr, and the file */
	bool closed[PROTO_STREAMS]; /* the guest knows that they failed */
	double interrupted;        /* time of the last one; 0: never */
	unsigned interrupts, late; /* late: how many measures of the time limit were taken */
	double deadline;
};

static void on_signal(int sig)
{
	pending[sig] = 1;
	any_pending = 1;
}

/* Claims a free port: its lock file is locked while we live, and has a byte in it until a session is properly over. */
static bool claim(struct session *s, const struct guest *g, bool *dirty, int *port)
{
	bool reported = false;

	for (;;) {
		for (int i = 0; i < PROTO_PORTS; i++) {
			char path[PATH_MAX], byte;

			snprintf(path, sizeof path, "%s/p%d.lock", g->dir, i);
			s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
			if (s->lock < 0)
				die(NULL, "cannot use the folder of guest %s: %s", g->name, strerror(errno));
			if (!flock(s->lock, LOCK_EX | LOCK_NB)) {
				*dirty = pread(s->lock, &byte, 1, 0) == 1;
				*port = i;
				if (pwrite(s->lock, "d", 1, 0) == 1)
					return true;
			}
			close(s->lock);
		}
		if (s->x->ready_by > 0 && std_now() > s->x->ready_by)
			return false;
		if (!reported)
			note("all %d ports of guest %s are in use; waiting for one", PROTO_PORTS, g->name);
		reported = true;
		usleep(50000);
	}
}

/* The socket is reached through the folder's descriptor: its own path may be longer than a socket address. */
static bool connect_port(struct session *s, const struct guest *g, int port)
{
	int dir = open(g->dir, O_PATH | O_DIRECTORY | O_CLOEXEC), r;
	struct sockaddr_un a = {.sun_family = AF_UNIX};

	s->sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(a.sun_path, sizeof(a.sun_path), "/proc/self/fd/%d/p%d", dir, port);
	r = connect(s->sock, (struct sockaddr *)&a, sizeof(a));
	close(dir);
	if (r)
		return false;
	fcntl(s->sock, F_SETFL, O_NONBLOCK);
	return true;
}

static void push(struct session *s, const void *p, size_t n)
{
	if (s->out_at == s->out_n)
		s->out_at = s->out_n = 0;
	s->out = realloc(s->out, s->out_n + n);
	if (!s->out)
		die(NULL, "out of memory");
	if (n)
		memcpy(s->out + s->out_n, p, n);
	s->out_n += n;
}

static void push_frame(struct session *s, enum proto_type type, const void *p, size_t n)
{
	struct proto_frame f = {.type = (uint8_t)type, .len = (uint32_t)n};

	push(s, &f, sizeof(f));
	push(s, p, n);
}

/* False for variables of the host's session that would mislead a program in the guest. */
static bool env_stays(const char *e)
{
	static const char *const host_only[] = {
		"XDG_RUNTIME_DIR=", "XDG_SESSION_", "DBUS_",      "DISPLAY=",       "WAYLAND_DISPLAY=",
		"XAUTHORITY=",      "SSH_",         "GPG_",       "INVOCATION_ID=", "JOURNAL_STREAM=",
		"NOTIFY_SOCKET=",   "LISTEN_",      "MAKEFLAGS=", "MFLAGS="};

	for (size_t i = 0; i < sizeof(host_only) / sizeof(*host_only); i++)
		if (!strncmp(e, host_only[i], strlen(host_only[i])))
			return true;
	return false;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return a >= 0 && b >= 0 && !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static void push_start(struct session *s, bool dirty)
{
	struct proto_start start = {.version = PROTO_VERSION, .kind = (uint32_t)s->x->kind};
	char *cwd = getcwd(NULL, 0);
	struct strings words = {0};
	size_t len = 0;

	if (!cwd)
		die("go to a folder that exists", "cannot find the current directory: %s", strerror(errno));
	if (dirty) {
		void *zero = mem_calloc(1, PROTO_FLUSH);

		push(s, zero, PROTO_FLUSH);
		free(zero);
	}
	memcpy(start.cookie, s->x->guest->cookie, 16);
	memcpy(start.nonce, s->nonce, 16);
	if (same_file(s->x->out, s->x->err))
		start.flags |= START_MERGE;
	if (s->x->has_file)
		start.flags |= START_FILE;
	strings_add(&words, cwd);
	for (char **a = s->x->argv; a && *a; a++, start.argc++)
		strings_add(&words, *a);
	for (char **e = environ; s->x->kind == KIND_EXEC && *e; e++)
		if (!env_stays(*e)) {
			strings_add(&words, *e);
			start.envc++;
		}
	for (size_t i = 0; i < words.n; i++)
		len += strlen(words.v[i]) + 1;
	if (len > PROTO_MAX_START)
		die(NULL, "arguments and environment have %zu bytes; %d can be passed", len, PROTO_MAX_START);
	start.len = (uint32_t)len;
	push(s, &start, sizeof(start));
	for (size_t i = 0; i < words.n; i++)
		push(s, words.v[i], strlen(words.v[i]) + 1);
	free(cwd);
}

/* A guest that exists only for this command ends, also if the command does not. */
static void expect_end(struct session *s)
{
	double soon = std_now() + END_S;

	if (s->x->ends_guest && (s->deadline <= 0 || s->deadline > soon))
		s->deadline = soon;
}

static void count_interrupt(struct session *s)
{
	if (s->interrupts && std_now() - s->interrupted < ONE_INTERRUPT)
		return;
	if (++s->interrupts >= GIVE_UP_SIGNALS)
		die(NULL, "interrupted %d times and the command is still there: leaving it", GIVE_UP_SIGNALS);
}

static void forward_signals(struct session *s)
{
	any_pending = 0;
	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++) {
		uint32_t sig = (uint32_t)passed[i];

		if (!pending[sig])
			continue;
		pending[sig] = 0;
		push_frame(s, F_SIGNAL, &sig, sizeof(sig));
		if (passed[i] == SIGUSR1 || passed[i] == SIGUSR2)
			continue;
		if (passed[i] == SIGINT)
			count_interrupt(s);
		s->interrupted = std_now();
		expect_end(s);
	}
}

/* If one of them has failed, the command in the guest must not be able to write to it either. */
static void check_sinks(struct session *s)
{
	for (uint32_t i = 0; i < PROTO_STREAMS; i++) {
		struct output *o = &s->sinks[i];
		uint32_t which = i + 1;

		if (s->interrupted > 0)
			output_hurry(o, s->interrupted);
		if (!o->error || s->closed[i])
			continue;
		s->closed[i] = true;
		push_frame(s, F_CLOSED, &which, sizeof(which));
		if (o->error == ETIMEDOUT)
			note("the output was not read for %d seconds: the rest is dropped", OUTPUT_PATIENCE_S);
		else if (o->error != EPIPE)
			note("cannot write the output: %s", strerror(o->error));
	}
}

static bool sinks_wait(const struct session *s)
{
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		if (output_is_pending(&s->sinks[i]))
			return true;
	return false;
}

/* Is there room for the data of this frame?  If not, the frame waits. */
static bool can_handle(struct session *s, const struct proto_frame *f)
{
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		if (f->type == proto_stream(i))
			return output_has_room(&s->sinks[i], f->len);
	return true;
}

static void fail(struct session *s, const uint8_t *p, size_t n)
{
	uint32_t status = EXIT_VM;

	if (n >= 4) {
		memcpy(&status, p, 4);
		note("%.*s", (int)(n - 4), (const char *)p + 4);
	}
	s->status = (int)status;
	s->done = true;
}

static void handle(struct session *s, const struct proto_frame *f, const uint8_t *p)
{
	uint32_t v = 0;

	if (f->len >= 4)
		memcpy(&v, p, 4);
	switch ((enum proto_type)f->type) {
	case F_STDOUT:
		output_put(&s->sinks[0], (const char *)p, f->len);
		break;
	case F_STDERR:
		output_put(&s->sinks[1], (const char *)p, f->len);
		break;
	case F_FILE:
		output_put(&s->sinks[2], (const char *)p, f->len);
		break;
	case F_CREDIT:
		if (v == UINT32_MAX)
			s->stdin_open = false;
		else
			s->window += v;
		break;
	case F_EXIT:
		s->status = (int)v;
		s->done = true;
		break;
	case F_FAIL:
		fail(s, p, f->len);
		break;
	case F_NOP:
	case F_STDIN:
	case F_STDIN_EOF:
	case F_SIGNAL:
	case F_CLOSED:
	case F_TYPES:
		break;
	}
}

static void skip_to_answer(struct session *s)
{
	uint8_t *at = memmem(s->in + s->in_at, s->in_n, s->nonce, 16);
	size_t drop = at ? (size_t)(at - (s->in + s->in_at)) + 16 : s->in_n > 15 ? s->in_n - 15 : 0;

	s->answered = at != NULL;
	s->in_at += drop;
	s->in_n -= drop;
}

static void parse(struct session *s)
{
	struct proto_frame f;

	if (!s->answered)
		skip_to_answer(s);
	while (s->answered && !s->done && s->in_n >= sizeof(f)) {
		memcpy(&f, s->in + s->in_at, sizeof(f));
		if (f.type >= F_TYPES || f.len > PROTO_PAYLOAD)
			die("stop the guest and start it again", "the stream from guest %s is garbled",
			    s->x->guest->name);
		if (s->in_n < sizeof(f) + f.len || !can_handle(s, &f))
			break;
		handle(s, &f, s->in + s->in_at + sizeof(f));
		s->in_at += sizeof(f) + f.len;
		s->in_n -= sizeof(f) + f.len;
	}
	if (s->in_at) {
		memmove(s->in, s->in + s->in_at, s->in_n);
		s->in_at = 0;
	}
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		output_flush(&s->sinks[i]);
}

/* False when the guest has ended. */
static bool receive(struct session *s)
{
	ssize_t n = read(s->sock, s->in + s->in_n, BUFFER - s->in_n);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!n)
		return false;
	s->in_n += (size_t)n;
	parse(s);
	return true;
}

static bool send_out(struct session *s)
{
	ssize_t n = send(s->sock, s->out + s->out_at, s->out_n - s->out_at, MSG_NOSIGNAL);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	s->out_at += (size_t)n;
	return true;
}

static void read_stdin(struct session *s)
{
	uint8_t buf[PROTO_PAYLOAD];
	size_t max = s->window < sizeof(buf) ? s->window : sizeof(buf);
	ssize_t n = read(s->x->in, buf, max);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		s->stdin_open = false;
		push_frame(s, F_STDIN_EOF, NULL, 0);
		return;
	}
	s->window -= (size_t)n;
	push_frame(s, F_STDIN, buf, (size_t)n);
}

/* At the time limit: SIGTERM, 3 s later SIGKILL, 3 s later we leave without an answer (true). */
static bool out_of_time(struct session *s)
{
	static const uint32_t measures[] = {SIGTERM, SIGKILL};

	if (s->late == sizeof(measures) / sizeof(*measures))
		return true;
	push_frame(s, F_SIGNAL, &measures[s->late++], sizeof(uint32_t));
	s->deadline = std_now() + 3;
	return false;
}

static double next_limit(const struct session *s)
{
	if (!s->answered && s->x->ready_by > 0)
		return s->x->ready_by;
	return s->deadline;
}

enum { P_GUEST, P_STDIN, P_STDOUT, P_COUNT = P_STDOUT + PROTO_STREAMS };

static void choose_events(const struct session *s, struct pollfd p[P_COUNT])
{
	for (int i = 0; i < P_COUNT; i++)
		p[i] = (struct pollfd){.fd = -1, .events = POLLIN};
	p[P_GUEST].fd = s->sock;
	if (s->in_n == BUFFER)
		p[P_GUEST].events = 0; /* the guest waits for our reader */
	if (s->in_n == BUFFER && s->out_at == s->out_n)
		p[P_GUEST].fd = -1;
	if (s->out_at < s->out_n)
		p[P_GUEST].events |= POLLOUT;
	else if (s->stdin_open && s->window && s->answered)
		p[P_STDIN].fd = s->x->in;
	for (unsigned i = 0; i < PROTO_STREAMS; i++) {
		const struct output *o = &s->sinks[i];

		if (o->has_reader && !o->error) /* also to notice that the reader has closed it */
			p[P_STDOUT + i] = (struct pollfd){.fd = o->fd, .events = output_is_pending(o) ? POLLOUT : 0};
	}
}

static void use_sinks(struct session *s, const struct pollfd p[P_COUNT])
{
	for (unsigned i = 0; i < PROTO_STREAMS; i++) {
		struct output *o = &s->sinks[i];

		if (p[P_STDOUT + i].revents & (POLLERR | POLLHUP | POLLNVAL) && !output_is_pending(o))
			output_fail(o, EPIPE);
	}
	if (sinks_wait(s) || s->in_n == BUFFER)
		parse(s); /* also writes */
	check_sinks(s);
}

/* The time to wait; NULL: for ever. */
static const struct timespec *time_left(const struct session *s, struct timespec *t)
{
	double limit = next_limit(s), left;

	if (s->interrupted > 0 && sinks_wait(s) && (limit <= 0 || limit > std_now() + 1))
		limit = std_now() + 1; /* to check whether the reader still reads */
	if (limit <= 0)
		return NULL;
	left = limit > std_now() ? limit - std_now() : 0;
	t->tv_sec = (time_t)left;
	t->tv_nsec = (long)((left - (double)t->tv_sec) * 1e9);
	return t;
}

/* One wait. 0: go on; otherwise the result of the session. */
static int step(struct session *s)
{
	struct pollfd p[P_COUNT];
	struct timespec t;
	double limit;

	if (any_pending)
		forward_signals(s);
	choose_events(s, p);
	if (ppoll(p, P_COUNT, time_left(s, &t), &waiting_mask) < 0) {
		if (errno != EINTR)
			die(NULL, "poll: %s", strerror(errno));
		return 0;
	}
	use_sinks(s, p);
	limit = next_limit(s);
	if (limit > 0 && std_now() >= limit) {
		if (!s->answered && s->x->ready_by > 0)
			return EXEC_LATE;
		if (out_of_time(s))
			return EXEC_LATE;
	}
	if (p[P_GUEST].events & POLLIN && p[P_GUEST].revents & (POLLIN | POLLHUP | POLLERR) && !receive(s))
		return EXEC_LOST;
	if (p[P_GUEST].revents & POLLOUT && !send_out(s))
		return EXEC_LOST;
	if (p[P_STDIN].revents)
		read_stdin(s);
	return 0;
}

/* The session is over; writes what has come before we exit. */
static void write_rest(struct session *s)
{
	s->deadline = 0;
	while (sinks_wait(s)) {
		struct pollfd p[P_COUNT];
		struct timespec t;

		if (any_pending)
			forward_signals(s);
		choose_events(s, p);
		p[P_GUEST].fd = p[P_STDIN].fd = -1;
		if (ppoll(p, P_COUNT, time_left(s, &t), &waiting_mask) >= 0)
			use_sinks(s, p);
	}
	check_sinks(s);
}

static void catch_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal}, old;

	sigemptyset(&passed_set);
	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++) {
		sigaction(passed[i], NULL, &old);
		if (old.sa_handler == SIG_IGN)
			continue;
		sigaction(passed[i], &a, NULL);
		sigaddset(&passed_set, passed[i]);
	}
	/* They are delivered only while we wait, so none is lost between the check of `pending` and the wait. */
	sigprocmask(SIG_BLOCK, &passed_set, &waiting_mask);
	signal(SIGPIPE, SIG_IGN);
}

static void finish(struct session *s, int r)
{
	write_rest(s);
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		if (s->sinks[i].dropped && s->sinks[i].error != EPIPE)
			note("%llu bytes that came from the guest were not written", (unsigned long long)s->sinks[i].dropped);
	/* Everything that was sent was answered: the port is clean. */
	if (!r && ftruncate(s->lock, 0))
		note("cannot mark a port as free: %s", strerror(errno));
	close(s->sock);
	close(s->lock);
	free(s->in);
	free(s->out);
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		output_free(&s->sinks[i]);
}

/* The command got SIGPIPE, but only because writing our file failed, not because a reader was gone. */
static bool broken_by_us(const struct session *s)
{
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		if (s->closed[i] && s->sinks[i].error != EPIPE)
			return s->status == EXIT_PIPE;
	return false;
}

/* The command's status, or a failure if it succeeded but its output could not be written. */
static int status_of(const struct session *s)
{
	if (s->late)
		return EXIT_TIMEOUT;
	if (broken_by_us(s))
		return 1;
	if (s->status)
		return s->status;
	for (unsigned i = 0; i < PROTO_STREAMS; i++)
		if (s->sinks[i].dropped)
			return s->sinks[i].error == EPIPE ? EXIT_PIPE : 1;
	return 0;
}

int exec_session(struct exec *x)
{
	struct session s = {.x = x, .window = PROTO_WINDOW, .stdin_open = x->in >= 0};
	bool dirty;
	int port, r = 0;

	if (getrandom(s.nonce, sizeof(s.nonce), 0) != sizeof(s.nonce))
		die(NULL, "getrandom: %s", strerror(errno));
	if (!claim(&s, x->guest, &dirty, &port))
		return EXEC_LATE;
	if (!connect_port(&s, x->guest, port)) {
		close(s.sock);
		close(s.lock);
		return EXEC_LOST;
	}
	sigprocmask(SIG_BLOCK, NULL, &waiting_mask);
	if (x->kind == KIND_EXEC)
		catch_signals();
	s.in = mem_calloc(1, BUFFER);
	output_init(&s.sinks[0], x->out);
	output_init(&s.sinks[1], x->err);
	output_init(&s.sinks[2], x->has_file ? x->file : -1);
	s.sinks[x->has_file ? 2 : 0].keep_until_output = x->keep_until_output;
	push_start(&s, dirty);
	if (x->kind == KIND_EXEC && x->in < 0)
		push_frame(&s, F_STDIN_EOF, NULL, 0);
	if (x->timeout_s)
		s.deadline = std_now() + x->timeout_s;
	while (!s.done && !r)
		r = step(&s);
	if (!r && !s.status)
		output_drop_kept(&s.sinks[x->has_file ? 2 : 0]);
	finish(&s, r);
	return r ? r : status_of(&s);
}
