// SPDX-License-Identifier: GPL-2.0-or-later
/* Children: output, input, ends of every kind. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "base/child.h"
#include "base/file.h"
#include "base/sweeper.h"
#include "testsuite/unit/unit.h"

/* Runs a shell script as the child. */
static struct child sh(const char *script)
{
	static const char *argv[4];

	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = script;
	return (struct child){.argv = argv};
}

static void done(struct child *c)
{
	sb_free(&c->out);
	sb_free(&c->err);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void test_output_and_status(void)
{
	struct child c = sh("echo out; echo err >&2");

	CHECK_EQ(child_run(&c), 0);
	CHECK_EQ(c.status, 0);
	CHECK_STR(c.out.s, "out\n");
	CHECK_STR(c.err.s, "err\n");
	CHECK(!c.timed_out);
	done(&c);
	c = sh("exit 42");
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 42);
	CHECK(!c.out.n && !c.err.n);
	done(&c);
}

static void test_merged_output_keeps_its_order(void)
{
	struct child c = sh("echo 1; echo 2 >&2; echo 3");

	c.merge = true;
	CHECK_EQ(child_run(&c), 0);
	CHECK_STR(c.out.s, "1\n2\n3\n");
	CHECK(!c.err.s);
	done(&c);
}

static void test_output_is_added_to_what_is_there(void)
{
	struct child c = sh("printf b");

	sb_puts(&c.out, "a");
	child_run(&c);
	CHECK_STR(c.out.s, "ab");
	done(&c);
}

static void test_input(void)
{
	struct child c = sh("cat");

	c.input = "line\nmore";
	CHECK_EQ(child_run(&c), 0);
	CHECK_STR(c.out.s, "line\nmore");
	done(&c);
	c = sh("cat; cat /dev/stdin");
	CHECK_EQ(child_run(&c), 0);
	CHECK_EQ(c.out.n, 0);
	done(&c);
}

static void test_input_that_nobody_reads_does_no_harm(void)
{
	size_t n = 4 << 20;
	char *big = malloc(n + 1);
	struct child c = sh("exit 0");

	memset(big, 'x', n);
	big[n] = '\0';
	c.input = big;
	CHECK_EQ(child_run(&c), 0);
	done(&c);
	c = sh("cat");
	c.input = big;
	CHECK_EQ(child_run(&c), 0);
	CHECK_EQ(c.out.n, n);
	done(&c);
	free(big);
}

static void test_huge_output_on_both_channels(void)
{
	struct child c = sh("head -c 8000000 /dev/zero; head -c 8000001 /dev/zero >&2");

	CHECK_EQ(child_run(&c), 0);
	CHECK_EQ(c.out.n, 8000000);
	CHECK_EQ(c.err.n, 8000001);
	CHECK(!c.truncated);
	done(&c);
}

static void test_signals(void)
{
	struct child c = sh("kill -TERM $$");

	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 128 + SIGTERM);
	CHECK(!c.timed_out);
	done(&c);
	c = sh("kill -SEGV $$");
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 128 + SIGSEGV);
	done(&c);
}

static void test_what_cannot_be_started(void)
{
	const char *missing[] = {"/no/such/program", NULL}, *unknown[] = {"no-such-program-anywhere", NULL};
	const char *folder[] = {"/tmp", NULL}, *here[] = {"true", NULL};
	struct child c = {.argv = missing};

	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(errno, ENOENT);
	CHECK_EQ(c.status, 127);
	c = (struct child){.argv = unknown};
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(errno, ENOENT);
	c = (struct child){.argv = folder};
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(errno, EACCES);
	c = (struct child){.argv = here, .cwd = "/no/such/folder"};
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(errno, ENOENT);
	CHECK_EQ(c.status, 127);
}

static void test_timeout_kills_the_whole_group(void)
{
	char path[] = "/tmp/child_testXXXXXX";
	int fd = mkstemp(path);
	double start = now();
	struct child c = sh("(trap '' TERM; sleep 30; echo late) & echo $!; sleep 30");

	c.timeout_s = 3;
	CHECK_EQ(child_run(&c), -1);
	CHECK(c.timed_out);
	CHECK_EQ(c.status, 128 + SIGKILL);
	CHECK(now() - start >= 2.99);
	CHECK(now() - start < 25);

	pid_t grandchild = (pid_t)atoi(c.out.s);

	for (int i = 0; i < 100 && !kill(grandchild, 0); i++) /* until init has reaped it */
		usleep(20000);
	CHECK(grandchild > 1);
	if (kill(grandchild, 0) == 0) { /* in some containers it is never reaped: then it must be a zombie */
		char state = '?', *stat = NULL;
		size_t size = 0;

		snprintf(path, sizeof path, "/proc/%d/stat", (int)grandchild);
		FILE *f = fopen(path, "r");
		if (f && getline(&stat, &size, f) > 0 && strrchr(stat, ')'))
			state = strrchr(stat, ')')[2];
		CHECK_EQ(state, 'Z');
		free(stat);
		if (f)
			fclose(f);
	}
	close(fd);
	done(&c);
}

