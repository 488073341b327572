// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spile-vm: throwaway guests of any installed kernel.
 *
 *   spile-vm list                                       installed kernels that can be guests
 *   spile-vm [-k REL] run [--] CMD ARG...               boot, run, power off; exits with the command's status
 *   spile-vm [-k REL] start [--name NAME]               boot a guest that stays; prints its name
 *   spile-vm exec NAME [--] CMD ARG...                  run in it, several at once if wanted
 *   spile-vm put NAME SRC DST, get NAME SRC DST         copy a file in, or out
 *   spile-vm console NAME [--since=OFFSET] [--path|--size]
 *   spile-vm stop NAME, spile-vm ps
 *
 * The guest sees the host's whole file system at the same paths, and may write anywhere: what it writes is
 * forgotten, except in folders given with --share=DIR. Commands run in the same directory and environment as
 * here, as root.
 *
 * The same program, started as process 1 of the guest, is the agent there (agent.c).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/std.h"
#include "base/str.h"
#include "base/usage.h"
#include "base/visible.h"
#include "vm/proto.h"
#include "vm/vm.h"

enum {
	OPT_KERNELS = 256,
	OPT_NAME,
	OPT_SMP,
	OPT_MEM,
	OPT_SHARE,
	OPT_BOOT,
	OPT_KASLR,
	OPT_IDLE,
	OPT_ACCEL,
	OPT_APPEND,
	OPT_SINCE,
	OPT_PATH,
	OPT_SIZE,
	OPT_KEEP_UNTIL_OUTPUT,
	OPT_FD3
};

static const struct option long_options[] = {
	{"kernel", required_argument, NULL, 'k'},
	{"kernels", required_argument, NULL, OPT_KERNELS},
	{"name", required_argument, NULL, OPT_NAME},
	{"smp", required_argument, NULL, OPT_SMP},
	{"mem", required_argument, NULL, OPT_MEM},
	{"share", required_argument, NULL, OPT_SHARE},
	{"boot-timeout", required_argument, NULL, OPT_BOOT},
	{"kaslr", no_argument, NULL, OPT_KASLR},
	{"timeout", required_argument, NULL, 't'},
	{"idle", required_argument, NULL, OPT_IDLE},
	{"accel", required_argument, NULL, OPT_ACCEL},
	{"append", required_argument, NULL, OPT_APPEND},
	{"since", required_argument, NULL, OPT_SINCE},
	{"path", no_argument, NULL, OPT_PATH},
	{"size", no_argument, NULL, OPT_SIZE},
	{"keep-until-output", no_argument, NULL, OPT_KEEP_UNTIL_OUTPUT},
	{"fd3", no_argument, NULL, OPT_FD3},
	{"no-stdin", no_argument, NULL, 'n'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{0},
};

static const char usage_text[] =
	"Usage: spile-vm [OPTION]... list | run | start | exec | put | get | console | stop | ps\n"
	"  list                     installed kernels that can be guests\n"
	"  run [--] CMD ARG...      boot a guest, run a command in it, power it off\n"
	"  start                    boot a guest that stays, print its name\n"
	"  exec NAME [--] CMD...    run a command in a guest that was started\n"
	"  put NAME SRC DST         copy the host's file SRC to DST in the guest\n"
	"  get NAME SRC DST         copy the guest's file SRC to DST on the host\n"
	"  console NAME             print what its kernel printed\n"
	"  stop NAME...             power guests off and forget them\n"
	"  ps                       guests that were started\n"
	"Options:\n"
	"  -k, --kernel=RELEASE     kernel to boot (default: the running one if installed, else the newest,\n"
	"                           those for real time or clouds last)\n"
	"      --kernels=DIR        look for kernels in DIR/boot and DIR/lib/modules (or $SPILE_KERNELS)\n"
	"      --share=DIR          let the guest write to the host's folder DIR (repeatable)\n"
	"      --smp=N, --mem=MB    virtual CPUs (2) and memory (1536)\n"
	"  -t, --timeout=SECONDS    stop the command after that time, exit status 124\n"
	"  -n, --no-stdin           do not read standard input\n"
	"      --keep-until-output  the file that is standard output keeps what it has until there is output\n"
	"      --fd3                connect descriptor 3 of the command to ours; --keep-until-output then concerns it instead of standard output\n"
	"      --name=NAME          name for a started guest\n"
	"      --idle=MINUTES       power a started guest off when nothing ran for so long (60; 0 = never)\n"
	"      --boot-timeout=SECONDS  how long a boot may take (60)\n"
	"      --accel=auto|tcg|kvm    how QEMU runs the guest (auto: KVM when it works)\n"
	"      --kaslr              boot the kernel's image as it is, randomised; takes longer\n"
	"      --append=WORDS       more for the guest's kernel command line\n"
	"      --since=OFFSET       console: only what follows this many bytes\n"
	"      --path, --size       console: print the log's path, or its size, instead\n"
	"  -v, --verbose            say what is done\n"
	"  -h, --help; -V, --version\n";

static struct options opt = {.kernels = "", .smp = 2, .mem_mb = 1536, .boot_s = 60, .idle_min = 60};
static long console_since;
static int console_what;

static unsigned number(const char *what, const char *s, unsigned min, unsigned max)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(s, &end, 10);
	if (errno || end == s || *end || *s == '-' || v < min || v > max)
		die(NULL, "--%s=%s: a number from %u to %u is needed", what, s, min, max);
	return (unsigned)v;
}

