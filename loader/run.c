// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session as the loader sees it.  One thread does everything but writing commands: a START or STOP
 * returns when it is done, and begin and end probes may print more than the transport holds, so it is read
 * meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "loader/loader.h"

#define DRAIN_MS 20 /* how long output may wait; a buffer that fills up wakes us earlier */

struct session {
	struct run *run;
	struct stream stream;
	struct wire_ledger ledger;
	pthread_t commands[2]; /* START and STOP, each at most once */
	unsigned ncommands;
	bool greeted, started, stopping, stopped, give_up;
	unsigned interrupts;
	int status;
	int signals, timer;
};

/* ---- commands ---- */

struct order {
	int fd;
	struct wire_msg head;
	struct wire_start start;
};

static void *write_command(void *p)
{
	struct order *o = p;
	char buf[sizeof o->head + sizeof o->start];

	memcpy(buf, &o->head, sizeof o->head);
	memcpy(buf + sizeof o->head, &o->start, o->head.len);
	if (write(o->fd, buf, sizeof o->head + o->head.len) < 0)
		say_error("command %u to the module failed: %s", o->head.type, strerror(errno));
	free(o);
	return NULL;
}

static void command(struct session *s, struct order order)
{
	struct order *o = mem_calloc(1, sizeof *o);

	*o = order;
	o->fd = s->run->module.ctl;
	if (pthread_create(&s->commands[s->ncommands], NULL, write_command, o))
		write_command(o);
	else
		s->ncommands++;
}

static void start(struct session *s)
{
	struct order order = { .head = { WIRE_START, sizeof(struct wire_start) },
			       .start = { .target = s->run->target.pid, .loader = getpid() } };
	time_t now = time(NULL);
	struct tm here;

	if (localtime_r(&now, &here)) {
		order.start.zone_offset = (int32_t)here.tm_gmtoff;
		snprintf(order.start.zone, sizeof order.start.zone, "%s", here.tm_zone);
	}
	command(s, order);
}

static void stop(struct session *s, const char *why)
{
	if (s->stopping)
		return;
	s->stopping = true;
	say_verbose("stopping: %s", why);
	if (s->greeted)
		command(s, (struct order){ .head = { .type = WIRE_STOP } });
}

/* ---- messages ---- */

static void handle_hello(struct session *s, const struct wire_hello *h)
{
	if (h->version == WIRE_VERSION)
		return;
	say_error("%s was made by another version of spile: compile it again", s->run->script);
	s->give_up = true;
}

static int make_timer(double seconds)
{
	struct itimerspec t = { 0 };
	int fd;

	if (!(seconds > 0))
		return -1;
	t.it_value.tv_sec = (time_t)seconds;
	t.it_value.tv_nsec = (long)((seconds - (double)t.it_value.tv_sec) * 1e9);
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fd < 0 || timerfd_settime(fd, 0, &t, NULL))
		say_error("-T: %s", strerror(errno));
	return fd;
}

static void handle_started(struct session *s, const struct wire_started *m)
{
	if (m->rc) {
		if (!say.erred)
			say_error("the session could not be started: %s", strerror(-m->rc));
		s->status = 1;
		stop(s, "start failed");
		return;
	}
	say_verbose("started, %u probes", m->probes);
	s->started = true;
	s->timer = make_timer(s->run->seconds);
	target_release(&s->run->target);
}

static void handle_error(const struct wire_msg *m, const char *payload)
{
	struct sb text = {0};

	sb_putn(&text, payload, m->len);
	say_handler_error(text.s);
	sb_free(&text);
}

static void handle_message(struct session *s, const struct wire_msg *m, const char *payload)
{
	switch (m->type) {
	case WIRE_HELLO:
		handle_hello(s, (const struct wire_hello *)payload);
		break;
	case WIRE_STARTED:
		handle_started(s, (const struct wire_started *)payload);
		break;
	case WIRE_WARNING:
		say_warning("%.*s", (int)m->len, payload);
		break;
	case WIRE_ERROR:
		handle_error(m, payload);
		break;
	case WIRE_EXIT:
		stop(s, "the script asks for it");
		break;
	case WIRE_STOPPED:
		memcpy(&s->ledger, payload, sizeof s->ledger);
		s->stopped = true;
		break;
	}
}

static void read_messages(struct session *s)
{
	_Alignas(8) static char buf[1 << 16];
	_Alignas(8) char payload[WIRE_TEXT_MAX + 1];
	ssize_t n;

	while ((n = read(s->run->module.ctl, buf, sizeof buf)) > 0) {
		for (const char *p = buf; p < buf + n;) {
			struct wire_msg m;

			memcpy(&m, p, sizeof m);
			memcpy(payload, p + sizeof m, m.len < WIRE_TEXT_MAX ? m.len : WIRE_TEXT_MAX);
			p += sizeof m + m.len;
			handle_message(s, &m, payload);
		}
	}
}

/* ---- the loop ---- */

static void handle_signal(struct session *s)
{
	struct signalfd_siginfo i;

	while (read(s->signals, &i, sizeof i) == sizeof i) {
		s->interrupts++;
		stop(s, "interrupted");
		if (s->interrupts == 2)
			fprintf(stderr, "spilerun: waiting for the probes to be removed; interrupt once more "
					"to give up\n");
		if (s->interrupts >= 3)
			s->give_up = true;
	}
}

