/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line, driven by options.def: one row gives the parsing, the help text and the field. */
#include "translator/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/usage.h"
#include "runtime/rt/carried.h"
#include "translator/examples.h"

enum action {
	ACT_FLAG, ACT_COUNT, ACT_TEXT, ACT_ONCE, ACT_LIST, ACT_PASS, ACT_LIST_POINTS, ACT_LIST_VARS, ACT_PID, ACT_VM,
	ACT_WHEN, ACT_EXPLAIN, ACT_NOTHING, ACT_DETAIL, ACT_ONLY, ACT_WHOLE, ACT_IGNORED, ACT_LIMIT,
};

struct row {
	char letter;
	const char *name, *arg;
	enum action action;
	size_t field;
	const char *help;
};

static const struct row rows[] = {
#define OPTION(letter, name, arg, action, field, help) \
	{letter, name, arg, ACT_##action, offsetof(struct options, field), help},
#include "translator/options.def"
#undef OPTION
};

#define NROWS (sizeof rows / sizeof rows[0])

typedef VEC(const char *) text_list;

static const char *const pass_names[] = {"parse", "check", "emit", "build", "run"};

static int set_pass(struct session *s, const char *text)
{
	struct nearest near;
	struct diag *d;

	nearest_init(&near, text);
	for (int i = 0; i < 5; i++) {
		if (!strcmp(text, pass_names[i]) || (text[0] == '1' + i && !text[1])) {
			s->opt.last_pass = i + 1;
			return 0;
		}
		nearest_add(&near, pass_names[i]);
	}
	d = s_error(s, (struct loc){0}, E_USAGE, "-p takes 1 to 5, or parse, check, emit, build, run; not \"%s\"", text);
	diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena));
	return -1;
}

static const char *name_of(struct session *s, const struct row *r)
{
	return r->letter ? arena_printf(&s->arena, "-%c", r->letter) : arena_printf(&s->arena, "--%s", r->name);
}

static int set_pid(struct session *s, const struct row *r, const char *text, int *to)
{
	char *end;
	errno = 0;
	long pid = strtol(text, &end, 10);

	if (errno || *end || end == text || pid <= 0 || pid > INT_MAX) {
		s_error(s, (struct loc){0}, E_USAGE, "%s takes a process id, not \"%s\"", name_of(s, r), text);
		return -1;
	}
	*to = (int)pid;
	return 0;
}

/* --vp: a digit for each pass from the first, as many as are given.  Given twice, they add up. */
static int add_detail(struct session *s, const char *text)
{
	size_t n = strlen(text);

	if (n > sizeof s->opt.detail || text[strspn(text, "0123456789")]) {
		struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "--vp takes one to five digits, one for each pass, not \"%s\"", text);
		diag_hint(&s->diags, d, "--vp 0002 is -vv for pass 4 alone");
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		s->opt.detail[i] += (unsigned char)(text[i] - '0');
	return 0;
}

static int set_limited(struct session *s, const struct row *r, const char *text, struct limited *l)
{
	char *end;

	errno = 0;
	*l = (struct limited){true, strtoull(text, &end, 10)};
	if (!errno && isdigit((unsigned char)*text) && !*end)
		return 0;
	s_error(s, (struct loc){0}, E_USAGE, "--%s takes a number, not \"%s\"", r->name, text);
	return -1;
}

static const char **text_field(struct session *s, const struct row *r)
{
	return (const char **)((char *)&s->opt + r->field);
}

/*
 * An empty argument is probably a variable that was not set, as in -r "$RELEASE": it does not mean the default.  A script may be empty:
 * that has a message of its own.  Only one thing can be run: a second -e, -c or -x is refused.
 */
