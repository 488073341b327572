/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a program finds its data and its fellow programs: from a build tree, from an installation, or from an
 * installation that was moved or staged (DESTDIR).  In this order:
 *
 *   1. the build tree, when paths.build (written by configure) is beside the executable: `./spile` runs
 *      what was just built;
 *   2. relative to the executable: ../share/spile and ../bin, ../sbin, ../libexec/spile;
 *   3. a build tree around the executable, for programs that are built in a folder of it;
 *   4. the folders that were given to configure.
 *
 * Texts that are returned live until the process ends.
 */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

/* At the start of main(); argv0 is only used where /proc is not mounted. */
void paths_init(const char *argv0);
/* The same for an executable at a given place (absolute). */
void paths_init_at(const char *executable);

/* Folder of the tapset, $SPILE_TAPSET if set.  Whether it exists is for the caller to find out. */
const char *paths_tapset(void);
/* Folder of the runtime's sources ("rt/rt.h" is below), $SPILE_RUNTIME if set. */
const char *paths_runtime(void);
/* Folder of the examples, $SPILE_EXAMPLES if set. */
const char *paths_examples(void);
/* Full path of a program of this package ("spile", "spilerun", "spile-vm"), or NULL. */
const char *paths_helper(const char *name);

/*
 * $SPILE_DIR, $XDG_CACHE_HOME/spile or ~/.cache/spile; it may not exist yet.  NULL: the user has no home.
 * For root, a $XDG_CACHE_HOME or $HOME of somebody else is ignored: sudo may leave them set.
 */
const char *paths_cache(void);
/*
 * The file with options that come before those of the command line: $SPILE_RC, $SYSTEMTAP_DIR/rc, $XDG_CONFIG_HOME/spile/rc or
 * ~/.config/spile/rc; it may not exist.  NULL: there is none.
 */
const char *paths_rc(void);

#endif
