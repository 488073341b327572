/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of spile: the options, and what the passes have found so far.  Everything lives in its arena. */
#ifndef TRANSLATOR_SESSION_H
#define TRANSLATOR_SESSION_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "parser/parse.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/target.h"
#include "translator/program.h"

/* The version of SystemTap whose language this is: systemtap_v, the highest --compatible. */
#define SESSION_COMPATIBLE "5.6"

struct advice;
struct select;

enum list_mode { LIST_NONE, LIST_POINTS, LIST_VARS };

/* -D NAME=VALUE; names and defaults are in limits.def. */
struct limit {
	const char *name;
	int64_t value;
	bool given;
};

/* -D NAME=VALUE of another name, for C in the script. */
struct c_define {
	const char *name, *value;
};

/* A limit for what this process uses, and those that it starts. */
struct limited {
	bool is_given;
	uint64_t value;
};

struct options {
	const char *script_file;       /* or NULL */
	const char *script_text;       /* -e, or NULL */
	VEC(const char *) extra;       /* -E */
	VEC(const char *) words;       /* all that are no options: the script and */
	VEC(const char *) args;        /* $1 .. */
	VEC(const char *) include;     /* -I */
	VEC(const char *) globals;     /* -G */
	VEC(const char *) macros;      /* -D */
	int last_pass;                 /* -p: 1 .. 5 */
	const char *dump;              /* --dump=PASS */
	unsigned verbose;              /* -v */
	unsigned char detail[5];       /* --vp: what is added to it for each pass */
	bool no_warnings, warnings_are_errors, keep, unoptimized, no_display, guru, trace_self;
	bool disable_cache, poison_cache, clean_cache, debug;
	enum list_mode list;
	const char *list_point;
	VEC(const char *) modules;     /* -d */
	const char *cmd;               /* -c */
	int target_pid;                /* -x */
	int namespaces_pid;            /* --target-namespaces */
	const char *output;            /* -o */
	const char *timeout;           /* -T */
	const char *buffer_mb;         /* -s */
	const char *rotation;          /* -S */
	bool background;               /* -F */
	bool bulk;                     /* -b */
	const char *release;           /* -r */
	const char *arch;              /* -a */
	const char *module_name;       /* -m */
	bool vm;
	const char *vm_release;        /* --vm=REL, NULL for the default */
	bool explain;                  /* the ids are args */
	const char *example;           /* --example: the script is script_file */
	const char *example_call;      /* how that script is called, or NULL */
	bool examples;                 /* --examples: the words are args */
	bool skip_badvars;
	bool dump_functions, dump_probe_types, dump_probe_aliases;
	const char *compatible;        /* --compatible, or NULL */
	const char *format;            /* --format, or NULL */
	char nothing;                  /* of the options that do nothing: it stays 0 */
	bool timing;                   /* -t */
	bool fast_returns, no_fast_returns;
	bool no_time_limits;           /* --suppress-time-limits */
	bool no_error_limit;           /* --suppress-handler-errors */
	const char *prologue;          /* --prologue-searching: as color, and does nothing */
	const char *color;             /* --color: never, always, auto; or NULL */
	const char *tmpdir;            /* --tmpdir, or NULL */
	struct limited limited_as, limited_cpu, limited_nproc, limited_stack, limited_fsize; /* --rlimit-AS ... */
	bool help, version;
};

/* How much is said of a pass, 1 to 5. */
static inline unsigned options_detail(const struct options *o, int pass)
{
	return o->verbose + o->detail[pass - 1];
}

struct session {
	struct arena arena;
	struct sources sources;
	struct diags diags;
	struct options opt;
	const struct target *target;   /* the architecture */
	struct parse_env env;
	bool *args_used;               /* of each argument: the script asks for it */
	struct kernel_info *kernel;
	struct problem no_kernel;      /* why that is NULL */
	const char *release;           /* of the target kernel */
	struct map config;             /* CONFIG_X -> value, once it was asked for */
	bool config_read;
	struct node *script;           /* N_FILE of the user's script */
	struct node *listed;           /* N_POINT of -l and -L */
	VEC(struct node *) tapset;     /* N_FILEs of the tapset, as far as the script needs them */
	VEC(struct library_probes *) library_probes; /* declare.c: those of them that have probes */
	struct select *select;         /* resolve/select.c: which these are */
	struct program prog;
	struct advice *advice;         /* opt/advice.c */
	struct map images;             /* path -> opened ELF image (probes/image.c) */
	struct map missing_images;     /* path -> struct problem: there is no such file */
	struct library_cache *library_cache; /* probes/libraries.c; NULL until it is asked for */
	struct sb c_text;              /* emit */
	unsigned c_parts;              /* emit: in how many parts it is to be compiled, at least 1 */
	bool c_calls;                  /* emit: there are probes for which the module of runtime/calls is of use */
	struct map c_places;           /* emit: name of a function in it -> struct loc *, the function or probe it was made of */
	struct sb extra_text;          /* emit: C that is compiled with the kernel's headers, or empty */
	const char *module_name;
	const char *module_path;       /* build: what is reported to the user */
	const char *loaded_path;       /* build: the file that this session loads, which no other run replaces */
	bool module_was_cached;        /* build */
	bool module_is_temporary;      /* that is a copy in /tmp, for this run only */
	unsigned nparsed;              /* library scripts, for -v */
	struct limit *limits;
	VEC(struct c_define) c_defines; /* each is named in C of the script: else bind reports it */
};

/* From options to kernel, architecture and paths: 0, or -1 with diagnostics. */
int session_init(struct session *s);
void session_end(struct session *s);
/* Prints the messages that have been collected: before the script runs, which may take hours, and at the end. */
void session_tell(struct session *s);
/* Value of a limit by its SystemTap name ("MAXACTION"). */
int64_t session_limit(const struct session *s, const char *name);
/* Of a word that is the release of an installed kernel, where a guest is started without one: how that is said; nothing otherwise. */
void session_hint_vm(struct session *s, const char *word, struct diag *d);
/* Is the place in a file of the tapset?  It may do what a user's script may only in guru mode. */
bool session_in_tapset(const struct session *s, struct loc loc);
/* May the code at the place do dangerous things? */
bool session_is_trusted(const struct session *s, struct loc loc);
/* Most elements that the array may have. */
int64_t session_array_max(const struct session *s, const struct symbol *v);

/* Warns that the name of -d is of nothing: addresses there will have no names. */
void session_no_names(struct session *s, const struct problem *why, const char *name);
/* A module of the kernel that the script uses, of which something is known already: its name, which stays; the runtime gets its build-id. */
const char *session_module(struct session *s, const char *name);
/* Index of a program or library in the script's table of them: variables of it are read wherever it is mapped. */
int64_t session_image(struct session *s, struct elf_image *image);
/* Index of a symbol of the kernel, or of a module, in the table that the runtime fills with addresses. */
int64_t session_ksymbol(struct session *s, const char *name, const char *module, bool optional);

/* Shorthands. */
#define s_error(s, loc, id, ...) diag_report(&(s)->diags, (loc), (id), __VA_ARGS__)
/* Turns a debuginfo problem into a diagnostic with hints. */
struct diag *session_problem(struct session *s, struct loc loc, const struct problem *why, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
