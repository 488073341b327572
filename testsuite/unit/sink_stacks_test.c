/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader/: stacks in the output, and the names of their addresses. */
#include <sys/mman.h>
#include <unistd.h>

#include "loader/loader.h"
#include "testsuite/unit/unit.h"

static unsigned asked;

#define USER (1ull << 48 | 0x123)

/* Up to record 5 there is a module at 0xc0001000, then another; nothing is known of 7. */
static int answer(struct symbols *s, struct wire_symbol *about)
{
	(void)s;
	asked++;
	switch (about->address) {
	case 0xffffffff81000010:
		strcpy(about->text, "start+0x10/0x80");
		about->order = UINT64_MAX;
		return 0;
	case 0xc0001000:
		strcpy(about->text, about->order <= 5 ? "old+0x0/0x4 [one]" : "new+0x4/0x8 [two]");
		about->order = about->order <= 5 ? 5 : 9;
		return 0;
	case USER:
		strcpy(about->text, "ns::f(int [2])+0x3/0x20 [/a [b] c/prog]");
		about->order = UINT64_MAX;
		return 0;
	case USER + 1:
		strcpy(about->text, "[/lib/x+y.so+0x99]");
		about->order = UINT64_MAX;
		return 0;
	case USER + 2:
		strcpy(about->text, "f(int)+0x1/0x2 at /src [1]/a:b.c:12 [/a [b] c/prog]");
		about->order = UINT64_MAX;
		return 0;
	case 7:
		strcpy(about->text, "0x7");
		about->order = UINT64_MAX;
		return 0;
	}
	return -1;
}

static size_t put_part(char *to, const char *text, const uint64_t *stack, unsigned frames)
{
	struct wire_part part = { .text = (uint32_t)strlen(text), .frames = frames };
	size_t n = part.text;

	memcpy(to, text, n);
	memcpy(to + n, stack, frames * sizeof *stack);
	n += frames * sizeof *stack;
	memcpy(to + n, &part, sizeof part);
	return n + sizeof part;
}

