/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the lowered program (translator/lower/lower.h) as C, each node as a piece of text, and the tables of runtime/rt/script.h.
 * The generated C includes runtime/rt/rt.h and nothing else.
 */
#ifndef TRANSLATOR_EMIT_EMIT_H
#define TRANSLATOR_EMIT_EMIT_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "runtime/rt/script.h"
#include "translator/lower/lower.h"
#include "translator/session.h"

struct emit {
	struct session *s;
	struct sb *out;            /* the text being written */
	struct sb tables;          /* formats and lock sets, before the functions */
	struct map table_names;    /* text of a table -> its name */
	unsigned ntables;
	VEC(struct loc) locs;
	struct map loc_index;      /* place -> its index in locs + 1 */
	unsigned indent;
	VEC(size_t) cuts;          /* where the bodies of functions and handlers end (parts.c) */
	unsigned tracked;          /* registers that the rules of images follow, as bits */
	unsigned nconditions;      /* on which the arming of probes depends */
	VEC(struct emit_kernel_lines {
		int64_t symbol; /* of prog.ksymbols */
		const struct line_table *table;
	}) kernel_lines;
};

/* ---- text (text.c) ---- */
/* A line, indented; emit_open() and emit_close() are "{" and "}". */
void emit_line(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_open(struct emit *e);
void emit_close(struct emit *e);
const char *emit_text(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* C literals. */
const char *emit_number(struct emit *e, int64_t n);
const char *emit_string(struct emit *e, const char *s); /* RT_STR(...) of an interned text */
const char *emit_chars(struct emit *e, const char *s);   /* "..." */
const char *emit_ctype(enum type t);
/* Name of a static const table with this declaration ("struct rt_fmt_piece NAME[] = {...}" with %s for the name), made once. */
const char *emit_table(struct emit *e, const char *prefix, const char *type, const char *suffix, const char *body);
/* Index of a place in the table of places. */
size_t emit_loc_index(struct emit *e, struct loc loc);
/* C names of variables and functions. */
const char *emit_global(struct emit *e, const struct symbol *v);
const char *emit_variable(struct emit *e, const struct symbol *v); /* unique part of a global's names */
const char *emit_local(struct emit *e, const struct symbol *v);
const char *emit_function_name(struct emit *e, const struct function *f);
/* The name of one of several overloads; the function emit_function_name() tries them in turn (program.c). */
const char *emit_overload_name(struct emit *e, const struct function *f);

/* ---- node.c ---- */
/* The statements of a lowered block, without its braces. */
void emit_block(struct emit *e, const struct node *n);
/* An expression. */
const char *emit_expr(struct emit *e, const struct node *n);

/* ---- constant tables: their names, and the number of rows where the runtime needs it ---- */
const char *emit_format(struct emit *e, const struct node *table); /* format.c */
const char *emit_regex(struct emit *e, const struct node *table);  /* regex.c */
const char *emit_show(struct emit *e, const struct node *table);   /* show.c */
const char *emit_enum(struct emit *e, const struct node *table);   /* enum.c */

/* ---- images.c: "images", if there are any, and their number ---- */
size_t emit_images(struct emit *e);
/* An array of bytes of that name. */
void emit_bytes(struct emit *e, const char *name, const void *data, size_t n);
/* lines.c: a struct rt_lines of that name, which is returned. */
const char *emit_lines(struct emit *e, const char *name, const struct line_table *t);
/* Finds the lines of the kernel, if the script needs them: before ksymbols are emitted.  "kernel_lines", if there are any, and their number. */
void emit_find_kernel_lines(struct emit *e);
size_t emit_kernel_lines(struct emit *e);
/* What the functions of the tapset that the script calls say that they need: EMBEDDED_... */
unsigned emit_needs(const struct session *s);
#define EMIT_PROGRAMS (EMBEDDED_UNWIND | EMBEDDED_SYMBOLS | EMBEDDED_VMA | EMBEDDED_LINES) /* code of programs */
/* Numbers of the registers that stacks are walked up with. */
const char *emit_followed(struct emit *e);

/* ---- memory.c: what statistics take ---- */
/* Warns of an array of statistics that takes much memory. */
void emit_warn_memory(struct session *s, const struct symbol *v);
struct rt_stat_shape emit_stat_shape(const struct symbol *v);

/* ---- C of the script (embedded.c) ---- */
/* Adds the symbols that it needs: before ksymbols are emitted. */
void emit_find_embedded_symbols(struct emit *e);
/* What comes before all functions; with kernel headers, the bodies go to extra. */
void emit_embedded(struct emit *e, struct sb *extra);
/* The braces of a function whose body is C. */
void emit_embedded_function(struct emit *e, struct function *f);

/* ---- the parts in which a big script is compiled (parts.c) ---- */
/* A body has been written to e->out: what follows it may be in another part. */
void emit_parts_cut(struct emit *e);
/* Puts the text together: first (of part 0 only), the bodies with their cuts, tables (of part 0 only).  Sets s->c_parts. */
void emit_parts_join(struct emit *e, const struct sb *first, const struct sb *bodies, const struct sb *tables);

#endif
