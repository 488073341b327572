/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of spilerun share. */
#ifndef LOADER_LOADER_H
#define LOADER_LOADER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/output.h"
#include "loader/sinks/sink.h"
#include "runtime/wire.h"

/* ---- say.c: messages to the user, in the output if its form has them, else on stderr ---- */

struct say {
	bool quiet;   /* no warnings */
	bool verbose; /* also what is done; every message, even if it was there before */
	bool erred;   /* an error was reported */
	struct sink *sink; /* NULL: no output yet */
};
extern struct say say;

/* "ERROR: ...", and notes that it happened; "WARNING: ..."; with verbose only, always on stderr.  A newline is added. */
void say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* An error of a handler, with what to do about it.  each: report it even if the same was reported before. */
void say_handler_error(const char *text, bool each);
void say_hint(const char *text); /* after an error or a warning */

/* ---- remedy.c ---- */

/* What to do about the error of a handler, as the module sends it, with its place; NULL: nothing is known. */
const char *remedy_about(const char *error);
const char *remedy_about_skip(enum wire_skip cause); /* NULL: there is no advice */

/* ---- module.c: into and out of the kernel ---- */

struct module {
	char name[64];       /* as it is loaded: the file's own, or made unique */
	char directory[128]; /* of its files */
	int ctl;
};

/*
 * Parameters for the kernel: settings (NULL-terminated "name=value" of globals) and the buffer size, 0 =
 * default.
 */
const char *module_parameters(struct arena *a, const char *const *settings, unsigned buffer_kb);
/* Loads and opens ctl.  -1: reported. */
int module_load(struct module *m, const char *path, const char *parameters);
/* Closes ctl, which stops what still runs, and unloads.  -1: reported. */
int module_unload(struct module *m);
/* Unloads modules whose loader is gone. */
void module_clean_up(void);
/* Is it one that spile made, so that it may be loaded? */
bool module_is_ours(const char *image, size_t size);
/* Does this kernel refuse those without a signature? */
bool module_must_be_signed(void);
/* The name inside a .ko image, and room for it; NULL: not a module of this machine. */
char *module_find_name(char *image, size_t size, size_t *room);

/* A section of a .ko image, n bytes; NULL: there is none, or it is not a module. */
const char *module_find_section(const char *image, size_t size, const char *wanted, size_t *n);

/* ---- calls.c: the module that calls bodies of functions ---- */

/* Loads it, if the image carries it and it is not loaded. */
void calls_load(struct arena *a, const char *image, size_t size);
/* After a session: unloads what of it nobody holds.  No other loader is between its loading and that of a session's module. */
void calls_unload(void);

/* ---- symbols.c: the names of addresses in stacks ---- */

struct symbols {
	int fd; /* the module's file, or -1 */
	int (*ask)(struct symbols *s, struct wire_symbol *about); /* 0 or -1; NULL: nothing is known of any address */
	struct symbol *known;
	size_t n, size; /* of known[] */
	struct arena texts;
};

/* Of the loaded module with these files.  Without its file nothing is known of any address, which is no error. */
void symbols_open(struct symbols *s, const char *directory);
/*
 * What is at an address in a stack of a record, as struct wire_symbol has it, or "" if nothing is known.  Records come in ascending
 * order.  The text is valid until the end.
 */
const char *symbols_find(struct symbols *s, uint64_t order, uint64_t address);
void symbols_close(struct symbols *s);

/* ---- programs.c: tables of the files that the session finds in programs ---- */

struct programs {
	pid_t reader; /* the program that makes them, or 0 */
};

/* Before START, for the loaded module with these files. */
void programs_begin(struct programs *p, const char *directory);
/* When nothing is looked up any more. */
void programs_end(struct programs *p);

/* ---- target.c: the program of -c, the process of -x, commands of the script ---- */

struct target {
	pid_t pid;     /* 0: none */
	bool is_child;
	int child;     /* a socket: the child waits for a byte on it, and sends one when its exec fails; -1: none */
	bool released;
	int pidfd;     /* readable when it has exited */
	int status;    /* of the child, as wait() gives it */
	bool exited;
	bool excused;  /* it may end in any way: the user, or this program, has interrupted it */
};

/* Starts the command, stopped before its first instruction.  -1: reported. */
int target_start(struct target *t, const char *command);
/* Starts it at once, by a shell, without input.  -1: reported. */
int target_run(struct target *t, const char *command);
/* Checks that the process exists.  -1: reported. */
int target_attach(struct target *t, pid_t pid);
void target_release(struct target *t);
/* Collects the process whose end pidfd reported; exit status 1 of the run if it was a child that failed, unless it is excused (reported). */
int target_exited(struct target *t);
/* Ends a child that still runs: by SIGTERM and, if that is ignored, by SIGKILL.  1: it never executed the command. */
int target_end(struct target *t);

/* ---- commands.c: of system() ---- */

#define COMMANDS_MOST 64