static void test_no_timeout_when_in_time(void)
{
	struct child c = sh("sleep 0.2; echo ok");

	c.timeout_s = 20;
	CHECK_EQ(child_run(&c), 0);
	CHECK(!c.timed_out);
	CHECK_STR(c.out.s, "ok\n");
	done(&c);
}

static void test_endless_output_is_cut_and_timed(void)
{
	double start = now();
	struct child c = sh("exec yes");

	c.timeout_s = 1;
	CHECK_EQ(child_run(&c), -1);
	CHECK(c.timed_out);
	CHECK(c.out.n <= CHILD_OUTPUT_MAX);
	CHECK(now() - start < 25);
	done(&c);
	c = sh("head -c 70000000 /dev/zero; exit 3");
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 3);
	CHECK(c.truncated);
	CHECK_EQ(c.out.n, CHILD_OUTPUT_MAX);
	done(&c);
}

static void test_an_endless_grandchild_is_not_waited_for(void)
{
	double start = now();
	struct child c = sh("(timeout 60 yes) & exit 5");

	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 5);
	CHECK(now() - start < 25);
	done(&c);
}

static void test_closed_output_does_not_end_the_wait(void)
{
	double start = now();
	struct child c = sh("exec >&- 2>&-; sleep 0.5; exit 9");

	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 9);
	CHECK(now() - start >= 0.45);
	done(&c);
}

static void test_a_grandchild_that_keeps_the_output_is_not_waited_for(void)
{
	double start = now();
	struct child c = sh("sleep 60 & echo started");

	CHECK_EQ(child_run(&c), 0);
	CHECK_STR(c.out.s, "started\n");
	CHECK(now() - start < 25);
	done(&c);
}

static void test_environment_and_folder(void)
{
	const char *env[] = {"CHILD_TEST_NEW=new value", "CHILD_TEST_OLD=replaced", NULL};
	struct child c =
		sh("printf '%s|%s|%s|' \"$CHILD_TEST_NEW\" \"$CHILD_TEST_OLD\" \"$CHILD_TEST_OLDER\"; pwd;"
		   " env | grep -c ^CHILD_TEST_OLD=");

	setenv("CHILD_TEST_OLD", "original", 1);
	setenv("CHILD_TEST_OLDER", "kept", 1);
	c.env = env;
	c.cwd = "/usr";
	CHECK_EQ(child_run(&c), 0);
	CHECK_STR(c.out.s, "new value|replaced|kept|/usr\n1\n");
	done(&c);
}

static void test_only_the_three_channels_are_inherited(void)
{
	struct child c = sh("ls /proc/self/fd | tr '\\n' ' '");

	CHECK_EQ(child_run(&c), 0);
	CHECK_STR(c.out.s, "0 1 2 3 "); /* 3 is ls reading the folder */
	done(&c);
}

static void test_ignored_signals_of_ours_do_not_matter(void)
{
	struct child c = sh("exit 7");

	signal(SIGCHLD, SIG_IGN);
	CHECK_EQ(child_run(&c), -1);
	CHECK_EQ(c.status, 7);
	done(&c);
	signal(SIGPIPE, SIG_IGN);
	c = sh("yes | head -1 >/dev/null; kill -PIPE $$; echo survived");
	child_run(&c);
	CHECK_EQ(c.status, 128 + SIGPIPE);
	signal(SIGPIPE, SIG_DFL);
	done(&c);
	signal(SIGXFSZ, SIG_IGN);
	c = sh("kill -XFSZ $$; echo survived");
	child_run(&c);
	CHECK_EQ(c.status, 128 + SIGXFSZ);
	CHECK_EQ(signal(SIGXFSZ, SIG_DFL) == SIG_IGN, true);
	done(&c);
}

