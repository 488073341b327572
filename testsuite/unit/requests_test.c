/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a script asks of the loader, in the output: commands (loader/commands.c) and new files (loader/outfile.c).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/std.h"
#include "base/str.h"
#include "loader/loader.h"
#include "testsuite/unit/unit.h"

static char dir[] = "/tmp/requestsXXXXXX";
static struct arena arena;

struct feed {
	int put;
	uint64_t order;
	struct output o;
	struct sink sink;
	struct outfile file;
	struct stream s;
};

static const char *path(const char *name)
{
	return arena_printf(&arena, "%s/%s", dir, name);
}

/* The contents of a file, "-" if there is none. */
static const char *text_of(const char *name)
{
	const char *text = file_read(&arena, path(name), NULL);

	return text ? text : "-";
}

static void feed_init(struct feed *f, const char *name, uint64_t most, unsigned keep)
{
	int fds[2];

	if (pipe2(fds, O_NONBLOCK | O_CLOEXEC))
		abort();
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	*f = (struct feed){ .put = fds[1], .file = { .name = path(name), .most = most, .keep = keep } };
	unlink(f->file.name);
	CHECK(!outfile_open(&f->file));
	output_init(&f->o, f->file.fd);
	f->o.keep_until_output = outfile_keeps(&f->file);
	f->sink = sink_open(NULL, &f->o, false);
	stream_init(&f->s, fds, 1, &f->sink, &f->file);
}

static void feed(struct feed *f, enum wire_kind kind, const char *text)
{
	struct wire_record r = { .len = (uint32_t)strlen(text), .kind = (uint16_t)kind, .order = ++f->order };

	CHECK(write(f->put, &r, sizeof r) == sizeof r && write(f->put, text, r.len) == (ssize_t)r.len);
}

/* All that is fed is output, or seconds have passed; how many. */
static double settle(struct feed *f, double seconds)
{
	double start = std_now();

	do {
		commands_collect(&f->s.commands);
		stream_drain(&f->s);
		if (f->s.next > f->order && !output_is_pending(&f->o))
			break;
		usleep(5000);
	} while (std_now() - start < seconds);
	return std_now() - start;
}

