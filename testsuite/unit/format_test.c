// SPDX-License-Identifier: GPL-2.0-or-later
/* Parsing formats. */
#include "base/str.h"
#include "parser/format.h"
#include "testsuite/unit/unit.h"

/* "text" for literals, [conversion flags width precision first-argument] for the rest; then the types. */
static void show(const struct format *f, struct sb *out)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct format_piece *p = &f->v[i];

		if (!p->conversion) {
			sb_put_c_string(out, p->text, p->len);
			continue;
		}
		sb_printf(out, "[%c f%u ", p->conversion, p->flags);
		if (p->width_arg)
			sb_puts(out, "w* ");
		else if (p->width >= 0)
			sb_printf(out, "w%d ", p->width);
		if (p->precision_arg)
			sb_puts(out, "p* ");
		else if (p->precision >= 0)
			sb_printf(out, "p%d ", p->precision);
		sb_printf(out, "a%u]", p->arg);
	}
	sb_puts(out, " ");
	for (unsigned i = 0; i < f->nargs; i++)
		sb_putc(out, f->types[i] == T_STRING ? 's' : 'l');
}

static void check(const char *text, const char *want)
{
	struct arena a = {0};
	struct format f;
	struct format_error e;
	struct sb b = {0};

	CHECK_EQ(format_parse(&a, text, strlen(text), &f, &e), 0);
	show(&f, &b);
	CHECK_STR(b.s, want);
	sb_free(&b);
	arena_free(&a);
}

static void check_error(const char *text, size_t off, size_t size, char conversion)
{
	struct arena a = {0};
	struct format f;
	struct format_error e = {0};

	CHECK_EQ(format_parse(&a, text, strlen(text), &f, &e), -1);
	CHECK_EQ(e.off, off);
	CHECK_EQ(e.size, size);
	CHECK_EQ(e.conversion, conversion);
	arena_free(&a);
}

static void test_pieces(void)
{
	check("", " ");
	check("plain", "\"plain\" ");
	check("%d", "[d f0 a0] l");
	check("a%sb%dc", "\"a\"[s f0 a0]\"b\"[d f0 a1]\"c\" sl");
	check("%i%u%o%x%X%p%c%b%m%M", "[i f0 a0][u f0 a1][o f0 a2][x f0 a3][X f0 a4][p f0 a5][c f0 a6][b f0 "
				      "a7][m f0 a8][M f0 a9] llllllllll");
}

static void test_percent_signs(void)
{
	check("100%%", "\"100%\" ");
	check("%%d%%", "\"%d%\" ");
	check("%", "\"%\" ");
	check("a%%%d%%b%", "\"a%\"[d f0 a0]\"%b%\" l");
}

static void test_flags_widths_and_precisions(void)
{
	check("%05d", "[d f1 w5 a0] l");
	check("%-+ #0d", "[d f31 a0] l");
	check("%5.3d", "[d f0 w5 p3 a0] l");
	check("%.s", "[s f0 p0 a0] s");
	check("%*d", "[d f0 w* a0] ll");
	check("%.*s", "[s f0 p* a0] ls");
	check("%-*.*s%d", "[s f4 w* p* a0][d f0 a3] llsl");
	check("%99999999999d", "[d f0 w8192 a0] l");
	check("%ld%lld%lx", "[d f0 a0][d f0 a1][x f0 a2] lll");
}

static void test_errors_say_where(void)
{
	check_error("ab%f", 2, 2, 'f');
	check_error("%-5", 0, 3, 0);
	check_error("%d %.3q", 3, 4, 'q');
	check_error("% %", 0, 3, '%');
}

static void test_any_byte_is_literal(void)
{
	struct arena a = {0};
	struct format f;
	struct format_error e;

	CHECK_EQ(format_parse(&a, "a\0b%d", 5, &f, &e), 0);
	CHECK_EQ(f.n, 2);
	CHECK_MEM(f.v[0].text, f.v[0].len, "a\0b", 3);
	CHECK_EQ(format_parse(&a, "%\0d", 3, &f, &e), -1);
	CHECK_EQ(format_parse(&a, "%q", 2, &f, NULL), -1);
	arena_free(&a);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_pieces);
	UNIT_RUN(test_percent_signs);
	UNIT_RUN(test_flags_widths_and_precisions);
	UNIT_RUN(test_errors_say_where);
	UNIT_RUN(test_any_byte_is_literal);
	return unit_done();
}
