/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spile: script -> module -> output. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/paths.h"
#include "base/std.h"
#include "base/str.h"
#include "parser/habit.h"
#include "translator/build/build.h"
#include "translator/debuginfo/debug_files.h"
#include "translator/examples.h"
#include "translator/listing.h"
#include "translator/markers.h"
#include "translator/options.h"
#include "translator/pipeline.h"

/* The first line is what wrappers of stap look for: "version X.Y/", and that number is compared. */
static int version(void)
{
	printf("Systemtap translator/driver (version " SESSION_COMPATIBLE "/%s, Spile " PACKAGE_VERSION ")\n"
	       "Spile " PACKAGE_VERSION " runs the scripts of SystemTap " SESSION_COMPATIBLE "; the line above is for programs that start stap.\n"
	       "Licence: GNU GPL version 2 or later.  There is no warranty.\n",
	       debug_files_reader());
	return 0;
}

static void no_such_id(struct session *s, const char *name, const struct nearest *near)
{
	struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "there is no message id \"%s\"", name);

	diag_hint_near(&s->diags, d, nearest_text(near, &s->arena));
	diag_hint(&s->diags, d, "`spile --explain` lists all of them");
}

/* As it is at the end of a message, the id has [] around it. */
static const char *bare_id(struct session *s, const char *given)
{
	size_t n = strlen(given);

	return n > 2 && given[0] == '[' && given[n - 1] == ']' ? arena_strndup(&s->arena, given + 1, n - 2) : given;
}

/* Explains the messages and the words of other tracers that are named, or lists all messages. */
static int explain(struct session *s)
{
	struct nearest near = {0};

	if (!s->opt.args.n) {
		diag_list(stdout);
		puts("\nTables of what is written in other tracers, and what it is here: bpftrace, dtrace");
	}
	for (size_t i = 0; i < s->opt.args.n; i++) {
		const char *name = bare_id(s, s->opt.args.v[i]);
		int id = diag_by_name(name, &near);

		if (i)
			putchar('\n');
		if (id >= 0)
			diag_explain((enum diag_id)id, stdout);
		else if (!habit_explain(name, stdout))
			no_such_id(s, name, &near);
	}
	return s->diags.errors ? 1 : 0;
}

static int clean_cache(struct session *s)
{
	struct build b = {.arena = &s->arena, .diags = &s->diags, .cache_dir = paths_cache()};

	if (build_cache_clean(&b))
		return 1;
	if (b.cache_dir)
		fprintf(stderr, "Emptied the cache %s: %.1f MB\n", b.cache_dir, (double)b.cleaned / (1 << 20));
	return 0;
}

static int run(struct session *s, int argc, char **argv)
{
	int rc;

	markers_begin(s, 0);
	if (options_parse(s, argc, argv))
		return 1;
	if (s->opt.help) {
		options_help(stdout);
		return 0;
	}
	if (s->opt.version)
		return version();
	if (s->opt.explain)
		return explain(s);
	if (s->opt.examples)
		return examples_print(s);
	if (s->opt.dump_probe_types)
		return listing_probe_types(s);
	if (s->opt.clean_cache && (rc = clean_cache(s) || (!s->opt.script_file && !s->opt.script_text && !s->opt.list)))
		return s->diags.errors ? 1 : 0;
	if (session_init(s))
		return 1;
	markers_end(s, 0);
	if (s->opt.dump_functions || s->opt.dump_probe_aliases)
		return parse_pass(s) ? 1 : s->opt.dump_functions ? listing_functions(s) : listing_probe_aliases(s);
	return run_check(s) ? 1 : pipeline_run(s);
}

static int finish(struct session *s, int rc)
{
	session_tell(s);
	session_end(s);
	return rc;
}

int main(int argc, char **argv)
{
	static struct session s;

	std_guard("spile", 1);
	paths_init(argv[0]);
	s.diags.arena = &s.arena;
	s.diags.sources = &s.sources;
	s.sources.arena = &s.arena;
	return finish(&s, run(&s, argc, argv));
}
