/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The optimiser.  opt.c has the list of optimisations; each is in a file of its own and preserves what the script does: values,
 * output, soft errors and their places.  Only the action budget is used up more slowly, and variables of the library's aliases that
 * nothing reads are not computed, even if that had been an error; of several that are errors, another may be the first.
 */
#ifndef TRANSLATOR_OPT_OPT_H
#define TRANSLATOR_OPT_OPT_H

#include "translator/session.h"

struct uses;

/* The body that is worked on, and what belongs to it. */
struct opt {
	struct session *s;
	struct probe *probe;       /* or */
	struct function *function;
	bool changed;              /* since it was last cleared: another round may find more */
};

/* A variable of the script, as a whole or an element; NULL for anything else. */
struct symbol *opt_variable(const struct node *n);

/* ---- regions.c ---- */
bool opt_needs_lock(const struct symbol *v);
/* Is it a histogram?  Reading its buckets takes the locks that it needs, and `in' only asks how many there are. */
bool opt_is_histogram(const struct node *n);
/* For uses_walk(): leaves out what is computed already, and arrays of histograms; but their keys may change something. */
bool opt_asks_values(struct uses *u, struct node *n);
/* Must it be computed before the locks of its statement are taken?  In a bigger region it may be allowed. */
bool opt_is_barrier(const struct node *n);
/* Is it a barrier, or is one in it that is not computed yet? */
bool opt_has_barrier(const struct node *n);
/* Is a key of the element, or of the left side of `in', a "*"?  Then it means many elements. */
bool opt_is_slice(const struct node *n);

/* ---- purity.c ---- */
/* Does the expression do anything besides its value?  Writes, output, soft errors, unknown C code. */
bool opt_has_effect(const struct node *n);
/* The same without soft errors. */
bool opt_has_effect_besides_errors(const struct node *n);

/* ---- one round on a body (an N_BLOCK), or on the expression of a return probe's entry ---- */
/* fold.c: computes what is constant. */
void opt_fold(struct opt *o, struct node **np);
/* dead.c: drops arms and loops that cannot run, and what follows a statement that does not end. */
void opt_dead(struct opt *o, struct node *body);
/* locals.c: drops statements without effect, assignments to locals that nothing reads, and unused locals. */
void opt_locals(struct opt *o, struct node *body);
/* locals.c: drops what a return probe saves at the function's entry and nothing reads. */
void opt_entries(struct session *s);

/* ---- once, at the end ---- */
/* stable.c: calls functions that are tagged "stable" once in a body. */
void opt_stable(struct opt *o, struct node *body);
/* probes.c: drops probes that do nothing; an error if no probe is left. */
void opt_probes(struct session *s);
/* reach.c: functions and globals in use; numbers the globals.  Needed without optimisation too. */
void opt_reach(struct session *s);
/* locks.c: the globals that need no lock. */
void opt_locks(struct session *s);
/* later.c: has variables of the library's aliases computed where it is known that they are read.  After opt_locks(). */
void opt_later(struct session *s);
/* Does it run while no other handler runs? */
bool opt_is_alone(const struct probe *p);
/* regions.c: clears symbol.unlocked of globals that are touched twice, and changed, in what may be one locked region. */
void opt_regions_need_locks(struct session *s);
/* A new local of the body; a use of it; and "v = value" as a statement. */
struct symbol *opt_new_local(struct opt *o, const char *name, enum type type, struct node *decl);
struct node *opt_name(struct opt *o, struct symbol *v, struct loc loc);
struct node *opt_assignment(struct opt *o, struct symbol *v, struct node *value, struct loc loc);
/* Is the child computed whenever n is? */
bool opt_is_sure(const struct node *n, struct node *const *child);
/* loops.c: string locals that need a buffer of their own.  Needed without optimisation too. */
void opt_loops(struct session *s);

#endif