static bool takes_argument(struct session *s, const struct row *r, const char *arg)
{
	struct loc none = {0};

	if ((r->action == ACT_ONCE && *text_field(s, r)) || (r->letter == 'x' && s->opt.target_pid)) {
		bool is_script = text_field(s, r) == &s->opt.script_text;
		struct diag *d = s_error(s, none, E_USAGE, "only one %s: -%c is given twice", is_script ? "script" : "target", r->letter);
		if (is_script)
			diag_hint(&s->diags, d, "-E gives a further one, which joins it");
		return false;
	}
	if (*arg || r->letter == 'e' || r->letter == 'E' || r->action == ACT_LIST_POINTS || r->action == ACT_LIST_VARS)
		return true;
	s_error(s, none, E_USAGE, "the argument of %s is empty", name_of(s, r));
	return false;
}

static const struct absent {
	char letter;
	const char *name, *what, *hint;
} absent[] = {
#define ABSENT(letter, name, what, hint) {letter, name, what, hint},
#include "translator/absent_options.def"
#undef ABSENT
};

static bool is_absent(const struct absent *a, const char *given)
{
	size_t n = strcspn(given + 2, "=");

	if (given[1] != '-')
		return a->letter && a->letter == given[1];
	if (a->name && a->name[strlen(a->name) - 1] == '*')
		return !strncmp(given + 2, a->name, strlen(a->name) - 1);
	return a->name && strlen(a->name) == n && !strncmp(given + 2, a->name, n);
}

/* An option that SystemTap has: users are used to it, so it must not look like a mistake of theirs. */
static bool absent_option(struct session *s, const char *given)
{
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
		if (is_absent(&absent[i], given)) {
			struct diag *d = s_error(s, (struct loc){0}, E_NOT_SUPPORTED, "%.*s is %s, which Spile does not have yet",
						 (int)strcspn(given, "="), given, absent[i].what);
			diag_hint(&s->diags, d, "%s", absent[i].hint);
			return true;
		}
	return false;
}

/* The one argument that the option takes: "kernel", or "[no]" where it may be missing. */
static bool is_only(const struct row *r, const char *arg)
{
	size_t n = strcspn(r->arg + (*r->arg == '['), "]");

	return arg && strlen(arg) == n && !strncmp(arg, r->arg + (*r->arg == '['), n);
}

static int apply(struct session *s, const struct row *r, const char *arg)
{
	void *field = (char *)&s->opt + r->field;

	if (arg && !takes_argument(s, r, arg))
		return -1;
	switch (r->action) {
	case ACT_NOTHING:
	case ACT_IGNORED:
		return 0;
	case ACT_LIMIT:
		return set_limited(s, r, arg, field);
	case ACT_DETAIL:
		return add_detail(s, arg);
	case ACT_ONLY:
		return is_only(r, arg) || !absent_option(s, name_of(s, r)) ? 0 : -1;
	case ACT_FLAG:
	case ACT_WHOLE:
		*(bool *)field = true;
		return 0;
	case ACT_COUNT:
		++*(unsigned *)field;
		return 0;
	case ACT_TEXT:
	case ACT_ONCE:
		*text_field(s, r) = arg;
		return 0;
	case ACT_WHEN: /* --color alone asks for colours, as in other programs */
		*text_field(s, r) = arg ? arg : "always";
		return 0;
	case ACT_LIST:
		vec_push(&s->arena, (text_list *)field, arg);
		return 0;
	case ACT_PASS:
		return set_pass(s, arg);
	case ACT_LIST_POINTS:
	case ACT_LIST_VARS:
		if (s->opt.list) {
			s_error(s, (struct loc){0}, E_USAGE, "only one of -l and -L, once");
			return -1;
		}
		s->opt.list = r->action == ACT_LIST_VARS ? LIST_VARS : LIST_POINTS;
		s->opt.list_point = arg;
		return 0;
	case ACT_PID:
		return set_pid(s, r, arg, field);
	case ACT_VM:
		s->opt.vm = true;
		s->opt.vm_release = arg;
		return 0;
	case ACT_EXPLAIN: /* --explain ID and --explain=ID are the same */
		s->opt.explain = true;
		if (arg)
			vec_push(&s->arena, &s->opt.words, arg);
		return 0;
	}
	return -1;
}

