/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing C.  Expressions become statements that fill temporaries, in the order of evaluation; each fallible call is followed by
 * a test that leaves for the nearest error label.  The generated C knows runtime/rt/rt.h and nothing else; its tables are
 * those of runtime/rt/script.h, whose names are used here and there.
 *
 * Locks.  What a statement does to globals is done in one locked region, in which nothing but reads and writes of globals
 * and plain arithmetic happens: calls, memory accesses and prints ("barriers") are computed before it (emit_ahead()).  A block
 * with NF_ATOMIC is a bigger region, made by opt/regions.c, which has seen to it that all in it may be done there.
 */
#ifndef TRANSLATOR_EMIT_EMIT_H
#define TRANSLATOR_EMIT_EMIT_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "runtime/rt/script.h"
#include "translator/opt/opt.h"
#include "translator/session.h"

typedef VEC(struct node *) expr_list;

/* A loop or try that statements inside must leave properly. */
struct emit_scope {
	struct emit_scope *outer;
	unsigned id;
	bool is_loop;      /* break and continue find their labels here */
	bool is_iter;      /* a foreach: it##id must be ended */
};

struct emit {
	struct session *s;
	struct sb *out;            /* the text being written */
	struct sb tables;          /* formats and lock sets, before the functions */
	struct map table_names;    /* text of a table -> its name */
	unsigned ntables;
	VEC(struct loc) locs;
	struct map loc_index;      /* place -> its index in locs + 1 */
	/* the function being written */
	unsigned indent;
	unsigned ntmp, nlabel;
	const char *error_label;   /* where a failed call goes */
	bool error_used;
	struct emit_scope *scope;
	struct function *function; /* or NULL */
	bool locked;               /* inside a locked region */
	bool copy_locals;          /* the expression changes locals: their values must be copied when read */
	unsigned nstrings;         /* strings that may be alive at once, for the arena */
	bool has_buffers;          /* some string local lies in a buffer, which may be written again */
	const struct node *dropped; /* the assignment whose value nobody wants */
	/* of the whole module */
	unsigned stamp;            /* the last that marked symbols and functions as seen */
	bool *lock_set;            /* by index of the global; all false between uses */
	unsigned nesting;          /* calls within each other that a hit may have */
	int64_t max_strings;
	unsigned max_groups;       /* of the regular expressions whose groups are asked for */
	VEC(size_t) cuts;          /* where the bodies of functions and handlers end (parts.c) */
	unsigned nconditions;      /* on which the arming of probes depends */
};

