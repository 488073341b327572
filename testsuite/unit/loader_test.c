/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader/: putting many streams in order, however they are split; the command line of -c; parameters; names inside module images.
 */
#include <elf.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/command.h"
#include "base/str.h"
#include "base/visible.h"
#include "loader/loader.h"
#include "testsuite/unit/unit.h"

/* ---- streams ---- */

#define CPUS 3

struct feed {
	int in[CPUS];  /* what the stream reads */
	int put[CPUS]; /* what the test writes */
	int out;
	struct output o;
	struct sink sink;
	struct outfile file;
	struct stream s;
};

static void feed_init_to(struct feed *f, int out)
{
	for (int i = 0; i < CPUS; i++) {
		int fds[2];

		if (pipe2(fds, O_NONBLOCK))
			abort();
		fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
		f->in[i] = fds[0];
		f->put[i] = fds[1];
	}
	f->out = out;
	output_init(&f->o, out);
	f->sink = sink_open(NULL, &f->o, false);
	f->file = (struct outfile){ .fd = out };
	stream_init(&f->s, f->in, CPUS, &f->sink, &f->file);
}

static void feed_init(struct feed *f)
{
	feed_init_to(f, memfd_create("out", 0));
}

static void feed_bytes(struct feed *f, int cpu, const void *p, size_t n)
{
	if (write(f->put[cpu], p, n) != (ssize_t)n)
		abort();
}

static size_t record(char *to, int cpu, uint64_t order, const char *text)
{
	struct wire_record r = { .len = (uint32_t)strlen(text), .kind = WIRE_TEXT, .cpu = (uint16_t)cpu, .order = order };

	memcpy(to, &r, sizeof r);
	memcpy(to + sizeof r, text, r.len);
	return sizeof r + r.len;
}

static void feed_record(struct feed *f, int cpu, uint64_t order, const char *text)
{
	char buf[4096];

	feed_bytes(f, cpu, buf, record(buf, cpu, order, text));
}

/* What has been written so far. */
static const char *feed_text(struct feed *f)
{
	static char text[1 << 16];
	ssize_t n = pread(f->out, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = 0;
	return text;
}

static uint64_t feed_end(struct feed *f)
{
	for (int i = 0; i < CPUS; i++)
		if (f->put[i] >= 0)
			close(f->put[i]);
	stream_drain(&f->s);
	CHECK(stream_ended(&f->s));
	CHECK(!output_is_pending(&f->o));
	stream_free(&f->s);
	output_free(&f->o);
	return f->s.missing;
}

static void test_records_come_out_by_number(void)
{
	struct feed f;

	feed_init(&f);
	feed_record(&f, 0, 2, "b");
	feed_record(&f, 2, 3, "c");
	feed_record(&f, 0, 4, "d");
	stream_drain(&f.s);
	CHECK_STR(feed_text(&f), "");
	feed_record(&f, 1, 1, "a");
	stream_drain(&f.s);
	CHECK_STR(feed_text(&f), "abcd");
	CHECK_EQ(feed_end(&f), 0);
	close(f.out);
}

static void test_records_may_be_cut_anywhere(void)
{
	struct feed f;
	char buf[256];
	size_t n;

	feed_init(&f);
	n = record(buf, 0, 1, "first ");
	n += record(buf + n, 0, 2, "second");
	for (size_t i = 0; i < n; i++) {
		feed_bytes(&f, 0, buf + i, 1);
		stream_drain(&f.s);
	}
	CHECK_STR(feed_text(&f), "first second");
	CHECK_EQ(feed_end(&f), 0);
	close(f.out);
}

static void test_an_empty_record_is_one(void)
{
	struct feed f;

	feed_init(&f);
	feed_record(&f, 1, 1, "");
	feed_record(&f, 0, 2, "x");
	stream_drain(&f.s);
	CHECK_STR(feed_text(&f), "x");
	CHECK_EQ(f.s.next, 3);
	feed_end(&f);
	close(f.out);
}

static void test_a_gap_is_counted_and_what_follows_still_written(void)
{
	struct feed f;

	feed_init(&f);
	feed_record(&f, 0, 1, "a");
	feed_record(&f, 1, 4, "d");
	feed_record(&f, 2, 6, "f");
	stream_drain(&f.s);
	CHECK_STR(feed_text(&f), "a");
	CHECK_EQ(feed_end(&f), 3);
	CHECK_STR(feed_text(&f), "adf");
	close(f.out);
}

static void test_bytes_that_are_no_record_are_noticed(void)
{
	struct feed f;

	feed_init(&f);
	feed_bytes(&f, 0, "this is no record, is it?", 25);
	feed_record(&f, 1, 1, "a");
	stream_drain(&f.s);
	CHECK(f.s.damaged);
	CHECK_STR(feed_text(&f), "a");
	feed_end(&f);
	close(f.out);
}

static void test_a_record_cannot_claim_more_than_the_buffer(void)
{
	struct wire_record r = { .len = 0xfffffff0u, .kind = WIRE_TEXT, .order = 1 };
	struct feed f;

	feed_init(&f);
	feed_bytes(&f, 0, &r, sizeof r);
	stream_drain(&f.s);
	CHECK(f.s.damaged);
	feed_end(&f);
	close(f.out);
}

/* Some megabytes through small and large reads, distributed to the CPUs at random. */
static void test_much_arrives_whole(void)
{
	struct feed f;
	uint64_t order = 1, want = 0;
	unsigned seed = 1;
	char text[3000];
	off_t size;

	feed_init(&f);
	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < 40; i++) {
			size_t n = (size_t)(rand_r(&seed) % 2900);

			memset(text, 'a' + (int)(order % 26), n);
			text[n] = 0;
			want += n;
			feed_record(&f, rand_r(&seed) % CPUS, order++, text);
		}
		stream_drain(&f.s);
	}
	CHECK_EQ(feed_end(&f), 0);
	size = lseek(f.out, 0, SEEK_END);
	CHECK_EQ(size, want);
	CHECK_EQ(f.o.written, want);
	CHECK_EQ(f.s.next, order);
	close(f.out);
}