/* What getopt_long() wants, from the rows. */
static void make_getopt(char *letters, struct option *longs)
{
	*letters++ = '-'; /* words that are not options come in order, as the argument of option 1 */
	*letters++ = ':';
	for (size_t i = 0; i < NROWS; i++) {
		const struct row *r = &rows[i];
		int has = !r->arg ? no_argument : r->arg[0] == '[' ? optional_argument : required_argument;
		if (r->letter) {
			*letters++ = r->letter;
			if (has)
				*letters++ = ':';
		}
		if (r->name)
			*longs++ = (struct option){r->name, has, NULL, 256 + (int)i};
	}
	*letters = 0;
	*longs = (struct option){0};
}

/* The row that a result of getopt_long() means. */
static const struct row *row_of(int c)
{
	if (c >= 256)
		return &rows[c - 256];
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].letter == c)
			return &rows[i];
	return NULL;
}

/* What cannot be undone is not done for an abbreviation, which may be a mistake. */
static bool is_whole(struct session *s, const struct row *r, const char *word)
{
	if (r->action != ACT_WHOLE || !strcmp(word + strspn(word, "-"), r->name))
		return true;
	s_error(s, (struct loc){0}, E_USAGE, "%s is no option: --%s is not abbreviated, as it removes files", word, r->name);
	return false;
}

/* So far, by the words that were read. */
static bool has_script(struct session *s, const char *argv0)
{
	return s->opt.words.n || s->opt.script_text || s->opt.example || examples_called(s, argv0);
}

static void not_an_option(struct session *s, int c, char **argv, const char *letters, const struct option *longs)
{
	struct usage_mistake m = usage_mistake(&s->arena, c, argv, letters, longs);

	if (c != ':' && absent_option(s, m.given))
		return;
	struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "%s", m.what);

	if (m.hint)
		diag_hint(&s->diags, d, "%s", m.hint);
	else if (c != ':')
		diag_hint(&s->diags, d, "spile --help lists the options");
	if (c != ':' && has_script(s, argv[0]))
		diag_hint(&s->diags, d, "arguments of the script that begin with - come after --");
}

/*
 * The first line of a script, #!/usr/bin/spile -v --vm: the kernel gives all after the name as one word, and then the script's
 * path.
 */
static bool is_joined_line(struct session *s, int argc, char **argv)
{
	char line[4096] = "";
	const char *given = argc > 2 && argv[1][0] == '-' ? strstr(argv[1], " -") : NULL;
	FILE *f = given ? fopen(argv[2], "re") : NULL;

	if (!f)
		return false;
	given = fgets(line, sizeof line, f) && !strncmp(line, "#!", 2) ? strstr(line, argv[1]) : NULL;
	fclose(f);
	if (!given)
		return false;
	struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "%s: the first line gives all its options as one word, \"%s\"", argv[2], argv[1]);
	diag_hint(&s->diags, d, "let env split it: #!/usr/bin/env -S spile %s", argv[1]);
	return true;
}

/* --compatible=VERSION: numbers with dots, not above what this is compatible with. */
static void check_compatible(struct session *s)
{
	const char *version = s->opt.compatible;

	if (!version)
		return;
	if (!isdigit((unsigned char)*version) || version[strspn(version, "0123456789.")])
		s_error(s, (struct loc){0}, E_USAGE, "--compatible takes a version such as 4.9, not \"%s\"", version);
	else if (strverscmp(version, SESSION_COMPATIBLE) > 0)
		s_error(s, (struct loc){0}, E_USAGE, "--compatible=%s: the newest version known is " SESSION_COMPATIBLE, version);
}

