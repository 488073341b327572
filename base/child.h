/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs other programs without a shell, and captures what they print. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>

#include <sys/types.h>

#include "base/str.h"

/* --- starting one --- */

enum { CHILD_OWN_GROUP = -1 };

struct child_start {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in $PATH */
	char *const *env;        /* all of it, or NULL: ours */
	const char *cwd;         /* or NULL */
	int in, out, err;        /* its first descriptors; -1: ours */
	pid_t group;             /* 0: in ours; CHILD_OWN_GROUP: in a process group of its own; else in that one */
};

/* No signal is blocked in it, SIGPIPE and SIGXFSZ are not ignored, and it shares our memory until its exec.  0, or an errno. */
int child_start(const struct child_start *c, pid_t *pid);
/*
 * As fork(), for one that has more to do before its exec.  SIGXFSZ is not ignored in it.  It gets the signal (0: none) when this process ends
 * first.
 */
pid_t child_fork(int death_signal);
/* Waits for its end: as child_status(), or 127 when it is not known. */
int child_wait(pid_t pid);
/* Of a wait status: the exit status, or 128 + signal. */
int child_status(int wait_status);

/* --- from start to end, with all that it prints --- */

struct child {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in $PATH */
	const char *const *env;  /* additional "NAME=value" strings, NULL-terminated, or NULL */
	const char *cwd;         /* or NULL */
	const char *input;       /* NULL: /dev/null */
	unsigned timeout_s;      /* 0 = none; else the child has a process group of its own, to be killed; unless group is set */
	pid_t group;             /* 0: none; else that of a sweeper (base/sweeper.h), for it and what it starts; at a time-out these get SIGTERM */
	struct sb out, err;      /* what it printed; sb_free() when done */
	bool merge;              /* stderr goes to out as well */
	int status;              /* exit status; 128 + signal when killed; 127 when it could not be started */
	bool timed_out;
	bool truncated; /* it printed more than CHILD_OUTPUT_MAX to one of them: the rest was dropped */
};

#define CHILD_OUTPUT_MAX ((size_t)64 << 20)

/*
 * Runs to the end.  0 if it ran and exited 0, -1 otherwise (see status; errno of a failed start).
 * A grandchild left in the background with the output still open is not waited for.
 */
int child_run(struct child *c);

/* Full path of a program in $PATH, in the arena, or NULL. */
const char *child_find_program(struct arena *a, const char *name);

#endif
