/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes "build" and "run": from C text to a module (translator/build/), and from the module to its output: spilerun here,
 * or spilerun in a guest with --vm.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/child.h"
#include "base/file.h"
#include "base/paths.h"
#include "translator/build/build.h"
#include "translator/json.h"
#include "translator/markers.h"
#include "translator/pipeline.h"
#include "translator/report.h"

/* A link that has the name is replaced, not followed. */
static int copy_module(const char *from, const char *to)
{
	struct arena a = {0};
	size_t len;
	char *s = file_read(&a, from, &len);
	int rc = s ? file_replace(to, s, len, 0644) : -1, e = errno;

	arena_free(&a);
	errno = e;
	return rc;
}

static void print_steps(struct session *s, const struct build *b)
{
	if (options_detail(&s->opt, 4) < 2)
		return;
	busy_end();
	for (unsigned i = 0; i < b->nsteps; i++)
		fprintf(stderr, "  build: %s %.0f ms\n", b->steps[i].name, b->steps[i].seconds * 1e3);
}

/*
 * Option -m makes a copy in this folder, which the next module of the same name replaces; this session loads another file.  A module
 * in the work directory is removed with it.
 */
static int keep_module(struct session *s, const struct build *b, const char *name, const char *ko)
{
	const char *copy = NULL;

	s->loaded_path = s->module_path = ko;
	if (s->opt.module_name)
		s->module_path = copy = arena_printf(&s->arena, "%s.ko", name);
	if (copy && copy_module(ko, copy))
		goto bad;
	if (!b->module_is_temporary || (copy && s->opt.last_pass == 4))
		return 0;
	s->loaded_path = copy = arena_printf(&s->arena, "%s/%s.%d.ko", file_temporary_folder(), name, (int)getpid());
	if (copy_module(ko, copy))
		goto bad;
	if (!s->opt.module_name)
		s->module_path = copy;
	s->module_is_temporary = true;
	return 0;
bad:
	s_error(s, (struct loc){0}, E_IO, "cannot write %s: %s", copy, strerror(errno));
	return -1;
}

static void tell_now(void *session)
{
	busy_end();
	session_tell(session);
}

int build_pass(struct session *s)
{
	struct problem why = {0};
	struct build *b = arena_new(&s->arena, struct build);
	const char *name, *ko;
	struct sb text = {0};
	const char *extra[] = {s->extra_text.s, NULL};
	int rc;

	*b = (struct build){
		.arena = &s->arena,
		.diags = &s->diags,
		.release = s->release,
		.build_dir = s->kernel ? kernel_build_dir(s->kernel, &why) : NULL,
		.runtime_dir = paths_runtime(),
		.arch = s->target->kernel,
		.helpers = s->target->helpers,
		.cache_dir = paths_cache(),
		.disable_cache = s->opt.disable_cache,
		.poison_cache = s->opt.poison_cache,
		.keep = s->opt.keep,
		.tell = tell_now,
		.tell_data = s,
		.silent = s->opt.format && !strcmp(s->opt.format, "json"),
		.verbose = options_detail(&s->opt, 4),
		.parts = s->c_parts,
		.calls = s->c_calls,
		.places = &s->c_places,
	};
	if (!b->build_dir && why.code) {
		struct diag *d = session_problem(s, (struct loc){0}, &why, "kernel %s", s->release);
		if (!s->opt.release && !s->opt.vm)
			diag_hint(&s->diags, d, "or run in a throwaway guest of another installed kernel: --vm");
		return -1;
	}
	if (run_check_kernel(s))
		return -1;
	name = s->opt.module_name ? s->opt.module_name : build_module_name(&s->arena, b, s->c_text.s, extra);
	sb_printf(&text, "#define SPILE_NAME \"%s\"\n", name);
	sb_putn(&text, s->c_text.s, s->c_text.n);
	rc = build_module(b, text.s, extra, name, &ko);
	sb_free(&text);
	print_steps(s, b);
	s->module_was_cached = b->module_was_cached;
	if (!rc)
		rc = keep_module(s, b, name, ko);
	if (s->opt.keep && b->work_dir) {
		busy_end();
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", b->work_dir);
	}
	build_end(b);
	return rc;
}

void session_tell(struct session *s)
{
	const char *term = getenv("TERM"), *plain = getenv("NO_COLOR"), *when = s->opt.color ? s->opt.color : "auto";
	bool usual = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !(plain && *plain);

	if (s->opt.format && !strcmp(s->opt.format, "json"))
		s->diags.format = &json_format;
	diag_flush(&s->diags, stderr, !strcmp(when, "auto") ? usual : !strcmp(when, "always"));
}

typedef VEC(const char *) arguments;

static void add(struct session *s, arguments *a, const char *option, const char *value)
{
	if (!value)
		return;
	vec_push(&s->arena, a, option);
	vec_push(&s->arena, a, value);
}

