// SPDX-License-Identifier: GPL-2.0-or-later
/* spilerun: loads a script's module, runs the session, streams its output.  See doc/spilerun.8. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/std.h"
#include "base/usage.h"
#include "config.h"
#include "loader/loader.h"

struct options {
	const char *command, *output;
	long pid;
	double seconds;
	long megabytes, rotated, kept;
	const struct sink_form *form;
	bool is_text, trace_self, relayed, background;
	bool as_staprun; /* called by that name: -R and -T are staprun's */
};

/* What the two names that it is called by have of their own. */
static const struct program {
	const char *name, *wait, *relayed, *more;
} own = {
	"spilerun",
	"  -T SEC    stop after SEC seconds\n",
	"  -R, --relayed",
	"Called by the name staprun, -R and -T are as in that program, and change nothing.\n"
}, staprun = {
	"staprun",
	"  -T MS     how long to wait for output: changes nothing; output is read when it comes\n",
	"  -R        a new name for the module: changes nothing; if the name is taken, the module is loaded under another one\n"
	"  --relayed",
	"This is spilerun, called by the name staprun: -R and -T are as in that program.\n"
};

static void usage(const struct program *p)
{
	printf("Usage: %s [OPTION]... MODULE.ko [GLOBAL=VALUE]...\n"
	       "Loads a module that spile made, runs its probes and prints what they print.\n"
	       "  -c CMD    run CMD when all probes are armed, and stop when it exits; target() is its pid\n"
	       "  -x PID    target() is PID; stop when that process exits\n"
	       "  -o FILE   write the output to FILE\n"
	       "  -F        with -o: go on in the background once the probes are armed, and print the id of that process\n"
	       "  -S MB[,N] with -o: FILE.0, FILE.1 ..., a new one after MB megabytes; keep the newest N\n"
	       "  --format FORMAT  the form of the output: text (default) or json\n"
	       "%s"
	       "  -s MB     size of each CPU's transport buffer\n"
	       "  -t        control characters in the output, but for newlines and tabs, as ?\n"
	       "  -O, --trace-self  probes of the whole system see what spilerun itself does, too\n"
	       "%s  the parent passes on the output: what it does counts as spilerun's own\n"
	       "  -w        no warnings\n"
	       "  -v        say what is done, and repeat repeated messages\n"
	       "  -h, --help, -V, --version  this text; the version\n"
	       "%s"
	       "GLOBAL=VALUE sets a global variable of the script before it begins.\n",
	       p->name, p->wait, p->relayed, p->more);
}

static bool parse_long(const char *s, long low, long high, long *out)
{
	char *end;

	errno = 0;
	*out = strtol(s, &end, 10);
	return !errno && end != s && !*end && *out >= low && *out <= high;
}

static bool parse_seconds(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	return end != s && !*end && *out > 0 && *out < 1e9;
}

/* The first line is what programs around staprun look for. */
static const char version[] = "Systemtap module loader/runner (version 5.6, Spile " PACKAGE_VERSION ")\n"
	"spilerun " PACKAGE_VERSION;

enum { FORMAT = 1, RELAYED }; /* no letters */

static const char letters[] = ":c:x:o:T:s:S:tFORwvhV";
static const struct option longs[] = {
	{"format", required_argument, NULL, FORMAT},
	{"trace-self", no_argument, NULL, 'O'},
	{"relayed", no_argument, NULL, RELAYED},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{0}
};

/* Options of SystemTap's staprun that are not here, and what to do instead. */
static const struct foreign {
	const char *option, *what, *hint;
} foreign[] = {
	{"-A", "attaches to a session that was detached", "spilerun -F -o FILE goes on in the background: read its FILE"},
	{"-L", "detaches from the session", "spilerun -F -o FILE goes on in the background once the probes are armed"},
	{"-D", "goes on in the background", "spilerun -F -o FILE does that"},
	{"-d", "deletes a module", "the next run unloads those that killed sessions left; rmmod MODULE unloads one at once"},
	{"-b", "sets the size of the buffer", "spilerun -s MB does that"},
	{"-M", "sets how often a monitor is updated", "leave it out: there is no monitor"},
	{"-N", "names the namespaces of a process", "leave it out: pid() is the number in the root namespace"},
	{"-C", "sets colours of messages", "leave it out: messages of spilerun have none"},
	{"-u", "loads a module for probes of programs", "leave it out: the kernel's own uprobes are used"},
	{"-r", "says for whom it runs on another machine", "leave it out: run spilerun by ssh"},
};

