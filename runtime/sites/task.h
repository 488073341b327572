/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "task": begin and end of processes and threads.  Shared by the translator, which writes the sites, and
 * runtime/kernel/probes/task.c, which arms them.
 *
 *	s[0]  absolute path of the executable, symbolic links resolved, or NULL: any
 *	s[1]  NULL
 *	n[0]  process id, or 0: any
 *	n[1]  enum site_task_flags
 *	n[2], n[3]  0
 *
 * All conditions must hold.  BEGIN fires for the processes (THREAD_BEGIN: threads) that already run when the session starts, when they
 * next go to user mode; in the child of a fork; and at exec in the new program (before its first instruction).  END fires once at the
 * exit of a process, after THREAD_END of its last thread.  A site with a path also fires END when the process executes a program: in the new
 * one, before its BEGIN.  BEGIN handlers run in the task itself and may sleep; END handlers run in it too, and may not.  There are no
 * registers in END.  The first thread of a process has no THREAD_BEGIN and no THREAD_END.
 */
#ifndef SITES_TASK_H
#define SITES_TASK_H

enum site_task_kind {
	SITE_TASK_BEGIN = 0,
	SITE_TASK_END = 1,
	SITE_TASK_THREAD_BEGIN = 2, /* of every thread but the first one */
	SITE_TASK_THREAD_END = 3,
};

enum site_task_flags {
	SITE_TASK_TARGET = 1 << 0, /* only the session's target (-c, -x) and its descendants; no target: any */
};

#endif