static void feed_end(struct feed *f)
{
	close(f->put);
	stream_drain(&f->s);
	CHECK(stream_ended(&f->s) && !output_is_pending(&f->o));
	CHECK_EQ(f->s.missing + f->s.unknown, 0);
	stream_free(&f->s);
	CHECK(!outfile_close(&f->file));
	output_free(&f->o);
	CHECK(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left, not even as a zombie */
}

static void test_a_file_is_kept_until_something_is_written(void)
{
	struct feed f;
	struct outfile other = { .name = path("kept") };
	int fd = open(path("kept"), O_WRONLY | O_CREAT, 0666);

	CHECK(fd >= 0 && write(fd, "of before\n", 10) == 10 && !close(fd));
	f = (struct feed){ .file = { .name = path("kept") } };
	CHECK(!outfile_open(&f.file));
	CHECK(outfile_open(&other)); /* one session */
	output_init(&f.o, f.file.fd);
	f.o.keep_until_output = outfile_keeps(&f.file);
	output_flush(&f.o);
	CHECK_STR(text_of("kept"), "of before\n");
	output_put(&f.o, "new\n", 4);
	output_flush(&f.o);
	CHECK_STR(text_of("kept"), "new\n");
	output_free(&f.o);
	CHECK(!outfile_close(&f.file));
}

static void test_two_sessions_do_not_write_the_same_files(void)
{
	struct outfile other = { .name = path("shared") }, next = { .name = path("shared.1") };
	struct feed f;

	feed_init(&f, "shared", 0, 0);
	feed(&f, WIRE_TEXT, "one\n");
	stream_drain(&f.s);
	CHECK(!outfile_open(&next));
	CHECK_EQ(write(next.fd, "other\n", 6), 6);
	say.quiet = true;
	feed(&f, WIRE_SWITCH, "");
	feed(&f, WIRE_TEXT, "two\n"); /* the next file is the other session's */
	stream_drain(&f.s);
	say.quiet = false;
	CHECK_STR(text_of("shared"), "one\ntwo\n");
	CHECK_STR(text_of("shared.1"), "other\n");
	CHECK(!outfile_close(&next));
	feed(&f, WIRE_SWITCH, "");
	feed(&f, WIRE_TEXT, "three\n");
	stream_drain(&f.s);
	CHECK_STR(text_of("shared.1"), "three\n");
	CHECK(outfile_open(&other)); /* the first file is this session's, though another one is written */
	CHECK_STR(text_of("shared"), "one\ntwo\n");
	feed_end(&f);
	CHECK(!outfile_open(&other));
	CHECK(!outfile_close(&other));
}

static void test_a_command_comes_between_what_is_printed(void)
{
	struct feed f;

	feed_init(&f, "out", 0, 0);
	feed(&f, WIRE_TEXT, "before\n");
	feed(&f, WIRE_COMMAND, arena_printf(&arena, "cp %s %s; sleep 0.2; echo first >>%s", path("out"), path("seen"), path("seen")));
	feed(&f, WIRE_COMMAND, arena_printf(&arena, "cat %s >>%s; echo second >>%s", path("out"), path("seen"), path("seen")));
	feed(&f, WIRE_TEXT, "after\n");
	CHECK(settle(&f, 20) < 20);
	CHECK_STR(text_of("seen"), "before\nfirst\nbefore\nsecond\n");
	CHECK_STR(text_of("out"), "before\nafter\n");
	CHECK(commands_done(&f.s.commands));
	feed_end(&f);
}

static void test_the_output_waits_for_a_command_only_for_a_moment(void)
{
	struct feed f;
	double waited;

	feed_init(&f, "out", 0, 0);
	feed(&f, WIRE_COMMAND, "exec sleep 100");
	feed(&f, WIRE_TEXT, "after\n");
	stream_drain(&f.s);
	CHECK_STR(text_of("out"), "");
	waited = settle(&f, 20);
	CHECK(waited > 0.5 && waited < 20);
	CHECK_STR(text_of("out"), "after\n");
	CHECK(!commands_done(&f.s.commands));
	commands_end(&f.s.commands);
	CHECK(commands_done(&f.s.commands));
	feed_end(&f);
}

static void test_much_output_does_not_wait_for_a_command(void)
{
	struct feed f;
	char text[1025];

	memset(text, 'x', 1024);
	text[1024] = 0;
	feed_init(&f, "out", 0, 0);
	feed(&f, WIRE_COMMAND, "exec sleep 100");
	for (int i = 0; i < 512; i++)
		feed(&f, WIRE_TEXT, text);
	stream_drain(&f.s);
	CHECK(f.s.next > 1 && f.o.written > 0);
	settle(&f, 20);
	CHECK_EQ(f.o.written, 512 << 10);
	commands_end(&f.s.commands);
	feed_end(&f);
}

static void test_the_next_of_too_many_commands_waits_for_one_to_end(void)
{
	struct feed f;
	char *text = NULL;

	feed_init(&f, "out", 0, 0);
	for (int i = 0; i < COMMANDS_MOST; i++) {
		CHECK(commands_start(&f.s.commands, "exec sleep 100", 14));
		f.s.commands.newest = -1; /* time has passed */
	}
	feed(&f, WIRE_COMMAND, text = arena_printf(&arena, "echo >%s", path("started")));
	stream_drain(&f.s);
	CHECK(f.s.is_stuck);
	CHECK(!commands_start(&f.s.commands, text, strlen(text)));
	kill(f.s.commands.running[7].process.pid, SIGKILL);
	CHECK(settle(&f, 20) < 20);
	for (int i = 0; i < 1000 && strcmp(text_of("started"), "\n"); i++)
		usleep(10000);
	CHECK_STR(text_of("started"), "\n");
	say.quiet = true;
	commands_end(&f.s.commands);
	say.quiet = false;
	feed_end(&f);
}

static void test_a_new_file_has_what_is_printed_from_then_on(void)
{
	struct feed f;

	feed_init(&f, "log", 0, 0);
	feed(&f, WIRE_TEXT, "one\n");
	feed(&f, WIRE_SWITCH, "");
	feed(&f, WIRE_TEXT, "two\n");
	CHECK(settle(&f, 20) < 20);
	f.s.new_file = true; /* SIGUSR2 */
	feed(&f, WIRE_TEXT, "three\n");
	feed(&f, WIRE_SWITCH, "");
	CHECK(settle(&f, 20) < 20);
	feed_end(&f);
	CHECK_STR(text_of("log"), "one\n");
	CHECK_STR(text_of("log.1"), "two\n");
	CHECK_STR(text_of("log.2"), "three\n");
	CHECK_STR(text_of("log.3"), "");
}

static void test_full_files_are_followed_by_others_and_old_ones_go(void)
{
	struct feed f;

	feed_init(&f, "full", 8, 2);
	feed(&f, WIRE_TEXT, "this is too long for a file\n");
	for (int i = 0; i < 5; i++)
		feed(&f, WIRE_TEXT, arena_printf(&arena, "%d..\n", i));
	CHECK(settle(&f, 20) < 20);
	feed_end(&f);
	CHECK_STR(text_of("full"), "-");
	CHECK_STR(text_of("full.0"), "-");
	CHECK_STR(text_of("full.1"), "-");
	CHECK_STR(text_of("full.2"), "2..\n3..\n");
	CHECK_STR(text_of("full.3"), "4..\n");
}

static void test_without_a_file_there_is_none_to_follow(void)
{
	struct outfile f = { .fd = 1 };
	struct output o = { .fd = 1 };

	say.quiet = true;
	outfile_next(&f, &o);
	CHECK(!outfile_is_full(&f, &o, 1 << 30));
	CHECK_EQ(f.fd, 1);
	CHECK_EQ(f.number, 0);
	say.quiet = false;
}

static void test_a_file_that_cannot_be_made_leaves_the_old_one(void)
{
	struct feed f;

	feed_init(&f, "old", 0, 0);
	CHECK(!mkdir(path("old.1"), 0755));
	feed(&f, WIRE_TEXT, "one\n");
	feed(&f, WIRE_SWITCH, "");
	feed(&f, WIRE_TEXT, "two\n");
	CHECK(settle(&f, 20) < 20);
	CHECK(say.erred);
	say.erred = false;
	feed_end(&f);
	CHECK_STR(text_of("old"), "one\ntwo\n");
}

/* Those that run for ever do not keep the session from its end. */
static void test_at_the_end_there_is_room_for_one_more(void)
{
	struct commands c = { .newest = -1 };

	for (int i = 0; i < COMMANDS_MOST; i++)
		CHECK(commands_start(&c, "exec sleep 60", 13));
	CHECK(!commands_start(&c, "true", 4));
	c.stopping = true;
	CHECK(!commands_start(&c, "true", 4));
	c.ending -= 10; /* seconds ago */
	CHECK(commands_start(&c, "true", 4));
	commands_end(&c);
	CHECK_EQ(c.n, 0);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		abort();
	UNIT_RUN(test_a_file_is_kept_until_something_is_written);
	UNIT_RUN(test_two_sessions_do_not_write_the_same_files);
	UNIT_RUN(test_a_command_comes_between_what_is_printed);
	UNIT_RUN(test_the_output_waits_for_a_command_only_for_a_moment);
	UNIT_RUN(test_much_output_does_not_wait_for_a_command);
	UNIT_RUN(test_the_next_of_too_many_commands_waits_for_one_to_end);
	UNIT_RUN(test_a_new_file_has_what_is_printed_from_then_on);
	UNIT_RUN(test_full_files_are_followed_by_others_and_old_ones_go);
	UNIT_RUN(test_without_a_file_there_is_none_to_follow);
	UNIT_RUN(test_a_file_that_cannot_be_made_leaves_the_old_one);
	file_remove_tree(dir);
	arena_free(&arena);
	UNIT_RUN(test_at_the_end_there_is_room_for_one_more);
	return unit_done();
}
