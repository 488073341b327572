// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages: the exact text, what is kept, and the list of ids. */
#include "base/diag.h"
#include "base/str.h"
#include "testsuite/unit/unit.h"

static struct arena arena;
static struct sources sources;

static struct diags fresh(void)
{
	arena_free(&arena);
	sources = (struct sources){.arena = &arena};
	return (struct diags){.arena = &arena, .sources = &sources};
}

/* A new source; the place of the first occurrence of part in it. */
static struct loc place(const char *name, const char *text, const char *part)
{
	struct source *s = source_add(&sources, name, text, strlen(text));

	return (struct loc){(uint16_t)s->id, (uint16_t)strlen(part), (uint32_t)(strstr(text, part) - text),
			    0};
}

/* A message of a chosen level, independent of the list of ids. */
static void warn(struct diags *ds, struct loc loc, const char *text)
{
	struct diag *d = arena_new(&arena, struct diag);
	struct diags from = {.arena = &arena, .sources = &sources, .first = d, .last = d, .warnings = 1};

	*d = (struct diag){.id = E_IO, .level = DIAG_WARNING, .loc = loc, .text = text};
	diag_move(ds, &from);
}

static const char *flushed_in(struct diags *ds, bool colour)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	diag_flush(ds, f, colour);
	fclose(f);

	const char *copy = arena_strdup(&arena, text);

	free(text);
	return copy;
}

static const char *flushed(struct diags *ds)
{
	return flushed_in(ds, false);
}

static void test_the_example_of_the_header(void)
{
	struct diags ds = fresh();
	struct loc loc = place("x.stp", "probe kernel.function(\"vfs_raed\") { }\n", "\"vfs_raed\"");
	struct diag *d = diag_report(&ds, loc, E_IO, "no kernel function matches \"%s\"", "vfs_raed");

	diag_hint(&ds, d, "did you mean %s?", "\"vfs_read\"");
	CHECK_STR(flushed(&ds), "x.stp:1:23: error: no kernel function matches \"vfs_raed\" [io]\n"
				"    1 | probe kernel.function(\"vfs_raed\") { }\n"
				"      |                       ^~~~~~~~~~\n"
				"  hint: did you mean \"vfs_read\"?\n");
}

static void test_a_message_without_a_place(void)
{
	struct diags ds = fresh();
	struct diag *d = diag_report(&ds, (struct loc){0}, E_USAGE, "what?");

	diag_note(&ds, d, (struct loc){0}, "a note");
	diag_hint(&ds, d, "a hint");
	CHECK_STR(flushed(&ds), "error: what? [usage]\n  note: a note\n  hint: a hint\n");
}

static void test_notes_have_places_of_their_own(void)
{
	struct diags ds = fresh();
	const char *text = "global a\nglobal b\nglobal a\n";
	struct loc first = place("x.stp", text, "a\n"), second = first;
	struct diag *d;

	first.len = second.len = 1;
	second.off = (uint32_t)strlen(text) - 2;
	d = diag_report(&ds, second, E_IO, "declared twice");
	diag_note(&ds, d, first, "first declared here");
	CHECK_STR(flushed(&ds), "x.stp:3:8: error: declared twice [io]\n"
				"    3 | global a\n"
				"      |        ^\n"
				"x.stp:1:8: note: first declared here\n"
				"    1 | global a\n"
				"      |        ^\n");
}

static void test_no_note_points_to_what_nobody_wrote(void)
{
	struct diags ds = fresh();
	struct loc here = place("x.stp", "println(argv)\n", "argv"), there = place("<arguments>", "argv[1] = @1\n", "argv[1]");
	struct diag *d = diag_report(&ds, here, E_NOT_ARRAY, "it needs its keys");

	source_by_id(&sources, there.source)->is_made = true;
	diag_note(&ds, d, there, "first used here");
	diag_note(&ds, d, here, "in the script");
	CHECK_STR(flushed(&ds), "x.stp:1:9: error: it needs its keys [not-array]\n"
				"    1 | println(argv)\n"
				"      |         ^~~~\n"
				"x.stp:1:9: note: in the script\n"
				"    1 | println(argv)\n"
				"      |         ^~~~\n");
}

