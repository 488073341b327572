/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long an x86-64 instruction is: prefixes, opcode, ModRM with SIB and displacement, immediate.  A breakpoint must be at the first byte of an
 * instruction, and only reading on from a place that is known says where those are.  What programs cannot run, or what processors of different
 * makers read differently, is unknown.
 */
#include <stdint.h>

#include "translator/debuginfo/arch/x86_64_length.h"

/*
 * What follows an opcode.  m: ModRM.  b: a byte.  w: two bytes.  z: four, or two with an operand-size prefix.  v: the same, or eight with REX.W.
 * q: an address.  d: a distance of four bytes.  e: the three of "enter".  B, Z: ModRM and b, z.  F, G: B or Z if ModRM says "test", else m.
 * -: nothing.  p: it is a prefix, or begins a longer opcode.  A dot: unknown.
 */
static const char one_byte[] =
	"mmmmbz..mmmmbz.p" /* 00 */
	"mmmmbz..mmmmbz.." /* 10 */
	"mmmmbzp.mmmmbzp." /* 20 */
	"mmmmbzp.mmmmbzp." /* 30 */
	"pppppppppppppppp" /* 40: REX */
	"----------------" /* 50 */
	"..pmppppzZbB----" /* 60 */
	"bbbbbbbbbbbbbbbb" /* 70 */
	"BZ.Bmmmmmmmmmmmm" /* 80 */
	"----------.-----" /* 90 */
	"qqqq----bz------" /* a0 */
	"bbbbbbbbvvvvvvvv" /* b0 */
	"BBw-ppBZe-w--b.-" /* c0 */
	"mmmm...-mmmmmmmm" /* d0 */
	"bbbbbbbbdd.b----" /* e0 */
	"p-pp--FG------mm" /* f0 */;

/* After 0f. */
static const char two_byte[] =
	"mmmm.-----.-.m-B" /* 00 */
	"mmmmmmmmmmmmmmmm" /* 10 */
	"........mmmmmmmm" /* 20 */
	"------.-p.p....." /* 30 */
	"mmmmmmmmmmmmmmmm" /* 40 */
	"mmmmmmmmmmmmmmmm" /* 50 */
	"mmmmmmmmmmmmmmmm" /* 60 */
	"BBBBmmm-.m..mmmm" /* 70 */
	"dddddddddddddddd" /* 80 */
	"mmmmmmmmmmmmmmmm" /* 90 */
	"---mBm..---mBmmm" /* a0 */
	"mmmmmmmmmmBmmmmm" /* b0 */
	"mmBmBBBm--------" /* c0 */
	"mmmmmmmmmmmmmmmm" /* d0 */
	"mmmmmmmmmmmmmmmm" /* e0 */
	"mmmmmmmmmmmmmmm." /* f0 */;

enum { LONGEST = 15, MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3, MAPS_OF_HALVES = 5 };

struct code {
	const unsigned char *p;
	unsigned n, at; /* at > n: it ends in the middle */
	bool operand16, address32, wide; /* prefixes; wide: REX.W */
};

static unsigned next(struct code *c)
{
	return c->at++ < c->n ? c->p[c->at - 1] : 0;
}

/* ModRM and what belongs to it; the field that says which operation it is. */
static unsigned skip_modrm(struct code *c)
{
	unsigned modrm = next(c), mod = modrm >> 6, base = modrm & 7;

	if (mod == 3)
		return modrm >> 3 & 7;
	if (base == 4)
		base = next(c) & 7;
	c->at += mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
	return modrm >> 3 & 7;
}

/* False: it is unknown. */
static bool skip_rest(struct code *c, char what)
{
	unsigned z = c->operand16 && !c->wide ? 2 : 4, operation = 0;

	if (what == 'm' || what == 'B' || what == 'Z' || what == 'F' || what == 'G')
		operation = skip_modrm(c);
	switch (what) {
	case '-':
	case 'm':
		return true;
	case 'b':
	case 'B':
		c->at += 1;
		return true;
	case 'w':
		c->at += 2;
		return true;
	case 'z':
	case 'Z':
		c->at += z;
		return true;
	case 'v':
		c->at += c->wide ? 8 : z;
		return true;
	case 'q':
		c->at += c->address32 ? 4 : 8;
		return true;
	case 'd':
		c->at += 4;
		return !c->operand16 || c->wide; /* Intel's processors take four bytes, AMD's two */
	case 'e':
		c->at += 3;
		return true;
	case 'F':
		c->at += operation < 2;
		return true;
	case 'G':
		c->at += operation < 2 ? z : 0;
		return true;
	}
	return false;
}

/* An opcode of a map after a VEX or EVEX prefix. */
static bool skip_vector(struct code *c, unsigned map, bool evex)
{
	unsigned opcode = next(c);
	char what = two_byte[opcode];

	if (map == MAP_0F3A)
		return skip_rest(c, 'B');
	if (map == MAP_0F38 || (evex && (map == MAPS_OF_HALVES || map == MAPS_OF_HALVES + 1)))
		return skip_rest(c, 'm');
	if (map != MAP_0F)
		return false;
	if (opcode == 0x78 || (evex && opcode >= 0x79 && opcode <= 0x7b))
		return evex && skip_rest(c, 'm');
	return (what == 'm' || what == 'B' || (opcode == 0x77 && !evex)) && skip_rest(c, what);
}

static bool skip_vex(struct code *c, unsigned first)
{
	unsigned map = MAP_0F;

	if (first == 0xc4)
		map = next(c) & 0x1f;
	next(c);
	return skip_vector(c, map, false);
}

static bool skip_evex(struct code *c)
{
	unsigned p0 = next(c), p1 = next(c);

	next(c);
	return !(p0 & 8) && (p1 & 4) && skip_vector(c, p0 & 7, true);
}

static bool skip_two_byte(struct code *c)
{
	unsigned opcode = next(c);

	if (opcode != 0x38 && opcode != 0x3a)
		return skip_rest(c, two_byte[opcode]);
	next(c);
	return skip_rest(c, opcode == 0x38 ? 'm' : 'B');
}

/* The first byte that is no prefix. */
static unsigned skip_prefixes(struct code *c, bool *rex)
{
	unsigned b = next(c);

	for (*rex = false; c->at <= c->n; b = next(c)) {
		if (*rex || one_byte[b] != 'p' || b == 0x0f || b == 0xc4 || b == 0xc5 || b == 0x62)
			return b;
		*rex = (b & 0xf0) == 0x40;
		c->wide = *rex && (b & 8);
		c->operand16 |= b == 0x66;
		c->address32 |= b == 0x67;
	}
	return b;
}

unsigned x86_64_length(const unsigned char *code, size_t n)
{
	struct code c = {.p = code, .n = n < LONGEST ? (unsigned)n : LONGEST};
	bool rex, known;
	unsigned b = skip_prefixes(&c, &rex);

	if (b == 0x0f)
		known = skip_two_byte(&c);
	else if (b == 0xc4 || b == 0xc5)
		known = !rex && skip_vex(&c, b);
	else if (b == 0x62)
		known = !rex && skip_evex(&c);
	else if (b == 0x8f)
		known = c.at < c.n && !(c.p[c.at] & 0x38) && skip_rest(&c, 'm'); /* others are AMD's XOP */
	else
		known = skip_rest(&c, one_byte[b]);
	return known && c.at <= c.n ? c.at : 0;
}
