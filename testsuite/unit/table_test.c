// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many small scripts through the whole program, under ASan, UBSan and the leak checker.  A process takes longer to begin, to end and to be
 * searched for leaks than a case takes.  So all cases of a table run in one process, and each in a process of its own only if that fails.  The
 * tables are testsuite/tables/NAME.cases; testsuite/tables/README describes their format.  For every script that is accepted, the text that -p1
 * prints must parse to the same tree, and so for every script in the tree.
 * The messages are also read as JSON and must be the same.
 * With an argument, only cases run whose names contain it.
 */
int spile_main(int argc, char **argv);
#define main spile_main
#include "translator/main.c"
#undef main

#include <fcntl.h>
#include <ftw.h>
#include <json-c/json.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "testsuite/unit/kernels.h"
#include "testsuite/unit/table_run.h"
#include "translator/json.h"

enum { MAX_ARGS = 60, MAX_MESSAGES = 100, SECONDS = 120, MOST_SHOWN = 40, SCRIPTS_AT_ONCE = 20 };

struct table_case {
	const char *name;
	unsigned line;
	const char *options[MAX_ARGS], *args[MAX_ARGS], *says[MAX_ARGS], *prints[MAX_ARGS], *want[MAX_MESSAGES];
	unsigned noptions, nargs, nsays, nprints, nwant;
	bool whole_command; /* the options are all there is: no script */
	const char *output;  /* all of it, or NULL */
	struct sb script;
};

static const char output_block[] = ">> output:"; /* in the place of the name of a file */

static struct {
	const char *only, *table, *release, *work, *pass;
	unsigned cases, bad;
	bool alone;          /* each run is a process of its own */
	bool looks_at_trees; /* the next run checks the trees of its script */
	struct arena arena; /* of one table */
} test;

