/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "procfs": files of the script in procfs.  Shared by the translator, which writes the sites, and
 * runtime/kernel/probes/procfs.c, which makes the files.  Freestanding; used by no generated C.
 *
 *	s[0]  path below the session's directory, without "." and "..", its first part not one of SITE_PROCFS_RESERVED
 *	s[1]  NULL
 *	n[0]  umask of the file
 *	n[1]  READ: most bytes that the handler may give, or 0: MAXSTRINGLEN - 1
 *	n[2], n[3]  0
 *
 * The handlers of several sites with one path and kind run one after the other.  Those of READ run when a reader begins, those of WRITE for
 * each piece that is written, in the process that does it; they may sleep.  There are no registers: the text is rt_text()'s.
 */
#ifndef SITES_PROCFS_H
#define SITES_PROCFS_H

enum site_procfs_kind { SITE_PROCFS_READ = 0, SITE_PROCFS_WRITE = 1 };

enum { SITE_PROCFS_MOST = 16 << 20 }; /* bytes that a handler may give */

/* Patterns of names that the session's own files have. */
#define SITE_PROCFS_RESERVED "ctl", "state", "trace[0-9]*"

#endif
