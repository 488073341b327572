/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects whose types have names of their own: @cast(ADDRESS, "NAME"). */

typedef long count_t;
typedef const char *text_t;
typedef short row_t[3];
typedef unsigned char flag_t;

struct typed {
	count_t counts[2];
	text_t texts[2];
	row_t rows[2];
	flag_t flags[2];
};

__attribute__((noinline)) long typed_look(const struct typed *t, const count_t *counts, const text_t *texts, row_t *row, const flag_t *flags)
{
	return t->counts[0] + *counts + **texts + (*row)[0] + *flags;
}

int main(void)
{
	static struct typed t = {{11, 22}, {"one", "two"}, {{1, 2, 3}, {4, 5, -6}}, {200, 1}};

	return !typed_look(&t, t.counts, t.texts, t.rows, t.flags);
}
