/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script is once its names are known: globals, functions, probes.  Made by resolve/, annotated by types/ and opt/. */
#ifndef TRANSLATOR_PROGRAM_H
#define TRANSLATOR_PROGRAM_H

#include "base/map.h"
#include "base/vec.h"
#include "parser/ast.h"
#include "translator/probes/probe.h"

_Static_assert(MAX_KEYS == RT_MAX_KEYS, "the parser lets arrays have as many keys as the runtime has room for");

enum symbol_kind { SYM_LOCAL, SYM_GLOBAL, SYM_FUNCTION, SYM_ENTRY };

/* A variable or a function. */
struct symbol {
	enum symbol_kind kind;
	const char *name;
	struct node *decl;         /* N_GLOBAL, N_FUNCTION, N_PARAM; first use for other locals */
	enum type type;            /* of the value; of a function: what it returns */
	struct node *type_origin;  /* what settled it */
	unsigned index;            /* among the globals; unique number of a local in its function */
	const struct dtype *dtype; /* C type of the value (of elements, of the result), for autocast; or NULL */
	bool in_user;              /* it points to user space */
	const struct node *dtype_origin; /* what settled it */
	const struct dtype *other_dtype; /* a second one: then it has none */
	const struct node *other_origin;
	/* arrays */
	bool is_array;
	unsigned nkeys;
	enum type key[MAX_KEYS];
	struct node *key_origin[MAX_KEYS]; /* what settled it */
	struct node *array_origin;
	/* statistics: what the readers need */
	enum op hist;              /* OP_NONE, OP_HIST_LOG, OP_HIST_LINEAR */
	int64_t hist_low, hist_high, hist_step;
	struct node *hist_origin;
	bool needs_variance, needs_quantile;
	int64_t shift;
	/* use */
	bool is_param;
	unsigned file;             /* of a private global or function: the source it belongs to; else 0 */
	bool read, written;
	bool is_given;             /* -G sets it */
	bool used;                 /* opt: reachable */
	bool unlocked;             /* opt: each statement that touches it does so once, atomically */
	bool settled;              /* opt: it does not change while others run */
	bool arms;                 /* lower: a probe that can be disarmed has it in its condition */
	unsigned reads, mentions;  /* opt: of a local in its body */
	unsigned stamp;            /* lower: seen by the search of this number */
	bool assigned_in_loop;     /* opt: a string local that needs a buffer of its own */
	struct function *function; /* SYM_FUNCTION */
};

enum { SNAPSHOTS_UNKNOWN = 0, SNAPSHOTS_ASKED = -1, SNAPSHOTS_NONE = -2 };

/* A function of the script or the tapset. */
struct function {
	struct symbol *sym;
	struct node *decl;            /* N_FUNCTION */
	struct node *body;            /* N_BLOCK or N_EMBEDDED */
	struct node *lowered;         /* lower: the body; NULL if it is C */
	VEC(struct symbol *) params;
	VEC(struct symbol *) locals;  /* without params */
	struct map scope;             /* name -> symbol */
	bool bound, used;
	bool idle;                    /* no probe reaches it */
	bool in_context;              /* uses $variables: only copies of it are bound */
	struct probe *probe;          /* of a copy: its probe; else NULL */
	const struct function *origin; /* of a copy */
	enum moment moment;           /* of a copy: the moment that its $variables mean */
	unsigned copy;                /* number of a copy, else 0 */
	struct function *first;       /* of the functions of this name and number of arguments: what calls name */
	struct function *overload;    /* the next in the order of priority, or NULL */
	unsigned order;               /* place in that order */
	bool gives_way;               /* has a "next" in it */
	bool needs_guru;              /* bind: of Spile's tapset, and calls what only guru mode may */
	struct embedded *embedded;    /* bind: of a C body (resolve/embedded.h) */
	int64_t snapshots;            /* lower: elements its foreach loops walk at once, or: */
	bool is_recursive;
	uint8_t purity[2];            /* opt: opt/purity.c; besides soft errors, and with them */
	unsigned depth;               /* lower: how deep the calls go that a call of it makes; itself is one */
	unsigned stamp;               /* lower: seen by the search of this number */
};

