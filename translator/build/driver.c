/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What gcc starts to compile a script: the compiler proper, and an assembler that reads from it.  gcc says which commands these are (-###).  A
 * script's build then starts both itself: gcc takes a tenth of the time of a small script's compile to work them out again.
 */
#include <errno.h>
#include <string.h>

#include "translator/build/private.h"

static const char here[] = "@work@"; /* stands for the folder of script.c in a kit's commands */

static build_argv with_options(struct build *b, const build_argv *cc)
{
	build_argv argv = {0};

	argv_append(b, &argv, cc);
	vec_push(b->arena, &argv, script_columns);
	vec_push(b->arena, &argv, frame_usage_flag());
	return argv;
}

/* The word, with the first occurrence of from replaced by to. */
static const char *replaced(struct build *b, const char *word, const char *from, const char *to)
{
	const char *at = strstr(word, from);

	return at ? arena_printf(b->arena, "%.*s%s%s", (int)(at - word), word, to, at + strlen(from)) : arena_strdup(b->arena, word);
}

/* Takes the words of a command that gcc prints, with `here' for dir; true if the command is followed by '|'. */
static bool take_words(struct build *b, const char *line, const char *dir, build_argv *out)
{
	const char *text = arena_strndup(b->arena, line, strcspn(line, "\n")), *word;

	while ((word = kbuild_word(b->arena, &text))) {
		if (!strcmp(word, "|"))
			return true;
		vec_push(b->arena, out, replaced(b, word, dir, here));
	}
	return false;
}

static bool names_program(const build_argv *argv, const char *name)
{
	const char *last = argv->n ? strrchr(argv->v[0], '/') : NULL;

	return argv->n && !strcmp(last ? last + 1 : argv->v[0], name);
}

void driver_learn(struct build *b, const build_argv *cc, const char *dir, build_argv *cc1, build_argv *as)
{
	const char *in = arena_printf(b->arena, "%s/script.c", dir), *out = arena_printf(b->arena, "%s/script0.o", dir);
	build_argv argv = with_options(b, cc), commands[3] = {0};
	bool is_piped[3] = {false};
	const char *log;
	struct run r;
	size_t n = 0;

	vec_push(b->arena, &argv, "-###");
	r = run_compile(b, &argv, NULL, in, out, "cc commands");
	if (file_write(in, "", 0) || run_all(b, &r, 1))
		return;
	log = run_log(b, &r);
	for (const char *line = log; line && n < 3; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (*line == ' ') {
			is_piped[n] = take_words(b, line, dir, &commands[n]);
			n++;
		}
	}
	if (n != 2 || !is_piped[0] || is_piped[1] || !names_program(&commands[0], "cc1") || !names_program(&commands[1], "as"))
		return;
	*cc1 = commands[0];
	*as = commands[1];
}

static struct run of_kit(struct build *b, const build_argv *words, const char *what, const char *log)
{
	struct run r = {.what = what, .log = arena_printf(b->arena, "%s/%s", b->work_dir, log)};
	build_argv argv = {0};

	for (size_t i = 0; i < words->n; i++)
		vec_push(b->arena, &argv, replaced(b, words->v[i], here, b->work_dir));
	r.argv = run_argv(b, &argv);
	return r;
}

int driver_runs(struct build *b, struct run runs[2])
{
	if (!b->kit->cc1.n || !b->kit->as.n)
		return -1;
	runs[0] = of_kit(b, &b->kit->cc1, "cc script", "script0.o.log");
	runs[1] = of_kit(b, &b->kit->as, "as script", "script0.as.log");
	return 0;
}

struct run driver_run(struct build *b, const build_argv *cc, const char *in, const char *out)
{
	build_argv argv = with_options(b, cc);

	return run_compile(b, &argv, NULL, in, out, "cc script");
}