static void test_no_descriptor_is_leaked(void)
{
	int before = dup(0);

	for (int i = 0; i < 30; i++) {
		const char *missing[] = {"/no/such/program", NULL};
		struct child c = sh("echo x"), bad = {.argv = missing};

		child_run(&c);
		child_run(&bad);
		done(&c);
	}
	int after = dup(0);
	CHECK_EQ(after, before + 1);
	close(before);
	close(after);
}

static void test_find_program(void)
{
	struct arena a = {0};
	char *path = strdup(getenv("PATH"));

	setenv("PATH", "/no/such:/usr/bin:/bin", 1);
	CHECK_STR(child_find_program(&a, "env"), "/usr/bin/env");
	CHECK_STR(child_find_program(&a, "no-such-program-anywhere"), NULL);
	CHECK_STR(child_find_program(&a, ""), NULL);
	CHECK_STR(child_find_program(&a, "/usr/bin/env"), "/usr/bin/env");
	CHECK_STR(child_find_program(&a, "/usr/bin"), NULL);
	CHECK_STR(child_find_program(&a, "/etc/passwd"), NULL);
	setenv("PATH", "", 1);
	CHECK(!chdir("/usr/bin"));
	CHECK_STR(child_find_program(&a, "env"), "./env");
	unsetenv("PATH");
	CHECK(child_find_program(&a, "sh") != NULL);
	setenv("PATH", path, 1);
	free(path);
	arena_free(&a);
}

static void test_a_started_child_has_what_it_is_given(void)
{
	const char *const argv[] = {"sh", "-c", "cat; pwd; echo $only$HOME", NULL};
	char *const env[] = {"only=this", "PATH=/bin:/usr/bin", NULL};
	int in[2], out[2];
	char text[64] = "";
	pid_t pid;

	CHECK(!pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC));
	CHECK_EQ(file_put(in[1], "given\n", 6), 0);
	close(in[1]);
	CHECK_EQ(child_start(&(struct child_start){.argv = argv, .env = env, .cwd = "/", .in = in[0], .out = out[1], .err = -1}, &pid), 0);
	close(out[1]);
	close(in[0]);
	file_get(out[0], text, sizeof text - 1);
	close(out[0]);
	CHECK_STR(text, "given\n/\nthis\n");
	CHECK_EQ(child_wait(pid), 0);
	CHECK_EQ(child_wait(pid), 127); /* the status is only available once */
}

static void test_a_child_that_cannot_start_says_why(void)
{
	const char *const argv[] = {"/nonexistent/program", NULL};
	pid_t pid;

	CHECK_EQ(child_start(&(struct child_start){.argv = argv, .in = -1, .out = -1, .err = -1}, &pid), ENOENT);
}

static void test_the_end_of_a_child_is_its_status_or_signal(void)
{
	pid_t pid = child_fork(0);

	if (!pid)
		_exit(7);
	CHECK_EQ(child_wait(pid), 7);
	pid = child_fork(0);
	if (!pid)
		for (;;)
			pause();
	kill(pid, SIGKILL);
	CHECK_EQ(child_wait(pid), 128 + SIGKILL);
}

/* The grandchild holds the pipe as long as it lives. */
static void test_a_forked_child_gets_a_signal_when_we_end(void)
{
	int p[2];
	char c;
	pid_t pid;

	CHECK(!pipe(p));
	pid = fork();
	if (!pid) {
		if (!child_fork(SIGKILL)) {
			if (write(p[1], "x", 1) == 1)
				for (;;)
					pause();
			_exit(0);
		}
		(void)!read(p[0], &c, 1);
		_exit(0);
	}
	close(p[1]);
	CHECK_EQ(child_wait(pid), 0);
	CHECK_EQ(file_get(p[0], &c, 1), 0);
	close(p[0]);
}

/* Holds the pipe, and has started a program that holds it too. */
static _Noreturn void end_before_a_program(const char *path, int hold, int sig)
{
	const char *const argv[] = {"sh", "-c", "sleep 1000 & echo; wait", NULL};
	struct sweeper w;
	int out[2];
	pid_t pid;
	char c;

	sweeper_watch(&w, path);
	fcntl(hold, F_SETFD, 0);
	if (w.pid && !pipe2(out, O_CLOEXEC) &&
	    !child_start(&(struct child_start){.argv = argv, .in = -1, .out = out[1], .err = -1, .group = w.pid}, &pid) && read(out[0], &c, 1) == 1)
		raise(sig);
	_exit(1);
}