/* What a return probe computes at the function's entry and saves for its handler. */
struct entry {
	const struct node *source; /* as written, to find equal ones */
	struct node *value;        /* bound */
	struct symbol *sym;        /* SYM_ENTRY; index is its first slot, once the type is known */
};

/* The overload that is tried after f, or NULL if f is the last that can be reached. */
static inline struct function *function_next(const struct function *f)
{
	return f->gives_way ? f->overload : NULL;
}

/* A handler and the sites that share it. */
struct probe {
	struct node *decl;            /* N_PROBE */
	struct node *point;           /* the N_POINT that led here */
	struct node *body;            /* own copy; alias prologues and epilogues are in it */
	struct node *lowered;         /* lower: the body */
	VEC(struct site *) sites;     /* at least one */
	VEC(struct symbol *) locals;
	struct map scope;
	VEC(struct entry *) entries;  /* saved at function entry; N_ENTRY_VALUE.num is the index */
	unsigned entry_slots;         /* check: 8-byte slots that they take */
	VEC(struct function *) functions; /* copies of functions that use $variables */
	struct node *entry_body;      /* lower: what computes and saves the entries; NULL if there are none */
	struct node *arming;          /* lower: its condition for being armed; NULL: it is always armed */
	bool arms;                    /* lower: it may change the conditions of others */
	bool small;                   /* lower: its handler needs no context */
	bool brief;                   /* lower: it needs little of one */
	unsigned condition;           /* emit: number of the function of arming, from 1; else 0 */
	bool shows;                   /* display: it prints a global, and nothing else */
};

/* What $names mean: variables of the probe's place, at that moment. */
struct view {
	struct probe *probe;          /* or NULL: there are none */
	enum moment moment;
};

/* In the handler of the probe. */
static inline struct view view_of(struct probe *p)
{
	return (struct view){p, place_moment(p->sites.v[0])};
}

/* A symbol of the kernel or of a module; the runtime finds its address. */
struct ksymbol {
	const char *name;
	const char *module; /* or NULL */
	bool optional;      /* only for the lines of code that it is in */
};

/* A module of the kernel that is probed or read. */
struct kmodule {
	const char *name, *build_id; /* NULL: not known */
};

/* An assignment, or a return (name NULL), in an arm that a constant condition leaves out: types/dropped.c. */
struct dropped {
	const struct map *scope;
	struct function *function; /* or NULL in a probe */
	const char *name;
	enum type type;
	struct node *at;
};

struct program {
	struct map globals;           /* name -> struct symbol; "name@source" of a private one */
	struct map functions;         /* "name/arity" -> struct symbol of the first overload; "name/arity@source" */
	struct map embedded;          /* place of an embedded expression -> its symbol */
	VEC(struct function *) function_list;
	VEC(struct symbol *) global_list; /* after opt: those in use, sym->index is the place */
	VEC(struct probe *) probes;
	VEC(struct ksymbol) ksymbols;
	VEC(struct elf_image *) images; /* named by @var in probes of other files; they come first in the script's table of images */
	VEC(struct kmodule) modules;  /* each once */
	bool in_context;              /* some function uses $variables */
	unsigned ncopies;             /* of functions, in all probes */
	bool follows;                 /* bind: there are paths over expressions, for follow.c */
	VEC(struct dropped) dropped;
	struct map regexes;           /* check: text -> struct regex */
	struct {                      /* lower: what a hit may need at most */
		int64_t strings;      /* alive at once */
		int64_t snapshots;    /* elements of all foreach loops that are under way */
		unsigned nesting;     /* calls within each other */
		unsigned groups;      /* of the regular expressions whose groups are asked for */
	} needs;
};

#endif