/* Checks values for spilerun, which would refuse them only after the module is built. */
static void check_numbers(struct session *s)
{
	const char *seconds = s->opt.timeout, *mb = s->opt.buffer_mb;
	char *end;

	if (seconds && (!(strtod(seconds, &end) > 0) || *end || end == seconds || strtod(seconds, NULL) >= 1e9))
		s_error(s, (struct loc){0}, E_USAGE, "-T takes a number of seconds above 0 and below 1,000,000,000, not \"%s\"", seconds);
	if (mb && (strtol(mb, &end, 10) < 1 || strtol(mb, NULL, 10) > 4095 || *end))
		s_error(s, (struct loc){0}, E_USAGE, "-s takes a number of megabytes from 1 to 4095, not \"%s\"", mb);
}

/* Both limits of each kind, as SystemTap does. */
static void check_limited(struct session *s)
{
	const struct {
		const char *name;
		__rlimit_resource_t resource;
		const struct limited *to;
	} all[] = {
		{"as", RLIMIT_AS, &s->opt.limited_as},          {"cpu", RLIMIT_CPU, &s->opt.limited_cpu},
		{"nproc", RLIMIT_NPROC, &s->opt.limited_nproc}, {"stack", RLIMIT_STACK, &s->opt.limited_stack},
		{"fsize", RLIMIT_FSIZE, &s->opt.limited_fsize},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].to->is_given && setrlimit(all[i].resource, &(struct rlimit){all[i].to->value, all[i].to->value}))
			s_error(s, (struct loc){0}, E_USAGE, "--rlimit-%s=%llu: %s", all[i].name, (unsigned long long)all[i].to->value,
				strerror(errno));
}

/* -S: MB or MB,N.  In a guest there is no file: what it prints is one stream. */
static void check_rotation(struct session *s)
{
	const char *text = s->opt.rotation;
	unsigned long mb, files = 1;
	char *end;

	if (!text)
		return;
	mb = strtoul(text, &end, 10);
	if (*end == ',')
		files = strtoul(end + 1, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || !mb || mb > 1 << 20 || !files || files > 1 << 20)
		s_error(s, (struct loc){0}, E_USAGE, "-S takes a number of megabytes and, after a comma, a number of files, not \"%s\"", text);
	else if (!s->opt.output)
		s_error(s, (struct loc){0}, E_USAGE, "-S needs a file: -o FILE");
	else if (s->opt.vm)
		diag_hint(&s->diags, s_error(s, (struct loc){0}, E_USAGE, "-S and --vm exclude each other: a guest's output is one stream"),
			  "pipe it: spile --vm ... | split -C 10m - FILE.");
}

static void check_background(struct session *s)
{
	if (!s->opt.background)
		return;
	if (!s->opt.output)
		diag_hint(&s->diags, s_error(s, (struct loc){0}, E_USAGE, "-F needs a file: -o FILE"),
			  "-S MB,N keeps it from filling the disk: the newest N files of MB megabytes are kept");
	else if (s->opt.vm)
		s_error(s, (struct loc){0}, E_USAGE, "-F and --vm exclude each other: the guest ends with its session");
}

/* The environment tells all who make temporary files, programs that are run too. */
static void check_tmpdir(struct session *s)
{
	const char *dir = s->opt.tmpdir;
	char *full = dir ? realpath(dir, NULL) : NULL;
	bool absent = dir && !full && errno == ENOENT;
	const char *why = full ? "not a folder that can be written" : strerror(errno);

	if (dir && (!full || setenv("TMPDIR", full, 1) || strcmp(file_temporary_folder(), full) != 0)) {
		struct diag *d = s_error(s, (struct loc){0}, E_IO, "--tmpdir=%s: %s", dir, why);
		if (absent)
			diag_hint(&s->diags, d, "make it: mkdir -p %s", dir);
	}
	free(full);
}

