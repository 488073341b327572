/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree: one node struct for everything, made by the parser, annotated and reduced by the passes; its
 * kinds and operators are in node.def and op.def.
 * Nodes live in the session's arena; names are interned; nothing is freed.
 */
#ifndef PARSER_AST_H
#define PARSER_AST_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "base/str.h"

/* After which pass (translator/pipeline.c): the order is that of the pipeline. */
enum ast_stage { STAGE_PARSE, STAGE_POINTS, STAGE_BIND, STAGE_CHECK, STAGE_OPT, STAGE_LOWER, STAGE_ALWAYS };

enum node_kind {
#define NODE(id, text, last, set) id,
#define SLOT(kind, slot, fits, role)
#define MORE(kind, slot, fits, role)
#include "parser/node.def"
#undef NODE
#undef SLOT
#undef MORE
	NODE_KINDS
};

enum op {
#define OP(id, text, kind) id,
#include "parser/op.def"
#undef OP
	OPS
};

enum op_kind { OPK_NONE, OPK_UN, OPK_BIN, OPK_CMP, OPK_CAT, OPK_RE, OPK_LOG, OPK_ASG, OPK_STAT, OPK_ITER };

/* Keys that an array may have. */
enum { MAX_KEYS = 9 };

/* What a node does with a child. */
enum ast_role {
	ROLE_PART,    /* says what the node is; it is not run */
	ROLE_READ,    /* evaluates it */
	ROLE_WRITTEN, /* gives the variable a new value */
	ROLE_CHANGED, /* reads it and gives it a new value */
	ROLE_DROPPED, /* empties the variable, the element, the slice */
	ROLE_WALKED,  /* looks at the array as a whole */
	ROLE_BODY,    /* runs it as a statement */
};

/* What a slot may hold; ..._0: or NULL. */
enum ast_fits {
	FITS_EXPR_0, /* ORDER may_be_null: first those that may be NULL */
	FITS_STATEMENT_0,
	FITS_BLOCK_0,
	FITS_NAME_0,
	FITS_STRING_0,
	FITS_LITERAL_0, /* N_NUMBER or N_STRING */
	FITS_EXPR,
	FITS_STATEMENT,
	FITS_BLOCK,
	FITS_BODY, /* block or embedded C */
	FITS_NAME,
	FITS_STRING,
	FITS_LVALUE,
	FITS_ARRAY, /* name, element or slice, histogram */
	FITS_KEY,   /* expression or N_STAR */
	FITS_PARAM,
	FITS_POINT,
	FITS_COMPONENT,
	FITS_LIST,
	FITS_DECLARATION,
};

/* A row of node.def. */
struct ast_slot {
	bool more; /* any number of children */
	enum ast_fits fits;
	enum ast_role role;
};

/* T_ERROR: an error was already reported; it agrees with every type. */
enum type { T_UNKNOWN, T_LONG, T_STRING, T_STATS, T_VOID, T_ERROR };

enum node_flag {
	NF_PRIVATE = 1 << 0,
	NF_WRAP = 1 << 1,
	NF_SIZED = 1 << 2,
	NF_OPTIONAL = 1 << 3,
	NF_SUFFICIENT = 1 << 4,
	NF_EPILOGUE = 1 << 5,
	NF_WHILE = 1 << 6,
	NF_PREFIX = 1 << 7,
	NF_FMT_STRING = 1 << 8,
	NF_FMT_FORMAT = 1 << 9,
	NF_FMT_NEWLINE = 1 << 10,
	NF_FMT_DELIM = 1 << 11,
	NF_TAPSET = 1 << 12,   /* declaration comes from the tapset; N_ASSIGN: of a variable that the probe point gives, in a call of the tapset */
	NF_BOUNDED = 1 << 13,  /* a loop that the translator made: it takes no actions */
	NF_OLD_VALUE = 1 << 14, /* N_STORE: the value is what was there before */
	NF_ARMING = 1 << 15,   /* N_IF: its condition is that of the probe point */
	NF_ATOMIC = 1 << 16,   /* N_BLOCK: regions: one locked region */
	NF_AHEAD = 1 << 17,    /* with that: some of its first statement must be computed before the locks are taken */
	NF_WAITS = 1 << 18,    /* bind: what follows its condition or first operand waits for a @defined() in that */
	/* lower */
	NF_PLACED = 1 << 19,   /* a statement that may fail, with an error at its place */
	NF_CALLS = 1 << 20,    /* N_LET, N_EXPR: of a function of the script, whose errors are its own */
	NF_TRUTH = 1 << 21,    /* N_PUT: 1 or 0 */
	NF_UNLESS = 1 << 22,   /* N_GOTO: its condition does not hold */
	NF_CAPTURES = 1 << 23, /* N_TABLE of a regular expression: with its groups */
};

struct symbol; /* translator/program.h */
struct fetch;  /* translator/debuginfo/fetch.h */
struct dtype;  /* translator/debuginfo/types.h */
struct destination;  /* translator/debuginfo/destination.h */
struct regex;  /* translator/regex/regex.h */
struct show;   /* translator/resolve/show.h */
struct label;  /* translator/lower/lower.h */

