// SPDX-License-Identifier: GPL-2.0-or-later
/* The line on a terminal that says what takes so long. */
#include "base/busy.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "testsuite/unit/unit.h"

#define NEVER 3600000
#define LIMIT_S 60 /* if there is no line for so long, there will be none */

static int shown[2]; /* a pipe: a byte for each line that was seen */

static void wait_until_shown(void)
{
	char c;

	CHECK_EQ(read(shown[0], &c, 1), 1);
}

static void short_work(void)
{
	busy_delay_ms = NEVER;
	busy_begin("Short work");
	busy_end();
}

static void long_work(void)
{
	busy_delay_ms = 0;
	busy_begin("Long\033[2Jwork");
	wait_until_shown();
	busy_end();
	busy_end();
	dprintf(STDERR_FILENO, "done");
}

static void work_in_a_pipe(void)
{
	busy_delay_ms = 0;
	busy_begin("Work");
	usleep(100000);
	busy_end();
	dprintf(STDERR_FILENO, "done");
}

static void long_work_in_a_pipe(void)
{
	busy_delay_ms = NEVER;
	busy_begin_long("Long\033[2Jwork");
	busy_begin("the rest");
	busy_end();
	dprintf(STDERR_FILENO, "done");
}

/* Lines that stay are few; how far the work is goes forwards only. */
static void progress_in_a_pipe(void)
{
	busy_again_ms = NEVER;
	busy_begin_long("Work");
	busy_progress(10);
	busy_again_ms = 0;
	busy_progress(20);
	busy_progress(20);
	busy_progress(15);
	busy_begin("the rest");
	busy_progress(30);
	busy_end();
	busy_progress(40);
	dprintf(STDERR_FILENO, "done");
}

static void progress(void)
{
	busy_delay_ms = 0;
	busy_begin("Work");
	wait_until_shown();
	busy_progress(10);
	busy_progress(20);
	busy_end();
	dprintf(STDERR_FILENO, "done");
}

/* While the other thread begins it may hold a lock of the sanitizer's, which a child made then would wait for without end. */
static void wait_until_the_other_thread_sleeps(void)
{
	char path[64], stat[256] = "", *name_end;
	struct dirent *e;
	bool sleeps = false;

	while (!sleeps) {
		DIR *tasks = opendir("/proc/self/task");

		while ((e = readdir(tasks))) {
			FILE *f;

			if (e->d_name[0] == '.' || atoi(e->d_name) == getpid())
				continue;
			snprintf(path, sizeof path, "/proc/self/task/%d/stat", atoi(e->d_name));
			f = fopen(path, "r");
			name_end = f && fgets(stat, sizeof stat, f) ? strrchr(stat, ')') : NULL;
			sleeps = name_end && name_end[2] == 'S';
			if (f)
				fclose(f);
		}
		closedir(tasks);
		usleep(1000);
	}
}

/* The line ends with another text, in a child, which has one of its own, and by exit(). */
static void several(void)
{
	pid_t pid;

	busy_delay_ms = NEVER;
	busy_begin("First");
	busy_begin("Second");
	wait_until_the_other_thread_sleeps();
	busy_delay_ms = 0;
	pid = fork();
	if (!pid) {
		alarm(LIMIT_S);
		busy_end();
		busy_begin("Child");
		wait_until_shown();
		busy_end();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	busy_begin("Third");
	wait_until_shown();
}

static unsigned lines_in(const char *text)
{
	unsigned n = 0;

	while ((text = strstr(text, " ..."))) {
		text++;
		n++;
	}
	return n;
}

/* What work() writes to standard error: a terminal of this kind, or a pipe (NULL). */
static const char *seen(void (*work)(void), const char *term)
{
	static char text[1000];
	int ends[2] = {-1, -1};
	unsigned lines = 0;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	if (term) {
		struct termios plain;

		ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
		CHECK(ends[0] >= 0 && !grantpt(ends[0]) && !unlockpt(ends[0]));
		ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
		CHECK(!tcgetattr(ends[1], &plain));
		cfmakeraw(&plain);
		CHECK(!tcsetattr(ends[1], TCSANOW, &plain));
	} else {
		CHECK(!pipe(ends));
	}
	CHECK(!pipe(shown));
	pid = fork();
	if (!pid) {
		alarm(LIMIT_S);
		setenv("TERM", term ? term : "xterm", 1);
		dup2(ends[1], STDERR_FILENO);
		close(ends[1]);
		work();
		exit(0);
	}
	close(ends[1]);
	text[0] = 0;
	while (n < sizeof text - 1 && (got = read(ends[0], text + n, sizeof text - 1 - n)) > 0) {
		n += (size_t)got;
		text[n] = 0;
		for (; lines < lines_in(text); lines++)
			CHECK_EQ(write(shown[1], "", 1), 1);
	}
	close(ends[0]);
	close(shown[0]);
	close(shown[1]);
	waitpid(pid, NULL, 0);
	return text;
}

static void test_short_work_is_not_told(void)
{
	CHECK_STR(seen(short_work, "xterm"), "");
}

static void test_long_work_is_told_and_the_line_goes(void)
{
	CHECK_STR(seen(long_work, "xterm"), "Long<1B>[2Jwork ...\r\033[Kdone");
}

static void test_a_terminal_that_cannot_erase_keeps_the_line(void)
{
	CHECK_STR(seen(long_work, "dumb"), "Long<1B>[2Jwork ...\ndone");
}

static void test_a_pipe_gets_a_line_about_long_work_at_once(void)
{
	CHECK_STR(seen(long_work_in_a_pipe, NULL), "Long<1B>[2Jwork ...\ndone");
	CHECK_STR(seen(long_work_in_a_pipe, "xterm"), "done");
}

static void test_a_pipe_gets_nothing(void)
{
	CHECK_STR(seen(work_in_a_pipe, NULL), "done");
}

static void test_one_line_follows_another_and_goes_at_the_end(void)
{
	CHECK_STR(seen(several, "xterm"), "Child ...\r\033[KThird ...\r\033[K");
}

static void test_the_line_says_how_far_the_work_is(void)
{
	CHECK_STR(seen(progress, "xterm"), "Work ...\r\033[KWork ... 10 %\r\033[KWork ... 20 %\r\033[Kdone");
	CHECK_STR(seen(progress_in_a_pipe, NULL), "Work ...\nWork ... 20 %\ndone");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_short_work_is_not_told);
	UNIT_RUN(test_long_work_is_told_and_the_line_goes);
	UNIT_RUN(test_a_terminal_that_cannot_erase_keeps_the_line);
	UNIT_RUN(test_a_pipe_gets_nothing);
	UNIT_RUN(test_a_pipe_gets_a_line_about_long_work_at_once);
	UNIT_RUN(test_one_line_follows_another_and_goes_at_the_end);
	UNIT_RUN(test_the_line_says_how_far_the_work_is);
	return unit_done();
}
