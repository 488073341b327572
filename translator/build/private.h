/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of translator/build/ share, and nothing else may include. */
#ifndef TRANSLATOR_BUILD_PRIVATE_H
#define TRANSLATOR_BUILD_PRIVATE_H

#include <sys/types.h>
#include <time.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "translator/build/build.h"

/* A command line; NULL-terminated by run_argv(). */
typedef VEC(const char *) build_argv;

/* --- run.c: other programs, several at a time --- */

struct run {
	const char *what; /* name of the step, for -v */
	const char *const *argv;
	const char *const *env; /* additional NAME=value, NULL-terminated, or NULL */
	const char *cwd;        /* or NULL */
	const char *log;        /* file that takes stdout and stderr */
	double work;            /* guessed seconds, for the progress */
	bool waits;             /* not to be started yet: run_each() */
	/* results */
	int status; /* exit status, 128 + signal, 127 not started (then start_errno) */
	int start_errno;
	double seconds;
};

/* Runs all n, at most b->jobs at a time, to the end.  0 when all exited 0. */
int run_all(struct build *b, struct run *runs, size_t n);
/* Runs both at the same time, the second reading what the first prints.  0 when both exited 0. */
int run_pipe(struct build *b, struct run runs[2]);
/*
 * The same, and calls ended() after each, which may clear .waits of others.  Those that wait for ever are not run: status 127.
 */
int run_each(struct build *b, struct run *runs, size_t n, void (*ended)(void *data, struct run *r), void *data);
/* So much of b->work is done. */
void run_progress(struct build *b, double seconds);
/*
 * A run that waits halfway.  Its stdin is a socket, which it also writes to: one line when it begins to wait.  Then it reads: a line
 * means to go on, the end of the file to give up.
 */
struct run_halfway {
	pid_t pid;
	double since;
	int talk;
};
/* Starts it and waits until it has stopped.  -1: it did not start, or has ended. */
int run_begin(struct build *b, struct run *r, struct run_halfway *h);
/* Lets it go on, or give up, and waits for its end.  0 when it exited 0. */
int run_end(struct build *b, struct run *r, struct run_halfway *h, bool go);
/* The text that a run printed, in the arena; "" when there is none. */
const char *run_log(struct build *b, const struct run *r);
/* Notes a step for -v; runs of run_all() note themselves. */
void run_step(struct build *b, const char *name, double seconds);
/* NULL-terminates and gives the vector. */
const char *const *run_argv(struct build *b, build_argv *v);
void argv_append(struct build *b, build_argv *to, const build_argv *from);
/* The run of a compiler: cc -o out in, in the folder cwd; what it says goes to OUT.log. */
struct run run_compile(struct build *b, const build_argv *cc, const char *cwd, const char *in,
		       const char *out, const char *what);

/* --- sources.c --- */

/* The runtime's files that end in .c, .h or .def, relative to its folder, in a fixed order.  -1 with a diagnostic. */
int sources_of_runtime(struct build *b, build_argv *out);
/* A hash of their names and texts.  The cache is open; it keeps the hash for as long as no file changes.  -1 with a diagnostic. */
int sources_hash(struct build *b, char hash[33]);

/* --- cache.c --- */

/* Opens b->cache (and falls back, with a warning, to a temporary one).  Makes b->work_dir.  -1: no directory can be written. */
int cache_open(struct build *b);
void cache_close(struct build *b);
/* Does all of it go away at cache_close()? */
bool cache_is_temporary(const struct build *b);
/* Path of an entry (a folder), whether it exists or not; kind is "runtime" or "script".  "sources": a file of sources_hash(). */
const char *cache_path(struct build *b, const char *kind, const char *key);
/* Is there a whole, undamaged entry?  Marks it as used; a damaged one is removed. */
bool cache_has(struct build *b, const char *kind, const char *key);
/* A new, empty folder on the cache's file system in which to prepare an entry. */
const char *cache_prepare(struct build *b);
/* Seals the files of the prepared folder and makes it the entry.  If another run was faster, its entry stays.  -1: failed (warned). */
int cache_publish(struct build *b, const char *prepared, const char *kind, const char *key);
/* Waits for and holds the build lock of a key; returns a descriptor for cache_unlock(), or -1 (then go on without).  Tells why it waits. */
int cache_lock(struct build *b, const char *key);
void cache_unlock(int fd);
/*
 * From now on the work folder also goes when this run is interrupted or killed, and programs in the process group that is returned (0: none) are
 * ended before.
 */
