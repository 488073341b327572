// SPDX-License-Identifier: GPL-2.0-or-later
/* Source texts and positions. */
#include <fcntl.h>

#include "base/source.h"
#include "testsuite/unit/unit.h"

static struct arena arena;

static struct sources fresh(void)
{
	arena_free(&arena);
	return (struct sources){.arena = &arena};
}

static struct source *text(struct sources *ss, const char *s)
{
	return source_add(ss, "t.stp", s, strlen(s));
}

static const char *position(struct source *s, uint32_t off)
{
	unsigned line, column;

	source_position(s, off, &line, &column);
	return arena_printf(&arena, "%u:%u", line, column);
}

static const char *line(struct source *s, unsigned number)
{
	size_t len;
	const char *start = source_line(s, number, &len);

	return arena_strndup(&arena, start, len);
}

static void test_texts_are_copied_and_numbered(void)
{
	struct sources ss = fresh();
	char name[] = "a.stp", body[] = "probe";
	struct source *s = source_add(&ss, name, body, 5), *t = source_add(&ss, "b", "x\0y", 3);

	name[0] = body[0] = '?';
	CHECK_STR(s->name, "a.stp");
	CHECK_STR(s->text, "probe");
	CHECK_EQ(s->id, 1);
	CHECK_EQ(t->id, 2);
	CHECK_MEM(t->text, t->len + 1, "x\0y", 4);
	CHECK(source_by_id(&ss, 1) == s);
	CHECK(source_by_id(&ss, 2) == t);
	CHECK(!source_by_id(&ss, 0));
	CHECK(!source_by_id(&ss, 3));
}

static void test_positions(void)
{
	struct sources ss = fresh();
	struct source *s = text(&ss, "ab\n\n\tc\nd");

	CHECK_STR(position(s, 0), "1:1");
	CHECK_STR(position(s, 2), "1:3");
	CHECK_STR(position(s, 3), "2:1");
	CHECK_STR(position(s, 4), "3:1");
	CHECK_STR(position(s, 5), "3:2");
	CHECK_STR(position(s, 7), "4:1");
	CHECK_STR(position(s, 8), "4:2");
	CHECK_STR(position(s, 999), "4:2");
}

static void test_positions_in_an_empty_text_and_after_the_last_newline(void)
{
	struct sources ss = fresh();
	struct source *empty = text(&ss, ""), *full = text(&ss, "a\n");

	CHECK_STR(position(empty, 0), "1:1");
	CHECK_STR(line(empty, 1), "");
	CHECK_STR(position(full, 2), "2:1");
	CHECK_STR(line(full, 2), "");
}

static void test_every_offset_of_a_long_text(void)
{
	struct sources ss = fresh();
	char body[4096];
	unsigned l = 1, c = 1;

	for (size_t i = 0; i < sizeof body; i++)
		body[i] = i * i % 13 == 3 ? '\n' : 'x';

	struct source *s = source_add(&ss, "t", body, sizeof body);

	for (uint32_t i = 0; i < sizeof body; i++) {
		unsigned got_l, got_c;

		source_position(s, i, &got_l, &got_c);
		if (got_l != l || got_c != c) {
			CHECK_EQ(got_l, l);
			CHECK_EQ(got_c, c);
			break;
		}
		c++;
		if (body[i] == '\n') {
			l++;
			c = 1;
		}
	}
}

static void test_lines(void)
{
	struct sources ss = fresh();
	struct source *s = text(&ss, "one\r\ntwo\n\nfour");

	CHECK_STR(line(s, 1), "one");
	CHECK_STR(line(s, 2), "two");
	CHECK_STR(line(s, 3), "");
	CHECK_STR(line(s, 4), "four");
	CHECK_STR(line(s, 5), "");
	CHECK_STR(line(s, 0), "");
}

static void test_too_much_text_is_refused(void)
{
	struct sources ss = fresh();
	size_t max = (size_t)16 << 20;
	char *big = calloc(1, max + 1);

	CHECK(source_add(&ss, "fits", big, max) != NULL);
	errno = 0;
	CHECK(!source_add(&ss, "big", big, max + 1));
	CHECK_EQ(errno, EFBIG);
	free(big);
}