static void add_share(const char *dir)
{
	char *full = realpath(dir, NULL);
	struct stat st;

	if (!full || stat(full, &st) || !S_ISDIR(st.st_mode))
		die(NULL, "--share=%s: %s", dir, full ? "not a folder" : strerror(errno));
	if (!strcmp(full, "/"))
		die("share the folders that are to be written",
		    "--share=/ would give the guest the whole host to write to");
	strings_add(&opt.shares, full);
}

static enum accel accel_of(const char *s)
{
	if (!strcmp(s, "auto"))
		return ACCEL_AUTO;
	if (!strcmp(s, "tcg"))
		return ACCEL_TCG;
	if (!strcmp(s, "kvm"))
		return ACCEL_KVM;
	die(NULL, "--accel=%s: auto, tcg or kvm is needed", s);
}

static void take_option(int c)
{
	switch (c) {
	case 'k':
		opt.release = optarg;
		break;
	case OPT_KERNELS:
		opt.kernels = optarg;
		break;
	case OPT_NAME:
		opt.name = optarg;
		break;
	case OPT_SMP:
		opt.smp = number("smp", optarg, 1, 64);
		break;
	case OPT_MEM:
		opt.mem_mb = number("mem", optarg, 256, 1 << 20);
		break;
	case OPT_SHARE:
		add_share(optarg);
		break;
	case OPT_BOOT:
		opt.boot_s = number("boot-timeout", optarg, 1, 86400);
		break;
	case 't':
		opt.timeout_s = number("timeout", optarg, 1, 864000);
		break;
	case OPT_IDLE:
		opt.idle_min = number("idle", optarg, 0, 100000);
		break;
	case OPT_ACCEL:
		opt.accel = accel_of(optarg);
		break;
	case OPT_KASLR:
		opt.kaslr = true;
		break;
	case OPT_APPEND:
		strings_add(&opt.append, optarg);
		break;
	case OPT_SINCE:
		console_since = (long)number("since", optarg, 0, INT_MAX);
		break;
	case OPT_PATH:
	case OPT_SIZE:
		console_what = c;
		break;
	case 'n':
		opt.no_stdin = true;
		break;
	case OPT_KEEP_UNTIL_OUTPUT:
		opt.keep_until_output = true;
		break;
	case OPT_FD3:
		if (fcntl(3, F_GETFD) < 0)
			die("in a shell: spile-vm run --fd3 -- COMMAND 3>FILE", "--fd3: there is no descriptor 3");
		opt.fd3 = true;
		break;
	case 'v':
		opt.verbose = true;
		break;
	case 'h':
		fputs(usage_text, stdout);
		exit(0);
	case 'V':
		puts("spile-vm (Spile) " PACKAGE_VERSION);
		exit(0);
	}
}

static _Noreturn void not_an_option(int c, char **argv, const char *letters)
{
	struct arena a = {0};
	struct usage_mistake m = usage_mistake(&a, c, argv, letters, long_options);

	die(m.hint ? m.hint : "spile-vm --help lists the options", "%s", m.what);
}

/* Takes the options at the front of argv, or (mixed) anywhere in it; returns where the rest begins. */
static int take_options(int argc, char **argv, bool mixed)
{
	const char *letters = mixed ? ":k:t:nvhV" : "+:k:t:nvhV";
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
		if (c == '?' || c == ':')
			not_an_option(c, argv, letters);
		take_option(c);
	}
	return optind;
}

