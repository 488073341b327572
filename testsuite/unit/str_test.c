// SPDX-License-Identifier: GPL-2.0-or-later
/* String builder, nearness of names, globs, hashes. */
#include <stdint.h>

#include "base/str.h"
#include "testsuite/unit/unit.h"

static void test_builder_grows(void)
{
	struct sb b = {0};

	for (int i = 0; i < 5000; i++)
		sb_putc(&b, (char)('a' + i % 26));
	CHECK_EQ(b.n, 5000);
	CHECK_EQ(strlen(b.s), 5000);
	sb_puts(&b, "");
	sb_putn(&b, NULL, 0);
	CHECK_EQ(b.n, 5000);
	sb_printf(&b, "[%5d]", 7);
	CHECK_STR(b.s + 5000, "[    7]");
	sb_free(&b);
	CHECK(!b.s);
}

static void test_builder_ends_with_nul_at_every_size(void)
{
	for (size_t n = 0; n < 300; n++) {
		struct sb b = {0};
		char text[300] = {0};

		memset(text, 'x', n);
		sb_putn(&b, text, n);
		CHECK_STR(b.s, text);
		sb_printf(&b, "%s", text);
		CHECK_EQ(b.n, 2 * n);
		CHECK_EQ(strlen(b.s), 2 * n);
		sb_free(&b);
	}
}

static void test_builder_keeps_nul_bytes(void)
{
	struct sb b = {0};

	sb_putn(&b, "a\0b", 3);
	sb_putc(&b, '\0');
	sb_puts(&b, "c");
	CHECK_MEM(b.s, b.n, "a\0b\0c", 5);
	sb_free(&b);
}

static void test_builder_reset_keeps_the_memory(void)
{
	struct sb b = {0};

	sb_reset(&b);
	CHECK(!b.s);
	sb_puts(&b, "text");
	char *s = b.s;
	sb_reset(&b);
	CHECK_EQ(b.n, 0);
	CHECK_STR(b.s, "");
	sb_puts(&b, "new");
	CHECK(b.s == s);
	CHECK_STR(b.s, "new");
	sb_free(&b);
	sb_free(&b);
}

static void builder_overflow(void)
{
	struct sb b = {0};

	sb_puts(&b, "x");
	sb_putn(&b, "x", SIZE_MAX - 1);
}

static void test_builder_overflow_ends_the_process(void)
{
	CHECK_EXITS(builder_overflow, 1, "out of memory");
}

static const char *quoted(struct sb *b, const char *s, size_t n)
{
	sb_reset(b);
	sb_put_c_string(b, s, n);
	return b->s;
}

static void test_c_string_escapes(void)
{
	struct sb b = {0};

	CHECK_STR(quoted(&b, "", 0), "\"\"");
	CHECK_STR(quoted(&b, "plain 'text' %d", 15), "\"plain 'text' %d\"");
	CHECK_STR(quoted(&b, "a\"b\\c", 5), "\"a\\\"b\\\\c\"");
	CHECK_STR(quoted(&b, "\n\t\r\a\x7f", 5), "\"\\n\\t\\015\\007\\177\"");
	CHECK_STR(quoted(&b, "\00012", 3), "\"\\00012\"");
	CHECK_STR(quoted(&b, "\3777", 2), "\"\\3777\"");
	CHECK_STR(quoted(&b, "?\?/", 3), "\"\\?\\?/\"");
	CHECK_STR(quoted(&b, "\xc3\xa4", 2), "\"\\303\\244\"");
	sb_free(&b);
}

/* The bytes that a C compiler makes of a literal, for the escapes that occur. */
static size_t c_value(const char *lit, char *out)
{
	size_t n = 0;

	for (lit++; *lit != '"'; n++) {
		if (*lit != '\\') {
			out[n] = *lit++;
		} else if (lit[1] >= '0' && lit[1] <= '7') {
			out[n] = (char)((lit[1] - '0') << 6 | (lit[2] - '0') << 3 | (lit[3] - '0'));
			lit += 4;
		} else {
			out[n] = lit[1] == 'n' ? '\n' : lit[1] == 't' ? '\t' : lit[1];
			lit += 2;
		}
	}
	return n;
}

static void test_c_string_of_every_pair_of_bytes_reads_back(void)
{
	struct sb b = {0};

	for (int i = 0; i < 65536; i++) {
		char raw[2] = {(char)(i >> 8), (char)i}, back[16];
		size_t n = c_value(quoted(&b, raw, 2), back);

		if (n != 2 || memcmp(raw, back, 2)) {
			CHECK_MEM(back, n, raw, 2);
			break;
		}
	}
	sb_free(&b);
}