static void test_too_many_texts_are_refused(void)
{
	struct sources ss = fresh();

	for (int i = 0; i < 65534; i++)
		if (!text(&ss, "x"))
			CHECK_EQ(i, -1);
	CHECK_EQ(source_by_id(&ss, 65534)->id, 65534);
	errno = 0;
	CHECK(!text(&ss, "x"));
	CHECK_EQ(errno, EMFILE);
}

static void test_files_are_read(void)
{
	struct sources ss = fresh();
	char path[] = "/tmp/source_testXXXXXX";
	int fd = mkstemp(path);

	CHECK_EQ(write(fd, "probe\0x\n", 8), 8);
	close(fd);
	struct source *s = source_read(&ss, path);
	CHECK(s != NULL);
	CHECK_STR(s->name, path);
	CHECK_MEM(s->text, s->len, "probe\0x\n", 8);
	unlink(path);
	errno = 0;
	CHECK(!source_read(&ss, path));
	CHECK_EQ(errno, ENOENT);
}

static void test_what_is_no_text_file_is_refused(void)
{
	struct sources ss = fresh();

	errno = 0;
	CHECK(!source_read(&ss, "/"));
	CHECK_EQ(errno, EISDIR);
	errno = 0;
	CHECK(!source_read(&ss, "/dev/zero"));
	CHECK_EQ(errno, EFBIG);
	CHECK_EQ(ss.n, 0);
	struct source *empty = source_read(&ss, "/dev/null");
	CHECK(empty && !empty->len && empty->text[0] == '\0');
}

static void test_stdin_is_read(void)
{
	struct sources ss = fresh();
	int fds[2], saved = dup(STDIN_FILENO);

	CHECK(!pipe(fds));
	CHECK_EQ(write(fds[1], "x = 1", 5), 5);
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	struct source *s = source_read(&ss, "-");
	CHECK_STR(s->name, "<input>");
	CHECK_STR(s->text, "x = 1");
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static void test_spans(void)
{
	struct loc a = {1, 3, 10, 0}, b = {1, 2, 20, 0}, other = {2, 2, 20, 0}, nowhere = {0};
	struct loc far = {1, 1, 200000, 0}, inside = {1, 1, 11, 0}, expanded = {1, 2, 20, 7};

	CHECK_EQ(loc_span(a, b).off, 10);
	CHECK_EQ(loc_span(a, b).len, 12);
	CHECK_EQ(loc_span(a, a).len, 3);
	CHECK_EQ(loc_span(a, inside).len, 3);
	CHECK_EQ(loc_span(b, a).off, 20);
	CHECK_EQ(loc_span(b, a).len, 2);
	CHECK_EQ(loc_span(a, other).len, 3);
	CHECK_EQ(loc_span(a, expanded).len, 3);
	CHECK_EQ(loc_span(a, nowhere).len, 3);
	CHECK_EQ(loc_span(nowhere, b).off, 20);
	CHECK_EQ(loc_span(a, far).len, 65535);
}

static void test_expansions_chain(void)
{
	struct sources ss = fresh();
	struct loc call = {1, 2, 3, 0};
	uint32_t outer = source_expand(&ss, "outer", call);
	uint32_t inner = source_expand(&ss, "inner", (struct loc){1, 2, 50, outer});

	CHECK(outer && inner && outer != inner);
	for (int i = 0; i < 100; i++)
		source_expand(&ss, "more", call);
	CHECK_STR(ss.expansions[inner - 1].macro, "inner");
	CHECK_EQ(ss.expansions[inner - 1].at.expansion, outer);
	CHECK_STR(ss.expansions[outer - 1].macro, "outer");
	CHECK_EQ(ss.expansions[outer - 1].at.expansion, 0);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_texts_are_copied_and_numbered);
	UNIT_RUN(test_positions);
	UNIT_RUN(test_positions_in_an_empty_text_and_after_the_last_newline);
	UNIT_RUN(test_every_offset_of_a_long_text);
	UNIT_RUN(test_lines);
	UNIT_RUN(test_too_much_text_is_refused);
	UNIT_RUN(test_too_many_texts_are_refused);
	UNIT_RUN(test_files_are_read);
	UNIT_RUN(test_what_is_no_text_file_is_refused);
	UNIT_RUN(test_stdin_is_read);
	UNIT_RUN(test_spans);
	UNIT_RUN(test_expansions_chain);
	arena_free(&arena);
	return unit_done();
}
