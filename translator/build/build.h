/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From generated C text to a loadable module in a fraction of a second.
 *
 * Everything that does not depend on the script (the files of runtime/, the module glue) is made once per
 * kernel, with the commands of that kernel's own kbuild, and kept in the cache; a script costs one freestanding
 * compile, objtool and a link.  See doc/build.md.
 *
 *   struct build b = { .arena = a, .diags = ds, .release = "6.1.0-56", .runtime_dir = ".../runtime" };
 *   const char *ko;
 *   if (build_module(&b, c_text, NULL, "spile_1234", &ko) == 0)
 *           load(ko);
 *   build_end(&b);
 *
 * What the generated C may rely on: `#include "rt/rt.h"` (the include path is runtime_dir and nothing else),
 * the kernel's code generation flags, -ffreestanding -O2.  What the runtime must keep to: doc/build.md,
 * "Rules for runtime files".
 */
#ifndef TRANSLATOR_BUILD_BUILD_H
#define TRANSLATOR_BUILD_BUILD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

#define BUILD_NAME_MAX 55 /* bytes of a module name: the kernel's MODULE_NAME_LEN - 1 */

/* One step of a build, for -v: a constant name, and wall time. */
struct build_step {
	const char *name;
	double seconds;
};

struct build_cache; /* cache.c */
struct build_kit;   /* kit.c: what a kernel's own build of the template taught us */

struct build {
	/* Set by the caller; the rest is zero. */
	struct arena *arena;
	struct diags *diags;
	const char *release;     /* of the kernel to build for */
	const char *build_dir;   /* its headers, NULL: /lib/modules/RELEASE/build */
	const char *runtime_dir; /* the runtime's sources */
	const char *arch;        /* the target's, as the kernel's sources have it below arch/ */
	const char *const *helpers; /* exported functions that compilers call by themselves on the target: patterns, or NULL */
	const char *cache_dir;   /* NULL: paths_cache() */
	bool disable_cache;      /* neither use nor store scripts; runtime objects are still cached */
	bool poison_cache;       /* do not use a script that is stored, but store the new one */
	bool keep;               /* leave the work directory and put its name in .work_dir */
	void (*tell)(void *data); /* prints what was reported so far, before a long wait; or NULL */
	void *tell_data;
	unsigned verbose;        /* 1: nothing here yet; 2: every command on stderr */
	bool silent;             /* standard error is for programs: nothing about the progress there, unless it is a terminal */
	unsigned jobs;           /* parallel compiles, 0: one per CPU */
	const struct map *places; /* name of a function in c_text -> struct loc * of what it was made from, or NULL */
	bool calls;              /* the module carries that of runtime/calls */
	unsigned parts;          /* in which c_text is compiled by RT_PART of rt/script.h; 0: it is one */

	/* Results. */
	bool runtime_was_cached;
	bool module_was_cached;
	bool module_is_temporary; /* its file goes at build_end(): the cache is disabled, or could not be used
				   */
	struct build_step steps[128]; /* more steps are not recorded */
	unsigned nsteps;
	const char *work_dir; /* exists from the first build_*() call that needs one until build_end() */

	unsigned long long cleaned; /* bytes that build_cache_clean() removed */

	/* Private. */
	struct build_cache *cache;
	struct build_kit *kit;
	struct pieces *pieces;
	const char *const *texts; /* of the script, NULL-terminated: what they need is compiled together with the runtime */
	double work, worked;      /* for the progress: seconds that all is guessed to take, and what was done of it */
};

/*
 * Compiles c_text as a module called name (letters, digits, '_'; at most BUILD_NAME_MAX bytes) and gives its
 * path, a file of the cache or, with module_is_temporary, one that lives until build_end().
 * extra_c: NULL, or a NULL-terminated list of C texts that include kernel headers (guru mode),
 * each compiled apart with all the kernel's flags.  -1 with diagnostics.
 *
 * The cached module carries the name it was built with: give equal texts equal names so that the cache finds them
 * (build_module_name() makes one from the content).
 */
int build_module(struct build *b, const char *c_text, const char *const *extra_c, const char *name,
		 const char **ko_path);

/* "spile_" and 16 hex digits that depend on the text, the extra texts and the kernel release. */
const char *build_module_name(struct arena *a, const struct build *b, const char *c_text,
			      const char *const *extra_c);

/* Removes the work directory and frees what is not in the arena; safe to call twice. */
void build_end(struct build *b);

/* Empties the cache (--clean-cache); another run that is using it is not disturbed.  -1 with diagnostics. */
int build_cache_clean(struct build *b);

#endif