static void test_distance(void)
{
	static const struct {
		const char *a, *b;
		unsigned distance;
	} cases[] = {
		{"", "", 0},
		{"a", "", 1},
		{"", "abc", 3},
		{"same", "same", 0},
		{"read", "raed", 1},
		{"kitten", "sitting", 3},
		{"vfs_raed", "vfs_read", 1},
		{"ab", "ba", 1},
		{"abc", "cab", 2},
		{"flaw", "lawn", 2},
		{"ca", "abc", 3},
		{"execname", "exename", 1},
		{"pid", "ppid", 1},
		{"abcd", "badc", 2},
		{"x", "y", 1},
		{"distance", "instance", 2},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CHECK_EQ(str_distance(cases[i].a, cases[i].b, 100), cases[i].distance);
		CHECK_EQ(str_distance(cases[i].b, cases[i].a, 100), cases[i].distance);
	}
}

static void test_distance_stops_at_the_limit(void)
{
	CHECK_EQ(str_distance("kitten", "sitting", 3), 3);
	CHECK_EQ(str_distance("kitten", "sitting", 2), 3);
	CHECK_EQ(str_distance("kitten", "sitting", 0), 1);
	CHECK_EQ(str_distance("aaaaaaaaaa", "b", 2), 3);
	CHECK_EQ(str_distance("aaaaaaaaaa", "bbbbbbbbbb", 4), 5);
	CHECK_EQ(str_distance("equal", "equal", 0), 0);
}

/* The definition, without any short cut. */
static unsigned plain_distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned best, d;

	if (!na || !nb)
		return (unsigned)(na + nb);
	best = plain_distance(a, na - 1, b, nb - 1) + (a[na - 1] != b[nb - 1]);
	d = plain_distance(a, na - 1, b, nb) + 1;
	best = d < best ? d : best;
	d = plain_distance(a, na, b, nb - 1) + 1;
	best = d < best ? d : best;
	if (na > 1 && nb > 1 && a[na - 1] == b[nb - 2] && a[na - 2] == b[nb - 1]) {
		d = plain_distance(a, na - 2, b, nb - 2) + 1;
		best = d < best ? d : best;
	}
	return best;
}

static void test_distance_equals_its_definition(void)
{
	unsigned seed = 1;

	for (int i = 0; i < 3000; i++) {
		char s[2][7] = {{0}};

		for (int k = 0; k < 2; k++) {
			seed = seed * 1103515245 + 12345;
			for (unsigned j = 0, n = (seed >> 16) % 7; j < n; j++) {
				seed = seed * 1103515245 + 12345;
				s[k][j] = (char)('a' + (seed >> 16) % 3);
			}
		}

		unsigned want = plain_distance(s[0], strlen(s[0]), s[1], strlen(s[1]));

		for (unsigned limit = 0; limit < 8; limit++)
			CHECK_EQ(str_distance(s[0], s[1], limit), want <= limit ? want : limit + 1);
	}
}

static void test_distance_of_long_names(void)
{
	char a[400], b[400];

	memset(a, 'x', sizeof a);
	memset(b, 'x', sizeof b);
	a[255] = b[255] = '\0';
	b[100] = 'y';
	CHECK_EQ(str_distance(a, b, 9), 1);
	CHECK_EQ(str_distance(a, b, 1000), 1);
	a[255] = b[255] = 'x';
	a[300] = b[300] = '\0';
	CHECK_EQ(str_distance(a, b, 9), 10);
	b[100] = 'x';
	CHECK_EQ(str_distance(a, b, 9), 0);
}

static const char *near(struct arena *a, const char *name, const char *const *candidates)
{
	struct nearest n;

	nearest_init(&n, name);
	for (; *candidates; candidates++)
		nearest_add(&n, *candidates);
	return nearest_text(&n, a);
}

#define NEAR(name, ...) near(&a, name, (const char *const[]){__VA_ARGS__, NULL})

static void test_nearest_texts(void)
{
	struct arena a = {0};

	CHECK_STR(NEAR("vfs_raed", "vfs_write", "vfs_read", "pid"), "\"vfs_read\"");
	CHECK_STR(NEAR("vfs_raed", "vfs_readv", "vfs_read"), "\"vfs_read\" or \"vfs_readv\"");
	CHECK_STR(NEAR("abcd", "abce", "abcf", "abcg"), "\"abce\", \"abcf\" or \"abcg\"");
	CHECK_STR(NEAR("zzzzzz", "vfs_write", "pid"), NULL);
	CHECK_STR(NEAR("x", "y", "z"), NULL);
	CHECK_STR(NEAR("", "y"), NULL);
	CHECK_STR(NEAR("pd", "pid", "tid"), "\"pid\"");
	arena_free(&a);
}

