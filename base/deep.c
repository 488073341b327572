// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread, for its stack. */
#include "base/deep.h"

#include <pthread.h>

enum { STACK = 1 << 30 };

struct call {
	int (*fn)(void *arg);
	void *arg;
	int result;
};

static void *thread(void *data)
{
	struct call *c = data;

	c->result = c->fn(c->arg);
	return NULL;
}

int deep_call(int (*fn)(void *arg), void *arg)
{
	struct call c = {.fn = fn, .arg = arg};
	pthread_attr_t attr;
	pthread_t id;
	int failed = pthread_attr_init(&attr);

	if (!failed) {
		failed = pthread_attr_setstacksize(&attr, STACK) || pthread_create(&id, &attr, thread, &c);
		pthread_attr_destroy(&attr);
	}
	if (failed)
		return fn(arg);
	pthread_join(id, NULL);
	return c.result;
}
