/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of a probe family.  Families are what scripts write.  A family is one file here and one line in probes.def; nothing
 * else knows it.  Mechanisms are what the kernel offers to serve the sites of families.  A mechanism has a line in mechanisms.def, a
 * file in runtime/kernel/probes/, and a small header in runtime/sites/ that both halves include.  Families may share a mechanism.
 */
#ifndef TRANSLATOR_PROBES_PROBE_H
#define TRANSLATOR_PROBES_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "parser/ast.h"
#include "runtime/rt/script.h"
#include "translator/probes/place.h"

struct session;
struct probe_family;
struct probe_mechanism;

/* A probe point after aliases, braces and wildcards of component names are gone. */
struct point {
	struct node *node;      /* N_POINT: where it is written */
	const struct point *alias; /* as written, if this is what an alias of the library or the script stands for; NULL: it is as written */
	unsigned n;
	struct component {
		const char *name;      /* interned */
		struct node *arg;      /* N_STRING, N_NUMBER or NULL */
		struct loc loc;
	} c[16];
	bool optional;          /* ? or !, or from a wildcard: finding nothing is no error */
	bool one;               /* a listing asks whether there is any: one site is enough */
	bool sufficient;        /* ! of an alternative: if it finds anything, the alternatives after it are ignored */
};

/*
 * One place to probe: a row of the runtime's site table, and what the handler may know about it.
 * See struct rt_site (runtime/rt/script.h); the mechanism defines what kind, s and n mean.
 */
struct site {
	const struct probe_family *family;
	const struct probe_mechanism *mechanism; /* that serves it */
	const char *point;      /* resolved text, for pp() and listings */
	const char *name;       /* the alias that it is of, for pn() and listings; NULL: none */
	const char *function;   /* for ppfunc(), "" if none */
	unsigned kind;
	bool optional;          /* not probeable at run time: a warning only */
	bool is_return, is_user;
	bool is_end;            /* the function returns here, and its entry is not probed: no @entry(), and is_return is not set */
	bool is_inlined;        /* a function is inlined here, and its point did not ask for such places only */
	bool is_go;             /* a function of Go, which is passed arguments in other registers */
	bool has_text;          /* a text comes with the hit, or is what the handler makes */
	bool is_call;           /* a system call: its arguments and its result are not a function's */
	bool is_alone;          /* no other handler runs at the same time (begin, end, error) */
	bool calls_body;        /* of a return without an entry handler: runtime/calls may call the function's body */
	bool is_never;          /* compiled and listed, not armed */
	const char *s[RT_SITE_TEXTS];
	int64_t n[RT_SITE_NUMBERS];
	const int64_t *own;     /* nown numbers */
	unsigned nown;
	const char *counter;    /* handlers read by this name what it counts (@perf), and it needs no handler itself; or NULL */
	struct loc loc;
	const struct probe_value *values; /* of its family's; NULL: none */
	const struct probe_guard *guard; /* NULL: every hit is one of the site */
	const struct probe_local *locals; /* ends with a NULL name; NULL: none */
	struct place *place;    /* set by place.c when first asked for */
	const void *data;       /* the family's own */
	unsigned row;           /* emit: in the table of probes */
};

struct sites {
	VEC(struct site *) v;
};

/* A place that the runtime must also probe to serve a site.  Only kind, optional, s, n and own are looked at. */
struct site_helper {
	const struct site *whose;
	struct site site;
};

struct site_helpers {
	VEC(struct site_helper) v;
};

/* A form is text like "kernel.function(s).return": (s) a string, (n) a number argument. */
struct probe_form {
	const char *text;
	int variant;            /* the family's own */
	const char *help;       /* for --dump-probe-types */
};

/*
 * A $variable that is no memory, but a text or a number of the hit: functions of the tapset are called instead.  set, append: for = and
 * .=; NULL: it cannot be assigned to.
 */
struct probe_value {
	const char *name;       /* "*": any other, which the functions get as their last argument */
	const char *get, *set, *append;
	const char *defined;    /* whether there is one; NULL: always */
};

/*
 * Sites of one point may be hit by more than what the point means.  Then a function of the tapset is called first at each hit,
 * function(handle, text ...), and the handler runs if it gives another number than 0.  The functions of its values get the handle as their first
 * argument too.
 */
struct probe_guard {
	const char *function;
	int64_t handle;
	const char *const *texts; /* ends with NULL */
};