static void test_macro_expansions_are_told_innermost_first(void)
{
	struct diags ds = fresh();
	struct loc body = place("lib.stpm", "@define in %( bad %)\n@define out %( @in %)\n", "bad");
	struct loc in_out = {body.source, 3, 36, 0}, call = place("x.stp", "probe @out {}\n", "@out");

	in_out.expansion = source_expand(&sources, "out", call);
	body.expansion = source_expand(&sources, "in", in_out);
	diag_report(&ds, body, E_IO, "wrong");
	CHECK_STR(flushed(&ds), "lib.stpm:1:15: error: wrong [io]\n"
				"    1 | @define in %( bad %)\n"
				"      |               ^~~\n"
				"lib.stpm:2:16: note: in the expansion of macro @in\n"
				"    2 | @define out %( @in %)\n"
				"      |                ^~~\n"
				"x.stp:1:7: note: in the expansion of macro @out\n"
				"    1 | probe @out {}\n"
				"      |       ^~~~\n");
}

static void test_a_long_chain_of_expansions_is_cut(void)
{
	struct diags ds = fresh();
	struct loc loc = place("x.stp", "@m\n", "@m");
	unsigned notes = 0;

	for (int i = 0; i < 1000; i++)
		loc.expansion = source_expand(&sources, "m", loc);
	diag_report(&ds, loc, E_IO, "deep");

	const char *text = flushed(&ds);

	for (const char *p = text; (p = strstr(p, "note: in the expansion")); p++)
		notes++;
	CHECK_EQ(notes, 10);
	CHECK_HAS(text, "  note: and further macro expansions\n");
}

static void test_a_bad_expansion_is_not_followed(void)
{
	struct diags ds = fresh();
	struct loc loc = place("x.stp", "a\n", "a");

	loc.expansion = 77;
	diag_report(&ds, loc, E_IO, "m");
	CHECK_STR(flushed(&ds), "x.stp:1:1: error: m [io]\n    1 | a\n      | ^\n");
}

static void test_tabs_become_columns(void)
{
	struct diags ds = fresh();

	diag_report(&ds, place("x.stp", "\tab\tcd\n", "cd"), E_IO, "m");
	CHECK_STR(flushed(&ds), "x.stp:1:5: error: m [io]\n"
				"    1 |         ab      cd\n"
				"      |                 ^~\n");
	diag_report(&ds, place("x.stp", "a\tb\n", "\tb"), E_IO, "m");
	CHECK_STR(flushed(&ds), "x.stp:1:2: error: m [io]\n"
				"    1 | a       b\n"
				"      |  ^~~~~~~~\n");
}

static void test_utf8_takes_its_columns(void)
{
	struct diags ds = fresh();

	diag_report(&ds, place("x.stp", "\"\xc3\xa4\xe6\x97\245e\xcc\x81\" bad", "bad"), E_IO, "m");
	CHECK_STR(flushed(&ds), "x.stp:1:12: error: m [io]\n"
				"    1 | \"\xc3\xa4\xe6\x97\245e\xcc\x81\" bad\n"
				"      |        ^~~\n");
	diag_report(&ds, place("x.stp", "\xf0\x9f\x98\x80 x", "\xf0\x9f\x98\x80"), E_IO, "m");
	CHECK_STR(flushed(&ds), "x.stp:1:1: error: m [io]\n"
				"    1 | \xf0\x9f\x98\x80 x\n"
				"      | ^~\n");
}