static int cmd_list(int argc, char **argv)
{
	size_t n, usable = 0;
	struct kernel *k = kernel_list(opt.kernels, &n);

	(void)argc, (void)argv;
	for (size_t i = 0; i < n; i++) {
		if (!k[i].problem) {
			puts(k[i].release);
			usable++;
		} else {
			note("%s cannot be a guest: %s (%s)", k[i].release, k[i].problem, k[i].remedy);
		}
	}
	if (!usable)
		die("apt install linux-image-amd64", "no kernel that can be a guest is installed in %s/boot",
		    opt.kernels);
	return 0;
}

static int finish_exec(const struct guest *g, int r)
{
	if (r >= 0)
		return r;
	if (r == EXEC_LATE) {
		note("guest %s does not answer any more", g->name);
		guest_show_end(g, 20);
		return EXIT_TIMEOUT;
	}
	guest_show_end(g, 40);
	note("guest %s ended while the command ran", g->name);
	return EXIT_VM;
}

static int run_in(const struct guest *g, char **argv, bool ends_guest)
{
	struct exec x = {.guest = g,
			 .kind = KIND_EXEC,
			 .argv = argv,
			 .in = opt.no_stdin ? -1 : 0,
			 .out = 1,
			 .err = 2,
			 .timeout_s = opt.timeout_s,
			 .keep_until_output = opt.keep_until_output && file_is_regular(opt.fd3 ? 3 : 1),
			 .has_file = opt.fd3,
			 .file = 3,
			 .ends_guest = ends_guest};

	return finish_exec(g, exec_session(&x));
}

static int cmd_run(int argc, char **argv)
{
	struct kernel k;
	struct guest g;
	int r;

	if (argc < 1)
		die("spile-vm run -- uname -r", "run needs a command");
	k = kernel_choose(&opt);
	g = qemu_boot(&opt, &k, false);
	r = run_in(&g, argv, true);
	on_exit_hook();
	return r;
}

static int cmd_start(int argc, char **argv)
{
	struct kernel k;
	struct guest g;

	if (argc > 0)
		die("use run, or start and then exec", "start takes no command (%s)", argv[0]);
	k = kernel_choose(&opt);
	g = qemu_boot(&opt, &k, true);
	puts(g.name);
	return 0;
}

static int cmd_exec(int argc, char **argv)
{
	struct guest g;

	if (argc < 2)
		die("spile-vm exec NAME -- uname -r", "exec needs a guest's name and a command");
	g = guest_open(argv[0], true);
	argv++;
	if (!strcmp(argv[0], "--"))
		argv++;
	if (!argv[0])
		die("spile-vm exec NAME -- uname -r", "exec needs a command");
	return run_in(&g, argv, false);
}

static char *with_base(const char *dst, const char *src)
{
	char *copy = textf("%s", src), *s = textf("%s/%s", dst, basename(copy));

	return s;
}

/* The guest's shell copies between its file and our stream; the mode goes along. */
static int cmd_put(int argc, char **argv)
{
	static const char script[] = "if [ -d \"$1\" ]; then set -- \"$1/$2\" \"$2\" \"$3\"; fi; cat >\"$1\" "
				     "&& chmod \"$3\" \"$1\"";
	char *words[] = {"sh", "-c", (char *)script, "put", NULL, NULL, NULL, NULL};
	struct exec x = {.kind = KIND_EXEC, .argv = words, .out = 1, .err = 2, .timeout_s = opt.timeout_s};
	struct guest g;
	struct stat st;
	char *copy;

	if (argc != 3)
		die("spile-vm put NAME SRC DST", "put needs a guest's name and two paths");
	g = guest_open(argv[0], true);
	x.guest = &g;
	x.in = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (x.in < 0 || fstat(x.in, &st) || S_ISDIR(st.st_mode))
		die("folders of the host are seen in the guest at the same path", "cannot read %s: %s",
		    argv[1], x.in < 0 ? strerror(errno) : "a folder");
	copy = textf("%s", argv[1]);
	words[4] = argv[2];
	words[5] = basename(copy);
	words[6] = textf("%o", st.st_mode & 07777);
	return finish_exec(&g, exec_session(&x));
}