/*
 * A variable without "$" that handlers may read: what a function of the tapset returns for the argument.  For a probe of a return it is called
 * at the entry, and the value is kept until then.
 *
 * Some are only known at the return, but depend on the entry.  accept(fd, addr, addrlen) writes the peer's address to addr, at most as many
 * bytes as addrlen points to at the entry, where it writes how long the address is.  They have npast, and at the return the variable is
 *	function(argument, @entry(saved(argument)), @entry(past(0)), ... @entry(past(npast - 1)))
 * without the second if saved is NULL.
 */
struct probe_local {
	const char *name;       /* interned */
	const char *function;
	int64_t argument;
	const char *saved, *past;
	unsigned npast;
	bool is_text;
};

/* The local that $NAME is as well, as $fd is fd and $pathname pathname_uaddr; NULL: none. */
const struct probe_local *probe_local_number(const struct site *t, const char *name);

struct probe_family {
	const struct probe_mechanism *mechanism; /* of its sites, unless they name another */
	const struct probe_form *forms; /* ends with a NULL text */
	/* Adds the sites of a point; 0, or -1 with diagnostics (none needed when point->optional and nothing is there). */
	int (*resolve)(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out);
	/* What can be named at a site (place.h); NULL: the family has no $variables, and the types are the kernel's. */
	struct place *(*place)(struct session *s, const struct site *site);
	/* All that its sites may name; ends with a NULL name.  NULL: none. */
	const struct probe_value *values;
	/* Is there something of the name, which may stand at the "*" of an alias?  NULL: no. */
	bool (*has_name)(struct session *s, const char *name);
	bool alike; /* its sites of one point have the same $variables, so that one handler serves them */
};

struct probe_mechanism {
	const char *name;       /* of the runtime's struct rt_mechanism */
	/* The runtime arms and disarms its sites as conditions say; otherwise conditions are only checked at each hit. */
	bool disarms;
	/* The runtime runs brief handlers (lower/small.c) of its sites in a shorter way. */
	bool briefs;
	/* Bytes that the entry handler of a return probe can save; 0: any number. */
	unsigned entry_max;
	/* Hits a second that a site has on one CPU, if its point says how many: 0 if it does not.  NULL: no point does. */
	int64_t (*rate)(const struct site *t);
	/*
	 * Adds the places without a handler that the sites of the script need, each to serve one of them.  Called once, when the
	 * script is complete.  NULL: none.
	 */
	void (*helpers)(struct session *s, struct site_helpers *out);
};

#define FAMILY(symbol) extern const struct probe_family symbol;
#include "translator/probes/probes.def"
#undef FAMILY

#define MECHANISM(symbol) extern const struct probe_mechanism symbol;
#include "translator/probes/mechanisms.def"
#undef MECHANISM

extern const struct probe_family *const probe_families[];
extern const unsigned probe_nfamilies;
extern const struct probe_mechanism *const probe_mechanisms[];
extern const unsigned probe_nmechanisms;

/* Has a family something of the name? */
bool probe_has_name(struct session *s, const char *name);

/* For families: a zeroed site that knows its family and place. */
struct site *probe_site(struct session *s, const struct probe_family *f, const struct point *p, struct sites *out);
/* A name as a script writes it, in quotes, with control characters escaped. */
const char *probe_quoted(struct session *s, const char *name);
/* Why an instruction in a restartable sequence (elf_is_restartable()) cannot be probed. */
extern const char probe_restartable[];
/* Of a site where a function returns and its entry is not probed (is_end): how a handler comes by what it was called with. */
const char *probe_keep_advice(struct session *s, const struct site *t);
/* How users know the site: by the alias that they wrote, else by its point. */
static inline const char *probe_site_name(const struct site *t)
{
	return t->name ? t->name : t->point;
}
/* The text of a point as written, from its components. */
const char *probe_point_text(struct session *s, const struct point *p);
/* The component of the name, after the first; NULL: the point has none. */
const struct component *probe_component(const struct point *p, const char *name);
/* Reports an argument that cannot be; -1. */
int probe_bad_value(struct session *s, const struct component *c, const char *why);
/* The site of a handler that runs when all others at the end of the session have run (begin.c). */
struct site *probe_at_end(struct session *s, struct loc loc);
/*
 * Reports a point that SystemTap has and no family here (absent.def), with the nearest thing that works; false if it is none.
 * known: components that a form agrees with.
 */
bool probe_absent(struct session *s, const struct point *p, unsigned known);
/* Advice for a point of a program of SystemTap's that is not installed; NULL: it is none. */
const char *probe_absent_program(struct session *s, const struct point *p, const char *program);

#endif