__attribute__((format(printf, 2, 3))) static void fail(const struct table_case *c, const char *fmt, ...)
{
	va_list ap;

	test.bad++;
	printf("# FAIL: %s:%u: %s: ", test.table, c->line, c->name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static void show(const char *text)
{
	char *copy = strdup(text);

	for (char *save, *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		printf("#   | %s\n", line);
	free(copy);
}

/* ---- running ---- */

struct result {
	int status; /* of wait() */
	char *out, *err, *json, *trees;
};

void __real_diag_flush(struct diags *ds, FILE *to, bool colour);
void __wrap_diag_flush(struct diags *ds, FILE *to, bool colour);

/* What is printed for people is also written as JSON.  The linker (--wrap=diag_flush) makes all calls of diag_flush() come here. */
void __wrap_diag_flush(struct diags *ds, FILE *to, bool colour)
{
	if (table_run_files[JSON] && !ds->format) {
		struct diags copy = *ds;

		copy.format = &json_format;
		__real_diag_flush(&copy, table_run_files[JSON], false);
	}
	__real_diag_flush(ds, to, colour);
}

static struct result run_once(int (*fn)(void *), void *data)
{
	struct result r;

	fflush(stdout);
	r.status = table_run(fn, data, test.alone, SECONDS);
	r.out = table_run_text(OUT, &test.arena);
	r.err = table_run_text(ERR, &test.arena);
	r.json = table_run_text(JSON, &test.arena);
	r.trees = table_run_text(TREES, &test.arena);
	return r;
}

struct command {
	char *argv[2 * MAX_ARGS + 10];
	int argc;
};

static void add(struct command *cmd, const char *arg)
{
	cmd->argv[cmd->argc++] = arena_strdup(&test.arena, arg);
}

static int run_command(void *data)
{
	struct command *cmd = data;
	struct session *s;
	int rc;

	if (test.alone)
		return spile_main(cmd->argc, cmd->argv);
	s = calloc(1, sizeof *s);
	paths_init(cmd->argv[0]);
	s->diags.arena = s->sources.arena = &s->arena;
	s->diags.sources = &s->sources;
	rc = finish(s, run(s, cmd->argc, cmd->argv));
	free(s);
	return rc;
}

static const char *in_work(const char *name)
{
	return arena_printf(&test.arena, "%s/%s", test.work, name);
}

/* Does the case give this option itself? */
static bool gives(const struct table_case *c, const char *option)
{
	for (unsigned i = 0; i < c->noptions; i++)
		if (!strncmp(c->options[i], option, strlen(option)))
			return true;
	return c->whole_command;
}

static struct command command_of(const struct table_case *c)
{
	struct command cmd = {0};

	add(&cmd, arena_printf(&test.arena, "%s/spile", getenv("abs_top_builddir") ? getenv("abs_top_builddir") : "."));
	if (!gives(c, "-p"))
		add(&cmd, arena_printf(&test.arena, "-p%s", test.pass));
	if (!gives(c, "-r")) {
		add(&cmd, "-r");
		add(&cmd, test.release);
	}
	for (unsigned i = 0; i < c->noptions; i++)
		add(&cmd, c->options[i]);
	if (!c->whole_command)
		add(&cmd, in_work("script.stp"));
	for (unsigned i = 0; i < c->nargs; i++)
		add(&cmd, c->args[i]);
	return cmd;
}

/* Parses a script with the options of the command. */
static struct session *parse_command(struct command *cmd)
{
	struct session *s = calloc(1, sizeof *s);

	paths_init(cmd->argv[0]);
	s->diags.arena = s->sources.arena = &s->arena;
	s->diags.sources = &s->sources;
	s->diags.no_warnings = true;
	if (!options_parse(s, cmd->argc, cmd->argv) && !session_init(s))
		parse_pass(s); /* it may refuse a second copy of a tapset's declaration; there is a tree nevertheless */
	return s;
}

static void parse_end(struct session *s)
{
	session_end(s);
	free(s);
}

static void forget_messages(struct session *s)
{
	s->diags.first = s->diags.last = NULL;
	s->diags.errors = 0;
}

/* What is wrong with a tree that is just parsed: it is not whole, or differs from its copy.  Or NULL. */
static const char *tree_offence(struct session *s, const struct node *tree)
{
	const char *offence = ast_verify(tree, STAGE_PARSE, &s->arena);

	return offence ? offence : ast_equal(tree, ast_copy(&s->arena, tree)) ? NULL : "a copy differs";
}

/* Prints what was parsed and parses that: 0 if the trees are equal.  to: what is wrong. */
static int parse_again(struct session *s, FILE *to)
{
	struct sb text = {0}, dumps[2] = {{0}, {0}};
	const char *offence = tree_offence(s, s->script);
	bool guru = s->env.guru;
	struct node *again;

	forget_messages(s);
	if (offence)
		fprintf(to, "%s\n", offence);
	ast_unparse(s->script, &text);
	s->env.guru = true; /* %{ %} may come from a macro library */
	again = parse_source(&s->env, source_add(&s->sources, "again", text.s ? text.s : "", text.n));
	s->env.guru = guru;
	__real_diag_flush(&s->diags, to, false);
	int rc = offence || s->diags.errors || !ast_equal(s->script, again);
	if (rc) {
		ast_dump(s->script, &dumps[0]);
		ast_dump(again, &dumps[1]);
		fprintf(to, "%s\n%s\nparses to\n%s\n", dumps[0].s, text.s ? text.s : "", dumps[1].s);
	}
	sb_free(&text);
	sb_free(&dumps[0]);
	sb_free(&dumps[1]);
	return rc;
}

/* The same in a session of its own. */
static int round_trip(void *data)
{
	struct session *s = parse_command(data);
	int rc = 2;

	if (s->script && s->script->nk)
		rc = parse_again(s, stdout);
	else
		__real_diag_flush(&s->diags, stdout, false);
	parse_end(s);
	return rc;
}

/* Of a table of the parser: the tree of what is refused is whole too, and half a script, as an editor saved it, does no harm. */
static void parse_halves(struct session *s, FILE *to)
{
	const char *offence = s->script ? tree_offence(s, s->script) : "there is no tree", *path = in_work("script.stp");
	struct source *src = source_read(&s->sources, path);

	if (offence || !src)
		fprintf(to, "%s\n", offence ? offence : "there is no script");
	for (size_t len = 0; src && len < src->len; len += 11) {
		forget_messages(s);
		parse_source(&s->env, source_add(&s->sources, "half", src->text, len));
	}
}

int __real_parse_pass(struct session *s);
int __wrap_parse_pass(struct session *s);

static const char whole[] = "whole\n", same[] = "the same\n";

/* Tests the trees of a case after parsing; the run goes on as before.  The linker (--wrap=parse_pass) makes the pipeline call this. */
int __wrap_parse_pass(struct session *s)
{
	FILE *to = test.looks_at_trees ? table_run_files[TREES] : NULL;
	int rc = __real_parse_pass(s);
	struct diags kept = s->diags;
	struct sources sources = s->sources;

	if (!to)
		return rc;
	test.looks_at_trees = false;
	s->diags.no_warnings = true;
	if (!strcmp(test.pass, "1")) {
		parse_halves(s, to);
		fputs(whole, to);
	}
	if (!rc && s->script && s->script->nk && !parse_again(s, to))
		fputs(same, to);
	s->diags = kept;
	s->sources = sources;
	return rc;
}

/* ---- what was said ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_id(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", s[i]))
			return false;
	return n > 0;
}

static const char *short_place(const char *place)
{
	if (!strncmp(place, test.work, strlen(test.work)))
		place += strlen(test.work) + 1;
	return strncmp(place, "script.stp:", 11) ? place : place + 11;
}

/* "error syntax 1:5" of "FILE:1:5: error: ... [syntax]", or NULL. */
static const char *message_of(const char *line)
{
	static const char *const levels[] = {"error", "warning"};
	size_t n = strlen(line);
	const char *open = strrchr(line, '[');

	if (!n || line[n - 1] != ']' || !open || !is_id(open + 1, strlen(open) - 2))
		return NULL;
	for (int i = 0; i < 2; i++) {
		const char *mark = arena_printf(&test.arena, "%s: ", levels[i]);
		const char *at = !strncmp(line, mark, strlen(mark)) ? line : strstr(line, arena_printf(&test.arena, ": %s", mark));
		const char *place = at == line || !at ? "" : arena_strndup(&test.arena, line, (size_t)(at - line));

		if (!at)
			continue;
		return arena_printf(&test.arena, "%s %.*s%s%s", levels[i], (int)strlen(open) - 2, open + 1, *place ? " " : "",
				    short_place(place));
	}
	return NULL;
}

/* "file:1:5" of an object with a place, "" of one without; NULL when it makes no sense. */
static const char *json_place(struct json_object *o)
{
	struct json_object *file, *line, *column, *end, *end_line, *end_column;

	if (!json_object_object_get_ex(o, "file", &file))
		return "";
	if (!json_object_object_get_ex(o, "line", &line) || !json_object_object_get_ex(o, "column", &column) ||
	    !json_object_object_get_ex(o, "end", &end) || !json_object_object_get_ex(end, "line", &end_line) ||
	    !json_object_object_get_ex(end, "column", &end_column))
		return NULL;

	int from = json_object_get_int(line), to = json_object_get_int(end_line);

	if (to < from || (to == from && json_object_get_int(end_column) < json_object_get_int(column)))
		return NULL;
	return arena_printf(&test.arena, "%s:%d:%d: ", json_object_get_string(file), from, json_object_get_int(column));
}

/* All that an object of a note or a step of a chain must have. */
static bool json_list_is_sane(struct json_object *o, const char *name, const char *what)
{
	struct json_object *list, *text;

	if (!json_object_object_get_ex(o, name, &list))
		return !strcmp(name, "expansion");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *item = json_object_array_get_idx(list, i);

		if (!what ? !json_object_is_type(item, json_type_string)
			  : !json_object_object_get_ex(item, what, &text) || !json_place(item))
			return false;
	}
	return true;
}

/* The same as message_of(), from a line of JSON. */
static const char *json_message_of(const char *line)
{
	struct json_object *o = json_tokener_parse(line), *severity, *id, *message;
	const char *place = o ? json_place(o) : NULL, *text = arena_printf(&test.arena, "not sane: %s", line);

	if (place && json_object_object_get_ex(o, "severity", &severity) &&
	    json_object_object_get_ex(o, "message", &message)) {
		if (!json_object_object_get_ex(o, "id", &id))
			text = NULL; /* how many are not shown */
		else if (json_list_is_sane(o, "notes", "message") && json_list_is_sane(o, "hints", NULL) &&
			 json_list_is_sane(o, "expansion", "macro"))
			text = arena_printf(&test.arena, "%s %s%s%.*s", json_object_get_string(severity),
					    json_object_get_string(id), *place ? " " : "",
					    *place ? (int)strlen(short_place(place)) - 2 : 0, short_place(place));
	}
	json_object_put(o);
	return text;
}

/* The messages that must come, with -W ("warning" became "error") or without. */
static void check_messages(struct table_case *c, const struct result *r, bool as_errors)
{
	const char *got[MAX_MESSAGES], *want[MAX_MESSAGES];
	unsigned ngot = 0;
	bool same;
	char *copy = arena_strdup(&test.arena, r->err);

	for (char *save, *line = strtok_r(copy, "\n", &save); line && ngot < MAX_MESSAGES; line = strtok_r(NULL, "\n", &save))
		if ((got[ngot] = *line == '{' ? json_message_of(line) : message_of(line)))
			ngot++;
	for (unsigned i = 0; i < c->nwant; i++)
		want[i] = as_errors && !strncmp(c->want[i], "warning ", 8) ? arena_printf(&test.arena, "error %s", c->want[i] + 8)
									   : c->want[i];
	qsort(got, ngot, sizeof *got, by_text);
	qsort(want, c->nwant, sizeof *want, by_text);
	same = ngot == c->nwant;
	for (unsigned i = 0; same && i < ngot; i++)
		same = !strcmp(got[i], want[i]);
	if (same)
		return;
	fail(c, "other messages than announced");
	for (unsigned i = 0; i < c->nwant; i++)
		printf("#   want: %s\n", want[i]);
	for (unsigned i = 0; i < ngot; i++)
		printf("#   got:  %s\n", got[i]);
	show(r->err);
}

/* A message about the script shows the line and points at the place, but as JSON. */
static void check_caret(struct table_case *c, const struct result *r)
{
	for (unsigned i = 0; i < c->nwant; i++) {
		const char *place = strchr(strchr(c->want[i], ' ') + 1, ' ');

		if (place && place[1] >= '0' && place[1] <= '9' && *r->err != '{' && !strchr(r->err, '^')) {
			fail(c, "no caret");
			show(r->err);
			return;
		}
	}
}

static void check_status(struct table_case *c, const struct result *r, int want)
{
	if (WIFEXITED(r->status) && WEXITSTATUS(r->status) == want)
		return;
	fail(c, "wait status 0x%x, want exit status %d", (unsigned)r->status, want);
	show(r->err);
}

/* The command with one more option, before the others. */
static struct result run_with(const struct command *cmd, const char *option)
{
	struct command with = *cmd;

	memmove(with.argv + 2, with.argv + 1, (size_t)with.argc++ * sizeof *with.argv);
	with.argv[1] = arena_strdup(&test.arena, option);
	return run_once(run_command, &with);
}

/* What is only advice: -w silences it, -W makes it errors. */
static void check_warnings(struct table_case *c, const struct command *cmd)
{
	struct result r = run_with(cmd, "-w");

	check_status(c, &r, 0);
	if (*r.err) {
		fail(c, "-w is not silent");
		show(r.err);
	}
	r = run_with(cmd, "-W");
	check_status(c, &r, 1);
	check_messages(c, &r, true);
}

/* Without the C of the tapset's functions, one line each. */
static const char *without_c(const char *out)
{
	char *copy = arena_strdup(&test.arena, out), *to = copy;

	for (const char *p = out; *p;) {
		size_t n = strcspn(p, "\n"), all = n + (p[n] != 0);

		if (n < 4 || strncmp(p, "%{", 2) != 0 || strncmp(p + n - 2, "%}", 2) != 0) {
			memcpy(to, p, all);
			to += all;
		}
		p += all;
	}
	*to = 0;
	return copy;
}

static void check_output(struct table_case *c, const struct result *r)
{
	const char *out = without_c(r->out);

	if (c->output && *r->err) {
		fail(c, "is not silent");
		show(r->err);
	}
	if (!c->output || !strcmp(out, c->output))
		return;
	fail(c, "prints something else");
	table_run_write(in_work("want"), c->output, strlen(c->output));
	table_run_write(in_work("got"), out, strlen(out));
	fflush(stdout);
	if (system(arena_printf(&test.arena, "cd '%s' && diff -u want got | sed 's/^/#   /'", test.work)))
		show(out);
}

/* With -u the optimiser leaves every statement of the script as it was before. */
static void check_unoptimized(struct table_case *c, const struct command *cmd)
{
	static const char mark[] = "# probes\n";
	struct command before = *cmd;
	struct result r[2];
	const char *at[2];
	bool asked = false;

	for (int i = 1; i < before.argc; i++)
		if (!strcmp(before.argv[i], "--dump=opt")) {
			before.argv[i] = arena_strdup(&test.arena, "--dump=check");
			asked = true;
		}
	if (!asked)
		return;
	r[0] = run_with(cmd, "-u");
	r[1] = run_once(run_command, &before);
	for (int i = 0; i < 2; i++) {
		check_status(c, &r[i], 0);
		if (*r[i].err)
			fail(c, "not silent: %s", r[i].err);
		at[i] = strstr(r[i].out, mark);
	}
	if (!at[0] || !at[1] || strcmp(at[0], at[1]) != 0)
		fail(c, "-u: a probe is not as it was");
}

/* Did the run find the trees of the case right?  A script that a later pass refuses may have no second tree. */
static void check_trees(struct table_case *c, const struct result *r, bool accepted)
{
	const char *want = !strcmp(test.pass, "1") ? whole : "", *and_same = arena_printf(&test.arena, "%s%s", want, same);

	if (c->whole_command || !strcmp(r->trees, and_same) || (!accepted && !strcmp(r->trees, want)))
		return;
	fail(c, "it does not parse as it should, or what -p1 prints does not parse to the same");
	show(r->trees);
}

static void run_case(struct table_case *c)
{
	struct command cmd = command_of(c), copy = cmd;
	struct result r;
	int want = 0;

	test.cases++;
	table_run_write(in_work("script.stp"), c->script.s ? c->script.s : "", c->script.n);
	for (unsigned i = 0; i < c->nwant; i++)
		want |= !strncmp(c->want[i], "error ", 6);
	test.looks_at_trees = true;
	r = run_once(run_command, &copy);
	test.looks_at_trees = false;
	check_messages(c, &r, false);
	check_caret(c, &r);
	check_status(c, &r, want);
	check_output(c, &r);
	check_trees(c, &r, !want);
	for (unsigned i = 0; i < c->nsays; i++)
		if (!strstr(r.err, c->says[i])) {
			fail(c, "does not say: %s", c->says[i]);
			show(r.err);
		}
	for (unsigned i = 0; i < c->nprints; i++)
		if (!strstr(r.out, c->prints[i])) {
			fail(c, "does not print: %s", c->prints[i]);
			show(r.out);
		}
	if (c->nwant && *r.err != '{') {
		struct result as_json = {.err = r.json};

		check_messages(c, &as_json, false);
	}
	if (c->nwant && !want && !gives(c, "-w") && !gives(c, "-W"))
		check_warnings(c, &cmd);
	check_unoptimized(c, &cmd);
}

/* ---- tables ---- */

/* Words as a shell would split them, with '...', $W for the folder of the case's files and $K for the kernel. */
static void split(const char *text, const char **v, unsigned *n)
{
	while (*text && *n < MAX_ARGS) {
		struct sb word = {0};
		bool quoted = false;

		text += strspn(text, " ");
		if (!*text)
			break;
		for (; *text && (quoted || *text != ' '); text++) {
			if (*text == '\'')
				quoted = !quoted;
			else if (!strncmp(text, "$W", 2))
				sb_puts(&word, test.work), text++;
			else if (!strncmp(text, "$K", 2))
				sb_puts(&word, test.release), text++;
			else
				sb_putc(&word, *text);
		}
		v[(*n)++] = arena_strdup(&test.arena, word.s ? word.s : "");
		sb_free(&word);
	}
}

static const char *after(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) ? NULL : line[n] == ' ' ? line + n + 1 : line[n] ? NULL : line + n;
}

static void push(const char **v, unsigned *n, unsigned max, const char *text)
{
	if (*n < max)
		v[(*n)++] = text;
}

/* A line ">> ..."; *file is the extra file that the following lines go to, or NULL. */
static void directive(struct table_case *c, const char *line, const char **file)
{
	const char *rest;

	if (!strncmp(line, "error ", 6) || !strncmp(line, "warning ", 8))
		push(c->want, &c->nwant, MAX_MESSAGES, line);
	else if ((rest = after(line, "options:")))
		split(rest, c->options, &c->noptions);
	else if ((rest = after(line, "command:")))
		split(rest, c->options, &c->noptions), c->whole_command = true;
	else if ((rest = after(line, "argument:")))
		push(c->args, &c->nargs, MAX_ARGS, rest);
	else if ((rest = after(line, "says:")))
		push(c->says, &c->nsays, MAX_ARGS, rest);
	else if ((rest = after(line, "prints:")))
		push(c->prints, &c->nprints, MAX_ARGS, rest);
	else if ((rest = after(line, "file:")))
		*file = rest;
	else if (after(line, "output:"))
		*file = output_block;
	else
		fail(c, "unknown directive: %s", line);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	return ftw->level ? remove(path) : 0;
}

static void empty_work(void)
{
	nftw(test.work, remove_one, 10, FTW_DEPTH | FTW_PHYS);
}

static void write_extra(const char *name, const struct sb *text)
{
	const char *path = in_work(name);

	for (char *slash = strchr(path + strlen(test.work) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	table_run_write(path, text->s ? text->s : "", text->n);
}

/* What stood below a directive ">> file: NAME" or ">> output:". */
static void end_of_block(struct table_case *c, const char *file, struct sb *text)
{
	if (file == output_block) {
		while (text->n > 1 && !strcmp(text->s + text->n - 2, "\n\n"))
			text->s[--text->n] = 0;
		c->output = arena_strdup(&test.arena, text->s ? text->s : "");
	} else if (file) {
		write_extra(file, text);
	}
	sb_reset(text);
}

/* The lines of one case, up to the next "===" or the end; returns where that is. */
static char *read_case(struct table_case *c, char *text, unsigned *line)
{
	const char *file = NULL, *next_file = NULL;
	struct sb extra = {0};

	while (*text && strncmp(text, "===", 3) != 0) {
		size_t n = strcspn(text, "\n");
		bool last = !text[n];

		text[n] = 0;
		if (!strncmp(text, ">> ", 3)) {
			next_file = file;
			directive(c, text + 3, &next_file);
		} else {
			sb_printf(file ? &extra : &c->script, "%s\n", text);
		}
		if (file && next_file != file)
			end_of_block(c, file, &extra);
		file = next_file;
		text += n + !last;
		++*line;
	}
	end_of_block(c, file, &extra);
	sb_free(&extra);
	return text;
}

static void run_table(const char *path)
{
	int fd = open(path, O_RDONLY);
	unsigned line = 1;

	test.table = strrchr(path, '/') + 1;
	test.pass = "3";
	if (fd < 0)
		abort();
	char *text = table_run_read(fd, &test.arena);
	close(fd);
	while (*text) {
		struct table_case c = {.line = line};
		size_t n = strcspn(text, "\n");

		if (!strncmp(text, ">> pass: ", 9))
			test.pass = arena_strndup(&test.arena, text + 9, n - 9);
		if (strncmp(text, "=== ", 4) != 0) { /* the heading */
			text += n + (text[n] != 0);
			line++;
			continue;
		}
		c.name = arena_strndup(&test.arena, text + 4, n - 4);
		line++;
		empty_work();
		text = read_case(&c, text + n + (text[n] != 0), &line);
		while (c.script.n > 1 && !strcmp(c.script.s + c.script.n - 2, "\n\n"))
			c.script.s[--c.script.n] = 0;
		if (strstr(c.name, test.only))
			run_case(&c);
		sb_free(&c.script);
	}
	arena_free(&test.arena);
	test.arena = (struct arena){0};
}

static void count_table(const char *path, unsigned counts[static 2])
{
	test.cases = test.bad = 0;
	run_table(path);
	counts[0] = test.cases;
	counts[1] = test.bad;
}

/* Runs the table in one process.  True if a case failed, or the process did not end as it should. */
static bool whole_table_is_bad(const char *path)
{
	unsigned counts[2];
	int status = table_run_apart(count_table, path, counts);

	test.cases += counts[0];
	return status || counts[1];
}

/* If the cases fail in one process, each is run in one of its own, which says which of them did it; it is a failure in any case. */
static void table(const char *path)
{
	struct table_case c = {.name = "all cases in one process"};

	test.table = strrchr(path, '/') + 1;
	test.alone = false;
	if (!whole_table_is_bad(path))
		return;
	fail(&c, "they fail; each in its own process:");
	test.alone = true;
	run_table(path);
}

static int one_table(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const char *end = strrchr(path, '.');

	(void)st;
	(void)ftw;
	if (type == FTW_F && end && !strcmp(end, ".cases"))
		table(path);
	return 0;
}

/* ---- all scripts ---- */

static struct {
	struct command commands[SCRIPTS_AT_ONCE];
	unsigned n;
} batch;

static int round_trips(void *data)
{
	int rc = 0;

	(void)data;
	for (unsigned i = 0; i < batch.n; i++) {
		if (!round_trip(&batch.commands[i]))
			continue;
		printf("%s\n", batch.commands[i].argv[batch.commands[i].argc - 10]);
		rc = 1;
	}
	return rc;
}

static void run_batch(void)
{
	struct table_case c = {.name = "scripts"};
	struct result r;

	if (!batch.n)
		return;
	test.alone = true;
	r = run_once(round_trips, NULL);
	if (r.status) {
		fail(&c, "what -p1 prints does not parse to the same (0x%x), of %u scripts up to %s", (unsigned)r.status, batch.n,
		     batch.commands[batch.n - 1].argv[batch.commands[batch.n - 1].argc - 10]);
		show(r.out);
		show(r.err);
	}
	batch.n = 0;
	arena_free(&test.arena);
	test.arena = (struct arena){0};
}

/* Every script of the tree that is meant to be accepted; many in one process. */
static int one_script(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct command cmd = {0};
	const char *end = strrchr(path, '.');

	(void)st;
	(void)ftw;
	if (type != FTW_F || !end || strcmp(end, ".stp") != 0 || !strstr(path, test.only))
		return 0;
	test.cases++;
	add(&cmd, arena_printf(&test.arena, "%s/spile", getenv("abs_top_builddir") ? getenv("abs_top_builddir") : "."));
	add(&cmd, "-r");
	add(&cmd, test.release);
	int fd = open(path, O_RDONLY);
	if (strstr(table_run_read(fd, &test.arena), "%{"))
		add(&cmd, "-g");
	close(fd);
	add(&cmd, path);
	for (unsigned i = 0; i < 9; i++)
		add(&cmd, "1");
	batch.commands[batch.n++] = cmd;
	if (batch.n == SCRIPTS_AT_ONCE)
		run_batch();
	return 0;
}

static const char *below_source(const char *name)
{
	const char *top = getenv("abs_top_srcdir");

	return arena_printf(&test.arena, "%s/%s", top ? top : ".", name);
}

int main(int argc, char **argv)
{
	static const char *const folders[] = {"testsuite", "tapset", "examples"};
	char work[] = "/tmp/spile-table.XXXXXX", cache[64], command[5000];
	const char *oldest, *build = getenv("abs_top_builddir");
	struct arena arena = {0};

	setvbuf(stdout, NULL, _IOLBF, 0);
	test.only = argc > 1 ? argv[1] : "";
	test.work = mkdtemp(work);
	snprintf(cache, sizeof cache, "%s.cache", work);
	setenv("SPILE_DIR", cache, 1);
	setenv("SPILE_DEBUGINFO_PATH", work, 1); /* cases say what is without debug information: there may be some here */
	setenv("PATH", arena_printf(&arena, "%s/testsuite/workload:%s", build ? build : ".", getenv("PATH")), 1);
	snprintf(command, sizeof command, ". '%s' && kits_cache '%s'", below_source("testsuite/lib/kits.sh"), cache);
	if (!test.work || !test_kernels(&oldest, 1)) {
		printf("# no kernel is installed that could be built for\n");
		return 99;
	}
	test.release = oldest;
	if (system(command))
		printf("# %s failed\n", command);
	nftw(below_source("testsuite/tables"), one_table, 10, FTW_PHYS);
	test.table = "-p1";
	/* Of the library, parsing needs the macros only. */
	snprintf(command, sizeof command, "mkdir '%s/macros' && cp '%s'/*.stpm '%s/macros'", cache, below_source("tapset"), cache);
	test.bad += system(command) != 0;
	setenv("SPILE_TAPSET", arena_printf(&arena, "%s/macros", cache), 1);
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		nftw(below_source(folders[i]), one_script, 10, FTW_PHYS);
	run_batch();
	empty_work();
	rmdir(work);
	nftw(cache, remove_one, 10, FTW_DEPTH | FTW_PHYS);
	rmdir(cache);
	arena_free(&test.arena);
	arena_free(&arena);
	printf("# %u cases, %u failures\n%s 1 - tables\n1..1\n", test.cases, test.bad, test.bad || !test.cases ? "not ok" : "ok");
	return test.bad || !test.cases;
}
