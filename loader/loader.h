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
	bool erred;   /* an error was told */
	struct sink *sink; /* NULL: no output yet */
};
extern struct say say;

/* "ERROR: ...", and notes that it happened; "WARNING: ..."; with verbose only, always on stderr.  A newline is added. */
void say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* An error of a handler, with what to do about it. */
void say_handler_error(const char *text);
void say_hint(const char *text); /* behind an error or a warning */

/* ---- advice.c ---- */

/* What to do about the error of a handler, as the module tells it with its place; NULL: nothing is known. */
const char *advice_about(const char *error);
const char *advice_about_skip(enum wire_skip cause); /* NULL: nothing helps */

/* ---- module.c: into and out of the kernel ---- */

struct module {
	char name[64];       /* as it is loaded: the file's own, or made unique */
	char directory[128]; /* of its files */
	int ctl;
	int lock; /* held from the load until ctl is open, so nobody takes the module for one left behind */
};

/*
 * Parameters for the kernel: settings (NULL-terminated "name=value" of globals) and the buffer size, 0 =
 * default.
 */
const char *module_parameters(struct arena *a, const char *const *settings, unsigned buffer_kb);
/* Loads and opens ctl.  -1: told why. */
int module_load(struct module *m, const char *path, const char *parameters);
/* Closes ctl, which stops what still runs, and unloads.  -1: told why. */
int module_unload(struct module *m);
/* Unloads modules whose loader is gone. */
void module_clean_up(void);
/* The name inside a .ko image, and room for it; NULL: not a module of this machine. */
char *module_find_name(char *image, size_t size, size_t *room);

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
	uint64_t next;     /* order of the record to be written next */
	uint64_t missing;  /* records that never came */
	struct sink *sink;
	uint64_t unknown;  /* records of a kind that is not known */
	bool is_stuck;     /* the output has no room for the next record */
	bool damaged;      /* something that is no record came */
};

/* fds: of the trace files, non-blocking, belong to the stream from here on. */
void stream_init(struct stream *s, const int *fds, unsigned n, struct sink *sink);
/*
 * Reads all that is there and puts out what is in order, as far as there is room; when all files have ended, also what
 * comes after a gap.  Never waits.
 */
void stream_drain(struct stream *s);
/* All files have ended, and all that they had was put out. */
bool stream_ended(const struct stream *s);
void stream_free(struct stream *s);

/* ---- target.c: the program of -c, the process of -x ---- */

struct target {
	pid_t pid;     /* 0: none */
	bool is_child;
	int child;     /* a socket: the child waits for a byte on it, and sends one when it cannot become the command; -1: none */
	bool released;
	int pidfd;     /* readable when it has exited */
	int status;    /* of the child, as wait() gives it */
	bool exited;
};

/* Starts the command, stopped before its first instruction.  -1: told why. */
int target_start(struct target *t, const char *command);
/* The process exists.  -1: told why. */
int target_attach(struct target *t, pid_t pid);
void target_release(struct target *t);
/*
 * Collects what pidfd announced; exit status 1 of the run if it was a child that failed (told).  expected: the session is
 * ending, however the child ends.
 */
int target_exited(struct target *t, bool expected);
/* A child that is still there is ended: by SIGTERM and, when that is ignored, by SIGKILL.  1: it never became the command. */
int target_end(struct target *t);
/* How the command is run: NULL-terminated. */
const char *const *target_argv(struct arena *a, const char *command);

/* ---- run.c: the session ---- */

/* Ctrl-C and its like: from here on they are read in the session. */
void run_catch_signals(void);

struct run {
	struct module module;
	struct target target;
	struct output output;
	struct sink sink;
	const char *out_name; /* of -o, or NULL: stdout */
	double seconds;  /* -T, 0 = none */
	const char *script;
	bool trace_self; /* what we ourselves do is probed too */
};
/* From START to the ledger.  Exit status. */
int run_session(struct run *r);
/* The end of the output, with or without a session: waits for its reader, until a signal makes that a matter of seconds.  Exit status. */
int run_finish(struct run *r, int status);

#endif
