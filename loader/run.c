// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session as the loader sees it.  A command to the module returns when it is done, and begin and end probes run in the task that
 * writes it: the main thread, so that `current' there is a whole process.  They may print more than the transport holds.  So a second
 * thread does all else meanwhile: it handles the session from its beginning to its end, and gives the main thread the commands to
 * write.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/std.h"
#include "base/str.h"
#include "loader/loader.h"

#define DRAIN_MS 20     /* how long output may wait; a buffer that fills up wakes us earlier */
#define ONE_INTERRUPT 0.3 /* seconds: signals within this time are one signal that came in several ways */
#define ONE_COPY 3        /* seconds: within this time our parent passes on what the terminal sent to both of us */
#define EXIT_SIGNAL 128 /* and the signal's number: as of any program that it ends */
#define EXIT_PIPE (EXIT_SIGNAL + SIGPIPE) /* the reader has closed the output */

struct session {
	struct run *run;
	struct stream stream;
	struct output *output;  /* the run's */
	struct wire_ledger ledger;
	int orders[2];          /* a pipe: to the main thread, which writes what it reads there */
	unsigned norders;
	atomic_uint obeyed;     /* number of orders that are done, failed ones included */
	atomic_int command_errno;
	bool greeted, started, stopping, stopped, give_up;
	unsigned interrupts;
	int signal;             /* the first of them */
	double interrupted;     /* time of the last one */
	double by_terminal;     /* time of the last one from the terminal */
	bool output_failed;
	int status;
	int signals, timer;
	struct input input;
	struct symbols symbols;
	struct programs programs;
};

/* ---- commands ---- */

struct order {
	struct wire_msg head;
	struct wire_start start;
};

static int write_command(int ctl, const struct order *o)
{
	char buf[sizeof o->head + sizeof o->start];

	memcpy(buf, &o->head, sizeof o->head);
	memcpy(buf + sizeof o->head, &o->start, o->head.len);
	return write(ctl, buf, sizeof o->head + o->head.len) < 0 ? errno : 0;
}

/* The main thread: until no more orders come. */
static void obey(struct session *s)
{
	struct order o;

	while (read(s->orders[0], &o, sizeof o) == sizeof o) {
		int error = write_command(s->run->module.ctl, &o);

		if (error)
			s->command_errno = error;
		s->obeyed++;
	}
}

static void command(struct session *s, const struct order *o)
{
	s->norders++;
	if (write(s->orders[1], o, sizeof *o) != sizeof *o)
		s->command_errno = errno;
}

/* A command that may be given while another one runs. */
static void command_now(struct session *s, enum wire_type type)
{
	const struct order o = { .head = { .type = type } };
	int error = write_command(s->run->module.ctl, &o);

	if (error)
		s->command_errno = error;
}

static void start(struct session *s)
{
	struct order order = { .head = { WIRE_START, sizeof(struct wire_start) },
			       .start = { .target = s->run->target.pid } };
	time_t now = time(NULL);
	struct tm here;

	if (s->run->target.is_child)
		order.start.flags |= WIRE_START_CHILD;
	if (s->run->trace_self)
		order.start.flags |= WIRE_START_TRACE_SELF;
	if (s->run->relayed)
		order.start.flags |= WIRE_START_RELAYED;
	if (localtime_r(&now, &here)) {
		order.start.zone_offset = (int32_t)here.tm_gmtoff;
		snprintf(order.start.zone, sizeof order.start.zone, "%s", here.tm_zone);
	}
	command(s, &order);
}

/* No more hits are handled, and a running start goes no further.  True: a stop must follow. */
static bool halt(struct session *s, const char *why)
{
	if (s->stopping)
		return false;
	s->stopping = s->stream.commands.stopping = true;
	say_verbose("stopping: %s", why);
	if (s->greeted)
		command_now(s, WIRE_HALT);
	return s->greeted;
}

/* The main thread gives the command after the start has returned. */
static void order_stop(struct session *s)
{
	static const struct order stop = { .head = { .type = WIRE_STOP } };

	command(s, &stop);
}

static void stop(struct session *s, const char *why)
{
	if (halt(s, why))
		order_stop(s);
}

/* The user, or the reader of the output, is gone or does not want to wait: do not wait for handlers that run for long. */
static void interrupt(struct session *s, const char *why)
{
	s->run->target.excused = true;
	bool must_stop = halt(s, why); /* first: otherwise the next begin probe would run after this one gives up */

	if (s->greeted && !s->stopped)
		command_now(s, WIRE_INTERRUPT);
	if (must_stop) /* last: otherwise an end probe would be interrupted */
		order_stop(s);
}

static void check_commands(struct session *s)
{
	if (!s->command_errno || s->give_up)
		return;
	say_error("the module does not take a command any more (%s), so this session cannot go on: run it again, and see dmesg if that "
		  "fails as well", strerror(s->command_errno));
	s->give_up = true;
}

/* ---- messages ---- */

static void handle_hello(struct session *s, const struct wire_hello *h)
{
	if (h->version == WIRE_VERSION)
		return;
	say_error("%s was made by another version of spile than this spilerun: compile it again, with spile -p4 -m NAME", s->run->script);
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

/* Begin probes have the time of -T for themselves, and then the others have it again.  Arming is not counted. */
static void begin_time(struct session *s)
{
	s->timer = make_timer(s->run->seconds);
}

static void end_time(struct session *s)
{
	if (s->timer >= 0)
		close(s->timer);
	s->timer = -1;
}

/* The event may be from a timer that was replaced meanwhile.  If the session ends by itself, end probes are not interrupted. */
static void handle_timer(struct session *s)
{
	uint64_t times;

	if (read(s->timer, &times, sizeof times) != sizeof times)
		return;
	end_time(s);
	if (!s->stopping)
		interrupt(s, "the time of -T is over");
}

static void handle_started(struct session *s, const struct wire_started *m)
{
	const char *problem;

	if (m->rc == -EINTR && s->stopping) { /* before any probe ran, so nothing was done */
		if (s->signal)
			s->status = EXIT_SIGNAL + s->signal;
		return;
	}
	if (m->rc) {
		if (!say.erred)
			say_error("no probe could be armed: %s; see dmesg for more", strerror(-m->rc));
		s->status = 1;
		stop(s, "start failed");
		return;
	}
	say_verbose("started, %u probes", m->probes);
	s->started = true;
	output_drop_kept(s->output);
	begin_time(s);
	/* A begin probe may have ended it: then it ends here, where its errors are seen. */
	problem = s->run->background.wanted && !s->stopping ? background_go_on(&s->run->background) : NULL;
	if (problem)
		interrupt(s, problem);
	input_open(&s->input, s->run->module.directory, s->run->target.is_child);
	target_release(&s->run->target);
}

static void handle_error(const struct wire_msg *m, const char *payload)
{
	struct sb text = {0};

	sb_putn(&text, payload, m->len);
	say_handler_error(text.s, m->type == WIRE_TOLERATED);
	sb_free(&text);
}

static void handle_message(struct session *s, const struct wire_msg *m, const char *payload)
{
	switch (m->type) {
	case WIRE_HELLO:
		handle_hello(s, (const struct wire_hello *)payload);
		break;
	case WIRE_BEGIN:
		begin_time(s);
		break;
	case WIRE_BEGUN:
		end_time(s);
		break;
	case WIRE_STARTED:
		handle_started(s, (const struct wire_started *)payload);
		break;
	case WIRE_WARNING:
		say_warning("%.*s", (int)m->len, payload);
		break;
	case WIRE_ERROR:
	case WIRE_TOLERATED:
		handle_error(m, payload);
		break;
	case WIRE_NOTE:
		say_verbose("%.*s", (int)m->len, payload);
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
			const char *text = p + sizeof(struct wire_msg);
			struct wire_msg m;

			memcpy(&m, p, sizeof m);
			p = text + m.len;
			if (m.len > WIRE_TEXT_MAX)
				m.len = WIRE_TEXT_MAX; /* the most that a module may send */
			memcpy(payload, text, m.len);
			handle_message(s, &m, payload);
		}
	}
}

/* ---- the loop ---- */

/*
 * The terminal sends Ctrl-C to our parent and to us, and the parent passes it on.  This copy must not count, since a second interrupt
 * aborts what the first began.  A copy has a process as sender: signals of the terminal, and of parents outside our pid namespace, have
 * no pid.
 */
static bool is_copy(const struct session *s, const struct signalfd_siginfo *i, double now)
{
	bool by_parent = i->ssi_code == SI_USER && (pid_t)i->ssi_pid == getppid();

	if (s->by_terminal > 0 && by_parent && now - s->by_terminal < ONE_COPY)
		return true;
	return s->interrupts && now - s->interrupted < ONE_INTERRUPT;
}

static void handle_signal(struct session *s, const struct signalfd_siginfo *i)
{
	double now = std_now();

	s->signal = s->signal ? s->signal : (int)i->ssi_signo;
	if (is_copy(s, i, now))
		return;
	if (i->ssi_code == SI_KERNEL)
		s->by_terminal = now;
	s->interrupted = now;
	s->interrupts++;
	interrupt(s, "interrupted");
	if (s->interrupts == 2)
		fprintf(stderr, "spilerun: waiting for the probes to be removed; interrupt once more "
				"to give up\n");
	if (s->interrupts >= 3)
		s->give_up = true;
}

static void read_signals(struct session *s)
{
	struct signalfd_siginfo i;

	while (read(s->signals, &i, sizeof i) == sizeof i) {
		if (i.ssi_signo == SIGUSR2)
			s->stream.new_file = true;
		else
			handle_signal(s, &i);
	}
}

enum { FD_CTL, FD_SIGNALS, FD_TIMER, FD_TARGET, FD_OUTPUT, FD_INPUT, FD_COMMAND, FD_COUNT };

static void handle_events(struct session *s, const struct pollfd *fds)
{
	struct target *t = &s->run->target;

	if (fds[FD_CTL].revents & POLLIN)
		read_messages(s);
	if (fds[FD_SIGNALS].revents)
		read_signals(s);
	if (fds[FD_TIMER].revents)
		handle_timer(s);
	if (fds[FD_TARGET].revents) {
		s->status |= target_exited(t);
		stop(s, "the target has exited");
	}
	if (fds[FD_INPUT].revents)
		input_read(&s->input);
	if (fds[FD_OUTPUT].revents & (POLLERR | POLLHUP | POLLNVAL) && !output_is_pending(s->output))
		output_fail(s->output, EPIPE); /* also when there is nothing to write */
}

static void wait_for_something(struct session *s)
{
	struct target *t = &s->run->target;
	struct output *o = s->output;
	bool waits = output_is_pending(o) || s->stream.commands.n;
	bool stuck = s->stream.is_stuck; /* then do not wake because there is much to read */
	struct pollfd fds[FD_COUNT] = {
		[FD_CTL] = { s->run->module.ctl, stuck ? POLLIN : POLLIN | POLLPRI, 0 },
		[FD_SIGNALS] = { s->signals, POLLIN, 0 },
		[FD_TIMER] = { s->timer, POLLIN, 0 },
		[FD_TARGET] = { t->pid && !t->exited ? t->pidfd : -1, POLLIN, 0 },
		[FD_OUTPUT] = { o->has_reader && !o->error ? o->fd : -1, output_is_pending(o) ? POLLOUT : 0, 0 },
		[FD_INPUT] = { s->stopping ? -1 : input_fd(&s->input), POLLIN, 0 },
		[FD_COMMAND] = { commands_awaited(&s->stream.commands), POLLIN, 0 },
	};

	if (poll(fds, FD_COUNT, s->stopped && !waits ? 0 : DRAIN_MS) > 0)
		handle_events(s, fds);
	commands_collect(&s->stream.commands);
}

/* Exit status. */
static int say_output_failed(const struct run *r)
{
	int error = r->output.error;

	if (error == EPIPE) /* the reader is gone, so there is no one to report it to */
		return EXIT_PIPE;
	if (error == ETIMEDOUT)
		say_error("the output was not read for %d seconds", OUTPUT_PATIENCE_S);
	else
		say_error("cannot write %s: %s", r->file.name ? r->file.name : "the output", strerror(error));
	return 1;
}

static void check_output(struct session *s)
{
	struct output *o = s->output;

	if (s->interrupts)
		output_hurry(o, s->interrupted);
	if (!o->error || s->output_failed)
		return;
	s->output_failed = true;
	s->status = say_output_failed(s->run);
	interrupt(s, "the output is not read");
}

static bool is_over(struct session *s)
{
	return s->give_up || (s->stopped && stream_ended(&s->stream) && !output_is_pending(s->output) &&
			      commands_done(&s->stream.commands));
}

static void loop(struct session *s)
{
	while (!is_over(s)) {
		wait_for_something(s);
		stream_drain(&s->stream);
		check_output(s);
		check_commands(s);
	}
}

/* ---- the end ---- */

static void report(struct session *s)
{
	const struct wire_ledger *l = &s->ledger;
	uint64_t missing = s->stream.missing;

	sink_results(s->stream.sink, l);
	if (l->lost_records && !s->status)
		s->status = 1;
	if (missing || s->stream.damaged || s->stream.next != l->records + 1)
		say_error("the output is damaged, which should never be (please report it): of %llu records %llu arrived",
			  (unsigned long long)l->records, (unsigned long long)(s->stream.next - 1 - missing));
	say_verbose("%llu records", (unsigned long long)l->records);
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
		say_error("cannot open %s: %s%s", path, strerror(errno), errno == EMFILE ? ": there is one for each CPU, so raise ulimit -n" : "");
		s->give_up = true;
		break;
	}
	s->output = &s->run->output;
	symbols_open(&s->symbols, s->run->module.directory);
	s->run->sink.symbols = &s->symbols;
	stream_init(&s->stream, fds, n, &s->run->sink, &s->run->file);
	free(fds);
}

static void signals_of_session(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGQUIT);
}

/* SIGHUP stays ignored if it is: that is what nohup does. */
void run_catch_signals(void)
{
	struct sigaction hup;
	sigset_t set;

	signals_of_session(&set);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler == SIG_IGN)
		sigdelset(&set, SIGHUP);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int open_signals(void)
{
	sigset_t set;
	int fd;

	sigprocmask(SIG_BLOCK, NULL, &set);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		say_error("cannot wait for signals: %s", strerror(errno));
	return fd;
}

static void flush(struct output *o)
{
	const struct timespec no_time = { 0 };
	double interrupted = 0;
	sigset_t set;

	signals_of_session(&set);
	while (output_flush(o), output_is_pending(o)) {
		struct pollfd p = { o->fd, POLLOUT, 0 };

		poll(&p, 1, DRAIN_MS);
		if (sigtimedwait(&set, NULL, &no_time) > 0 && !interrupted)
			interrupted = std_now();
		if (interrupted)
			output_hurry(o, interrupted);
	}
}

int run_finish(struct run *r, int status)
{
	bool failed = r->output.error; /* and that was reported */

	sink_close(&r->sink, status);
	flush(&r->output);
	if (r->output.error && !failed) {
		int wrong = say_output_failed(r);

		status = status ? status : wrong;
	}
	output_free(&r->output);
	return status;
}

/* Exits although the main thread is blocked in the module; the exit of this process stops the session. */
static _Noreturn void leave(struct session *s)
{
	say.sink = NULL; /* its output is not read any more */
	say_error("gave up before the session had ended: output may be missing; the probes are removed as soon as the kernel can, and the "
		  "next spilerun unloads the module");
	commands_end(&s->stream.commands);
	target_end(&s->run->target);
	_exit(1);
}

static void *attend(void *p)
{
	struct session *s = p;

	read_messages(s);
	if (!s->give_up) {
		s->greeted = true;
		start(s);
	}
	loop(s);
	if (s->give_up && s->obeyed < s->norders)
		leave(s);
	commands_end(&s->stream.commands);
	if (output_is_pending(s->output))
		output_fail(s->output, ECANCELED);
	if (s->stopped)
		report(s);
	loop(s); /* writes what that has put into the output */
	close(s->orders[1]);
	return NULL;
}

int run_session(struct run *r)
{
	struct session s = { .run = r, .timer = -1, .orders = { -1, -1 }, .input = { .chars = -1, .lines = -1 } };
	pthread_t attendant;
	int error;

	s.signals = open_signals();
	open_streams(&s);
	programs_begin(&s.programs, r->module.directory);
	error = pipe2(s.orders, O_CLOEXEC) ? errno : pthread_create(&attendant, NULL, attend, &s);
	if (error) {
		say_error("cannot begin the session: %s", strerror(error));
	} else {
		obey(&s);
		pthread_join(attendant, NULL);
	}
	input_close(&s.input);
	programs_end(&s.programs);
	stream_free(&s.stream);
	r->sink.symbols = NULL;
	symbols_close(&s.symbols);
	return s.status ? s.status : say.erred;
}