static bool is_foreign(const char *given)
{
	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
		if (strcmp(given, foreign[i].option) != 0)
			continue;
		say_error("%s, which in staprun %s, is not here", given, foreign[i].what);
		say_hint(foreign[i].hint);
		return true;
	}
	return false;
}

static void not_an_option(int c, char **argv)
{
	struct arena a = { 0 };
	struct usage_mistake m = usage_mistake(&a, c, argv, letters, longs);

	if (c == '?' && is_foreign(m.given))
		return;
	say_error("%s", m.what);
	say_hint(m.hint ? m.hint : "spilerun -h lists the options");
	arena_free(&a);
}

static const char *name_of(int c)
{
	static char name[] = "-?";

	name[1] = (char)c;
	return c == FORMAT ? "--format" : name;
}

/* One target is followed; of other options, the last one counts. */
static bool is_given_twice(int c, const char *first, const struct options *o)
{
	if ((c == 'c' && o->command) || (c == 'x' && o->pid)) {
		say_error("only one target: -%c is given twice", c);
		return true;
	}
	if (first && strcmp(first, optarg) != 0)
		say_warning("%s is given twice, and the last one counts: \"%s\", not \"%s\"", name_of(c), optarg, first);
	return false;
}

static bool take_pid(struct options *o)
{
	return parse_long(optarg, 1, 1L << 30, &o->pid);
}

static bool take_megabytes(struct options *o)
{
	return parse_long(optarg, 1, 4095, &o->megabytes);
}

/* MB, or MB,N */
static bool take_rotation(struct options *o)
{
	char mb[16], *comma = strchr(optarg, ',');
	size_t n = comma ? (size_t)(comma - optarg) : strlen(optarg);

	snprintf(mb, sizeof mb, "%.*s", (int)n, optarg);
	return n < sizeof mb && parse_long(mb, 1, 1L << 20, &o->rotated) && (!comma || parse_long(comma + 1, 1, 1L << 20, &o->kept));
}

static bool take_seconds(struct options *o)
{
	return parse_seconds(optarg, &o->seconds);
}

/* How long staprun waits for output: here, it is read when it comes. */
static bool take_unused_milliseconds(struct options *o)
{
	long milliseconds;

	(void)o;
	return parse_long(optarg, 1, INT_MAX, &milliseconds);
}

static bool take_format(struct options *o)
{
	o->form = sink_find(optarg);
	if (!o->form)
		say_error("--format: there is no format \"%s\": there are %s", optarg, sink_names());
	return o->form;
}

static const struct number {
	char letter;
	bool (*take)(struct options *o);
	const char *wanted;
} numbers[] = {
	{'x', take_pid, "a process id"},
	{'s', take_megabytes, "a number of megabytes from 1 to 4095"},
	{'S', take_rotation, "a number of megabytes and, after a comma, a number of files"},
	{'T', take_seconds, "a number of seconds above 0 and below 1,000,000,000"},
}, staprun_wait = {'T', take_unused_milliseconds, "a number of milliseconds above 0 and below 2,147,483,648"};

static bool take_number(int c, struct options *o)
{
	const struct number *n = numbers;

	if (c == 'T' && o->as_staprun)
		n = &staprun_wait;
	while (n->letter != c)
		n++;
	if (n->take(o))
		return true;
	say_error("-%c takes %s, not \"%s\"", c, n->wanted, optarg);
	return false;
}

enum parsed { GO_ON, DONE, WRONG };