/* ---- text (text.c) ---- */
/* A line, indented; emit_open() and emit_close() are "{" and "}". */
void emit_line(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_open(struct emit *e);
void emit_close(struct emit *e);
/* Whether what was written from there on (bytes of e->out) jumps to the label; the label, if so. */
bool emit_jumps(const struct emit *e, size_t from, const char *label);
/* Says that c is not used, if nothing from there on does. */
void emit_context(struct emit *e, size_t from);
bool emit_label(struct emit *e, size_t from, const char *label);
const char *emit_text(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Name of a new temporary. */
const char *emit_tmp(struct emit *e);
/* Declares a temporary of the type with the value and gives its name. */
const char *emit_value(struct emit *e, enum type t, const char *value);
/* C literals. */
const char *emit_number(struct emit *e, int64_t n);
const char *emit_string(struct emit *e, const char *s, size_t max); /* RT_STR(...) of an interned text, cut at max */
const char *emit_chars(struct emit *e, const char *s);   /* "..." */
const char *emit_ctype(enum type t);
/* Name of a static const table with this declaration ("struct rt_fmt_piece NAME[] = {...}" with %s for the name), made once. */
const char *emit_table(struct emit *e, const char *prefix, const char *type, const char *suffix, const char *body);
/* Before the braces of each function of the script's (module.c); errors then leave for "err". */
void emit_begin(struct emit *e);
/* Index of a place in the table of places. */
size_t emit_loc_index(struct emit *e, struct loc loc);
/* Sets c->loc to the place of n. */
void emit_loc(struct emit *e, const struct node *n);
/* Leaves for the error label if the last call failed. */
void emit_check(struct emit *e);
/* C names of variables and functions. */
const char *emit_global(struct emit *e, const struct symbol *v);
const char *emit_variable(struct emit *e, const struct symbol *v); /* unique part of a global's names */
const char *emit_local(struct emit *e, const struct symbol *v);
const char *emit_function_name(struct emit *e, const struct function *f);
/* Of one of several functions of a name, which emit_function_name()'s tries in turn (module.c). */
const char *emit_overload_name(struct emit *e, const struct function *f);

/* ---- expressions (expr.c) ---- */
/* Computes a whole expression, with its locks; C text of the value, "" if it has none. */
const char *emit_whole(struct emit *e, struct node *n);
/* a OP b on longs; division may fail. */
const char *emit_arithmetic(struct emit *e, const struct node *n, enum op op, const char *a, const char *b);
/* The same for its effect only. */
void emit_effect(struct emit *e, struct node *n);
/* Of that, what must be done before the locks are taken; doing it again does nothing. */
void emit_effect_ahead(struct emit *e, struct node *n);
/* Several expressions in one locked region: their n->value is set. */
void emit_group(struct emit *e, struct node **v, size_t n);
/* The same for all children of n. */
void emit_children(struct emit *e, const struct node *n);
/* The same for the keys, but for "*", of an element, of a slice, or of what `in' asks for. */
void emit_keys_ahead(struct emit *e, const struct node *n);
/* Appends these keys; none if n has no keys. */
void emit_add_keys(struct emit *e, const struct node *n, expr_list *out);
/* Within a region: value of an expression whose barriers are computed. */
const char *emit_expr(struct emit *e, struct node *n);
/* Computes calls, memory accesses and prints inside n, so that the rest can run locked. */
void emit_ahead(struct emit *e, struct node *n);
/* Locks what the expressions touch; true if there is anything, then emit_unlock() must follow. */
bool emit_lock(struct emit *e, struct node **v, size_t n);
/* The same for one global. */
bool emit_lock_one(struct emit *e, const struct symbol *v);
void emit_unlock(struct emit *e);
/* Writes a variable that is a local or parameter. */
void emit_set_local(struct emit *e, struct symbol *v, const char *value);
/* The member of union rt_val that its value is in. */
const char *emit_union_member(const struct node *n);
/* Declares an array of all keys; *fixed gets a bit for each that is not "*". */
const char *emit_keys(struct emit *e, const struct node *n, unsigned *fixed);

/* "@avg(x)" and the like. */
const char *emit_statistic(struct emit *e, struct node *n);
/* "RT_SUM" and the like; of percentiles the thousandths, "0" for anything else. */
const char *emit_stat_op(enum op op);
const char *emit_permille(enum op op);

/* A copy of the string that no later assignment changes. */
const char *emit_copy(struct emit *e, const struct node *n, const char *value);

/* ---- effects.c: would it matter if the second were computed before the first? ---- */
bool emit_conflict(struct emit *e, struct node *first, struct node *second);
/* May it change a global with symbol.arms? */
bool emit_changes_condition(struct emit *e, struct node *n);

/* ---- condition.c: when probes are to be armed ---- */
/* To tables: functions for the conditions of probes that can be disarmed, and "conditions", of e->nconditions. */
void emit_conditions(struct emit *e, struct sb *tables);

/* ---- space.c: most elements of all snapshots of a hit; most calls within each other; whether a function may be called within itself ---- */
int64_t emit_snapshots(struct session *s);
unsigned emit_nesting(struct session *s);
bool emit_calls_itself(struct emit *e, const struct function *f);
/* Warns of an array of statistics that takes much memory. */
void emit_warn_memory(struct session *s, const struct symbol *v);
struct rt_stat_shape emit_stat_shape(const struct symbol *v);

/* ---- calls, prints, memory (call.c): the barriers ---- */
void emit_barrier(struct emit *e, struct node *n, bool value_wanted);
/* Reads what is to be printed. */
void emit_print_values(struct emit *e, struct node *n);

/* ---- what return probes save at the function's entry (entry.c) ---- */
/* Computes and saves it, in the entry handler; its value, in the handler. */
void emit_save_entry(struct emit *e, const struct entry *x);
const char *emit_entry(struct emit *e, const struct node *n);

/* ---- target variables ---- */
/* Runs a program whose inputs are n's children, which are computed; C text of the rt_u64 that it leaves (call.c). */
const char *emit_fetch(struct emit *e, struct node *n, const struct fetch *f);
/* Writes to the probed code's registers and memory (store.c). */
void emit_store(struct emit *e, struct node *n);
/* Pretty-prints a value of it to a string (show.c). */
void emit_show(struct emit *e, struct node *n);

/* ---- regex.c: a barrier too, since matched() depends on the order of matches ---- */
void emit_regex(struct emit *e, struct node *n, bool wanted);

/* ---- C of the script (embedded.c) ---- */
/* What stands before all functions; with kernel headers, the bodies go to extra. */
void emit_embedded(struct emit *e, struct sb *extra);
/* The braces of a function whose body is C. */
void emit_embedded_function(struct emit *e, struct function *f);

/* ---- names of enum constants (enum.c) ---- */
void emit_enum_name(struct emit *e, struct node *n);

/* ---- the parts in which a big script is compiled (parts.c) ---- */
/* A body has been written to e->out: what follows it may be in another part. */
void emit_parts_cut(struct emit *e);
/* Puts the text together: first (of part 0 only), the bodies with their cuts, tables (of part 0 only).  Sets s->c_parts. */
void emit_parts_join(struct emit *e, const struct sb *first, const struct sb *bodies, const struct sb *tables);

/* ---- statements (stmt.c) ---- */
void emit_statement(struct emit *e, struct node *n);
/* Without braces of its own, if it is a block. */
void emit_body(struct emit *e, struct node *n);

#endif
