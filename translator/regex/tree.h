/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the steps of the compiler (regex.c) pass on: the expression's tree, its positions, the automaton before it is minimised. */
#ifndef TRANSLATOR_REGEX_TREE_H
#define TRANSLATOR_REGEX_TREE_H

#include "base/vec.h"
#include "translator/regex/regex.h"

enum {
	REGEX_MAX_REPEAT = 12344,
	REGEX_MAX_DEPTH = 100,
	REGEX_MAX_GROUPS = 1000,
	REGEX_MAX_POSITIONS = 4096, /* without captures */
	REGEX_MAX_TAGGED = 1024,    /* with */
	REGEX_MAX_STATES = 8192,    /* before minimising */
};

/* ---- parse.c: text -> tree ---- */

enum regex_kind { RX_EMPTY, RX_SET, RX_BEGIN, RX_END, RX_CAT, RX_ALT, RX_REPEAT, RX_GROUP };

struct regex_set {
	uint64_t bits[4];
};

struct regex_node {
	enum regex_kind kind;
	struct regex_set set; /* RX_SET */
	unsigned min, max;    /* RX_REPEAT; max REGEX_FOREVER: no limit */
	unsigned group;       /* RX_GROUP: 1 ..; 0: not needed */
	VEC(struct regex_node *) k;
	size_t off, len; /* in the text */
};
enum { REGEX_FOREVER = ~0u };

struct regex_tree {
	struct regex_node *root;
	unsigned ngroups; /* with group 0 */
	uint16_t *last;   /* of each group: the last group inside it */
};

int regex_parse(struct arena *a, const char *text, size_t len, struct regex_tree *tree,
		struct regex_problem *problem);

static inline bool regex_set_has(const struct regex_set *s, unsigned byte)
{
	return s->bits[byte / 64] >> byte % 64 & 1;
}

/* ---- positions.c: tree -> positions ---- */

/* What a path between two bytes of the text passes.  The order is that of preference where nothing else decides (order.c). */
enum regex_event_kind { RX_POP, RX_CLOSE, RX_PUSH, RX_OPEN, RX_CHOICE, RX_SKIP };
#define RX_EVENT(kind, number) ((uint16_t)((kind) << 12 | (number)))
#define RX_EVENT_KIND(event) ((enum regex_event_kind)((event) >> 12))
#define RX_EVENT_NUMBER(event) ((event)&0xfff)

struct regex_path {
	unsigned n;
	uint16_t v[];
};

struct regex_arc {
	unsigned to;
	const struct regex_path *path;
};
struct regex_arcs {
	VEC(struct regex_arc);
};

/* One set in the expression, with every repetition written out. */
struct regex_position {
	const struct regex_set *set;
	unsigned height;        /* brackets around it */
	uint64_t *follow;       /* positions that may come next, a bit each */
	struct regex_arcs arcs; /* the same with paths; with captures only */
	const struct regex_path
		*end[2]; /* to the end of the expression; [1]: at the end of the text.  NULL: none */
};

struct regex_positions {
	VEC(struct regex_position);
	unsigned words;                   /* of a set of positions */
	struct regex_arcs first[2];       /* [1]: at the beginning of the text */
	const struct regex_path *null[4]; /* of an empty match; [beginning + 2 * end of the text] */
	bool has_optional;                /* there is an x{m,n} without groups that can be written out in two ways */
};

/* How the optional copies of an x{m,n} without groups follow: any of the earlier ones, or only the last. */
enum regex_copies { REGEX_COPIES_ANY, REGEX_COPIES_LAST };

int regex_positions(struct arena *a, const struct regex_tree *tree, bool captures, enum regex_copies copies,
		    struct regex_positions *out, struct regex_problem *problem);
/* The same expression read backwards, without paths. */
void regex_reverse(struct arena *a, const struct regex_positions *in, struct regex_positions *out);

/* ---- order.c: POSIX's choice between two paths ---- */

/* The lowest bracket level that each path has been on since they parted, and which one is preferred so far. */
struct regex_order {
	uint8_t a, b;
	int8_t prefer; /* -1: a, 1: b, 0: they do not differ in what is captured */
};

/* The order of two paths that part at a height. */
struct regex_order regex_order_fork(unsigned height, const struct regex_path *a, const struct regex_path *b);
/* The order after two paths are continued from their heights. */
struct regex_order regex_order_go_on(struct regex_order o, unsigned height_a, const struct regex_path *a,
				     unsigned height_b, const struct regex_path *b);

/* ---- keys.c: byte strings -> numbers ---- */

struct regex_key {
	const void *p;
	size_t n;
};
struct regex_keys {
	struct arena *arena;
	size_t room;
	uint32_t *slots;
	VEC(struct regex_key) keys;
};

/* The number of the bytes, the next one if they are new (then copied, and *is_new set). */
size_t regex_keys_number(struct regex_keys *k, const void *p, size_t n, bool *is_new);

/* ---- subset.c, tagged.c: positions -> automaton ---- */

/* 0: no match ends there; else, with captures, index of the step that ends it + 1. */
struct regex_ends {
	uint32_t found, at_end;
};

struct regex_automaton {
	unsigned char *classes;
	unsigned nclasses;
	VEC(uint32_t) next;  /* nclasses per state, which are numbers here; state 0 is the dead one */
	VEC(uint32_t) moves; /* beside next: index of a run of steps; empty without captures */
	VEC(struct regex_ends) ends;    /* of each state */
	uint32_t start, start_at_begin; /* the same without captures */
	VEC(struct regex_step) steps;
	VEC(uint16_t) marks;
};

/* Bytes that no set of the expression distinguishes get one class. */
void regex_classes(struct arena *a, const struct regex_positions *p, struct regex_automaton *m);
/*
 * m->classes must be set.  -1 with *problem when there are too many states.  regex_subset(): matches begin
 * anywhere; final: the first end of one ends it.
 */
int regex_subset(struct arena *a, const struct regex_positions *p, bool final, struct regex_automaton *m,
		 struct regex_problem *problem);
int regex_tagged(struct arena *a, const struct regex_positions *p, struct regex_automaton *m,
		 struct regex_problem *problem);
/* Fills *problem with "too many states". */
void regex_too_many_states(struct regex_problem *problem);

/* ---- minimise.c: automaton -> tables ---- */
int regex_minimise(struct arena *a, const struct regex_automaton *m, struct regex_table *out,
		   struct regex_problem *problem);

#endif