static void test_invalid_utf8_is_spelled_out(void)
{
	static const char *const cases[][2] = {
		{"\xff!", "<FF>!"},
		{"\xc3!", "<C3>!"},
		{"\xc0\x80!", "<C0><80>!"},
		{"\xe2\x82!", "<E2><82>!"},
		{"\xed\xa0\x80!", "<ED><A0><80>!"},
		{"\xf5\x80\x80\x80!", "<F5><80><80><80>!"},
		{"\xe0\x80\x80!", "<E0><80><80>!"},
		{"\xf4\x90\x80\x80!", "<F4><90><80><80>!"},
		{"\x80!", "<80>!"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct diags ds = fresh();

		diag_report(&ds, place("x", cases[i][0], "!"), E_IO, "m");
		CHECK_HAS(flushed(&ds), arena_printf(&arena, " | %s\n      | %*s^\n", cases[i][1],
						     (int)strlen(cases[i][1]) - 1, ""));
	}
}

static void test_no_text_can_drive_the_terminal(void)
{
	struct diags ds = fresh();
	struct diag *d = diag_report(&ds, place("a\033b.stp", "\033[31m \xc2\x9b \xe2\x80\xae x\x7f", "x"),
				     E_IO, "red \033[31m");

	diag_hint(&ds, d, "bell \a");
	CHECK_STR(flushed(&ds), "a<1B>b.stp:1:14: error: red <1B>[31m [io]\n"
				"    1 | <1B>[31m <U+009B> <U+202E> x<7F>\n"
				"      |                            ^\n"
				"  hint: bell <07>\n");
}

static void test_texts_of_several_lines_are_indented(void)
{
	struct diags ds = fresh();

	diag_report(&ds, (struct loc){0}, E_IO, "the compiler says\nfirst\n\tsecond\n\n");
	CHECK_STR(flushed(&ds), "error: the compiler says\n    first\n        second [io]\n");
}

static void test_the_end_of_a_text_has_a_place(void)
{
	struct diags ds = fresh();
	struct loc loc = place("x", "probe", "probe");

	loc.off = 5;
	loc.len = 1;
	diag_report(&ds, loc, E_IO, "m");
	CHECK_STR(flushed(&ds), "x:1:6: error: m [io]\n    1 | probe\n      |      ^\n");
	loc = place("x", "a\n", "a");
	loc.off = 2;
	diag_report(&ds, loc, E_IO, "m");
	CHECK_STR(flushed(&ds), "x:2:1: error: m [io]\n    2 | \n      | ^\n");
	loc = place("x", "", "");
	diag_report(&ds, loc, E_IO, "m");
	CHECK_STR(flushed(&ds), "x:1:1: error: m [io]\n    1 | \n      | ^\n");
}

static void test_a_span_ends_with_its_line(void)
{
	struct diags ds = fresh();

	diag_report(&ds, place("x", "a (b\n  c)\n", "(b\n  c)"), E_IO, "m");
	CHECK_STR(flushed(&ds), "x:1:3: error: m [io]\n    1 | a (b\n      |   ^~\n");
	diag_report(&ds, place("x", "a (b\r\nc)", "b\r\nc"), E_IO, "m");
	CHECK_STR(flushed(&ds), "x:1:4: error: m [io]\n    1 | a (b\n      |    ^\n");
}

static void test_long_lines_are_cut_around_the_caret(void)
{
	struct diags ds = fresh();
	char text[1001], want[600];

	for (int i = 0; i < 1000; i++)
		text[i] = (char)('0' + i / 10 % 10);
	text[1000] = '\0';
	memcpy(text + 500, "BAD", 3);
	diag_report(&ds, place("x", text, "BAD"), E_IO, "m");
	snprintf(want, sizeof want, "x:1:501: error: m [io]\n    1 | ...%.100s...\n      | %*s^~~\n",
		 text + 470, 33, "");
	CHECK_STR(flushed(&ds), want);
	memset(text + 500, '0', 3);
	memcpy(text + 10, "BAD", 3);
	diag_report(&ds, place("x", text, "BAD"), E_IO, "m");
	snprintf(want, sizeof want, "x:1:11: error: m [io]\n    1 | %.100s...\n      | %*s^~~\n", text, 10,
		 "");
	CHECK_STR(flushed(&ds), want);
	memset(text + 10, '0', 3);
	memcpy(text + 997, "BAD", 3);
	diag_report(&ds, place("x", text, "BAD"), E_IO, "m");
	snprintf(want, sizeof want, "x:1:998: error: m [io]\n    1 | ...%s\n      | %*s^~~\n", text + 967, 33,
		 "");
	CHECK_STR(flushed(&ds), want);
}

static void test_a_line_of_megabytes_is_not_looked_at_as_a_whole(void)
{
	struct diags ds = fresh();
	size_t n = 16 << 20;
	char *text = malloc(n), want[600];

	memset(text, 'x', n);
	source_add(&sources, "x", text, n);
	for (unsigned i = 0; i < 20; i++)
		diag_report(&ds, (struct loc){1, 1, (uint32_t)n - 1000 - i, 0}, E_IO, "m");
	for (int i = 0; i < 20; i++)
		for (struct diag *d = ds.first; d; d = d->next)
			diag_note(&ds, d, d->loc, "n");
	snprintf(want, sizeof want, "\nx:1:%zu: note: n\n    1 | ...%.100s...\n      | %*s^\n", n - 1018,
		 text, 33, "");
	CHECK_HAS(flushed(&ds), want);
	free(text);
}

static void test_a_long_span_is_cut_too(void)
{
	struct diags ds = fresh();
	char text[1001] = {0}, want[600], tildes[101] = {0};

	memset(text, 'x', 1000);
	memset(tildes, '~', 69);
	diag_report(&ds, (struct loc){place("x", text, "").source, 900, 50, 0}, E_IO, "m");
	snprintf(want, sizeof want, "x:1:51: error: m [io]\n    1 | ...%.100s...\n      | %*s^%s\n", text, 33,
		 "", tildes);
	CHECK_STR(flushed(&ds), want);
}

static void test_every_span_of_strange_text_can_be_drawn(void)
{
	char text[260];
	unsigned seed = 3;

	for (int round = 0; round < 20; round++) {
		struct diags ds = fresh();

		for (size_t i = 0; i < sizeof text; i++) {
			seed = seed * 1103515245 + 12345;
			text[i] = (char)(seed >> 16);
			if (round % 2 && text[i] == '\n')
				text[i] = '\t';
		}
		source_add(&sources, "x", text, sizeof text);
		ds.limit = 1000;
		for (uint32_t off = 0; off <= sizeof text; off++)
			diag_report(&ds, (struct loc){1, (uint16_t)(off % 40 * 7), off, 0}, E_IO, "m");
		CHECK_HAS(flushed(&ds), "error: m [io]\n");
	}
}

static void test_colour(void)
{
	struct diags ds = fresh();
	struct diag *d = diag_report(&ds, place("x", "ab", "ab"), E_IO, "m");

	diag_hint(&ds, d, "h");
	CHECK_STR(flushed_in(&ds, true), "\033[1mx:1:1:\033[0m \033[1;31merror:\033[0m m [io]\n"
					 "    1 | ab\n"
					 "      | \033[1;31m^~\033[0m\n"
					 "  \033[1;32mhint:\033[0m h\n");
	warn(&ds, (struct loc){0}, "w");
	CHECK_STR(flushed_in(&ds, true), "\033[1;35mwarning:\033[0m w [io]\n");
}

static void test_same_messages_are_kept_once(void)
{
	struct diags ds = fresh();
	struct loc loc = place("x", "ab", "a");

	for (int i = 0; i < 3; i++)
		diag_hint(&ds, diag_report(&ds, loc, E_IO, "m"), "h");
	CHECK_EQ(ds.errors, 1);
	CHECK_STR(flushed(&ds), "x:1:1: error: m [io]\n    1 | ab\n      | ^\n  hint: h\n");
	diag_report(&ds, loc, E_IO, "m");
	diag_report(&ds, loc, E_IO, "other text");
	diag_report(&ds, loc, E_USAGE, "m");
	loc.off = 1;
	diag_report(&ds, loc, E_IO, "m");
	CHECK_EQ(ds.errors, 5);
	flushed(&ds);
}

static void test_what_has_no_place_of_its_own_is_said_once(void)
{
	struct diags ds = fresh();
	struct loc one = place("x", "ab ab", "ab"), other = one;

	other.off = 3;
	diag_report(&ds, one, E_ARGUMENT_RANGE, "no $1");
	diag_report(&ds, other, E_ARGUMENT_RANGE, "no $1");
	CHECK_EQ(ds.errors, 2);
	CHECK_STR(flushed(&ds), "x:1:1: error: no $1 [argument-range]\n    1 | ab ab\n      | ^~\n");
	diag_report(&ds, one, E_ARGUMENT_RANGE, "no $1");
	diag_report(&ds, other, E_ARGUMENT_RANGE, "no $2");
	CHECK_HAS(flushed(&ds), "no $2");
}

static void test_what_is_said_once_leaves_the_limit_to_others(void)
{
	struct diags ds = fresh();
	struct loc loc = place("x", "abcdefghijklmnopqrstuvwxyz", "a");

	for (loc.off = 0; loc.off < 25; loc.off++)
		diag_report(&ds, loc, E_ARGUMENT_RANGE, "no $1");
	diag_report(&ds, loc, E_ARGUMENT_RANGE, "no $2");
	CHECK_EQ(ds.errors, 26);

	const char *text = flushed(&ds);

	CHECK_HAS(text, "no $2");
	CHECK(!strstr(text, "not shown"));
}

static void test_an_argument_that_is_used_twice_is_one_text(void)
{
	struct diags ds = fresh();
	struct loc l[] = {place("<argument 1>", "ab", "ab"), place("<argument 1>", "ab", "ab"), place("<argument 2>", "ab", "ab")};

	for (size_t i = 0; i < 3; i++)
		source_by_id(ds.sources, l[i].source)->is_argument = true;
	diag_report(&ds, l[0], E_NO_MATCH, "no ab");
	diag_report(&ds, l[1], E_NO_MATCH, "no ab");
	CHECK_EQ(ds.errors, 2);
	CHECK_STR(flushed(&ds), "<argument 1>:1:1: error: no ab [no-match]\n    1 | ab\n      | ^~\n");
	diag_report(&ds, l[0], E_NO_MATCH, "no ab");
	diag_report(&ds, l[2], E_NO_MATCH, "no ab");
	CHECK_HAS(flushed(&ds), "<argument 2>");
}

static void test_what_a_macro_names_and_is_not_there_is_said_once(void)
{
	struct diags ds = fresh();
	struct loc call = place("x.stp", "@m @m", "@m"), word = place("lib.stpm", "@define m %( bad %)", "bad"), again = word, other = word;

	word.expansion = source_expand(&sources, "m", call);
	call.off = 3;
	again.expansion = source_expand(&sources, "m", call);
	diag_report(&ds, word, E_NO_MATCH, "no bad");
	diag_report(&ds, again, E_NO_MATCH, "no bad");
	CHECK_EQ(ds.errors, 2);
	CHECK(!strstr(flushed(&ds), "x.stp:1:4"));
	other.len = 2;
	diag_report(&ds, word, E_NO_MATCH, "no bad");
	diag_report(&ds, other, E_NO_MATCH, "no bad");
	diag_report(&ds, again, E_NO_MATCH, "no worse");
	CHECK_EQ(ds.errors, 5);
	CHECK_HAS(flushed(&ds), "no worse");
	diag_report(&ds, word, E_SYNTAX, "bad");
	diag_report(&ds, again, E_SYNTAX, "bad");
	CHECK_HAS(flushed(&ds), "x.stp:1:4");
}

static void test_errors_over_the_limit_are_counted(void)
{
	struct diags ds = fresh();

	for (int i = 0; i < 23; i++)
		diag_report(&ds, (struct loc){0}, E_IO, "message %d;", i);
	CHECK_EQ(ds.errors, 23);

	const char *text = flushed(&ds);

	CHECK_HAS(text, "message 19;");
	CHECK(!strstr(text, "message 20;"));
	CHECK_HAS(text, "\n3 more errors not shown\n");
	CHECK_STR(flushed(&ds), "");
	warn(&ds, (struct loc){0}, "warnings have no limit");
	diag_report(&ds, (struct loc){0}, E_IO, "still none");
	CHECK_STR(flushed(&ds), "warning: warnings have no limit [io]\n1 more error not shown\n");
	CHECK_EQ(ds.errors, 24);
}

static void test_the_limit_can_be_set(void)
{
	struct diags ds = fresh();

	ds.limit = 1;
	for (int i = 0; i < 3; i++)
		diag_report(&ds, (struct loc){0}, E_IO, "%d", i);
	CHECK_STR(flushed(&ds), "error: 0 [io]\n2 more errors not shown\n");
}

static void test_warnings_can_be_dropped_or_be_errors(void)
{
	struct diags ds = fresh();

	warn(&ds, (struct loc){0}, "plain");
	CHECK_EQ(ds.warnings, 1);
	CHECK_EQ(ds.errors, 0);
	ds.warnings_are_errors = true;
	warn(&ds, (struct loc){0}, "strict");
	CHECK_EQ(ds.errors, 1);
	ds.no_warnings = true;
	warn(&ds, (struct loc){0}, "silent");
	CHECK_EQ(ds.errors, 1);
	CHECK_EQ(ds.warnings, 1);
	CHECK_STR(flushed(&ds), "warning: plain [io]\nerror: strict [io]\n");
}

static void test_what_is_not_kept_still_takes_notes(void)
{
	struct diags ds = fresh();
	struct diag *d;

	ds.limit = 1;
	diag_report(&ds, (struct loc){0}, E_IO, "kept");
	d = diag_report(&ds, (struct loc){0}, E_IO, "hidden");
	CHECK(d != NULL);
	diag_note(&ds, d, (struct loc){0}, "n");
	diag_hint(&ds, d, "h");
	CHECK_STR(flushed(&ds), "error: kept [io]\n1 more error not shown\n");
}

static void test_speculative_messages_move(void)
{
	struct diags ds = fresh(), trial = {.arena = &arena, .sources = &sources};

	diag_report(&ds, (struct loc){0}, E_IO, "one");
	diag_report(&trial, (struct loc){0}, E_IO, "one");
	diag_hint(&trial, diag_report(&trial, (struct loc){0}, E_IO, "two"), "h");
	diag_move(&ds, &trial);
	CHECK_EQ(trial.errors, 0);
	CHECK(!trial.first);
	CHECK_EQ(ds.errors, 2);
	CHECK_STR(flushed(&ds), "error: one [io]\nerror: two [io]\n  hint: h\n");
	for (int i = 0; i < 25; i++)
		diag_report(&trial, (struct loc){0}, E_IO, "m%d", i);
	diag_move(&ds, &trial);
	CHECK_EQ(ds.errors, 27);
	CHECK_HAS(flushed(&ds), "error: m17 [io]\n7 more errors not shown\n");
	diag_move(&ds, &trial);
	CHECK_EQ(ds.errors, 27);
}

static bool is_id(const char *name)
{
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) && *name;
}

