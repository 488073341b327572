/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of lower/ share.
 *
 *   lower.c    the pass: bodies of handlers, functions, conditions, and of what is saved at a function's entry
 *   make.c     makes nodes
 *   order.c    what must be computed before what, and before the locks are taken
 *   effects.c  whether the order of two expressions matters
 *   lock.c     which locks are taken
 *   expr.c     expressions within a locked region
 *   barrier.c  what may not happen in one: calls, prints, matches, names of constants, statistics being fed or looked through, walks over
 *              arrays
 *   memory.c   the probed code's registers and memory: barriers too
 *   stmt.c     statements
 *   condition.c  when probes are to be armed
 *   small.c    which handlers are so small that they need no context
 *   budget.c   what bodies are charged, and what a hit may need at most
 *
 * Locks.  What a statement does to globals is done in one locked region, which has only reads and writes of globals and plain
 * arithmetic: barriers are computed before it (lower_ahead()).  A block with NF_ATOMIC is a bigger region, made by opt/regions.c,
 * which has checked that everything in it may be done there.
 *
 * An expression that has been computed has its value in n->value: a temporary, or an expression without effect.
 *
 * Blocks.  Statements are appended to l->block; what opens another block returns that one, and lower_close() goes back to it.
 */
#ifndef TRANSLATOR_LOWER_PRIVATE_H
#define TRANSLATOR_LOWER_PRIVATE_H

#include "translator/debuginfo/fetch.h"
#include "translator/lower/lower.h"
#include "translator/opt/opt.h"

typedef VEC(struct node *) node_list;

/* A loop, which statements inside may have to leave properly. */
struct lower_scope {
	struct lower_scope *outer;
	int id;
	struct label *leave, *repeat;
	bool is_iter; /* a foreach: its snapshot must be given back */
};

struct lower {
	struct session *s;
	struct arena *a;
	/* the body that is worked on */
	struct node *block;        /* statements are appended to it */
	int64_t ntemps;
	int nids;                  /* of loops and tries */
	struct label *error, *out; /* where a failed statement goes; the end of the body */
	struct lower_scope *scope;
	struct function *function; /* or NULL */
	bool locked;               /* inside a locked region */
	bool copy_locals;          /* the expression changes locals: their values must be copied when read */
	const struct node *dropped; /* the statement's expression: its value is not used */
	bool has_buffers;          /* some string local is in a buffer, which may be written again */
	unsigned nstrings;         /* strings that may be alive at once */
	/* of all bodies */
	bool *lock_set;            /* by index of the global; all false between uses */
	unsigned stamp;            /* the last that marked symbols and functions as seen */
};

/* ---- lower.c ---- */
/* A new body, which is worked on from now on; n says where it comes from. */
struct node *lower_begin(struct lower *l, const struct node *n);

/* ---- condition.c ---- */
/* Of probes that can be disarmed: probe.arming; and which probes may change one: probe.arms. */
void lower_conditions(struct lower *l);

/* ---- make.c ---- */
/* A node made from n: at its place. */
struct node *lower_new(struct lower *l, enum node_kind kind, const struct node *n, unsigned children);
/* The next statement. */
struct node *lower_add(struct lower *l, struct node *statement);
/* What an operation gives, with up to four arguments, the first that is NULL being the end; num and sym may be set. */
struct node *lower_op4(struct lower *l, const struct node *n, enum lower_op op, struct node *const args[4]);
#define lower_op(l, n, op, ...) lower_op4((l), (n), (op), (struct node *const[4]){__VA_ARGS__})
/* The same about a global or local, about a number. */
#define lower_op_of(l, n, op, v, ...) lower_with_sym(lower_op((l), (n), (op), __VA_ARGS__), (v))
#define lower_op_num(l, n, op, number, ...) lower_with_num(lower_op((l), (n), (op), __VA_ARGS__), (number))
struct node *lower_with_sym(struct node *op, const struct symbol *v);
struct node *lower_with_num(struct node *op, int64_t num);
struct node *lower_number(struct lower *l, const struct node *n, int64_t num);
/* Makes a statement of it, with its error exit: its value in a new temporary; or only its effect. */
struct node *lower_let(struct lower *l, struct node *value);
struct node *lower_do(struct lower *l, struct node *value);
/* A temporary that gets its value later; gives it one. */
struct node *lower_declare(struct lower *l, const struct node *n, enum type type);
struct node *lower_put(struct lower *l, struct node *temp, struct node *value, unsigned flags);
/* An array of values for the runtime: N_VALUES, N_WORDS. */
struct node *lower_array(struct lower *l, enum node_kind kind, const struct node *n, struct node *const *v, unsigned count);
struct node *lower_table(struct lower *l, const struct node *n, enum lower_table table);
/* A copy of the string that no later assignment changes. */
struct node *lower_copy(struct lower *l, const struct node *n, struct node *value);
/* These open a block: braces; the body of a loop; the first arm of an "if".  lower_else() goes on in its second arm. */
struct node *lower_open(struct lower *l, const struct node *n);
struct node *lower_loop(struct lower *l, const struct node *n);
struct node *lower_if(struct lower *l, const struct node *n, struct node *condition);
void lower_else(struct lower *l, struct node *outer);
void lower_close(struct lower *l, struct node *outer);
struct label *lower_label(struct lower *l, const char *stem, int id);
/* Puts the label here. */
void lower_place(struct lower *l, const struct node *n, struct label *label);
/* Goes there; with a condition, if that holds or (NF_UNLESS) does not. */
struct node *lower_goto(struct lower *l, const struct node *n, struct label *label, struct node *condition, unsigned flags);