static void test_nearest_leaves_out_what_is_much_further(void)
{
	struct arena a = {0};

	CHECK_STR(NEAR("kernel_stringn", "kernel_strong_x_", "kernel_string_n"), "\"kernel_string_n\"");
	arena_free(&a);
}

static void test_nearest_drops_duplicates(void)
{
	struct arena a = {0};
	char copy[] = "pidd";

	CHECK_STR(NEAR("piid", "pidd", copy, "pidd"), "\"pidd\"");
	arena_free(&a);
}

static void test_nearest_keeps_the_best_five_of_many(void)
{
	struct arena a = {0};

	CHECK_STR(NEAR("name00", "name11", "name22", "name33", "name44", "name55", "name66", "name01",
		       "name00"),
		  "\"name00\" or \"name01\"");
	CHECK_STR(NEAR("name0", "name1", "name2", "name3", "name4", "name5", "name6"),
		  "\"name1\", \"name2\", \"name3\", \"name4\" or \"name5\"");
	arena_free(&a);
}

static void test_nearest_grows_with_the_length(void)
{
	struct arena a = {0};

	CHECK_STR(NEAR("a_rather_long_name", "a_rather_xxxx_name"), "\"a_rather_xxxx_name\"");
	CHECK_STR(NEAR("a_rather_long_name", "a_ratxxxxxxxx_name"), NULL);
	arena_free(&a);
}