enum { FD_CTL, FD_SIGNALS, FD_TIMER, FD_TARGET, FD_COUNT };

static void wait_for_something(struct session *s)
{
	struct target *t = &s->run->target;
	struct pollfd fds[FD_COUNT] = {
		[FD_CTL] = { s->run->module.ctl, POLLIN | POLLPRI, 0 },
		[FD_SIGNALS] = { s->signals, POLLIN, 0 },
		[FD_TIMER] = { s->timer, POLLIN, 0 },
		[FD_TARGET] = { t->pid && !t->exited ? t->pidfd : -1, POLLIN, 0 },
	};

	if (poll(fds, FD_COUNT, DRAIN_MS) <= 0)
		return;
	if (fds[FD_CTL].revents & POLLIN)
		read_messages(s);
	if (fds[FD_SIGNALS].revents)
		handle_signal(s);
	if (fds[FD_TIMER].revents) {
		close(s->timer);
		s->timer = -1;
		stop(s, "the time of -T is over");
	}
	if (fds[FD_TARGET].revents) {
		s->status |= target_exited(t);
		stop(s, "the target has exited");
	}
}

static void check_output(struct session *s)
{
	int error = s->stream.write_errno;

	if (!error || s->stopping)
		return;
	if (error != EPIPE)
		say_error("cannot write the output: %s", strerror(error));
	stop(s, "nobody takes the output");
}

static void loop(struct session *s)
{
	while (!s->stopped && !s->give_up) {
		wait_for_something(s);
		stream_drain(&s->stream);
		check_output(s);
	}
	while (s->stopped && !stream_ended(&s->stream))
		stream_drain(&s->stream);
}

/* ---- the end ---- */

static void report_skips(const struct wire_ledger *l)
{
	static const char *const texts[] = {
#define X(id, text) text,
		WIRE_SKIPS(X)
#undef X
	};
	unsigned long long skipped = 0;
	char causes[1024] = "";
	size_t n = 0;

	for (unsigned i = 0; i < WIRE_SKIP_COUNT; i++) {
		if (i == WIRE_SKIP_STOPPING || !l->skipped[i])
			continue;
		skipped += l->skipped[i];
		n += (size_t)snprintf(causes + n, sizeof causes - n, "%s%s: %llu", n ? ", " : " (", texts[i],
				      (unsigned long long)l->skipped[i]);
	}
	if (!skipped && !l->errors)
		return;
	say_warning("Number of errors: %llu, skipped probes: %llu", (unsigned long long)l->errors, skipped);
	say_warning("hits %llu = handled %llu + errors %llu + skipped %llu%s%s", (unsigned long long)l->hits,
		    (unsigned long long)l->handled, (unsigned long long)l->errors, skipped, causes,
		    n ? ")" : "");
}

static void report(struct session *s, uint64_t missing)
{
	const struct wire_ledger *l = &s->ledger;

	report_skips(l);
	if (l->lost_records) {
		s->status = 1;
		say_warning("lost %llu records (%llu bytes) for lack of transport space; larger buffers (-s "
			    "MB) or less output help",
			    (unsigned long long)l->lost_records, (unsigned long long)l->lost_bytes);
	}
	if (l->lost_messages)
		say_warning("%llu messages were dropped, too many at once",
			    (unsigned long long)l->lost_messages);
	if (missing || s->stream.damaged || s->stream.next != l->records + 1)
		say_error("the output is damaged: of %llu records %llu arrived",
			  (unsigned long long)l->records, (unsigned long long)(s->stream.next - 1 - missing));
	say_verbose("%llu records, %llu hits", (unsigned long long)l->records, (unsigned long long)l->hits);
}

/* ---- the beginning ---- */

static void open_streams(struct session *s)
{
	char path[160];
	struct rlimit limit;
	int *fds = NULL;
	unsigned n = 0;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (;; n++) {
		fds = mem_realloc(fds, n + 1, sizeof *fds);
		snprintf(path, sizeof path, "%s/trace%u", s->run->module.directory, n);
		fds[n] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fds[n] < 0 && errno == ENOENT)
			break;
		if (fds[n] >= 0)
			continue;
		say_error("cannot open %s: %s", path, strerror(errno));
		s->give_up = true;
		break;
	}
	stream_init(&s->stream, fds, n, s->run->out);
	free(fds);
}

static int catch_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int run_session(struct run *r)
{
	struct session s = { .run = r };
	uint64_t missing;

	s.signals = catch_signals();
	s.timer = -1;
	open_streams(&s);
	read_messages(&s);
	if (!s.give_up) {
		s.greeted = true;
		start(&s);
	}
	loop(&s);
	if (s.stopped) {
		while (s.ncommands)
			pthread_join(s.commands[--s.ncommands], NULL);
		missing = stream_finish(&s.stream);
		report(&s, missing);
	} else {
		stream_finish(&s.stream);
		say_error("gave up before the session had ended; output may be missing");
	}
	return s.status || say.erred;
}