static void test_what_cannot_be_written_is_counted(void)
{
	struct feed f;

	feed_init_to(&f, open("/dev/full", O_WRONLY));
	feed_record(&f, 0, 1, "a");
	stream_drain(&f.s);
	CHECK_EQ(f.o.error, ENOSPC);
	CHECK_EQ(f.o.dropped, 1);
	feed_record(&f, 0, 2, "bc");
	stream_drain(&f.s);
	CHECK_EQ(f.s.next, 3);
	CHECK_EQ(f.o.dropped, 3);
	CHECK_EQ(f.o.written, 0);
	feed_end(&f);
	close(f.out);
}

/* Descriptor 1 was closed when the program began: base/std.c opened a file for reading there. */
static void test_a_file_for_reading_stays_one(void)
{
	struct feed f;

	feed_init_to(&f, open("/dev/null", O_RDONLY));
	feed_record(&f, 0, 1, "a");
	stream_drain(&f.s);
	CHECK_EQ(f.o.error, EBADF);
	CHECK_EQ(f.o.dropped, 1);
	feed_end(&f);
	close(f.out);
}

/* One record of a KiB per CPU in turn, until the output takes no more; returns how many. */
static uint64_t feed_until_stuck(struct feed *f)
{
	char text[1025];
	uint64_t n = 0;

	memset(text, 'x', 1024);
	text[1024] = 0;
	while (!f->s.is_stuck && n < 4000) {
		n++;
		feed_record(f, (int)(n % CPUS), n, text);
		stream_drain(&f->s);
	}
	return n;
}

static void test_a_reader_that_stops_holds_up_nobody(int pair[2])
{
	char buf[1 << 16];
	struct feed f;
	uint64_t n;
	size_t got = 0;

	feed_init_to(&f, pair[1]);
	n = feed_until_stuck(&f);
	CHECK(n >= 1024 && n < 4000);
	CHECK(output_is_pending(&f.o));
	for (ssize_t more; (more = read(pair[0], buf, sizeof buf)) > 0 && (got += (size_t)more) < n << 10;)
		stream_drain(&f.s);
	CHECK_EQ(got, n << 10);
	CHECK(!f.s.is_stuck && !output_is_pending(&f.o));
	CHECK_EQ(f.o.written, n << 10);
	CHECK_EQ(feed_end(&f), 0);
	close(pair[0]);
	close(pair[1]);
}

