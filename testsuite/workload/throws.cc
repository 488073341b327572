// SPDX-License-Identifier: GPL-2.0-or-later
// throws ROUNDS: walks up its own stack in all the ways there are: exceptions, backtrace(), the end and the cancelling of a thread.
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>

struct guard {
	const char *name;
	~guard() { std::printf("%s cleaned up\n", name); }
};

extern "C" {
int __attribute__((noipa)) thrower(int n)
{
	if (n % 3 == 0)
		throw std::runtime_error("three");
	return n;
}

int __attribute__((noipa)) between(int n)
{
	return thrower(n) + 1;
}

int __attribute__((noipa)) rethrower(int n)
{
	try {
		return between(n) + 1;
	} catch (std::exception &) {
		throw;
	}
}

int __attribute__((noipa)) catcher(int n)
{
	try {
		return rethrower(n);
	} catch (std::exception &) {
		return -1;
	}
}

// How many callers backtrace() finds.
int __attribute__((noipa)) callers(int n)
{
	void *v[64];

	return n ? callers(n - 1) : backtrace(v, 64);
}

void *__attribute__((noipa)) leaves(void *p)
{
	guard g = {"thread"};

	pthread_exit(p);
}

void *__attribute__((noipa)) waits(void *)
{
	guard g = {"waiter"};

	for (;;)
		pause();
}
}

int main(int argc, char **argv)
{
	int sum = 0, rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	pthread_t t;

	for (int i = 0; i < rounds; i++)
		sum += catcher(i);
	pthread_create(&t, nullptr, leaves, nullptr);
	pthread_join(t, nullptr);
	pthread_create(&t, nullptr, waits, nullptr);
	pthread_cancel(t);
	pthread_join(t, nullptr);
	for (int i = 0; i < rounds; i++)
		sum += catcher(i);
	std::printf("sum %d callers %d\n", sum, callers(5));
}
