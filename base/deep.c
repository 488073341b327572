// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread, for its stack.  One serves all calls, which come one after the other: to make it and its stack takes as long as all passes together
 * of a small script.
 */
#include "base/deep.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { STACK = 1 << 30 };

struct call {
	int (*fn)(void *arg);
	void *arg;
	int result;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct call *call; /* that it does; NULL: it waits */
	pid_t process;     /* in which it is: a fork does not have it */
} server = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static void *serve(void *data)
{
	(void)data;
	pthread_mutex_lock(&server.lock);
	for (;;) {
		struct call *c = server.call;

		if (!c) {
			pthread_cond_wait(&server.changed, &server.lock);
			continue;
		}
		pthread_mutex_unlock(&server.lock);
		c->result = c->fn(c->arg);
		pthread_mutex_lock(&server.lock);
		server.call = NULL;
		pthread_cond_broadcast(&server.changed);
	}
	return NULL;
}

/* It takes no signals: whoever blocks some to wait for them would not get them. */
static bool start(void)
{
	pthread_attr_t attr;
	sigset_t all, before;
	pthread_t id;
	bool ok;

	if (server.process == getpid())
		return true;
	server.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER; /* in a fork it still counts a thread that waits */
	if (pthread_attr_init(&attr))
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !pthread_attr_setstacksize(&attr, STACK) && !pthread_create(&id, &attr, serve, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (!ok)
		return false;
	pthread_detach(id);
	server.process = getpid();
	return true;
}

int deep_call(int (*fn)(void *arg), void *arg)
{
	struct call c = {.fn = fn, .arg = arg};
	bool served;

	pthread_mutex_lock(&server.lock);
	served = !server.call && start();
	if (served) {
		server.call = &c;
		pthread_cond_broadcast(&server.changed);
	}
	while (served && server.call == &c)
		pthread_cond_wait(&server.changed, &server.lock);
	pthread_mutex_unlock(&server.lock);
	return served ? c.result : fn(arg);
}