static void test_programs_in_the_group_of_a_sweeper_end_with_us(void)
{
	for (int sig = SIGKILL; sig; sig = sig == SIGKILL ? SIGTERM : 0) {
		char path[] = "/tmp/child-test-XXXXXX", c;
		int p[2], tries = 1000;
		pid_t pid;

		CHECK(mkdtemp(path) && !pipe2(p, O_CLOEXEC));
		pid = fork();
		if (!pid)
			end_before_a_program(path, p[1], sig);
		close(p[1]);
		CHECK_EQ(child_wait(pid), 128 + sig);
		CHECK_EQ(read(p[0], &c, 1), 0);
		while (!access(path, F_OK) && tries--)
			nanosleep(&(struct timespec){0, 10000000}, NULL);
		CHECK(access(path, F_OK));
		close(p[0]);
	}
}

static void test_a_time_out_in_the_group_of_a_sweeper_leaves_it_its_folder(void)
{
	const char *const argv[] = {"sh", "-c", "trap '' TERM; while :; do sleep 0.1; done", NULL};
	struct child c = {.argv = argv, .timeout_s = 1};
	char path[] = "/tmp/child-test-XXXXXX";
	struct sweeper w;

	CHECK(sweeper_make_folder(&w, path) == path);
	c.group = w.pid;
	CHECK_EQ(child_run(&c), -1);
	CHECK(c.timed_out && c.status == 128 + SIGKILL);
	CHECK(!kill(w.pid, 0) && !access(path, F_OK));
	sweeper_end(&w);
	CHECK(!rmdir(path));
	sb_free(&c.out);
	sb_free(&c.err);
}

static void test_a_sweeper_that_is_ended_leaves_programs_and_folders(void)
{
	const char *const argv[] = {"sleep", "1000", NULL};
	char path[] = "/tmp/child-test-XXXXXX";
	struct sweeper w;
	pid_t pid;

	CHECK(sweeper_make_folder(&w, path) == path);
	CHECK(w.pid > 0 && getpgid(w.pid) == w.pid);
	CHECK_EQ(child_start(&(struct child_start){.argv = argv, .in = -1, .out = -1, .err = -1, .group = w.pid}, &pid), 0);
	CHECK_EQ(getpgid(pid), w.pid);
	sweeper_end(&w);
	CHECK(!kill(pid, 0) && !access(path, F_OK));
	kill(pid, SIGKILL);
	CHECK_EQ(child_wait(pid), 128 + SIGKILL);
	CHECK(!rmdir(path));
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	closefrom(3); /* of make's job server, for example */
	UNIT_RUN(test_only_the_three_channels_are_inherited);
	UNIT_RUN(test_output_and_status);
	UNIT_RUN(test_merged_output_keeps_its_order);
	UNIT_RUN(test_output_is_added_to_what_is_there);
	UNIT_RUN(test_input);
	UNIT_RUN(test_input_that_nobody_reads_does_no_harm);
	UNIT_RUN(test_huge_output_on_both_channels);
	UNIT_RUN(test_signals);
	UNIT_RUN(test_what_cannot_be_started);
	UNIT_RUN(test_timeout_kills_the_whole_group);
	UNIT_RUN(test_no_timeout_when_in_time);
	UNIT_RUN(test_endless_output_is_cut_and_timed);
	UNIT_RUN(test_an_endless_grandchild_is_not_waited_for);
	UNIT_RUN(test_closed_output_does_not_end_the_wait);
	UNIT_RUN(test_a_grandchild_that_keeps_the_output_is_not_waited_for);
	UNIT_RUN(test_environment_and_folder);
	UNIT_RUN(test_ignored_signals_of_ours_do_not_matter);
	UNIT_RUN(test_no_descriptor_is_leaked);
	UNIT_RUN(test_find_program);
	UNIT_RUN(test_a_started_child_has_what_it_is_given);
	UNIT_RUN(test_a_child_that_cannot_start_says_why);
	UNIT_RUN(test_the_end_of_a_child_is_its_status_or_signal);
	UNIT_RUN(test_a_forked_child_gets_a_signal_when_we_end);
	UNIT_RUN(test_programs_in_the_group_of_a_sweeper_end_with_us);
	UNIT_RUN(test_a_time_out_in_the_group_of_a_sweeper_leaves_it_its_folder);
	UNIT_RUN(test_a_sweeper_that_is_ended_leaves_programs_and_folders);
	return unit_done();
}
