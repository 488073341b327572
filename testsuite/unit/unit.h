/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unit tests: small programs that print TAP and exit with 1 when anything failed.  A failed check is reported and the test goes on.
 *
 *	#include "testsuite/unit/unit.h"
 *
 *	static void test_counts_from_one(void)
 *	{
 *		CHECK_EQ(count_of("a"), 1);
 *	}
 *
 *	int main(int argc, char **argv)
 *	{
 *		unit_init(argc, argv);
 *		UNIT_RUN(test_counts_from_one);
 *		return unit_done();
 *	}
 *
 * A test's name is a claim.  Run one with "./foo_test NAME" (a part of the name is enough).
 */
#ifndef TESTSUITE_UNIT_H
#define TESTSUITE_UNIT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	const char *only;  /* part of the name of the tests to run */
	unsigned run, bad; /* tests */
	bool failed;       /* the one that runs now */
} unit_state;

static inline void unit_init(int argc, char **argv)
{
	unit_state.only = argc > 1 ? argv[1] : "";
	setvbuf(stdout, NULL, _IOLBF, 0);
}

static inline void unit_run(const char *name, void (*test)(void))
{
	if (!strstr(name, unit_state.only))
		return;
	unit_state.failed = false;
	test();
	unit_state.run++;
	unit_state.bad += unit_state.failed;
	printf("%s %u - %s\n", unit_state.failed ? "not ok" : "ok", unit_state.run, name);
}

/* No test was run: that is a failure too. */
static inline int unit_done(void)
{
	printf("1..%u\n", unit_state.run);
	return unit_state.bad || !unit_state.run;
}

static inline bool unit_check(bool ok, const char *file, int line, const char *what)
{
	if (!ok) {
		unit_state.failed = true;
		printf("# %s:%d: failed: %s\n", file, line, what);
	}
	return ok;
}

static inline void unit_check_eq(long long got, long long want, const char *file, int line, const char *what)
{
	if (!unit_check(got == want, file, line, what))
		printf("#   got %lld (0x%llx), want %lld (0x%llx)\n", got, (unsigned long long)got, want,
		       (unsigned long long)want);
}

/* One "#   | " per line, with an end mark, so that blanks at the end are seen. */
static inline void unit_show(const char *label, const char *s, size_t n)
{
	printf("#   %s:\n", label);
	if (!s)
		printf("#   | (null)\n");
	for (size_t i = 0; s && i < n;) {
		const char *end = memchr(s + i, '\n', n - i);
		size_t len = end ? (size_t)(end - s) - i : n - i;

		printf("#   | ");
		for (size_t j = i; j < i + len; j++) {
			unsigned char c = (unsigned char)s[j];

			if (c < ' ' || c == 0x7f)
				printf("\\%03o", c);
			else
				putchar(c);
		}
		printf("%s\n", end ? "" : "$");
		i += len + 1;
	}
}

static inline void unit_check_mem(const char *got, size_t got_n, const char *want, size_t want_n,
				  const char *file, int line, const char *what)
{
	bool same = got && want ? got_n == want_n && !memcmp(got, want, want_n) : got == want;

	if (unit_check(same, file, line, what))
		return;
	unit_show("got", got, got_n);
	unit_show("want", want, want_n);
}

static inline void unit_check_str(const char *got, const char *want, const char *file, int line,
				  const char *what)
{
	unit_check_mem(got, got ? strlen(got) : 0, want, want ? strlen(want) : 0, file, line, what);
}

static inline void unit_check_has(const char *text, const char *part, const char *file, int line,
				  const char *what)
{
	if (unit_check(text && strstr(text, part), file, line, what))
		return;
	unit_show("got", text, text ? strlen(text) : 0);
	unit_show("want a text with", part, strlen(part));
}

/* Path of a file of the source tree, for data files: "testsuite/data/x". Valid until the next call. */
static inline const char *unit_source_path(const char *name)
{
	static char path[4096];
	const char *top = getenv("abs_top_srcdir");

	snprintf(path, sizeof path, "%s/%s", top ? top : ".", name);
	return path;
}

/* A hang is a failure, too: the program is ended after so much CPU time, however busy the machine is.  0: there is no limit any more. */
static inline void unit_limit_cpu(unsigned seconds)
{
	struct itimerval limit = {.it_value.tv_sec = seconds};

	setitimer(ITIMER_PROF, &limit, NULL);
}

/* Runs fn in a child process and gives its wait status; what it printed to stderr goes to err (a string). */
static inline int unit_fork(void (*fn)(void), char *err, size_t size)
{
	int fds[2], status = -1;
	size_t n = 0;
	ssize_t got;

	fflush(stdout);
	if (pipe(fds))
		abort();

	pid_t pid = fork();

	if (pid == 0) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		fn();
		_exit(0);
	}
	close(fds[1]);
	while (n < size - 1 && (got = read(fds[0], err + n, size - 1 - n)) > 0)
		n += (size_t)got;
	err[n] = '\0';
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static inline void unit_check_exits(void (*fn)(void), int want, const char *part, const char *file, int line,
				    const char *what)
{
	char err[4096];
	int status = unit_fork(fn, err, sizeof err);

	if (!unit_check(WIFEXITED(status) && WEXITSTATUS(status) == want, file, line, what)) {
		printf("#   wait status 0x%x, want exit status %d\n", (unsigned)status, want);
		unit_show("stderr", err, strlen(err));
		return;
	}
	unit_check_has(err, part, file, line, what);
}

#define UNIT_RUN(test) unit_run(#test, test)

#define CHECK(cond) unit_check((cond), __FILE__, __LINE__, #cond)
/* Integers; CHECK(a == b) is for pointers. */
#define CHECK_EQ(got, want)                                                                                  \
	unit_check_eq((long long)(got), (long long)(want), __FILE__, __LINE__, #got " == " #want)
/* Strings; NULL equals only NULL. */
#define CHECK_STR(got, want) unit_check_str((got), (want), __FILE__, __LINE__, #got)
/* The string contains a part. */
#define CHECK_HAS(text, part) unit_check_has((text), (part), __FILE__, __LINE__, #text)
#define CHECK_MEM(got, got_n, want, want_n)                                                                  \
	unit_check_mem((got), (got_n), (want), (want_n), __FILE__, __LINE__, #got)
/* void fn(void), run in a child, exits with the status and stderr contains the part. */
#define CHECK_EXITS(fn, status, part) unit_check_exits((fn), (status), (part), __FILE__, __LINE__, #fn)

#endif