static void test_slow_readers(void)
{
	int fds[2];

	if (pipe(fds))
		abort();
	test_a_reader_that_stops_holds_up_nobody(fds);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	test_a_reader_that_stops_holds_up_nobody(fds);
}

/* After giving up: every byte is counted as written or dropped. */
static void test_giving_up_adds_up(void)
{
	struct feed f;
	int fds[2];
	uint64_t n;

	if (pipe(fds))
		abort();
	feed_init_to(&f, fds[1]);
	n = feed_until_stuck(&f);
	output_fail(&f.o, ETIMEDOUT);
	CHECK_EQ(feed_end(&f), 0);
	CHECK_EQ(f.o.written + f.o.dropped, n << 10);
	CHECK(f.o.written && f.o.dropped);
	close(fds[0]);
	close(fds[1]);
}

/* ---- kinds and forms ---- */

static void test_a_kind_that_is_not_known_is_passed_over(void)
{
	struct wire_record r = { .kind = (WIRE_TEXT & 0xff00) | 0xfe, .len = 3, .cpu = 1, .order = 1 };
	struct feed f;

	feed_init(&f);
	feed_bytes(&f, 1, &r, sizeof r);
	feed_bytes(&f, 1, "???", 3);
	feed_record(&f, 0, 2, "a");
	stream_drain(&f.s);
	CHECK_EQ(f.s.unknown, 1);
	CHECK(say.erred && !f.s.damaged);
	CHECK_STR(feed_text(&f), "a");
	CHECK_EQ(feed_end(&f), 0);
	say.erred = false;
	close(f.out);
}