static int cmd_get(int argc, char **argv)
{
	char *words[] = {"cat", "--", NULL, NULL};
	struct exec x = {.kind = KIND_EXEC, .argv = words, .in = -1, .err = 2, .timeout_s = opt.timeout_s};
	char *dst, *tmp;
	struct guest g;
	struct stat st;
	int r;

	if (argc != 3)
		die("spile-vm get NAME SRC DST", "get needs a guest's name and two paths");
	g = guest_open(argv[0], true);
	x.guest = &g;
	words[2] = argv[1];
	dst = !stat(argv[2], &st) && S_ISDIR(st.st_mode) ? with_base(argv[2], argv[1]) : argv[2];
	tmp = textf("%s.%d.tmp", dst, (int)getpid());
	x.out = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (x.out < 0)
		die(NULL, "cannot write %s: %s", tmp, strerror(errno));
	r = finish_exec(&g, exec_session(&x));
	if (r || close(x.out) || rename(tmp, dst)) {
		if (!r)
			note("cannot write %s: %s", dst, strerror(errno));
		unlink(tmp);
		return r ? r : EXIT_VM;
	}
	return 0;
}

static int cmd_console(int argc, char **argv)
{
	struct guest g;
	struct stat st;
	char *path, buf[65536];
	ssize_t n;
	int fd;

	if (argc != 1)
		die("spile-vm console NAME", "console needs a guest's name");
	g = guest_open(argv[0], false);
	path = textf("%s/console", g.dir);
	if (console_what == OPT_PATH) {
		puts(path);
		return 0;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		die(NULL, "cannot read %s: %s", path, strerror(errno));
	if (console_what == OPT_SIZE) {
		printf("%lld\n", (long long)st.st_size);
		return 0;
	}
	lseek(fd, console_since, SEEK_SET);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (isatty(1)) { /* it contains names of programs */
			n = (ssize_t)drop_returns(buf, (size_t)n);
			visible_mask(buf, (size_t)n);
		}
		if (file_put(1, buf, (size_t)n))
			return EXIT_VM;
	}
	return 0;
}

static void stop(const char *name)
{
	struct guest g = guest_open(name, false);
	struct exec off = {.guest = &g, .kind = KIND_POWEROFF, .in = -1, .out = -1, .err = -1};

	if (g.alive) {
		/* Folders that it shares with the host get their last writes; but do not wait for a guest that hangs. */
		off.ready_by = std_now() + 2;
		exec_session(&off);
		guest_kill(&g);
	}
	file_remove_tree(g.dir);
}

static int cmd_stop(int argc, char **argv)
{
	if (argc < 1)
		die("spile-vm ps lists them", "stop needs a guest's name");
	for (int i = 0; i < argc; i++)
		stop(argv[i]);
	return 0;
}

static int cmd_ps(int argc, char **argv)
{
	size_t n;
	struct guest *g = guest_all(&n);
	long now = time(NULL);

	(void)argc, (void)argv;
	for (size_t i = 0; i < n; i++)
		if (g[i].release)
			printf("%-16s %-8s %-28s pid %d, %u CPUs, %u MB, %s, up %ld s\n", g[i].name,
			       g[i].alive ? "running" : "ended", g[i].release, (int)g[i].pid, g[i].smp,
			       g[i].mem_mb, g[i].accel, now - g[i].started);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {{"list", cmd_list},       {"run", cmd_run},   {"start", cmd_start},
			{"exec", cmd_exec},       {"put", cmd_put},   {"get", cmd_get},
			{"console", cmd_console}, {"stop", cmd_stop}, {"ps", cmd_ps}};
	struct arena a = {0};
	struct nearest near;
	const char *name;
	int at;

	if (getpid() == 1)
		return agent_main();
	std_guard("spile-vm", EXIT_OUTPUT);
	mem_exit_status = EXIT_VM;
	if (getenv("SPILE_KERNELS"))
		opt.kernels = getenv("SPILE_KERNELS");
	at = take_options(argc, argv, false);
	if (at >= argc) {
		fputs(usage_text, stderr);
		return EXIT_VM;
	}
	name = argv[at];
	argc -= at;
	argv += at;
	/* What follows the first word of a command to run is that command's. */
	at = take_options(argc, argv, strcmp(name, "run") && strcmp(name, "exec"));
	if (opt.kernels[0] && strcmp(opt.kernels, "/")) {
		char *full = realpath(opt.kernels, NULL);

		if (!full)
			die(NULL, "--kernels=%s: %s", opt.kernels, strerror(errno));
		opt.kernels = full;
	} else {
		opt.kernels = "";
	}
	nearest_init(&near, name);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(commands[i].name, name))
			return commands[i].run(argc - at, argv + at);
		nearest_add(&near, commands[i].name);
	}
	die(near.n ? arena_printf(&a, "did you mean %s?", nearest_text(&near, &a)) : "spile-vm --help lists the commands",
	    "unknown command %s", name);
}