pid_t cache_watch_work(struct build *b);

/* --- headers.c: the kernel's headers and the tools it needs --- */

struct headers {
	const char *release;
	const char *dir; /* the build tree */
	const char *cc;  /* full path of the compiler to use */
	const char *ld;  /* path of the linker, to identify it in the key */
	const char *make;
	const char *cc_text; /* CONFIG_CC_VERSION_TEXT */
};
/* Finds and checks everything; -1 with diagnostics that name the package. */
int headers_find(struct build *b, struct headers *h);
/* Key of the runtime objects: kernel, tools, and the runtime's sources. -1 with diagnostics. */
int headers_key(struct build *b, const struct headers *h, char key[33]);
/* The names that the kernel itself exports to all modules, neither in a namespace nor from a module, into out.  -1 with diagnostics. */
int headers_exports_of(struct build *b, const struct headers *h, const struct map *names, build_argv *out);
/* Sets the value of those names to NULL that are exported.  -1 with diagnostics. */
int headers_not_exported(struct build *b, const struct headers *h, struct map *names);
/* The symbols of patterns (NULL-terminated globs) that Module.symvers exports, into out.  -1 with diagnostics. */
int headers_exports(struct build *b, const struct headers *h, const char *const *patterns, build_argv *out);
/* Is each symbol of runtime/kernel/exports.def exported?  -1 with a diagnostic per missing one. */
int headers_check_exports(struct build *b, const struct headers *h);

/* --- kbuild.c: asks the kernel's kbuild for its commands and its glue --- */

/* Commands as kbuild recorded them, split into words; paths made absolute, inputs and outputs left out. */
struct kbuild_commands {
	build_argv cc; /* compile a C file, debug information and ftrace hooks left out; add: -o OUT IN */
	build_argv object_tool; /* objtool on each object; empty: none; add: OBJECT */
	build_argv link_tool;   /* objtool on a linked object; empty: none */
	build_argv link;        /* final link, without -T; add: -o OUT -T LDS INPUTS */
	const char *lds;        /* the kernel's linker script for modules */
	const char *cwd;        /* where they were run */
	const char *srcarch; /* the kernel's name for the architecture, objtool wants it in its environment */
	build_argv glue;     /* objects that kbuild adds to the module after its own, *.mod.o first */
	/* the build that is halfway */
	const char *dir, *name;
	struct run make;
	struct run_halfway halfway;
	bool waiting;
};

/*
 * Starts a build of the module name in dir, an empty folder.  It compiles an empty file, from which cc, object_tool and srcarch are
 * learned, and waits for the other parts.
 */
int kbuild_learn(struct build *b, const struct headers *h, const char *dir, const char *name, struct kbuild_commands *c);
/* The object that makes the module, to be there when the build is continued. */
const char *kbuild_parts(struct build *b, const struct kbuild_commands *c);
/* Continues the build that kbuild_learn() began, and learns the rest. */
int kbuild_continue(struct build *b, const struct headers *h, struct kbuild_commands *c);
/* Ends it instead, if it has not ended. */
void kbuild_give_up(struct build *b, struct kbuild_commands *c);
/* Another build of a module name, of finished objects (n paths), in dir, an empty folder: learns what kbuild_continue() does. */
int kbuild_template(struct build *b, const struct headers *h, const char *dir, const char *name,
		    const char *const *objects, size_t n, struct kbuild_commands *c);
/* From kbuild's full command for a C file: the command for freestanding C. */
void kbuild_freestanding(struct build *b, const struct kbuild_commands *c, build_argv *out);
/* One shell word at *p into the arena; NULL at the end of the command, where *p then is: ";" or the end of the text. */
const char *kbuild_word(struct arena *a, const char **p);
/* First line of the log that looks like an error, or the last line, in the arena. */
const char *kbuild_first_error(struct arena *a, const char *log);

