/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * POSIX wants each part of an expression, from the left, to match as much as it can.  Two paths through the expression that have
 * parted are compared by the lowest level of brackets that each has been on since then: the one that stays inside a bracket longer
 * matches more there.  The latest difference counts, because it belongs to the outermost bracket.  If there is none, the first
 * difference of the paths decides: the earlier alternative, and something rather than nothing.  (The idea is Okui and Suzuki's; see
 * also Borsotti and Trofimovich, "Efficient POSIX submatch extraction".)
 */
#include "translator/regex/tree.h"

/* Lowest level on the path from its event `from' on, which is reached at a height. */
static unsigned lowest(unsigned height, const struct regex_path *p, unsigned from)
{
	unsigned low = height;

	for (unsigned i = from; i < p->n; i++) {
		enum regex_event_kind kind = RX_EVENT_KIND(p->v[i]);
		height += kind == RX_PUSH || kind == RX_OPEN;
		height -= kind == RX_POP || kind == RX_CLOSE;
		low = height < low ? height : low;
	}
	return low;
}

static int8_t higher(unsigned a, unsigned b, int8_t otherwise)
{
	return a > b ? -1 : a < b ? 1 : otherwise;
}

struct regex_order regex_order_fork(unsigned height, const struct regex_path *a, const struct regex_path *b)
{
	unsigned i = 0, low_a, low_b;
	int8_t prefer = 0;

	for (; i < a->n && i < b->n && a->v[i] == b->v[i]; i++) {
		enum regex_event_kind kind = RX_EVENT_KIND(a->v[i]);
		height += kind == RX_PUSH || kind == RX_OPEN;
		height -= kind == RX_POP || kind == RX_CLOSE;
	}
	low_a = lowest(height, a, i);
	low_b = lowest(height, b, i);
	if (i < a->n && i < b->n)
		prefer = a->v[i] < b->v[i] ? -1 : 1;
	return (struct regex_order){(uint8_t)low_a, (uint8_t)low_b, higher(low_a, low_b, prefer)};
}

struct regex_order regex_order_go_on(struct regex_order o, unsigned height_a, const struct regex_path *a,
				     unsigned height_b, const struct regex_path *b)
{
	unsigned low_a = lowest(height_a, a, 0), low_b = lowest(height_b, b, 0);

	o.a = low_a < o.a ? (uint8_t)low_a : o.a;
	o.b = low_b < o.b ? (uint8_t)low_b : o.b;
	o.prefer = higher(o.a, o.b, o.prefer);
	return o;
}