/* Neither the error, nor the advice that came with it. */
static void test_an_error_that_comes_again_is_said_once_in_json(void)
{
	int kept = dup(2), err = memfd_create("err", 0), out = memfd_create("out", 0);
	char text[4096];
	struct output o;
	struct sink sink;
	ssize_t n;

	output_init(&o, out);
	sink = sink_open(sink_find("json"), &o, false);
	say.sink = &sink;
	dup2(err, 2);
	for (int i = 0; i < 3; i++)
		say_handler_error("MAXACTION exceeded near operator '++' at x.stp:1:2 in probe begin", false);
	dup2(kept, 2);
	say.sink = NULL;
	say.erred = false;
	sink_close(&sink, 0);
	output_flush(&o);
	n = pread(out, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	CHECK_HAS(text, "\"hint\":");
	CHECK(!strstr(strstr(text, "MAXACTION") + 1, "\"type\":\"error\""));
	CHECK_EQ(lseek(err, 0, SEEK_END), 0);
	output_free(&o);
	close(kept);
	close(err);
	close(out);
}

static void test_an_error_that_is_tolerated_is_said_again_and_its_hint_is_not(void)
{
	int kept = dup(2), err = memfd_create("err", 0);
	const char *first, *second;
	char text[4096];
	ssize_t n;

	dup2(err, 2);
	for (int i = 0; i < 2; i++)
		say_handler_error("Array overflow, check MAXMAPENTRIES near operator '++' at x.stp:7:2 in probe begin", true);
	dup2(kept, 2);
	say.erred = false;
	n = pread(err, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	first = strstr(text, "ERROR: Array");
	second = first ? strstr(first + 1, "ERROR: Array") : NULL;
	CHECK(second && strstr(text, "hint: ") < second && !strstr(second, "hint: "));
	close(kept);
	close(err);
}

static void test_a_record_is_of_the_cpu_whose_file_has_it(void)
{
	struct feed f;
	char buf[64];

	feed_init(&f);
	feed_bytes(&f, 0, buf, record(buf, 1, 1, "a"));
	stream_drain(&f.s);
	CHECK(f.s.damaged);
	feed_end(&f);
	close(f.out);
}

static void unbase64(struct sb *to, const char *p)
{
	static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (; *p; p += 4) {
		unsigned v = 0;

		for (unsigned i = 0; i < 4; i++)
			v = v << 6 | (p[i] == '=' ? 0 : (unsigned)(strchr(set, p[i]) - set));
		for (unsigned i = 0; i < (p[2] == '=' ? 1u : p[3] == '=' ? 2u : 3u); i++)
			sb_putc(to, (char)(v >> (16 - 8 * i)));
	}
}

/* Reads lines of JSON, checks them, and puts together what was printed. */
static void unjson(struct sb *to, const char *p, const char *end)
{
	while (p < end) {
		struct json_tokener *t = json_tokener_new();
		struct json_object *o, *text;
		const char *line = p;

		p = memchr(p, '\n', (size_t)(end - p));
		CHECK(p);
		if (!p)
			return;
		json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
		o = json_tokener_parse_ex(t, line, (int)(p++ - line));
		CHECK_EQ(json_tokener_get_error(t), json_tokener_success);
		text = json_object_object_get(o, "text");
		if (json_object_is_type(text, json_type_object))
			unbase64(to, json_object_get_string(json_object_object_get(text, "base64")));
		else if (text)
			sb_putn(to, json_object_get_string(text), (size_t)json_object_get_string_len(text));
		if (text && !json_object_object_get(o, "newline"))
			sb_putc(to, '\n');
		json_object_put(o);
		json_tokener_free(t);
	}
}

/* The same bytes in pieces of all sizes come out again, without control characters.  Returns whether all was UTF-8. */
static bool check_json(const char *bytes, size_t n, unsigned seed)
{
	int out = memfd_create("out", 0);
	struct output o;
	struct sink sink;
	struct sb got = {0};
	char *copy = malloc(n + 1);
	const char *json;
	size_t size;
	bool utf8;

	memcpy(copy, bytes, n);
	output_init(&o, out);
	sink = sink_open(sink_find("json"), &o, true);
	for (size_t i = 0, part; i < n; i += part) {
		struct wire_record r = { .kind = WIRE_TEXT };

		part = (size_t)(rand_r(&seed) % 300);
		r.len = (uint32_t)(part = part < n - i ? part : n - i);
		CHECK(sink_record(&sink, &r, copy + i));
	}
	sink_close(&sink, 0);
	output_flush(&o);
	size = (size_t)lseek(out, 0, SEEK_END);
	json = mmap(NULL, size + 1, PROT_READ, MAP_PRIVATE, out, 0);
	for (size_t i = 0; i < size;) {
		struct glyph g = visible_glyph(json + i, size - i);

		CHECK(g.valid && (json[i] == '\n' || !visible_is_dangerous(g.code)));
		i += g.bytes;
	}
	unjson(&got, json, json + size);
	CHECK_EQ(got.n, n);
	CHECK(got.n == n && !memcmp(got.s, bytes, n));
	utf8 = !memmem(json, size, "base64", 6);
	munmap((void *)(uintptr_t)json, size + 1);
	sb_free(&got);
	free(copy);
	output_free(&o);
	close(out);
	return utf8;
}

static void test_json_cuts_long_lines_between_characters(void)
{
	static const char *const characters[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
	static char text[200000];

	for (unsigned i = 0; i < 3; i++)
		for (unsigned shift = 0; shift < 4; shift++) {
			size_t n = shift;

			memset(text, 'x', shift);
			for (unsigned k = 0; k < 40000; k++, n += 2 + i)
				memcpy(text + n, characters[i], 2 + i);
			CHECK(check_json(text, n, 5));
		}
}

static void test_json_keeps_every_byte(void)
{
	static const char text[] = "\"a\\/\t\x7f \xe2\x80\xae \xf3\xa0\x81\x81 \xc2\x9b \xed\xa0\x80 \xc0\x80 \n\n\xff\n end";
	static char random[200000];
	unsigned seed = 3;

	check_json(text, sizeof text, 1); /* and its NUL */
	for (size_t i = 0; i < sizeof random; i++)
		random[i] = (char)(rand_r(&seed) % (i < 20000 ? 256 : 6) + (i < 20000 ? 0 : 122));
	check_json(random, sizeof random, 2);
	memset(random, 'x', sizeof random);
	check_json(random, sizeof random, 4);
}

/* Rows of globals, cut into records everywhere, as a form outputs them. */
static const char *rows_as(const char *form, const char *rows)
{
	static char text[1 << 14];
	char buf[4096];
	struct output o;
	struct sink sink;
	int out = memfd_create("out", 0);
	ssize_t n;

	output_init(&o, out);
	sink = sink_open(sink_find(form), &o, false);
	for (size_t i = 0, part; i < strlen(rows); i += part) {
		struct wire_record r = { .kind = WIRE_TABLE };

		part = 1 + i % 7 < strlen(rows) - i ? 1 + i % 7 : strlen(rows) - i;
		r.len = (uint32_t)part;
		memcpy(buf, rows + i, part);
		CHECK(sink_record(&sink, &r, buf));
	}
	sink_close(&sink, 0);
	output_flush(&o);
	n = pread(out, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	output_free(&o);
	close(out);
	return text;
}

#define END "{\"type\":\"end\",\"status\":0}\n"

static void test_globals_are_tables(void)
{
	static const char rows[] = "n=-5\ns=\"a \\\"b\\\"\\n\\303\\251\\\\\"\na[1,\"x]=,\"]=2\na[-9223372036854775808,\"\"]=1\n"
				   "b[\"\\377\"] @count=2 @min=1 @max=4 @sum=5 @avg=2\nst @count=0\n";

	CHECK_STR(rows_as("text", rows), rows);
	CHECK_STR(rows_as("json", rows),
		  "{\"type\":\"table\",\"name\":\"n\",\"value\":-5}\n"
		  "{\"type\":\"table\",\"name\":\"s\",\"value\":\"a \\\"b\\\"\\n\303\251\\\\\"}\n"
		  "{\"type\":\"table\",\"name\":\"a\",\"rows\":[{\"keys\":[1,\"x]=,\"],\"value\":2},"
		  "{\"keys\":[-9223372036854775808,\"\"],\"value\":1}]}\n"
		  "{\"type\":\"table\",\"name\":\"b\",\"rows\":[{\"keys\":[{\"text\":\"\357\277\275\",\"base64\":\"/w==\"}],"
		  "\"value\":{\"count\":2,\"min\":1,\"max\":4,\"sum\":5,\"avg\":2}}]}\n"
		  "{\"type\":\"table\",\"name\":\"st\",\"value\":{\"count\":0}}\n" END);
}

/* Nothing of it is lost: it is output unchanged. */
static void test_what_is_no_row_is_text(void)
{
	static const char *const wrong[] = { "", "=1", "a", "a=", "a= 1", "a=1 ", "a=\"x", "a=\"\\9\"", "a[]=1", "a[1=1", "a[1]", "a @max=1",
					     "a=99999999999999999999", "a[1,2,3,4,5,6,7,8,9,10]=1" };
	char line[64];

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		snprintf(line, sizeof line, "%s\n", wrong[i]);
		CHECK(strstr(rows_as("json", line), "{\"type\":\"line\",") && !strstr(rows_as("json", line), "table"));
	}
	CHECK_STR(rows_as("json", "a[1]=1\na[2]"),
		  "{\"type\":\"table\",\"name\":\"a\",\"rows\":[{\"keys\":[1],\"value\":1}]}\n"
		  "{\"type\":\"line\",\"text\":\"a[2]\",\"cpu\":0,\"newline\":false}\n" END);
}

/* A reader that has stopped: messages are kept for it, up to a limit, and the others are counted. */
static void test_messages_for_a_reader_that_has_stopped(void)
{
	struct wire_ledger none = {0};
	struct output o;
	struct sink sink;
	char text[1025];
	int fds[2];

	memset(text, 'x', 1024);
	text[1024] = 0;
	if (pipe(fds))
		abort();
	output_init(&o, fds[1]);
	sink = sink_open(&sink_json, &o, false);
	for (int i = 0; i < 10000; i++)
		CHECK(sink_message(&sink, SINK_WARNING, text, NULL));
	CHECK(o.end > 4 << 20 && o.end < 5 << 20);
	sink_results(&sink, &none);
	o.buf[o.end] = 0;
	CHECK(strstr(o.buf, "{\"type\":\"losses\",\"records\":0,\"bytes\":0,\"messages\":"));
	output_fail(&o, EPIPE);
	CHECK(!sink_message(&sink, SINK_WARNING, text, NULL));
	sink_close(&sink, 0);
	output_free(&o);
	close(fds[0]);
	close(fds[1]);
}

/* ---- -c ---- */

static const char *argv_text(const char *command)
{
	static char text[512];
	struct arena a = { 0 };
	const char *const *argv = command_argv(&a, command);

	text[0] = 0;
	for (; *argv; argv++) {
		strcat(text, "<");
		strcat(text, *argv);
		strcat(text, ">");
	}
	arena_free(&a);
	return text;
}

static void test_plain_commands_need_no_shell(void)
{
	CHECK_STR(argv_text("ls"), "<ls>");
	CHECK_STR(argv_text("  dd if=/dev/zero  of=x "), "<dd><if=/dev/zero><of=x>");
	CHECK_STR(argv_text(""), "");
	CHECK_STR(argv_text("   "), "");
}

static void test_quoted_words_need_no_shell(void)
{
	CHECK_STR(argv_text("echo 'a  b'"), "<echo><a  b>");
	CHECK_STR(argv_text("perl -e \"print 1; exit\" a\\ b"), "<perl><-e><print 1; exit><a b>");
	CHECK_STR(argv_text("'my prog' \"\" ''x\"y\"z"), "<my prog><><xyz>");
	CHECK_STR(argv_text("a \"\\\"\\n\" '\\'"), "<a><\"\\n><\\>");
	CHECK_STR(argv_text("sh -c 'a | b > c; $d'"), "<sh><-c><a | b > c; $d>");
	CHECK_STR(argv_text("'exit' 3"), "<exit><3>");
	CHECK_STR(argv_text("ls \n"), "<ls>");
	CHECK_STR(argv_text("a=b\\=c"), "</bin/sh><-c><a=b\\=c>");
	CHECK_STR(argv_text("x#y a! b~ %"), "<x#y><a!><b~><%>");
}

static void test_the_shell_is_replaced_where_it_has_only_one_command(void)
{
	CHECK_STR(argv_text("ls *.c"), "</bin/sh><-c><exec ls *.c>");
	CHECK_STR(argv_text("echo $HOME"), "</bin/sh><-c><exec echo $HOME>");
	CHECK_STR(argv_text("echo \"$HOME; x\""), "</bin/sh><-c><exec echo \"$HOME; x\">");
	CHECK_STR(argv_text("a >b 2>&1 <c"), "</bin/sh><-c><exec a >b 2>&1 <c>");
	CHECK_STR(argv_text("a $(b; c) `d | e` \"$(f \"g\")\""), "</bin/sh><-c><exec a $(b; c) `d | e` \"$(f \"g\")\">");
	CHECK_STR(argv_text("find -exec ls {} +"), "</bin/sh><-c><exec find -exec ls {} +>");
	CHECK_STR(argv_text("A=1 B='x y' b"), "</bin/sh><-c><exec env A=1 B='x y' b>");
	CHECK_STR(argv_text("~/a #b"), "</bin/sh><-c><exec ~/a #b>");
}

static void test_what_only_the_shell_can_do_is_left_to_it(void)
{
	CHECK_STR(argv_text("exit 3"), "</bin/sh><-c><exit 3>");
	CHECK_STR(argv_text(" cd /"), "</bin/sh><-c>< cd />");
	CHECK_STR(argv_text("eval 'a  b'"), "</bin/sh><-c><eval 'a  b'>");
	CHECK_STR(argv_text("exits 3"), "<exits><3>");
	CHECK_STR(argv_text("! a"), "</bin/sh><-c><! a>");
	CHECK_STR(argv_text("A=1 cd /"), "</bin/sh><-c><A=1 cd />");
	CHECK_STR(argv_text("a 'b"), "</bin/sh><-c><a 'b>");
	CHECK_STR(argv_text("a $(b"), "</bin/sh><-c><a $(b>");
}

static void test_more_than_one_command_stays_with_the_shell(void)
{
	CHECK_STR(argv_text("a; b"), "</bin/sh><-c><a; b>");
	CHECK_STR(argv_text("a | b"), "</bin/sh><-c><a | b>");
	CHECK_STR(argv_text("a\nb"), "</bin/sh><-c><a\nb>");
	CHECK_STR(argv_text("a &"), "</bin/sh><-c><a &>");
	CHECK_STR(argv_text("a >b & c"), "</bin/sh><-c><a >b & c>");
	CHECK_STR(argv_text("a <<b"), "</bin/sh><-c><a <<b>");
	CHECK_STR(argv_text("A=1"), "</bin/sh><-c><A=1>");
}

static const char *first_of(const char *command)
{
	static char text[512];
	struct arena a = { 0 };

	snprintf(text, sizeof text, "%s", command_first(&a, command));
	arena_free(&a);
	return text;
}

static void test_the_program_of_a_command_is_known(void)
{
	CHECK_STR(first_of(" ls -l"), "ls");
	CHECK_STR(first_of("'a b'/c d"), "a b/c");
	CHECK_STR(first_of("A=1 B=2 c"), "c");
	CHECK_STR(first_of("a>b"), "a");
	CHECK_STR(first_of("a;b"), "a");
	CHECK_STR(first_of("(a|b)"), "a");
	CHECK_STR(first_of(""), "");
}

/* ---- modules ---- */

static void test_settings_are_encoded_for_the_kernel(void)
{
	static const char *const settings[] = { "a=1", "s=x y\"%", NULL };
	static const char *const none[] = { NULL };
	struct arena a = { 0 };

	CHECK_STR(module_parameters(&a, settings, 0), "G=a=1 G=s=x%20y%22%25 ");
	CHECK_STR(module_parameters(&a, none, 2048), "buffer_kb=2048 ");
	arena_free(&a);
}

/* A small module: header, names, this_module, section headers. */
static size_t make_image(char *to)
{
	static const char names[] = "\0.shstrtab\0.gnu.linkonce.this_module";
	Elf64_Ehdr e = { .e_type = ET_REL, .e_shoff = 512, .e_shnum = 3, .e_shstrndx = 1,
			 .e_shentsize = sizeof(Elf64_Shdr) };
	Elf64_Shdr s[3] = {
		[1] = { .sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = 64, .sh_size = sizeof names },
		[2] = { .sh_name = 11, .sh_type = SHT_PROGBITS, .sh_offset = 128, .sh_size = 256 },
	};

	memset(to, 0, 1024);
	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	memcpy(to, &e, sizeof e);
	memcpy(to + 64, names, sizeof names);
	strcpy(to + 128 + 24, "spile_1");
	memcpy(to + 512, s, sizeof s);
	return 512 + sizeof s;
}

static void test_the_name_is_found_in_the_image(void)
{
	_Alignas(8) char image[1024];
	size_t size = make_image(image), room = 0;

	CHECK_STR(module_find_name(image, size, &room), "spile_1");
	CHECK_EQ(room, 56);
}

static void test_modules_of_others_are_told_from_ours(void)
{
	static const char ours[] = "license=GPL\0description=script compiled by spile\0name=x";

	CHECK(module_is_ours(ours, sizeof ours));
	CHECK(!module_is_ours(ours, 20));
	CHECK(!module_is_ours("description=script compiled by spiles", 38));
}

static void test_damaged_images_are_refused(void)
{
	_Alignas(8) char image[1024];
	size_t size = make_image(image), room, found = 0;

	CHECK(!module_find_name(image, 10, &room));
	CHECK(!module_find_name(image, size - 1, &room));
	((Elf64_Ehdr *)image)->e_shoff = ~0ull - 7;
	CHECK(!module_find_name(image, size, &room));
	/* any byte may have any value: the sanitizers check */
	for (size_t i = 0; i < size; i++) {
		char *copy = malloc(size);

		make_image(image);
		image[i] ^= (char)0xff;
		memcpy(copy, image, size);
		found += module_find_name(copy, size, &room) != NULL;
		free(copy);
	}
	CHECK(found > 0 && found < size);
}

/* ---- advice ---- */

static void test_errors_of_handlers_come_with_advice(void)
{
	CHECK_HAS(remedy_about("MAXACTION exceeded near operator '++' at x.stp:1:2 in probe begin"), "-D MAXACTION=N");
	CHECK_HAS(remedy_about("Array overflow, check size limit (2) near operator '=' at x.stp:1:2 in probe begin"), "%[N]");
	CHECK_HAS(remedy_about("user string copy fault at 0x10 near identifier 'user_string' at x.stp:1:2 in probe begin"),
		  "try {");
	CHECK_HAS(remedy_about("probe overhead (6 ns) exceeded threshold (5 ns) in last 10 ns"), "STP_NO_OVERLOAD");
}

static void test_missing_values_of_python_come_with_advice(void)
{
	CHECK_HAS(remedy_about("this function of Python has no variable \"x\" with a value near identifier 'error' at x.stp:1:2"),
		  "@defined($name)");
	CHECK_HAS(remedy_about("an exception leaves this function of Python: nothing is returned"), "@defined($return)");
}

static void test_skipped_hits_come_with_advice_where_something_helps(void)
{
	CHECK_HAS(remedy_about_skip(WIRE_SKIP_LOCK), "-D MAXTRYLOCK=N");
	CHECK_HAS(remedy_about_skip(WIRE_SKIP_RETURN), ".maxactive(N)");
	CHECK(!remedy_about_skip(WIRE_SKIP_STOPPING));
}

static void test_what_is_only_quoted_gets_no_advice(void)
{
	CHECK(!remedy_about("no near identifier 'error' at MAXACTION exceeded.stp:1:2 in probe begin"));
	CHECK(!remedy_about(""));
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_records_come_out_by_number);
	UNIT_RUN(test_records_may_be_cut_anywhere);
	UNIT_RUN(test_an_empty_record_is_one);
	UNIT_RUN(test_a_gap_is_counted_and_what_follows_still_written);
	UNIT_RUN(test_bytes_that_are_no_record_are_noticed);
	UNIT_RUN(test_a_record_cannot_claim_more_than_the_buffer);
	UNIT_RUN(test_much_arrives_whole);
	UNIT_RUN(test_what_cannot_be_written_is_counted);
	UNIT_RUN(test_a_file_for_reading_stays_one);
	UNIT_RUN(test_slow_readers);
	UNIT_RUN(test_giving_up_adds_up);
	UNIT_RUN(test_a_kind_that_is_not_known_is_passed_over);
	UNIT_RUN(test_an_error_that_comes_again_is_said_once_in_json);
	UNIT_RUN(test_an_error_that_is_tolerated_is_said_again_and_its_hint_is_not);
	UNIT_RUN(test_a_record_is_of_the_cpu_whose_file_has_it);
	UNIT_RUN(test_json_keeps_every_byte);
	UNIT_RUN(test_json_cuts_long_lines_between_characters);
	UNIT_RUN(test_globals_are_tables);
	UNIT_RUN(test_what_is_no_row_is_text);
	UNIT_RUN(test_messages_for_a_reader_that_has_stopped);
	UNIT_RUN(test_plain_commands_need_no_shell);
	UNIT_RUN(test_quoted_words_need_no_shell);
	UNIT_RUN(test_the_shell_is_replaced_where_it_has_only_one_command);
	UNIT_RUN(test_the_program_of_a_command_is_known);
	UNIT_RUN(test_what_only_the_shell_can_do_is_left_to_it);
	UNIT_RUN(test_more_than_one_command_stays_with_the_shell);
	UNIT_RUN(test_settings_are_encoded_for_the_kernel);
	UNIT_RUN(test_the_name_is_found_in_the_image);
	UNIT_RUN(test_modules_of_others_are_told_from_ours);
	UNIT_RUN(test_damaged_images_are_refused);
	UNIT_RUN(test_errors_of_handlers_come_with_advice);
	UNIT_RUN(test_missing_values_of_python_come_with_advice);
	UNIT_RUN(test_skipped_hits_come_with_advice_where_something_helps);
	UNIT_RUN(test_what_is_only_quoted_gets_no_advice);
	return unit_done();
}