/* ---- order.c ---- */
/* Computes a whole expression, with its locks; its value. */
struct node *lower_whole(struct lower *l, struct node *n);
/* The same for its effect only. */
void lower_effect(struct lower *l, struct node *n);
/* The part of that which must be done before the locks are taken; calling it again does nothing. */
void lower_effect_ahead(struct lower *l, struct node *n);
/* Several expressions in one locked region; all children of n; the keys, but for "*", of an element, a slice or what `in' asks for. */
void lower_group(struct lower *l, struct node **v, size_t n);
void lower_children(struct lower *l, const struct node *n);
void lower_keys_ahead(struct lower *l, const struct node *n);
/* Appends these keys; none if n has no keys. */
void lower_add_keys(struct lower *l, const struct node *n, node_list *out);
/* Does n change a local?  Then those that it has read before must be copies: copy_locals. */
bool lower_changes_locals(struct node *n);
/* Computes barriers inside n, so that the rest can be done locked. */
void lower_ahead(struct lower *l, struct node *n);
bool lower_is_logic(const struct node *n);
/* && || ?: by control flow; part() computes a sub-expression. */
struct node *lower_choice(struct lower *l, struct node *n, struct node *(*part)(struct lower *l, struct node *n));

/* ---- effects.c: would it matter if the second were computed before the first? ---- */
bool lower_conflict(struct lower *l, struct node *first, struct node *second);
/* Can it change a global with symbol.arms? */
bool lower_changes_condition(struct lower *l, struct node *n);

/* ---- lock.c ---- */
/* Locks what the expressions touch; true if there is anything, then lower_unlock() must follow. */
bool lower_lock(struct lower *l, struct node **v, size_t n);
/* The same for one global, on behalf of n. */
bool lower_lock_one(struct lower *l, const struct node *n, const struct symbol *v);
void lower_unlock(struct lower *l, const struct node *n);

/* ---- expr.c ---- */
/* Within a region: value of an expression whose barriers are computed; NULL if it is dropped and has none. */
struct node *lower_expr(struct lower *l, struct node *n);
/* a OP b on longs; division may fail. */
struct node *lower_arithmetic(struct lower *l, const struct node *n, enum op op, struct node *a, struct node *b);
/* All keys, as the runtime takes them; *fixed gets a bit for each that is not "*". */
struct node *lower_keys(struct lower *l, const struct node *n, unsigned *fixed);
/* Arrays of statistics, and those that are only counted in: they have locks of their own, the wait for which may time out. */
bool lower_is_shared(const struct symbol *v);
/* "@avg(x)" and the like. */
struct node *lower_statistic(struct lower *l, struct node *n);
/* Writes a variable that is a local or parameter. */
void lower_set_local(struct lower *l, const struct node *n, struct symbol *v, struct node *value);

/* ---- barrier.c, memory.c ---- */
void lower_barrier(struct lower *l, struct node *n, bool value_wanted);
/* Reads what is to be printed. */
void lower_print_values(struct lower *l, struct node *n);
void lower_fetch(struct lower *l, struct node *n);
void lower_store(struct lower *l, struct node *n);

/* ---- stmt.c ---- */
void lower_statement(struct lower *l, struct node *n);
/* Without braces of its own, if it is a block. */
void lower_body(struct lower *l, struct node *n);

/* ---- small.c ---- */
/* Can the handler, which is lowered, do without a context, or with little of one?  RT_PROBE_SMALL and _BRIEF of runtime/rt/script.h. */
void lower_measure(struct lower *l, struct probe *p);

/* ---- budget.c ---- */
/* Statements and calls in a body, without those of loops in it, which are charged for each turn. */
unsigned lower_weight(const struct node *n);
/* Most elements of all snapshots of a hit; most calls within each other; whether a function may be called within itself. */
int64_t lower_snapshots(struct session *s);
unsigned lower_nesting(struct session *s);
bool lower_calls_itself(struct lower *l, const struct function *f);

#endif