static enum parsed parse(int argc, char **argv, struct options *o)
{
	const char *first[256] = { NULL };
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (optarg && is_given_twice(c, first[c], o))
			return WRONG;
		first[c] = first[c] ? first[c] : optarg;
		switch (c) {
		case 'c': o->command = optarg; break;
		case 'o': o->output = optarg; break;
		case FORMAT:
			if (!take_format(o))
				return WRONG;
			break;
		case 't': o->is_text = true; break;
		case 'F': o->background = true; break;
		case 'O': o->trace_self = true; break;
		case 'R': o->relayed |= !o->as_staprun; break;
		case RELAYED: o->relayed = true; break;
		case 'w': say.quiet = true; break;
		case 'v': say.verbose = true; break;
		case 'x':
		case 's':
		case 'S':
		case 'T':
			if (!take_number(c, o))
				return WRONG;
			break;
		case 'h': usage(o->as_staprun ? &staprun : &own); return DONE;
		case 'V': puts(version); return DONE;
		default: not_an_option(c, argv); return WRONG;
		}
	}
	if (optind >= argc) {
		say_error("a module is needed: spile -p4 -m NAME makes NAME.ko");
		say_hint("spilerun -h explains its use");
		return WRONG;
	}
	if (o->command && o->pid) {
		say_error("-c and -x exclude each other");
		return WRONG;
	}
	if (o->rotated && !o->output) {
		say_error("-S needs a file: -o FILE");
		return WRONG;
	}
	if (o->background && !o->output) {
		say_error("-F needs a file: -o FILE");
		return WRONG;
	}
	return GO_ON;
}

static bool settings_are_sound(char **settings)
{
	for (; *settings; settings++) {
		if (strchr(*settings, '=') && **settings != '=')
			continue;
		say_error("\"%s\": after the module come settings of globals only: GLOBAL=VALUE", *settings);
		return false;
	}
	return true;
}

static int find_target(struct target *t, const struct options *o)
{
	*t = (struct target){ .child = -1, .pidfd = -1 };
	if (o->command)
		return target_start(t, o->command);
	if (o->pid)
		return target_attach(t, (pid_t)o->pid);
	return 0;
}

/* With the module's file known: everything else. */
static int run(const struct options *o, char **args)
{
	struct arena a = { 0 };
	const char *parameters =
		module_parameters(&a, (const char *const *)args + 1, (unsigned)o->megabytes * 1024);
	struct run r = { .seconds = o->seconds, .script = args[0], .trace_self = o->trace_self, .relayed = o->relayed,
			 .background = { .wanted = o->background },
			 .file = { .most = (uint64_t)o->rotated << 20, .keep = (unsigned)o->kept } };
	int status = 1;

	if (o->output)
		r.file.name = file_name_at(&a, o->output, time(NULL));
	const char *name = r.file.name; /* outfile_open() forgets the name of a descriptor */
	if (o->background && !background_may_write(name))
		return 1;
	if (outfile_open(&r.file) || (o->background && background_begin(&r.background, name)))
		return 1;
	output_init(&r.output, r.file.fd);
	r.output.keep_until_output = outfile_keeps(&r.file);
	r.sink = sink_open(o->form, &r.output, o->is_text);
	say.sink = &r.sink;
	module_clean_up();
	if (!find_target(&r.target, o) && !module_load(&r.module, args[0], parameters)) {
		status = run_session(&r);
		if (module_unload(&r.module))
			status = 1;
	}
	if (target_end(&r.target) && !status)
		status = 1;
	say.sink = NULL;
	status = run_finish(&r, status);
	if (outfile_close(&r.file) && !status)
		status = 1;
	if (o->background)
		background_end(&r.background, name);
	arena_free(&a);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = { .as_staprun = !strcmp(program_invocation_short_name, "staprun") };
	enum parsed parsed;

	std_guard("spilerun", 1);
	parsed = parse(argc, argv, &o);
	if (parsed != GO_ON)
		return parsed == WRONG;
	if (!settings_are_sound(argv + optind + 1))
		return 1;
	return run(&o, argv + optind);
}