struct node {
	enum node_kind kind;
	enum op op;
	enum op sort_stat;      /* N_FOREACH only */
	enum type type;
	unsigned flags;         /* enum node_flag */
	struct loc loc;
	const char *name;       /* interned, or NULL */
	const char *text;       /* interned (intern_len() gives its length), or NULL */
	int64_t num;
	struct node **k;        /* children; outside of ast.c by the names in node.def: IF_THEN(n) */
	unsigned nk;
	unsigned room;          /* of k, when ast_add() made it: set it to 0 where you set k */
	/* annotations */
	struct symbol *sym;     /* bind */
	const struct fetch *fetch; /* bind: N_FETCH */
	const struct destination *store; /* bind: N_STORE */
	const struct show *show;   /* bind: N_SHOW */
	const struct dtype *dtype; /* bind: C type of the value, an address being a pointer; for autocast; may be NULL */
	bool in_user;              /* bind: what the value points to is in user space */
	const struct regex *regex; /* check: N_REGEX */
	struct node *type_origin;  /* infer: the node that settled the type ("first inferred here") */
	struct node *value;        /* lower: what has the value, once that is computed */
	unsigned run;              /* lower: N_OP: enum lower_op */
	struct label *label;       /* lower: where it goes, or goes to when it fails; N_LABEL: which it is */
};

/* The place of the i-th child of a node of the kind: for the macros of slots.h. */
static inline struct node **ast_child(const struct node *n, enum node_kind kind, unsigned i)
{
#ifdef AST_CHECKED
	assert(n->kind == kind && i < n->nk);
#else
	(void)kind;
#endif
	return &n->k[i];
}

/* How many children a node of the kind has after the first ones, of which each is a slot by itself. */
static inline unsigned ast_children(const struct node *n, enum node_kind kind, unsigned first)
{
#ifdef AST_CHECKED
	assert(n->kind == kind && n->nk >= first);
#else
	(void)kind;
#endif
	return n->nk - first;
}

/* The next child that is not NULL after the one at slot (NULL: the first), or NULL. */
static inline struct node **ast_next_child(const struct node *n, struct node **slot)
{
	for (unsigned i = slot ? (unsigned)(slot - n->k) + 1 : 0; i < n->nk; i++)
		if (n->k[i])
			return &n->k[i];
	return NULL;
}

/* Children in order, whatever they are to the node: *child is one, and may be replaced. */
#define AST_EACH(child, n) for (struct node **child = ast_next_child((n), NULL); child; child = ast_next_child((n), child))
/* The same, NULL children included. */
#define AST_EACH_SLOT(child, n) for (struct node **child = (n)->k; (unsigned)(child - (n)->k) < (n)->nk; child++)

#include "parser/slots.h"

/* The row of node.def for the i-th child of a kind, or NULL: it has not so many. */
const struct ast_slot *ast_slot(enum node_kind kind, unsigned i);
/* What n does with the child at slot, its operator considered: x = 1 does not read x. */
enum ast_role ast_role(const struct node *n, struct node *const *slot);

/* Does n give the variable, element or slice at slot another value, or drop it? */
bool ast_sets(const struct node *n, struct node *const *slot);
/* Does n compute the expression at slot and discard its value? */
bool ast_discards(const struct node *n, struct node *const *slot);
/* What is assigned to, counted or deleted: "a[i]" of a[i]++; NULL if n does none of that. */
struct node *ast_changed(const struct node *n);
/* "a" of a, a[i] and a[*]; anything else is given back. */
const struct node *ast_variable(const struct node *place);
/* Keys of an element, of a slice, or of what `in' asks for: N_INDEX, N_IN. */
unsigned ast_keys(const struct node *n);
struct node *ast_key(const struct node *n, unsigned i);

/* A new node of a kind with n children (NULL). */
struct node *ast_new(struct arena *a, enum node_kind kind, struct loc loc, unsigned n);
struct node *ast_number(struct arena *a, struct loc loc, int64_t num);
struct node *ast_string(struct arena *a, struct loc loc, const char *s, size_t len);
struct node *ast_name(struct arena *a, struct loc loc, const char *name);
/* Appends a child. */
void ast_add(struct arena *a, struct node *n, struct node *child);
/* Puts n statements in the place of those from .. to-1 of a block. */
void ast_splice(struct arena *a, struct node *block, unsigned from, unsigned to, struct node *const *with, unsigned n);
/* Appends the items of a N_LIST, which may be NULL. */
void ast_add_items(struct arena *a, struct node *n, const struct node *list);
/* Deep copy; annotations are copied as they are. */
struct node *ast_copy(struct arena *a, const struct node *n);
/* The place of the whole text of a node; n->loc is that of its most telling token: operator, name ... */
struct loc ast_span(const struct node *n);
/* Same shape, names, operators, values; locations and annotations are ignored. */
bool ast_equal(const struct node *a, const struct node *b);

const char *node_text(enum node_kind kind);
const char *op_text(enum op op);
enum op_kind op_kind(enum op op);
/* Does the comparison hold for operands in that order: negative, 0, positive? */
bool op_compares(enum op op, int order);
const char *type_text(enum type type); /* "long", "string", "stats", "unknown" */

/* A script that parses back to an equal tree. */
void ast_unparse(const struct node *n, struct sb *out);
/* One node in short, for messages and pp(): "kernel.function(\"x\").return", "a[i]". */
void ast_unparse_short(const struct node *n, struct sb *out);
/* Indented tree, one node per line, with types and symbols when there are: --dump=. */
void ast_dump(const struct node *n, struct sb *out);
/* For test builds: checks child counts, slots and kinds allowed after stage; the first offence, or NULL. */
const char *ast_verify(const struct node *n, enum ast_stage stage, struct arena *scratch);

#endif