struct commands {
	struct command {
		struct target process;
		char *text;
	} running[COMMANDS_MOST];
	unsigned n;
	int newest;    /* its pidfd, or -1: it has ended */
	double since;  /* when it was started */
	bool stopping; /* the session is: those that still run do not keep others waiting for long */
	double ending; /* since when the end of the session waits, or 0 */
};

/* Starts one.  False: so many run that it has to wait. */
bool commands_start(struct commands *c, const char *text, size_t n);
/* The pidfd of a command that the output waits for, or -1. */
int commands_awaited(const struct commands *c);
/* Takes note of those that have ended. */
void commands_collect(struct commands *c);
/* The end of the session need not wait (any longer). */
bool commands_done(struct commands *c);
/* Ends those that still run, with a warning. */
void commands_end(struct commands *c);

/* ---- outfile.c: the file of -o, and those that follow it ---- */

struct outfile {
	const char *name;  /* NULL: standard output */
	int fd;
	int first;         /* of the first file, while another one is written and it is still there; 0: none */
	uint64_t most;     /* bytes of a file; 0: any number */
	unsigned keep;     /* files; 0: all */
	unsigned number;   /* of this file */
	uint64_t begun;    /* bytes of output before it */
};

/* Opens the first file, which no other session may write, and leaves in it what is there.  -1: reported. */
int outfile_open(struct outfile *f);
/* Is there something in it that a session has to replace? */
bool outfile_keeps(const struct outfile *f);
/* Has the file no room for more bytes? */
bool outfile_is_full(const struct outfile *f, const struct output *o, size_t more);
/*
 * What follows goes to the next file, unless another session writes it.  Nothing is pending.  The first one stays locked, so that no other session
 * begins there, until it is removed.
 */
void outfile_next(struct outfile *f, struct output *o);
/* -1: reported. */
int outfile_close(struct outfile *f);

/* ---- stream.c: the records of all CPUs, put in order ---- */

struct stream_cpu {
	int fd;
	bool ended;
	char *buf;
	size_t start, end;
};
struct stream {
	struct stream_cpu *cpus;
	uint64_t *heads;   /* order of each CPU's first whole record, 0 = none */
	unsigned ncpus;
	uint64_t next;     /* order of the next record to be written */
	uint64_t missing;  /* records that were lost */
	struct sink *sink;
	struct commands commands;
	struct outfile *file;
	bool new_file;     /* asked for: before the next record */
	uint64_t unknown;  /* records of a kind that is not known */
	bool is_stuck;     /* the next record has to wait: the output has no room, or a command goes first */
	bool damaged;      /* something came that is not a record */
};

/* fds: of the trace files, non-blocking, owned by the stream from now on. */
void stream_init(struct stream *s, const int *fds, unsigned n, struct sink *sink, struct outfile *file);
/*
 * Reads all that is available and outputs the records that are in order, as far as there is room; when all files have ended, also
 * those after a gap.  Never waits.
 */
void stream_drain(struct stream *s);
/* All files have ended, and all of their data was output. */
bool stream_ended(const struct stream *s);
void stream_free(struct stream *s);

/* ---- input.c: standard input, for a script that probes it ---- */

struct input {
	int chars, lines; /* the script's files, or -1 */
	char line[8192];  /* that has not ended yet */
	size_t n;
};

/* Has the script of the session such files?  is_commands: the command of -c has the input, which is then left to it, with a warning. */
void input_open(struct input *in, const char *directory, bool is_commands);
void input_close(struct input *in);
/* What to poll, or -1: nothing is wanted, or the terminal is somebody else's. */
int input_fd(const struct input *in);
/* To be called when there is something to read, or the end: runs the script's handlers. */
void input_read(struct input *in);

/* ---- background.c: a session that goes on in the background ---- */

struct background {
	bool wanted;
	int news;     /* a socket: the process that was started waits for a byte on it */
	int messages; /* the file of messages from then on: OUTPUT.messages, or standard error if that is a file */
	bool is_own;  /* it is OUTPUT.messages */
};

/* Can the output be written in the background?  False: reported. */
bool background_may_write(const char *output);
/* From here on this is another process; the one that was started waits, and does not return.  -1: reported. */
int background_begin(struct background *b, const char *output);
/* The session has begun: lets that process end, and leaves the terminal.  Returns why the session cannot go on, or NULL. */
const char *background_go_on(struct background *b);
/* After everything else: a file of messages that has none goes. */
void background_end(const struct background *b, const char *output);

/* ---- run.c: the session ---- */

/* Ctrl-C and other signals: from now on the session reads them. */
void run_catch_signals(void);

struct run {
	struct module module;
	struct target target;
	struct output output;
	struct outfile file;
	struct sink sink;
	struct background background;
	double seconds;  /* -T, 0 = none */
	const char *script;
	bool trace_self; /* our own actions are probed too */
	bool relayed;    /* our parent passes on our output: its actions are the session's own */
};
/* From START to the ledger.  Exit status. */
int run_session(struct run *r);
/* Ends the output, with or without a session: waits for its reader; after a signal for some seconds only.  Exit status. */
int run_finish(struct run *r, int status);

#endif
