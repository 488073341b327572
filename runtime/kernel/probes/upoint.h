/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in programs and libraries, and who uses them.
 *
 * A point is a place in a file at which the kernel keeps a breakpoint in every process that one of its users wants.  All users of a place
 * share one point, so that a hit costs one trap, and one decision whether the return can be hooked.  Their handlers run in the order in
 * which the users were added, at a return in reverse.
 *
 * Users come and go at any time while the engine runs.  A point lives as long as somebody holds it: its users, and what is left to be done
 * at the end of a hit.  Handlers see the users that there were when the hit began.
 */
#ifndef PROBES_UPOINT_H
#define PROBES_UPOINT_H

#include <linux/fs.h>
#include <linux/llist.h>
#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "kernel/access.h"

struct upoint;
struct upoint_user;

/* A hit, for the handlers of all users of its point. */
struct upoint_hit {
	struct pt_regs *regs;    /* of the program */
	unsigned long addr;      /* of the probed instruction; at a return, of the function */
	struct access_wait wait; /* what the handlers have waited together */
	unsigned int unseen;     /* enum wire_skip: why the return of this call will not be seen; WIRE_SKIP_COUNT: it will be */
	bool own;                /* the session itself caused it */
	bool prepared;           /* for the users: one of them has done what is done once for all */
};

/*
 * Handlers run in the probed task and may sleep.  They may call upoint_soon(), and nothing else that is declared below.  They may run before
 * the user is said to be added.
 */
struct upoint_ops {
	/* Is this process wanted?  In any process context, must not sleep; t and mm do not go away.  Locks what it looks at itself. */
	bool (*wants)(const struct upoint_user *u, struct task_struct *t, struct mm_struct *mm);
	void (*enter)(struct upoint_user *u, struct upoint_hit *h);
	/* The same while the user is not armed, but the point is.  NULL: it does not matter. */
	void (*pass)(struct upoint_user *u, struct upoint_hit *h);
	/* The function that begins at the place has returned.  NULL: the user is not interested in returns. */
	void (*leave)(struct upoint_user *u, struct upoint_hit *h);
	/*
	 * The return of the call whose stack pointer at its entry was sp will not be seen: drops what was saved for it.  True: the
	 * return would have been a hit.  With RCU held, in the task of the call.
	 */
	bool (*forget)(struct upoint_user *u, unsigned long sp);
};

struct upoint_user {
	/* Set before upoint_add(), and not changed until the user is removed. */
	const struct upoint_ops *ops;
	struct inode *inode; /* held by the caller */
	u64 offset;          /* in the file, of the first byte of an instruction */
	/*
	 * In the file, of a counter of 16 bits that the kernel raises while there is a breakpoint; 0: none, but that of another user of the
	 * place is raised for this one too.
	 */
	u64 semaphore;
	bool restricted;     /* ops->wants() is asked; else every process is wanted */
	bool sees_own;       /* hits that the session itself causes are not left out */
	bool unwinds;        /* no handler: what begins here walks up the stack, so the return addresses of all hooked calls are put back */
	bool armed;          /* at first; then upoint_arm() */
	/* The engine's. */
	struct upoint *point;
	bool registered;
	struct llist_node change;
	void (*done)(struct upoint_user *u, int rc);
	unsigned int changing; /* enum upoint_change */
	int rc;
};

/* Before all else; 0 or -ENOMEM.  Process context. */
int upoint_start(void);
/* The users that were added so far have been registered: from here on upoint_soon() can be called. */
void upoint_open(void);
/* Removes all users, waits for their hits, and frees all.  May sleep. */
void upoint_stop(void);

/*
 * Adds a user.  Nothing is probed for it before upoint_register(), which gives the place its breakpoints; registering a point takes the
 * same time for many users as for one.  0; -ENOMEM; -EEXIST: it is added already.  Process context, not in a handler.
 */
int upoint_add(struct upoint_user *u);
/*
 * 0 or -errno, the same for all users that the point has then; they stay added.  Process context, not in a handler, with no fatal signal
 * pending (aside.h).
 */
int upoint_register(struct upoint_user *u);
/*
 * Removes a user that was added: hits that begin later do not find it.  It may be in use until upoint_wait() returns, which waits for all
 * that were removed before.  0, or it stays: -EOPNOTSUPP: it shares its point, and the kernel has no uprobe_apply() to take it out; -ENOMEM:
 * it shares its point with hundreds.  Process context, not in a handler.
 */
int upoint_remove(struct upoint_user *u);
void upoint_wait(void);

enum upoint_change { UPOINT_NONE, UPOINT_ADD, UPOINT_REMOVE };
/*
 * The same from a handler, or wherever one cannot wait: a worker makes the changes soon, in the order of the calls.  When one is made, the
 * worker calls done(u, rc); rc: of upoint_add() and upoint_register(), or of upoint_remove().  After a removal with rc 0 nobody uses u any
 * more, so done() may free it; after one that failed, u is still a user.  0; -EBUSY: a change of u is under way, its addition perhaps: ask
 * again after done(); -ESHUTDOWN: the engine stops, which removes all users.  Task context.
 */
int upoint_soon(struct upoint_user *u, enum upoint_change what, void (*done)(struct upoint_user *u, int rc));

/*
 * Before the first upoint_register(), if users will be disarmed: looks for the kernel's uprobe_apply().  Without it the breakpoints of
 * disarmed users stay, and their hits are passed over.  Process context.
 */
void upoint_prepare_to_disarm(void);
/*
 * Arms or disarms a user.  A point has breakpoints while one of its users is armed.  A disarmed user gets pass() instead of enter(), but it
 * does get leave(), for each call that was hooked before or for another user.  0, or -errno if the point cannot be armed; if that fails several
 * times in a row, only the first time.  Process context, not in a handler.
 */
int upoint_arm(struct upoint_user *u, bool armed);

#endif
