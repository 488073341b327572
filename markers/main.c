// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spile-dtrace: for programs that declare their markers in a file of DTrace's language, and whose build calls dtrace(1) for them.
 *
 *	spile-dtrace -h -s markers.d -o markers.h     a header with a macro for each marker
 *	spile-dtrace -G -s markers.d -o markers.o     an object file with their semaphores
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/usage.h"
#include "markers/parse.h"
#include "markers/write.h"

static const char usage_text[] =
	"Usage: spile-dtrace -h | -G [OPTION]... -s FILE [FILE]...\n"
	"  -h            write a header with a macro for each marker\n"
	"  -G            write an object file with the markers' semaphores; the FILEs are not looked at\n"
	"  -s FILE       the declarations\n"
	"  -o FILE       what is written (the name of the declarations with .h or .o at its end)\n"
	"  -C            pass the declarations through the preprocessor first\n"
	"  -I DIR, -D MACRO, -U MACRO  for the preprocessor\n"
	"  -32, -64      for a program of so many bits\n"
	"  -k, -v, -x OPTION, --types  accepted, and without effect\n"
	"      --help, --version\n"
	"The compiler is $CC, with $CFLAGS.\n";

enum { OPT_HELP = 256, OPT_VERSION, OPT_TYPES };

static const char letters[] = ":hGCkvs:o:I:D:U:x:3:6:";
static const struct option long_options[] = {
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{"types", no_argument, NULL, OPT_TYPES},
	{0},
};

static struct {
	struct arena arena;
	struct sources sources;
	struct diags diags;
	bool header, object, preprocess;
	const char *in, *out;
	const char *bits;       /* "-m32", "-m64" or "" */
	VEC(const char *) words; /* for the preprocessor */
} run;

static void usage_error(const char *text, const char *hint)
{
	struct diag *d = diag_report(&run.diags, (struct loc){0}, E_USAGE, "%s", text);

	diag_hint(&run.diags, d, "%s", hint ? hint : "spile-dtrace --help lists the options");
}

static void io_error(const char *what, const char *path)
{
	diag_report(&run.diags, (struct loc){0}, E_IO, "%s: %s: %s", path, what, strerror(errno));
}

static int finish(void)
{
	diag_flush(&run.diags, stderr, isatty(2));
	return run.diags.errors ? 1 : 0;
}

/* False: there is nothing left to do. */
static bool read_options(int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
		switch (c) {
		case 'h': run.header = true; break;
		case 'G': run.object = true; break;
		case 'C': run.preprocess = true; break;
		case 's': run.in = optarg; break;
		case 'o': run.out = optarg; break;
		case 'k': case 'v': case 'x': case OPT_TYPES: break;
		case '3': case '6':
			if (strcmp(optarg, c == '3' ? "2" : "4"))
				usage_error(arena_printf(&run.arena, "unknown option -%c%s", c, optarg), NULL);
			run.bits = c == '3' ? "-m32" : "-m64";
			break;
		case 'I': case 'D': case 'U':
			vec_push(&run.arena, &run.words, arena_printf(&run.arena, "-%c%s", c, optarg));
			break;
		case OPT_HELP: fputs(usage_text, stdout); return false;
		case OPT_VERSION: puts("spile-dtrace " PACKAGE_VERSION); return false;
		default: {
			struct usage_mistake m = usage_mistake(&run.arena, c, argv, letters, long_options);
			usage_error(m.what, m.hint);
			return false;
		}
		}
	}
	if (run.header == run.object)
		usage_error("what is to be written: a header (-h) or an object file (-G)?", NULL);
	else if (!run.in)
		usage_error("the file with the declarations is missing: -s FILE", NULL);
	return !run.diags.errors;
}

/* The name of the declarations with another end, in this folder. */
static const char *default_output(void)
{
	const char *slash = strrchr(run.in, '/'), *base = slash ? slash + 1 : run.in, *dot = strrchr(base, '.');
	size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);

	return arena_printf(&run.arena, "%.*s.%s", (int)n, base, run.header ? "h" : "o");
}

/* Runs a command of the shell that uses "$@"; its output is added to out.  False, with a message. */
static bool run_compiler(const char *command, const char *input, struct sb *out)
{
	VEC(const char *) argv = {0};
	struct child c = {.input = input};

	vec_push(&run.arena, &argv, "sh");
	vec_push(&run.arena, &argv, "-c");
	vec_push(&run.arena, &argv, command);
	vec_push(&run.arena, &argv, "spile-dtrace");
	vec_push(&run.arena, &argv, input ? run.out : run.in);
	for (size_t i = 0; i < run.words.n; i++)
		vec_push(&run.arena, &argv, run.words.v[i]);
	vec_push(&run.arena, &argv, NULL);
	c.argv = argv.v;
	if (child_run(&c) || c.status) {
		struct diag *d = diag_report(&run.diags, (struct loc){0}, E_IO, "%s: the compiler fails: %s", input ? run.out : run.in,
					     c.err.n ? arena_strndup(&run.arena, c.err.s, strcspn(c.err.s, "\n")) : "it says nothing");
		diag_hint(&run.diags, d, "the compiler is $CC (else cc), with $CFLAGS");
	} else if (out && c.out.n) {
		sb_putn(out, c.out.s, c.out.n);
	}
	sb_free(&c.out);
	sb_free(&c.err);
	return !run.diags.errors;
}

static struct source *read_declarations(void)
{
	struct source *text = source_read(&run.sources, run.in);
	struct sb out = {0};

	if (!text) {
		io_error("cannot be read", run.in);
		return NULL;
	}
	if (!run.preprocess)
		return text;
	if (!run_compiler("in=$1; shift; exec ${CC:-cc} -E -P -undef -x c \"$@\" \"$in\"", NULL, &out))
		return NULL;
	text = source_add(&run.sources, arena_printf(&run.arena, "%s (preprocessed)", run.in), out.s ? out.s : "", out.n);
	if (!text)
		io_error("cannot be kept", run.in);
	sb_free(&out);
	return text;
}

static void write_output(const struct parse_providers *all)
{
	struct sb text = {0};

	if (run.header) {
		const char *slash = strrchr(run.out, '/');

		write_header(&text, all, slash ? slash + 1 : run.out);
		if (file_replace(run.out, text.s, text.n, 0666))
			io_error("cannot be written", run.out);
	} else {
		write_semaphores(&text, all);
		run_compiler(arena_printf(&run.arena, "exec ${CC:-cc} $CFLAGS %s -fPIC -fno-lto -x c -c -o \"$1\" -", run.bits), text.s ? text.s : "",
			     NULL);
	}
	sb_free(&text);
}

int main(int argc, char **argv)
{
	struct parse_providers all = {0};
	struct source *text;

	run.sources.arena = run.diags.arena = &run.arena;
	run.diags.sources = &run.sources;
	run.bits = "";
	if (!read_options(argc, argv))
		return finish();
	if (!run.out)
		run.out = default_output();
	text = read_declarations();
	if (text && parse_providers(&run.diags, text, &all))
		write_output(&all);
	return finish();
}
