/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of resolve/. */
#ifndef TRANSLATOR_RESOLVE_RESOLVE_H
#define TRANSLATOR_RESOLVE_RESOLVE_H

#include "translator/session.h"

/* ---- declare.c: names and where they are seen ---- */
/* Declares the globals and functions of a file; when all files are declared, declare_done() puts overloads in order. */
void declare_file(struct session *s, struct node *file, bool tapset);
void declare_done(struct session *s);
/* The script uses the global, function or alias: if it is of a library's file, the probes of that file belong to the script. */
void declare_used(struct session *s, const struct node *decl);
/* The next library file that is used and whose probes were not asked for yet; NULL. */
struct node *declare_next_used(struct session *s);
/* points.c.  Resolves the probes of library files that are used; false if there are no new ones. */
bool points_of_library(struct session *s);

/* arguments.c.  Adds argc, argv and argv_N to the script, if it uses them and has none of its own. */
void arguments_declare(struct session *s);

/* foreign.c.  Reports a call of a function that only SystemTap's library has, and what to use instead; false if it is not one. */
bool foreign_function(struct session *s, const struct node *call);
/* Does a function of the script have nearly the name? */
bool foreign_is_misspelt(struct session *s, const struct node *call);

/* What the name means at the place: the private one of its file, or the common one; NULL. */
struct symbol *declare_find_global(struct session *s, const char *name, struct loc at);
/* The same of functions: the first of its overloads. */
struct symbol *declare_find_function(struct session *s, const char *name, unsigned nargs, struct loc at);

/*
 * buckets.c.  How many buckets a histogram (N_STAT) has, those beyond its ends included; 0: its parameters are wrong.
 */
int64_t buckets_count(const struct node *histogram);
/* What a foreach over a histogram means, not bound yet; serial makes the names of its locals unique in the probe or function. */
struct node *buckets_loop(struct session *s, const struct node *foreach, unsigned serial);

/* ---- element.c ---- */
/* In a foreach (v = k in s) whose body is not bound yet, replaces @count(v) and the like by @count(s[k]). */
void element_values(struct session *s, struct node *loop);

/* Binds the body of a function the first time that something calls it; and adds it to prog.function_list. */
void function_use(struct session *s, struct function *f);

/* ---- context.c: functions that use $variables ---- */
/* Marks them (in_context). */
void context_find(struct session *s);
/* Does the tree call one? */
bool context_called(struct session *s, const struct node *n);
/* The probe's own copy of such a function and its overloads for that view, made when it is first asked for. */
struct function *context_copy(struct session *s, struct view at, const struct function *first);

/* True if what the tree means depends on the probed place ($x, @entry, @defined ...). */
bool target_used(const struct node *n);

/*
 * Replaces n, the outermost node of a $variable expression (N_TARGET with members, subscripts, & and $ around it), by
 * what computes it at the site: N_FETCH, N_ENTRY_VALUE, a literal or a formatted print.  NULL with diagnostics in ds.
 */
struct node *target_bind(struct session *s, struct diags *ds, struct view at, struct node *n);
/* The problem as a diagnostic of the id, with its hints. */
void target_problem(struct diags *ds, struct loc loc, enum diag_id id, const struct problem *why);
/* Is n a step of a path: a member, a subscript that is not an array's key, & or $? */
bool target_step(const struct node *n);
/* The child that such a step starts from, and the subscripts that it has: INDEX_KEY(step, i). */
struct node **target_from(const struct node *step);
unsigned target_subscripts(const struct node *step);
/* What a path starts with. */
struct node *target_base(struct node *n);
/* Is that a $variable or @cast?  Then it can be bound at once. */
bool target_is(const struct node *n);

/* ---- follow.c ---- */
/* Resolves the paths over other expressions, which binding has left, and the @defined() that wait for them. */
void follow_all(struct session *s);
/* names.c, for it: binds what could not be bound before, in the probe or function. */
void names_bind(struct session *s, struct view at, struct function *f, struct node **np);

/* ---- atop.c ---- */
/* What computes an N_ATOP (not @const) whose operands are bound; NULL with diagnostics. */
struct node *atop_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n);

/* ---- atvar.c ---- */
/* The fetch with the kernel's symbols that it names in the script's table. */
struct fetch atvar_symbols(struct session *s, const struct fetch *f);
/*
 * Where the variable of an N_ATVAR is, whose CPU, if it has one, is the first input; address: only its address is needed, so its type
 * may be unknown.  False with diagnostics.
 */
bool atvar_start(struct session *s, struct diags *ds, struct probe *p, const struct node *n, bool address, struct fetch *out);

/* ---- enumname.c ---- */
/* What computes an @enumname whose value is bound, and has its dtype if it is known; NULL with diagnostics. */
struct node *enumname_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n);

/* ---- cast.c ---- */
/* The type of that name, in the places that module (or NULL) and the probe (or NULL) mean; NULL with diagnostics at n. */
const struct dtype *cast_type(struct session *s, struct diags *ds, struct probe *p, const struct node *n, const char *name,
			      const struct node *module);
/*
 * Where the path after a @cast starts; the operand of the cast is the given input.  first: the first step of the path, or NULL;
 * address: the path is under a &.  False with diagnostics.
 */
bool cast_start(struct session *s, struct diags *ds, struct probe *p, const struct node *cast, unsigned input,
		const struct dtype_step *first, bool address, struct fetch *out);
/* Computes a fetch that reads nothing, of inputs that are numbers: @cast(0, "t")->member is an offset.  False: it is not one. */
bool cast_fold(const struct fetch *f, const struct node *const *inputs, unsigned ninputs, int64_t *value);

/* ---- entry.c ---- */
/*
 * Has the value computed and saved at the entry of the probed function; returns what replaces it in the handler.  Equal sources
 * are saved once.
 */
struct node *entry_save(struct session *s, struct probe *p, const struct node *source, struct node *value);
/* Does everything exist at the function's entry that n, the operand of @entry(), reads?  False in other than return probes. */
bool entry_defined(struct session *s, struct view at, const struct node *n);

/* ---- badvars.c ---- */
/*
 * With --skip-badvars: what replaces n, which could not be bound for the reasons in own.  If these are about what the place lacks,
 * they become warnings.  Else NULL, and own does not change.
 */
struct node *badvars_skip(struct session *s, struct diags *own, struct node *n);

/* ---- assign.c ---- */
/*
 * n is an assignment to a target variable, or ++ or -- of one, whose subscripts and value are bound.  Returns the N_STORE that does
 * it, or NULL with diagnostics in ds.
 */
struct node *assign_bind(struct session *s, struct diags *ds, struct view at, struct node *n);
/* A copy of n in which each @probewrite(x) is 1 if the body writes x, else 0; n itself if there is none.  Both may be NULL. */
struct node *probewrite_answer(struct session *s, struct node *n, const struct node *body);

#endif