/* The lists are of all that there is: a word that seems to choose from them would be lost. */
static void check_words(struct session *s)
{
	const struct options *o = &s->opt;
	const char *list = o->dump_functions ? "functions" : o->dump_probe_types ? "probe-types" : o->dump_probe_aliases ? "probe-aliases" : NULL;

	if (list && o->args.n)
		diag_hint(&s->diags, s_error(s, (struct loc){0}, E_USAGE, "--dump-%s takes no word, but there is \"%s\"", list, o->args.v[0]),
			  "spile --dump-%s | grep %s", list, o->args.v[0]);
}

static void check_when(struct session *s, const char *option, const char *when)
{
	if (when && strcmp(when, "always") != 0 && strcmp(when, "never") != 0 && strcmp(when, "auto") != 0)
		s_error(s, (struct loc){0}, E_USAGE, "%s is always, never or auto, not \"%s\"", option, when);
}

static void check_module_name(struct session *s)
{
	const char *name = s->opt.module_name;
	struct diag *d;

	if (!name)
		return;
	if (name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")]) {
		d = s_error(s, (struct loc){0}, E_USAGE, "-m takes letters, digits and '_', not \"%s\"", name);
		if (name[0] == '-')
			diag_hint(&s->diags, d, "-vm means -v -m: a guest is started by --vm");
	} else if (!strncmp(name, CARRIED_CALLS_PREFIX, strlen(CARRIED_CALLS_PREFIX))) {
		s_error(s, (struct loc){0}, E_USAGE, "-m %s: names that begin with " CARRIED_CALLS_PREFIX
			" are those of a module of Spile's own, which sessions share", name);
	}
}

/* The arguments that an option was given first and last. */
struct given {
	const char *first, *last;
};

static void note_given(struct given *g, const char *arg)
{
	g->last = arg ? arg : "";
	if (!g->first)
		g->first = g->last;
}

/* As with other programs, the last one counts; the first was perhaps forgotten. */
static void check_given_twice(struct session *s, const struct given *given)
{
	for (size_t i = 0; i < NROWS; i++)
		if (given[i].first && strcmp(given[i].first, given[i].last) != 0 && rows[i].action != ACT_LIST && rows[i].action != ACT_DETAIL &&
		    rows[i].action != ACT_EXPLAIN && rows[i].action != ACT_IGNORED)
			s_error(s, (struct loc){0}, W_GIVEN_TWICE, "%s is given twice, and the last one counts: \"%s\", not \"%s\"",
				name_of(s, &rows[i]), given[i].last, given[i].first);
}

static int check(struct session *s)
{
	struct options *o = &s->opt;
	struct loc none = {0};

	check_limited(s);
	check_compatible(s);
	check_numbers(s);
	check_rotation(s);
	check_background(s);
	check_when(s, "--color", s->opt.color);
	check_when(s, "--prologue-searching", s->opt.prologue);
	check_module_name(s);
	if (o->debug)
		o->keep = o->disable_cache = true;
	if (o->bulk)
		o->output = o->output ? arena_printf(&s->arena, "%s_0", o->output) : "stpd_cpu0";
	if (o->no_time_limits && !o->guru)
		s_error(s, none, E_USAGE, "--suppress-time-limits needs guru mode: -g");
	check_tmpdir(s);
	check_words(s);
	if (o->format && strcmp(o->format, "json") != 0 && strcmp(o->format, "text") != 0) {
		struct diag *d = s_error(s, none, E_USAGE, "--format: there is no format \"%s\"", o->format);
		diag_hint(&s->diags, d, "formats: text, json");
	}
	if (o->list && o->dump_functions + o->dump_probe_types + o->dump_probe_aliases)
		s_error(s, none, E_USAGE, "one list at a time: -l, -L or --dump-...");
	else if (o->dump_functions + o->dump_probe_types + o->dump_probe_aliases > 1)
		s_error(s, none, E_USAGE, "one list at a time: --dump-functions, --dump-probe-types or --dump-probe-aliases");
	if (o->fast_returns && o->no_fast_returns)
		s_error(s, none, E_USAGE, "--fast-returns and --no-fast-returns exclude each other");
	if (o->cmd && o->target_pid)
		s_error(s, none, E_USAGE, "-c and -x exclude each other");
	if (o->vm && o->release && o->vm_release)
		s_error(s, none, E_USAGE, "--vm=RELEASE already says which kernel to build for: leave out -r");
	if (o->vm && o->target_pid)
		s_error(s, none, E_USAGE, "-x names a process of this machine, which a guest does not have: use -c");
	for (size_t i = 0; i < o->globals.n; i++)
		if (!strchr(o->globals.v[i], '=') || o->globals.v[i][0] == '=')
			s_error(s, none, E_USAGE, "-G takes NAME=VALUE, not \"%s\"", o->globals.v[i]);
	return s->diags.errors ? -1 : 0;
}