static void test_every_id_has_a_name(void)
{
	for (int id = 0; id < DIAG_COUNT; id++)
		if (!CHECK(is_id(diag_name(id))) || !CHECK(diag_by_name(diag_name(id), NULL) == id))
			printf("#   id %s\n", diag_name(id));
}

static void test_unknown_ids_have_near_ones(void)
{
	struct nearest near;

	CHECK_EQ(diag_by_name("usage", NULL), E_USAGE);
	CHECK_EQ(diag_by_name("usgae", &near), -1);
	CHECK_STR(near.best[0].s, "usage");
	CHECK_EQ(diag_by_name("qqqqqqqqqqqqqqqqqqqq", &near), -1);
	CHECK_EQ(near.n, 0);
}

static void test_flush_of_nothing_prints_nothing(void)
{
	struct diags ds = fresh();

	CHECK_STR(flushed(&ds), "");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_the_example_of_the_header);
	UNIT_RUN(test_a_message_without_a_place);
	UNIT_RUN(test_notes_have_places_of_their_own);
	UNIT_RUN(test_no_note_points_to_what_nobody_wrote);
	UNIT_RUN(test_macro_expansions_are_told_innermost_first);
	UNIT_RUN(test_a_long_chain_of_expansions_is_cut);
	UNIT_RUN(test_a_bad_expansion_is_not_followed);
	UNIT_RUN(test_tabs_become_columns);
	UNIT_RUN(test_utf8_takes_its_columns);
	UNIT_RUN(test_invalid_utf8_is_spelled_out);
	UNIT_RUN(test_no_text_can_drive_the_terminal);
	UNIT_RUN(test_texts_of_several_lines_are_indented);
	UNIT_RUN(test_the_end_of_a_text_has_a_place);
	UNIT_RUN(test_a_span_ends_with_its_line);
	UNIT_RUN(test_long_lines_are_cut_around_the_caret);
	UNIT_RUN(test_a_line_of_megabytes_is_not_looked_at_as_a_whole);
	UNIT_RUN(test_a_long_span_is_cut_too);
	UNIT_RUN(test_every_span_of_strange_text_can_be_drawn);
	UNIT_RUN(test_colour);
	UNIT_RUN(test_same_messages_are_kept_once);
	UNIT_RUN(test_what_has_no_place_of_its_own_is_said_once);
	UNIT_RUN(test_what_is_said_once_leaves_the_limit_to_others);
	UNIT_RUN(test_an_argument_that_is_used_twice_is_one_text);
	UNIT_RUN(test_what_a_macro_names_and_is_not_there_is_said_once);
	UNIT_RUN(test_errors_over_the_limit_are_counted);
	UNIT_RUN(test_the_limit_can_be_set);
	UNIT_RUN(test_warnings_can_be_dropped_or_be_errors);
	UNIT_RUN(test_what_is_not_kept_still_takes_notes);
	UNIT_RUN(test_speculative_messages_move);
	UNIT_RUN(test_every_id_has_a_name);
	UNIT_RUN(test_unknown_ids_have_near_ones);
	UNIT_RUN(test_flush_of_nothing_prints_nothing);
	arena_free(&arena);
	return unit_done();
}
