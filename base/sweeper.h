/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A temporary folder that goes when this process, and the programs that it started meanwhile, have ended, however they end: a child
 * of its own waits for that.  Programs that are started in the group of that child (struct child_start) are ended when this process ends before
 * them.
 */
#ifndef BASE_SWEEPER_H
#define BASE_SWEEPER_H

#include <sys/types.h>

struct sweeper {
	pid_t pid; /* 0: there is none; else the number of its group as well */
	int own_fd, programs_fd; /* for writing, of the two pipes that the child reads: closed when we, and when all programs, have ended */
};

/* As mkdtemp(), and the folder is watched.  NULL with errno.  Without room for another process the folder is not watched. */
char *sweeper_make_folder(struct sweeper *w, char *template);
/* The same of a folder that is there; NULL: of none, only for programs. */
void sweeper_watch(struct sweeper *w, const char *path);
/* The folder need not be watched any more: it was removed, or it stays. */
void sweeper_end(struct sweeper *w);

#endif