/* --- compat.c --- */

/* The choice of the variants of runtime/kernel/compat/ by compiling with cc in cwd; works in dir.  NULL with diagnostics. */
struct compat *compat_begin(struct build *b, const build_argv *cc, const char *cwd, const char *dir);
/* The run that tries the wrappers as they are chosen.  The caller runs it, maybe beside others. */
int compat_try(struct build *b, const struct compat *c, struct run *r);
/* Judges the first try, tries again if it must, and writes config_h.  The oldest forms are not tried: compat_check(). */
int compat_finish(struct build *b, struct compat *c, struct run *r, const char *config_h);
/* When the runtime does not compile: is a wrapper the reason?  -1 with a diagnostic for each. */
int compat_check(struct build *b, struct compat *c);
/* The #include lines of all wrappers. */
void compat_put_includes(const struct compat *c, struct sb *out);

/* --- pieces.c: those in which the runtime is compiled --- */

enum piece_kind {
	PIECE_CORE,   /* files of kernel/ that each module has */
	PIECE_KERNEL, /* a part of kernel/parts.def */
	PIECE_CALLS,  /* the module of runtime/calls */
	PIECE_RT      /* a file of rt/ */
};

struct piece {
	const char *name;
	enum piece_kind kind;
	build_argv files;   /* relative to the runtime's folder */
	size_t bytes;       /* of these */
	struct map words;   /* the identifiers in them */
	struct map defines; /* what they seem to define */
	bool is_wanted;
	bool is_in_kit;     /* linked to runtime.o */
	const char *object; /* compiled in this run, before objtool; NULL: not */
	const char *log;    /* what the compiler said then */
};

struct pieces {
	VEC(struct piece *) all;  /* the core is the first */
	struct map owner;         /* of what pieces seem to define: the piece */
	struct map kernel_words;  /* the identifiers in all that is compiled with the kernel's headers, our own headers included */
};

/* Reads the sources, once: b->pieces.  NULL with diagnostics. */
struct pieces *pieces_read(struct build *b);
struct piece *pieces_find(const struct pieces *ps, const char *name);
/* Adds the identifiers in a C text. */
void pieces_words(struct build *b, const char *text, struct map *words);
/* Marks the pieces as wanted that seem to define one of the words, and those that these seem to need. */
void pieces_want(struct pieces *ps, const struct map *words);

/* --- runtime.c: compiles runtime/ for a kernel --- */

struct runtime_commands {
	build_argv cc;        /* the command for freestanding C: scripts and runtime/rt; add: -o OUT IN */
	build_argv kernel_cc; /* for C with the kernel's headers */
	const char *cwd;      /* for that */
	const char *work;     /* a folder for all that is not kept */
};

struct runtime_objects {
	const char *stub; /* object of the shortest script */
	const char *refs; /* object that refers to all kernel symbols that compilers use by themselves, or parts of the runtime may */
	struct runtime_commands cmd;
};

/* Compiles the pieces that are wanted, and the rest of what a kit needs.  work: a folder for all that is not kept; dir gets compat_config.h. */
int runtime_compile(struct build *b, const struct headers *h, const struct kbuild_commands *cmd,
		    const char *work, const char *dir, struct runtime_objects *out);
/* Later: compiles the pieces that are wanted and not compiled yet. */
int runtime_compile_wanted(struct build *b, const struct runtime_commands *c);
/* Links objects to one (n paths).  -1 with diagnostics. */
int runtime_link(struct build *b, const char *work, const char *out, const build_argv *objects);

/* --- driver.c: what gcc starts --- */

extern const char script_columns[]; /* an option: a tab is one column, as in our messages */

/*
 * How gcc compiles DIR/script.c to DIR/script0.o with the options of scripts, for a kit.  Empty if that is not one compiler whose output an
 * assembler reads: then gcc is asked each time.
 */