static void test_globs(void)
{
	static const struct {
		const char *pattern, *s;
		bool match;
	} cases[] = {
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "anything", true},
		{"?", "", false},
		{"?", "a", true},
		{"??", "a", false},
		{"vfs_*", "vfs_read", true},
		{"vfs_*", "vfs_", true},
		{"vfs_*", "xvfs_", false},
		{"*read", "vfs_read", true},
		{"*read", "readv", false},
		{"*a*b*c", "xxaxxbxxc", true},
		{"*a*b*c", "xxaxxcxxb", false},
		{"a**b", "ab", true},
		{"a*?b", "ab", false},
		{"a*?b", "axb", true},
		{"*ab", "aab", true},
		{"*aab", "aaab", true},
		{"/usr/*", "/usr/bin/x", true},
		{"*", ".hidden", true},
		{"[abc]", "b", true},
		{"[abc]", "d", false},
		{"[abc]", "", false},
		{"[a-c]x", "bx", true},
		{"[a-c]x", "dx", false},
		{"[!a-c]", "d", true},
		{"[^a-c]", "d", true},
		{"[!a-c]", "b", false},
		{"[]]", "]", true},
		{"[!]]", "]", false},
		{"[!]]", "x", true},
		{"[a-]", "-", true},
		{"[-a]", "-", true},
		{"[a-]", "b", false},
		{"[", "[", true},
		{"[abc", "[abc", true},
		{"[abc", "a", false},
		{"x[", "x[", true},
		{"[]", "[]", true},
		{"*[0-9]", "cpu7", true},
		{"*[0-9]", "cpu", false},
		{"[\x80-\xff]", "\xe4", true},
		{"[!a]", "\xe4", true},
		{"a\\*", "a\\b", true},
		{"literal", "literal", true},
		{"lit", "literal", false},
		{"literal", "lit", false},
		{"[z-a]", "m", false},
		{"[a-c-e]", "-", true},
		{"[a-c-e]", "d", false},
		{"*]", "x]", true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (!CHECK(str_glob(cases[i].pattern, cases[i].s) == cases[i].match))
			printf("#   pattern %s, string %s\n", cases[i].pattern, cases[i].s);
}

static void test_globs_with_many_stars_are_fast(void)
{
	char s[20001];

	memset(s, 'a', sizeof s - 1);
	s[sizeof s - 1] = '\0';
	CHECK(!str_glob("*a*a*a*a*a*a*a*a*a*b", s));
	CHECK(str_glob("*a*a*a*a*a*a*a*a*a*", s));
}

static void test_has_glob(void)
{
	CHECK(str_has_glob("a*"));
	CHECK(str_has_glob("?"));
	CHECK(str_has_glob("x[y]"));
	CHECK(!str_has_glob("plain.name(1)]"));
	CHECK(!str_has_glob(""));
}

static void test_one_alone_has_no_plural(void)
{
	CHECK_STR(str_plural(0), "s");
	CHECK_STR(str_plural(1), "");
	CHECK_STR(str_plural(2), "s");
	CHECK_STR(str_plural((size_t)1 << 32 | 1), "s");
}

static const char *hex(struct hash128 h)
{
	static char text[33];

	hash128_hex(h, text);
	return text;
}

/* The published values of FNV-1a with 128 bits. */
static void test_hash_is_fnv1a(void)
{
	struct hash128 h = hash128_init();

	CHECK_STR(hex(h), "6c62272e07bb014262b821756295c58d");
	CHECK_STR(hex(hash128_add(h, "a", 1)), "d228cb696f1a8caf78912b704e4a8964");
	CHECK_STR(hex(hash128_add(h, "foobar", 6)), "343e1662793c64bf6f0d3597ba446f18");
	CHECK_STR(hex(hash128_add(hash128_add(h, "foo", 3), "bar", 3)), "343e1662793c64bf6f0d3597ba446f18");
	CHECK_STR(hex(hash128_add(h, NULL, 0)), hex(h));
}

static void test_bulk_hash_sees_each_bit_and_the_length(void)
{
	struct hash128 h = hash128_init(), seen[1 + 8 * 70 + 70];
	char text[70] = {0};
	size_t n = 0;

	seen[n++] = hash128_add_bulk(h, text, sizeof text);
	for (size_t bit = 0; bit < 8 * sizeof text; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		seen[n++] = hash128_add_bulk(h, text, sizeof text);
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
	for (size_t size = 0; size < sizeof text; size++)
		seen[n++] = hash128_add_bulk(h, text, size);
	CHECK_EQ(n, sizeof seen / sizeof seen[0]);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (seen[i].lo == seen[k].lo || seen[i].hi == seen[k].hi)
				CHECK_EQ(i, k);
	h = hash128_add_bulk(hash128_add_bulk(h, text, 32), text, 32);
	CHECK(h.lo != hash128_add_bulk(hash128_init(), text, 64).lo);
}

/* With these words a product is 0: it must not hide what was before. */
static void test_bulk_hash_keeps_what_was_before_zero(void)
{
	const uint64_t zero[] = {0xa0761d6478bd642f, 0, 0xe7037ed1a0b428db, 0};
	struct hash128 h = hash128_init(), other = {.lo = h.lo + 1, .hi = h.hi + 1};

	h = hash128_add_bulk(h, zero, sizeof zero);
	other = hash128_add_bulk(other, zero, sizeof zero);
	CHECK(h.lo != other.lo);
	CHECK(h.hi != other.hi);
}

static void test_hash_of_strings_counts_their_ends(void)
{
	struct hash128 h = hash128_init();
	struct hash128 ab_c = hash128_add_str(hash128_add_str(h, "ab"), "c");
	struct hash128 a_bc = hash128_add_str(hash128_add_str(h, "a"), "bc");
	struct hash128 abc_ = hash128_add_str(hash128_add_str(h, "abc"), "");

	CHECK(ab_c.lo != a_bc.lo || ab_c.hi != a_bc.hi);
	CHECK(ab_c.lo != abc_.lo || ab_c.hi != abc_.hi);
	CHECK(hash128_add_str(h, "").lo != h.lo);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_builder_grows);
	UNIT_RUN(test_builder_ends_with_nul_at_every_size);
	UNIT_RUN(test_builder_keeps_nul_bytes);
	UNIT_RUN(test_builder_reset_keeps_the_memory);
	UNIT_RUN(test_builder_overflow_ends_the_process);
	UNIT_RUN(test_c_string_escapes);
	UNIT_RUN(test_c_string_of_every_pair_of_bytes_reads_back);
	UNIT_RUN(test_distance);
	UNIT_RUN(test_distance_stops_at_the_limit);
	UNIT_RUN(test_distance_equals_its_definition);
	UNIT_RUN(test_distance_of_long_names);
	UNIT_RUN(test_nearest_texts);
	UNIT_RUN(test_nearest_leaves_out_what_is_much_further);
	UNIT_RUN(test_nearest_drops_duplicates);
	UNIT_RUN(test_nearest_keeps_the_best_five_of_many);
	UNIT_RUN(test_nearest_grows_with_the_length);
	UNIT_RUN(test_globs);
	UNIT_RUN(test_globs_with_many_stars_are_fast);
	UNIT_RUN(test_has_glob);
	UNIT_RUN(test_one_alone_has_no_plural);
	UNIT_RUN(test_hash_is_fnv1a);
	UNIT_RUN(test_bulk_hash_sees_each_bit_and_the_length);
	UNIT_RUN(test_bulk_hash_keeps_what_was_before_zero);
	UNIT_RUN(test_hash_of_strings_counts_their_ends);
	return unit_done();
}
