// SPDX-License-Identifier: GPL-2.0-or-later
/* A line that says what takes so long: see busy.h. */
#include "base/busy.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/std.h"
#include "base/str.h"
#include "base/visible.h"

unsigned busy_delay_ms = 1000, busy_again_ms = 10000;

static struct {
	pthread_t waiter;
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool waits, is_done, is_shown;
	bool stays; /* lines of this work stay, and it may be said again */
	double said; /* when */
	unsigned percent;
	pid_t pid; /* a child has no waiter */
	struct sb text;
} busy;

/* Without a cursor that can go back, the line stays. */
static bool can_erase(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0;
}

static void show(void)
{
	struct sb line = {0};

	sb_printf(&line, "%s%s ...", busy.is_shown && !busy.stays && can_erase() ? "\r\033[K" : "", busy.text.s);
	if (busy.percent)
		sb_printf(&line, " %u %%", busy.percent);
	if (busy.stays || !can_erase())
		sb_putc(&line, '\n');
	(void)!write(STDERR_FILENO, line.s, line.n);
	sb_free(&line);
	busy.is_shown = true;
	busy.said = std_now();
}

static void *show_later(void *p)
{
	const struct timespec *when = p;

	pthread_mutex_lock(&busy.lock);
	while (!busy.is_done && !pthread_cond_timedwait(&busy.change, &busy.lock, when)) {}
	if (!busy.is_done)
		show();
	pthread_mutex_unlock(&busy.lock);
	return NULL;
}

/* Signals are for the thread that works. */
static bool start_waiter(void)
{
	static struct timespec when;
	pthread_condattr_t attr;
	sigset_t all, before;
	int error;

	clock_gettime(CLOCK_MONOTONIC, &when);
	when.tv_sec += busy_delay_ms / 1000;
	when.tv_nsec += busy_delay_ms % 1000 * 1000000;
	if (when.tv_nsec >= 1000000000) {
		when.tv_nsec -= 1000000000;
		when.tv_sec++;
	}
	pthread_mutex_init(&busy.lock, NULL); /* the waiter of our parent may have held it when we were made */
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&busy.change, &attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&busy.waiter, NULL, show_later, &when);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !error;
}

static void set_text(const char *fmt, va_list args)
{
	struct sb text = {0};

	sb_vprintf(&text, fmt, args);
	visible_put(&busy.text, text.s, text.n, "");
	sb_free(&text);
}

static void begin(bool is_long, const char *fmt, va_list args)
{
	static bool is_registered;
	bool terminal = isatty(STDERR_FILENO);

	busy_end();
	sb_free(&busy.text); /* of a waiter that could not be started, or of our parent's */
	if (!terminal && !is_long)
		return;
	set_text(fmt, args);
	busy.percent = 0;
	busy.is_done = busy.is_shown = false;
	busy.stays = !terminal;
	busy.pid = getpid();
	if (!terminal) {
		show();
		return;
	}
	if (!is_registered)
		atexit(busy_end);
	is_registered = true;
	busy.waits = start_waiter();
}

void busy_begin(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	begin(false, fmt, args);
	va_end(args);
}

void busy_begin_long(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	begin(true, fmt, args);
	va_end(args);
}

void busy_progress(unsigned percent)
{
	if (busy.pid != getpid() || !(busy.waits || busy.stays) || percent <= busy.percent)
		return;
	if (busy.waits)
		pthread_mutex_lock(&busy.lock);
	busy.percent = percent;
	if (busy.is_shown && ((!busy.stays && can_erase()) || std_now() - busy.said >= busy_again_ms / 1000.0))
		show();
	if (busy.waits)
		pthread_mutex_unlock(&busy.lock);
}

void busy_end(void)
{
	busy.stays = false;
	if (!busy.waits || busy.pid != getpid())
		return;
	busy.waits = false;
	pthread_mutex_lock(&busy.lock);
	busy.is_done = true;
	pthread_cond_signal(&busy.change);
	pthread_mutex_unlock(&busy.lock);
	pthread_join(busy.waiter, NULL);
	pthread_cond_destroy(&busy.change);
	if (busy.is_shown && can_erase())
		dprintf(STDERR_FILENO, "\r\033[K");
	sb_free(&busy.text);
}