void driver_learn(struct build *b, const build_argv *cc, const char *dir, build_argv *cc1, build_argv *as);
/* The two that compile script.c to script0.o in the work folder, for run_pipe().  -1: the kit does not have them. */
int driver_runs(struct build *b, struct run runs[2]);
/* The compile of a script by gcc. */
struct run driver_run(struct build *b, const build_argv *cc, const char *in, const char *out);

/* --- frame.c: the stack that functions take --- */

/* For the compiler of a script: leaves a file for frame_measure() beside each object. */
const char *frame_usage_flag(void);
/* Makes a compile of the runtime fail, naming the function, if one takes too much. */
void frame_bound_runtime(struct build *b, build_argv *cc);
/* Writes the largest frame of all objects into rt_script, in the first.  -1 with diagnostics: it is too large. */
int frame_measure(struct build *b, const build_argv *objects);

/* --- object.c: ELF --- */

/* File offset of each place of the module name in the NAME.mod.o image; fills at most max.  Number found, -1 not ELF. */
int object_find_name(const char *image, size_t len, const char *name, size_t *offsets, int max);
/* File offset of the variable rt_script.  -1: not there. */
int object_find_script(const char *image, size_t len, size_t *at);
/* Names of the undefined (or defined global) symbols of an object file, interned, into the map (value non-NULL). */
int object_symbols(struct build *b, const char *path, bool undefined, struct map *out);

/* --- members.c: objects that are linked only when they are needed --- */

/*
 * The members (objects) that define one of the wanted symbols, or of those that such a member wants in turn, which are added to wanted.
 * left: gets the others, or NULL.  -1: an object cannot be read.
 */
int members_take(struct build *b, const build_argv *members, struct map *wanted, build_argv *taken, build_argv *left);

/* --- kit.c: what is kept per kernel --- */

struct build_part {
	const char *name, *dir;
};

struct build_kit {
	const char *key;                         /* 32 hex digits */
	const char *dir;                         /* its folder, in the cache or in work_dir */
	build_argv cc;                           /* freestanding compile; add: -o OUT IN */
	build_argv cc1, as;                      /* of driver_learn() */
	build_argv kernel_cc;                    /* with the kernel's headers; add: -o OUT IN; run in cwd */
	build_argv object_tool, link_tool, link; /* as in struct kbuild_commands */
	build_argv parts;   /* names of the pieces that are not in runtime.o */
	build_argv offers;  /* "SYMBOL PART": what they seem to define */
	build_argv inputs;  /* what is linked after the script and the *.mod.o: runtime.o, more glue */
	build_argv env;     /* for the tools */
	build_argv name;    /* [0]: the template's module name, as long as a name can be */
	build_argv cwd;     /* [0] */
	build_argv symbols; /* that a script and parts may leave undefined: runtime.o's, and versioned ones of the kernel */
	struct headers headers;
	VEC(struct build_part) have; /* parts, and the folders in which they are */
};

/* Loads or makes the kit of the kernel: b->kit.  -1 with diagnostics. */
int kit_get(struct build *b);

/* --- parts.c: what is kept beside the kit, made when a script needs it --- */

/* The folders of these parts, which are made if they are not in the cache: names as in kit->parts.  -1 with diagnostics. */
int parts_get(struct build *b, const build_argv *names, build_argv *dirs);
/*
 * Finds the parts that define what is wanted, and what these want in turn, which is added to wanted.  objects: gets those to be linked; raw: the
 * same before objtool; unknown: what neither own, the kit nor a part has.  -1 with diagnostics.
 */
int parts_take(struct build *b, struct map *wanted, const struct map *own, build_argv *objects, build_argv *raw, struct map *unknown);
/* The object that carries the module of runtime/calls: NULL if this kernel does not take it.  -1 with diagnostics. */
int parts_calls(struct build *b, const char **object);

/* --- calls.c: the module of runtime/calls --- */

/* From its object, makes the object out, which carries the module; the kit is loaded.  -1 with diagnostics. */
int calls_finish(struct build *b, const char *object, const char *work, const char *out);
/* Runs a tool on each object, several at a time (nothing when the tool is empty).  -1 with diagnostics. */
int kit_tool(struct build *b, const char *what, const build_argv *tool, const build_argv *env, const build_argv *objects);

#endif