static int parse(struct session *s, int argc, char **argv, struct given *given)
{
	char letters[2 * NROWS + 3];
	struct option longs[NROWS + 1];
	int c;

	make_getopt(letters, longs);
	opterr = optind = 0; /* 0: from the beginning, also of another line */
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c == 1) {
			vec_push(&s->arena, &s->opt.words, optarg);
			continue;
		}
		if (c == ':' || c == '?') {
			not_an_option(s, c, argv, letters, longs);
			return -1;
		}
		if (!is_whole(s, row_of(c), argv[optind - 1]) || apply(s, row_of(c), optarg))
			return -1;
		note_given(&given[row_of(c) - rows], optarg);
	}
	for (; optind < argc; optind++) /* after -- */
		vec_push(&s->arena, &s->opt.words, argv[optind]);
	return 0;
}

/* The script is that of --example, or that which the program is called by. */
static bool take_example(struct session *s, const char *argv0)
{
	struct options *o = &s->opt;

	if (o->example && o->script_text) {
		s_error(s, (struct loc){0}, E_USAGE, "only one script: -e or --example");
		return false;
	}
	o->script_file = o->example ? examples_find(s, o->example) : examples_called(s, argv0);
	return o->script_file || !o->example;
}

/* What wordexp() has against a line. */
static const char *bad_words(int code)
{
	switch (code) {
	case WRDE_SYNTAX: return "a quote or a brace is not closed";
	case WRDE_CMDSUB: return "no command is run for an option";
	case WRDE_BADVAL: return "a variable is not set";
	case WRDE_BADCHAR: return "one of | & ; < > ( ) { } is outside of quotes";
	}
	return "these are not words of a shell";
}

/* The words of a line, as a shell has them, are options. */
static int parse_line(struct session *s, char *line, const char *path, unsigned number)
{
	struct given given[NROWS] = {0};
	wordexp_t words = {.we_offs = 1};
	VEC(char *) argv = {0};

	int bad = wordexp(line, &words, WRDE_NOCMD | WRDE_UNDEF | WRDE_DOOFFS);
	if (bad) {
		s_error(s, (struct loc){0}, E_USAGE, "%s, line %u: %s", path, number, bad_words(bad));
		return -1;
	}
	vec_push(&s->arena, &argv, "spile");
	for (size_t i = 0; i < words.we_wordc; i++)
		vec_push(&s->arena, &argv, arena_strdup(&s->arena, words.we_wordv[1 + i]));
	vec_push(&s->arena, &argv, NULL);
	wordfree(&words);
	if (!parse(s, (int)argv.n - 1, argv.v, given) && !s->opt.words.n)
		return 0;
	if (s->opt.words.n)
		s_error(s, (struct loc){0}, E_USAGE, "\"%s\" is no option", s->opt.words.v[0]);
	s_error(s, (struct loc){0}, E_USAGE, "%s, line %u, has an option that is not taken: SPILE_RC= before spile leaves that file out",
		path, number);
	return -1;
}