/* The loader's command line; with a guest, the output file is written by this program, not in the guest. */
static void loader_arguments(struct session *s, arguments *a)
{
	vec_push(&s->arena, a, paths_helper("spilerun"));
	add(s, a, "-c", s->opt.cmd);
	add(s, a, "-x", s->opt.target_pid ? arena_printf(&s->arena, "%d", s->opt.target_pid) : NULL);
	add(s, a, "-T", s->opt.timeout);
	add(s, a, "-s", s->opt.buffer_mb);
	add(s, a, "-o", s->opt.vm && s->opt.output ? "/dev/fd/3" : s->opt.output);
	add(s, a, "-S", s->opt.rotation);
	if (s->opt.background)
		vec_push(&s->arena, a, "-F");
	add(s, a, "--format", s->opt.format);
	if (terminal_is_text(s))
		vec_push(&s->arena, a, "-t");
	if (s->opt.trace_self)
		vec_push(&s->arena, a, "-O");
	if (s->opt.vm)
		vec_push(&s->arena, a, "-R");
	if (s->opt.no_warnings)
		vec_push(&s->arena, a, "-w");
	if (options_detail(&s->opt, 5))
		vec_push(&s->arena, a, "-v");
	vec_push(&s->arena, a, s->loaded_path);
	for (size_t i = 0; i < s->opt.globals.n; i++)
		vec_push(&s->arena, a, s->opt.globals.v[i]);
}

/* Of one session at a time, and not emptied yet, as the loader's own (loader/outfile.c): spile-vm empties it when there is output. */
static int open_output(struct session *s)
{
	int fd;

	s->opt.output = file_name_at(&s->arena, s->opt.output, time(NULL));
	fd = file_open_output(s->opt.output);
	if (fd < 0)
		s_error(s, (struct loc){0}, E_IO, "cannot write %s: %s", s->opt.output,
			errno == EWOULDBLOCK ? "another session writes it" : strerror(errno));
	return fd;
}

/* Blocks the signals that end a session.  SIGHUP stays ignored if it is: that is what nohup does. */
static void block_signals(sigset_t *set, sigset_t *before)
{
	struct sigaction hup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGQUIT);
	sigaddset(set, SIGCHLD);
	if (sigaction(SIGHUP, NULL, &hup) || hup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, set, before);
}

/*
 * Passes signals on to the loader, since they may have been sent to this process alone: the loader ends the session.  A signal that it
 * gets twice, from the terminal and from here, counts once.  One that it dies of came before it had begun the session, as while a guest boots:
 * then nothing has run, and there is nothing to report.
 */
static int wait_for(struct session *s, pid_t pid, const sigset_t *set)
{
	int status = 0;
	sigset_t passed;

	sigemptyset(&passed);
	while (waitpid(pid, &status, WNOHANG) != pid) {
		int sig = sigwaitinfo(set, NULL);

		if (sig > 0 && sig != SIGCHLD) {
			sigaddset(&passed, sig);
			kill(pid, sig);
		}
	}
	if (WIFSIGNALED(status) && !sigismember(&passed, WTERMSIG(status)))
		s_error(s, (struct loc){0}, E_RUN, "%s was killed by signal %d: end probes did not run, and output may be missing%s",
			s->opt.vm ? "spile-vm" : "spilerun", WTERMSIG(status), s->opt.vm ? "" : "; the next run unloads the module");
	return child_status(status);
}

static _Noreturn void become(const arguments *a, int out, const sigset_t *mask)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (out == 3)
		fcntl(out, F_SETFD, 0);
	else if (out >= 0)
		dup2(out, 3);
	execv(a->v[0], (char *const *)a->v);
	fprintf(stderr, "spile: cannot run %s: %s\n", a->v[0], strerror(errno));
	_exit(127);
}

static int execute(struct session *s, const arguments *a, int out)
{
	pid_t pid;
	sigset_t set, before;
	int rc = 1;

	fflush(NULL);
	block_signals(&set, &before);
	pid = child_fork(SIGTERM); /* if this program is killed, what it started ends too */
	if (pid == 0)
		become(a, out, &before);
	if (pid < 0)
		s_error(s, (struct loc){0}, E_RUN, "cannot start %s: %s", a->v[0], strerror(errno));
	else
		rc = wait_for(s, pid, &set);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static int without_run(const struct session *s)
{
	if (s->module_is_temporary)
		unlink(s->loaded_path);
	return 1;
}

int run_module(struct session *s)
{
	arguments a = {0};
	struct report_time begin;
	int out = -1, rc;

	if (!paths_helper("spilerun") || (s->opt.vm && !paths_helper("spile-vm"))) {
		s_error(s, (struct loc){0}, E_RUN, "%s is not where it should be: is Spile installed completely?",
			paths_helper("spilerun") ? "spile-vm" : "spilerun");
		return without_run(s);
	}
	if (s->opt.vm) {
		vec_push(&s->arena, &a, paths_helper("spile-vm"));
		add(s, &a, "-k", s->release);
		if (s->opt.output) {
			vec_push(&s->arena, &a, "--keep-until-output");
			vec_push(&s->arena, &a, "--fd3");
		}
		vec_push(&s->arena, &a, "run");
		vec_push(&s->arena, &a, "--");
		if (s->opt.output && (out = open_output(s)) < 0)
			return without_run(s);
	}
	loader_arguments(s, &a);
	vec_push(&s->arena, &a, NULL);
	session_tell(s);
	if (options_detail(&s->opt, 5))
		fprintf(stderr, "Pass 5: starting run.\n");
	markers_begin(s, 5);
	begin = report_now();
	rc = execute(s, &a, out);
	if (!rc)
		markers_end(s, 5);
	if (s->module_is_temporary)
		unlink(s->loaded_path);
	if (out >= 0 && close(out)) {
		s_error(s, (struct loc){0}, E_IO, "cannot write %s: %s", s->opt.output, strerror(errno));
		rc = 1;
	}
	if (rc)
		report_failed(s, 5);
	else if (options_detail(&s->opt, 5))
		fprintf(stderr, "Pass 5: run completed in %s.\n", report_since(s, &begin));
	return rc;
}