/* Two records with two stacks each, as a form outputs them. */
static const char *stacks_as(const char *form, struct symbols *symbols)
{
	static const uint64_t stack[] = {0xffffffff81000010, 0xc0001000, 7, 8};
	static char text[1 << 14];
	struct output o;
	struct sink sink;
	int out = memfd_create("out", 0);
	ssize_t n;

	output_init(&o, out);
	sink = sink_open(sink_find(form), &o, false);
	sink.symbols = symbols;
	for (uint64_t order = 4; order < 8; order += 3) {
		char buf[4096];
		size_t size = put_part(buf, "before\n", stack, 4);
		struct wire_record r = { .kind = WIRE_STACKS, .order = order, .cpu = 1 };

		size += put_part(buf + size, "", stack + 1, 1);
		size += put_part(buf + size, "aft", stack, 0);
		r.len = (uint32_t)size;
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

static void test_stacks_have_the_names_of_their_time(void)
{
	struct symbols symbols = { .fd = -1, .ask = answer };

	asked = 0;
	CHECK_STR(stacks_as("text", &symbols),
		  "before\n 0xffffffff81000010 : start+0x10/0x80 [kernel]\n 0xc0001000 : old+0x0/0x4 [one]\n 0x7 : 0x7 [kernel]\n"
		  " 0x8 : 0x8 [kernel]\n 0xc0001000 : old+0x0/0x4 [one]\naft"
		  "before\n 0xffffffff81000010 : start+0x10/0x80 [kernel]\n 0xc0001000 : new+0x4/0x8 [two]\n 0x7 : 0x7 [kernel]\n"
		  " 0x8 : 0x8 [kernel]\n 0xc0001000 : new+0x4/0x8 [two]\naft");
	CHECK_EQ(asked, 6); /* 3 once; the module's twice, and what gets no answer in each record */
	symbols_close(&symbols);
}

static void test_stacks_are_objects_in_json(void)
{
	struct symbols symbols = { .fd = -1, .ask = answer };
	const char *json = stacks_as("json", &symbols);

	CHECK_HAS(json, "{\"type\":\"line\",\"text\":\"before\",\"cpu\":1}\n{\"type\":\"stack\",\"cpu\":1,\"frames\":["
			"{\"address\":\"0xffffffff81000010\",\"name\":\"start\",\"offset\":16,\"size\":128,\"module\":\"kernel\"},"
			"{\"address\":\"0xc0001000\",\"name\":\"old\",\"offset\":0,\"size\":4,\"module\":\"one\"},"
			"{\"address\":\"0x7\"},{\"address\":\"0x8\"}]}\n{\"type\":\"stack\",\"cpu\":1,\"frames\":[{");
	CHECK_HAS(json, "{\"type\":\"line\",\"text\":\"aftbefore\",\"cpu\":1}\n");
	CHECK_HAS(json, "\"name\":\"new\",\"offset\":4,\"size\":8,\"module\":\"two\"");
	symbols_close(&symbols);
}

static void test_stacks_without_names_are_addresses(void)
{
	CHECK_HAS(stacks_as("text", NULL), "before\n 0xffffffff81000010 : 0xffffffff81000010 [kernel]\n 0xc0001000 : 0xc0001000 [kernel]\n");
}

/* A program's stack, as a form outputs it. */
static struct wire_frame frames[] = {{0x55001, USER}, {0x7f002, USER + 1}, {0x7f003, 0}, {0, WIRE_END_FOREIGN}};

static const char *user_stack_as(const char *form, uint32_t flags)
{
	struct wire_part part = {.text = 3, .frames = 4 | WIRE_PART_USER | flags}, last = {0};
	struct symbols symbols = { .fd = -1, .ask = answer };
	static char text[1 << 13];
	char buf[256];
	struct wire_record r = { .kind = WIRE_STACKS, .order = 1, .len = 3 + sizeof frames + 2 * sizeof part };
	struct output o;
	struct sink sink;
	int out = memfd_create("out", 0);
	ssize_t n;

	output_init(&o, out);
	sink = sink_open(sink_find(form), &o, false);
	sink.symbols = &symbols;
	memcpy(buf, "at\n", 3);
	memcpy(buf + 3, frames, sizeof frames);
	memcpy(buf + 3 + sizeof frames, &part, sizeof part);
	memcpy(buf + 3 + sizeof frames + sizeof part, &last, sizeof last);
	CHECK(sink_record(&sink, &r, buf));
	sink_close(&sink, 0);
	output_flush(&o);
	n = pread(out, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	output_free(&o);
	close(out);
	symbols_close(&symbols);
	return text;
}

static void test_stacks_of_programs(void)
{
	CHECK_STR(user_stack_as("text", 0),
		  "at\n 0x55001 : ns::f(int [2])+0x3/0x20 [/a [b] c/prog]\n 0x7f002 : 0x7f002 [/lib/x+y.so+0x99]\n 0x7f003 : 0x7f003\n"
		  " (this is code of no file, or of one that is not known yet: -d FILE names one)\n");
	CHECK_STR(user_stack_as("text", WIRE_PART_BRIEF), "at\n ns::f(int [2])+0x3\n 0x7f002\n 0x7f003\n"
		  " (this is code of no file, or of one that is not known yet: -d FILE names one)\n");
	CHECK_HAS(user_stack_as("json", 0), "\"frames\":[{\"address\":\"0x55001\",\"name\":\"ns::f(int [2])\",\"offset\":3,\"size\":32,"
		  "\"module\":\"/a [b] c/prog\"},{\"address\":\"0x7f002\",\"offset\":153,\"module\":\"/lib/x+y.so\"},{\"address\":\"0x7f003\"},"
		  "{\"end\":\"this is code of no file, or of one that is not known yet: -d FILE names one\"}]}\n");
}

static void test_lines_of_source_files(void)
{
	frames[0].where = USER + 2;
	CHECK_HAS(user_stack_as("text", 0), "at\n 0x55001 : f(int)+0x1/0x2 at /src [1]/a:b.c:12 [/a [b] c/prog]\n 0x7f002 : ");
	CHECK_HAS(user_stack_as("json", 0), "{\"address\":\"0x55001\",\"name\":\"f(int)\",\"offset\":1,\"size\":2,"
		  "\"module\":\"/a [b] c/prog\",\"source\":\"/src [1]/a:b.c:12\"},{");
	frames[0].where = USER;
}

/* Of a record that is refused nothing is output.  The payload is as long as it says, so the sanitizers see what is read outside of it. */
static bool is_refused(struct sink *sink, const char *payload, size_t n)
{
	struct wire_record r = { .kind = WIRE_STACKS, .len = (uint32_t)n };
	struct output *o = sink->to;
	uint64_t before = o->written + o->end - o->start;
	char *exact = malloc(n ? n : 1);
	bool sound;

	memcpy(exact, payload, n);
	sound = sink_record(sink, &r, exact);
	free(exact);
	if (!sound)
		CHECK_EQ(o->written + o->end - o->start, before);
	return !sound;
}

static void test_damaged_stacks_are_refused(void)
{
	static const uint64_t stack[] = {1, 2, 3};
	struct wire_part many = { .frames = WIRE_FRAMES_MAX + 1 };
	char buf[(WIRE_FRAMES_MAX + 1) * sizeof *stack + sizeof many] = "";
	size_t one = put_part(buf, "first\n", stack, 3), n = one + put_part(buf + one, "second\n", stack, 2);
	struct output o;
	struct sink sink;
	int out = memfd_create("out", 0);
	unsigned seed = 1, refused = 0;

	output_init(&o, out);
	sink = sink_open(NULL, &o, false);
	CHECK(!is_refused(&sink, buf, n));
	for (size_t missing = 1; missing < n; missing++)
		CHECK_EQ(is_refused(&sink, buf + missing, n - missing), missing != one);
	memset(buf, 0, sizeof buf);
	memcpy(buf + sizeof buf - sizeof many, &many, sizeof many);
	CHECK(is_refused(&sink, buf, sizeof buf));
	many.frames--;
	memcpy(buf + sizeof buf - sizeof many, &many, sizeof many);
	CHECK(!is_refused(&sink, buf + sizeof *stack, sizeof buf - sizeof *stack));
	for (unsigned i = 0; i < 2000; i++) {
		for (unsigned k = 0; k < 64; k++)
			buf[k] = (char)(rand_r(&seed) % 4 ? 0 : rand_r(&seed) % 32);
		refused += is_refused(&sink, buf, (size_t)rand_r(&seed) % 64);
	}
	CHECK(refused > 1000 && refused < 2000);
	sink_close(&sink, 0);
	output_free(&o);
	close(out);
}

static void test_many_addresses_are_known(void)
{
	struct symbols symbols = { .fd = -1, .ask = answer };

	for (uint64_t round = 1; round < 3; round++)
		for (uint64_t i = 1; i < 5000; i++)
			CHECK_STR(symbols_find(&symbols, 1, i), i == 7 ? "0x7" : "");
	CHECK_EQ(symbols.n, 4999);
	symbols_close(&symbols);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_stacks_have_the_names_of_their_time);
	UNIT_RUN(test_stacks_are_objects_in_json);
	UNIT_RUN(test_stacks_without_names_are_addresses);
	UNIT_RUN(test_stacks_of_programs);
	UNIT_RUN(test_lines_of_source_files);
	UNIT_RUN(test_damaged_stacks_are_refused);
	UNIT_RUN(test_many_addresses_are_known);
	return unit_done();
}