/* Options that a user always gives. */
static int parse_rc(struct session *s)
{
	const char *path = paths_rc();
	char *text = path ? file_read(&s->arena, path, NULL) : NULL, *line;
	int e = errno;

	if (path && !text && (getenv("SPILE_RC") || !access(path, F_OK))) {
		diag_hint(&s->diags, s_error(s, (struct loc){0}, E_IO, "cannot read the file with options %s: %s", path, strerror(e)),
			  "SPILE_RC= before spile leaves that file out");
		return -1;
	}
	for (unsigned number = 1; text && (line = strsep(&text, "\n")); number++)
		if (line[strspn(line, " \t")] != '#' && parse_line(s, line, path, number))
			return -1;
	return 0;
}

int options_parse(struct session *s, int argc, char **argv)
{
	struct options *o = &s->opt;
	struct given given[NROWS] = {0};
	size_t i = 0;

	o->last_pass = 5;
	if (is_joined_line(s, argc, argv) || parse_rc(s) || parse(s, argc, argv, given))
		return -1;
	s->diags.no_warnings |= o->no_warnings;
	s->diags.warnings_are_errors |= o->warnings_are_errors;
	check_given_twice(s, given);
	if (!take_example(s, argv[0]))
		return -1;
	bool needs_script = !o->script_text && !o->script_file && !o->examples && !o->list && !o->help && !o->version && !o->explain &&
			    !o->dump_functions && !o->dump_probe_types && !o->dump_probe_aliases;
	if (needs_script && o->words.n) {
		o->script_file = o->words.v[i++];
		if (!*o->script_file)
			s_error(s, (struct loc){0}, E_USAGE, "the name of the script's file is empty");
	} else if (needs_script && !o->clean_cache) {
		struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "a script is needed: a file, - or -e 'SCRIPT'");
		diag_hint(&s->diags, d, "try: spile --vm -e 'probe begin { println(\"hello\"); exit() }'");
		return -1;
	}
	for (; i < o->words.n; i++)
		vec_push(&s->arena, &o->args, o->words.v[i]);
	return check(s);
}

/* The name of an option and, from column 25 on, what it does, in lines of 100 columns at most. */
static void put_help(FILE *to, const char *left, const char *help)
{
	enum { INDENT = 25, WIDTH = 100 };
	int column = fprintf(to, "  %-22s", left);

	for (size_t n; *help; help += n + strspn(help + n, " ")) {
		n = strcspn(help, " ");
		if (column + 1 + (int)n > WIDTH)
			column = fprintf(to, "\n%*s", INDENT - 1, "") - 1;
		column += fprintf(to, " %.*s", (int)n, help);
	}
	fputc('\n', to);
}

void options_help(FILE *to)
{
	fputs("Usage: spile [OPTIONS] FILE [ARGUMENTS]\n"
	      "       spile [OPTIONS] -e SCRIPT [ARGUMENTS]\n"
	      "       spile [OPTIONS] --example NAME [ARGUMENTS]\n"
	      "       spile -l PROBE | -L PROBE\n\n",
	      to);
	for (size_t i = 0; i < NROWS; i++) {
		const struct row *r = &rows[i];
		char left[64];
		int n = 0;
		if (r->letter)
			n = snprintf(left, sizeof left, "-%c%s%s", r->letter, r->arg && !r->name ? " " : "",
				     r->arg && !r->name ? r->arg : "");
		if (r->name) {
			char arg[32] = "";
			if (r->arg && r->arg[0] == '[')
				snprintf(arg, sizeof arg, "[=%.*s]", (int)strlen(r->arg) - 2, r->arg + 1);
			else if (r->arg)
				snprintf(arg, sizeof arg, "=%s", r->arg);
			snprintf(left + n, sizeof left - n, "%s--%s%s", n ? ", " : "", r->name, arg);
		}
		put_help(to, left, r->help);
	}
}
