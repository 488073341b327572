// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts QEMU for a guest: its command line, the choice of accelerator, and the wait until the agent inside answers. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/child.h"
#include "vm/proto.h"
#include "vm/vm.h"

#define QEMU "qemu-system-x86_64" /* or $SPILE_QEMU */

enum { KVM_PROBE_S = 8, CMDLINE_MAX = 2000 };

/*
 * TCG has no fast string instructions: "rep movsb" takes it an iteration per byte, so the CPU does not offer them, and the kernel copies
 * with plain loads and stores instead (copies to and from user space are several times faster).
 */
#define TCG_CPU "max,-erms,-fsrm"

static const char *qemu_program(void)
{
	const char *e = getenv("SPILE_QEMU");

	return e && *e ? e : QEMU;
}

static void add(struct strings *l, const char *a, const char *b)
{
	strings_add(l, a);
	if (b)
		strings_add(l, b);
}

/* A path as one word of the kernel's command line: everything but plain characters as %xx. */
static char *encode(const char *path)
{
	char *out = arena_alloc(vm_arena(), 3 * strlen(path) + 1), *p = out;

	for (; *path; path++) {
		if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+", *path))
			*p++ = *path;
		else
			p += sprintf(p, "%%%02x", (unsigned char)*path);
	}
	return out;
}

/* QEMU's option syntax wants a comma inside a value doubled. */
static char *commas(const char *value)
{
	char *out = arena_alloc(vm_arena(), 2 * strlen(value) + 1), *p = out;

	for (; *value; value++) {
		if (*value == ',')
			*p++ = ',';
		*p++ = *value;
	}
	return out;
}

/*
 * Under TCG the guest's time stamp counter is the host's.  A guest that has to calibrate it may fail on a busy host, and then reads the
 * time from a slow device; so the guest gets the frequency, if the host's counter runs evenly.  0 if not.
 */
static unsigned tsc_khz(void)
{
	static unsigned khz;
	char *cpu = file_read(vm_arena(), "/proc/cpuinfo", NULL);
	bool steady = cpu && strstr(cpu, " constant_tsc") && strstr(cpu, " nonstop_tsc");
	struct timespec a, b;
	unsigned long long x, y;
	double ns;

	if (khz || !steady)
		return khz;
	clock_gettime(CLOCK_MONOTONIC_RAW, &a);
	x = __builtin_ia32_rdtsc();
	usleep(20000);
	clock_gettime(CLOCK_MONOTONIC_RAW, &b);
	y = __builtin_ia32_rdtsc();
	ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
	khz = (unsigned)((double)(y - x) * 1e6 / ns + 0.5);
	return khz;
}

/*
 * no_timer_check: otherwise the kernel counts a few ticks of the timer while it boots, and panics when a busy host has delivered too
 * few.  QEMU's timer works.
 */
static char *kernel_words(const struct options *o, const struct kernel *k, const struct guest *g, bool kvm)
{
	char cookie[33], *words;

	for (int i = 0; i < 16; i++)
		sprintf(cookie + 2 * i, "%02x", g->cookie[i]);
	words = textf("console=ttyS0 quiet panic=-1 oops=panic mitigations=off cryptomgr.notests no_timer_check "
			  "spile.cookie=%s spile.idle=%u",
			  cookie, o->idle_min);
	if (!kvm && tsc_khz())
		words = textf("%s tsc=reliable tsc_early_khz=%u", words, tsc_khz());
	if (o->kernels[0])
		words = textf("%s spile.modules=%s", words, encode(k->modules));
	for (size_t i = 0; i < o->shares.n; i++)
		words = textf("%s spile.share=%s", words, encode(o->shares.v[i]));
	for (size_t i = 0; i < o->append.n; i++)
		words = textf("%s %s", words, o->append.v[i]);
	if (strlen(words) > CMDLINE_MAX)
		die("use fewer or shorter --share folders",
		    "the guest's command line would have %zu bytes; %d fit", strlen(words), CMDLINE_MAX);
	return words;
}

/*
 * Before version 8.1, QEMU with a thread for each virtual CPU could keep the translation of code that another CPU was just patching: a
 * kernel that arms probes on a busy function dies within a second.  In those versions all virtual CPUs share one thread.  The answer is
 * cached, since asking takes a tenth of a second.
 */
static bool threads_are_safe(void)
{
	const char *found = child_find_program(vm_arena(), qemu_program());
	char *tmp, *path, *text;
	unsigned major = 0, minor = 0;

	if (!found)
		return false; /* starting it will report that */
	path = cache_find("qemu", "version", file_identity(hash128_init(), found), &tmp);
	if (tmp) {
		struct child c = {.argv = (const char *const[]){found, "--version", NULL}};

		child_run(&c);
		if (!file_write(tmp, c.out.s ? c.out.s : "", c.out.n))
			cache_store(tmp, path);
	}
	text = file_read(vm_arena(), path, NULL);
	if (text && sscanf(text, "QEMU emulator version %u.%u", &major, &minor) != 2)
		unlink(path);
	return major > 8 || (major == 8 && minor >= 1);
}

static struct strings command(const struct options *o, const struct kernel *k, const struct guest *g,
			      bool kvm)
{
	struct strings a = {0};

	add(&a, qemu_program(), NULL);
	add(&a, "-name", textf("spile-vm-%s", g->name));
	add(&a, "-nodefaults", "-no-user-config");
	add(&a, "-no-reboot", NULL);
	add(&a, "-display", "none");
	add(&a, "-machine", "pc,hpet=off");
	add(&a, "-accel", kvm ? "kvm" : threads_are_safe() ? "tcg,thread=multi" : "tcg,thread=single");
	add(&a, "-cpu", kvm ? "host" : TCG_CPU);
	add(&a, "-smp", textf("%u", o->smp));
	add(&a, "-m", textf("%u", o->mem_mb));
	add(&a, "-kernel", o->kaslr || kvm ? k->image : unpack_kernel(k));
	add(&a, "-initrd", initrd_get(k));
	add(&a, "-append", kernel_words(o, k, g, kvm));
	add(&a, "-chardev", "file,id=console,path=console");
	add(&a, "-serial", "chardev:console");
	add(&a, "-fsdev", "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap");
	add(&a, "-device", "virtio-9p-pci,fsdev=root,mount_tag=root");
	for (size_t i = 0; i < o->shares.n; i++) {
		add(&a, "-fsdev",
		    textf("local,id=share%zu,path=%s,security_model=none,multidevs=remap", i, commas(o->shares.v[i])));
		add(&a, "-device", textf("virtio-9p-pci,fsdev=share%zu,mount_tag=share%zu", i, i));
	}
	add(&a, "-device", textf("virtio-serial-pci,max_ports=%d", PROTO_PORTS + 1));
	for (int i = 0; i < PROTO_PORTS; i++) {
		add(&a, "-chardev", textf("socket,id=p%d,path=p%d,server=on,wait=off", i, i));
		add(&a, "-device",
		     textf("virtserialport,chardev=p%d,nr=%d,name=" PROTO_PORT_NAME "%d", i, i + 1, i));
	}
	return a;
}

static void child(const struct guest *g, const struct strings *a)
{
	int null = open("/dev/null", O_RDONLY), log;

	/* Ctrl-C at the terminal is for the command in the guest, not for QEMU. */
	setsid();
	if (chdir(g->dir))
		_exit(1);
	log = open("qemu.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	if (null < 0 || log < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
		_exit(1);
	execvp(a->v[0], a->v);
	dprintf(2, "cannot run %s: %s\n", a->v[0], strerror(errno));
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

static pid_t launch(const struct guest *g, const struct strings *a, bool stay)
{
	pid_t pid;

	for (int i = 0; i < PROTO_PORTS; i++)
		unlink(textf("%s/p%d", g->dir, i));
	pid = child_fork(stay ? 0 : SIGKILL);
	if (pid < 0)
		die(NULL, "fork: %s", strerror(errno));
	if (!pid)
		child(g, a);
	return pid;
}

static struct guest *unfinished;

static void clean_up(void)
{
	if (!unfinished)
		return;
	if (unfinished->pid > 0) {
		kill(unfinished->pid, SIGKILL);
		waitpid(unfinished->pid, NULL, 0);
	}
	file_remove_tree(unfinished->dir);
	unfinished = NULL;
}

/* Waits until QEMU listens, or has ended. */
static bool wait_sockets(struct guest *g, double until)
{
	char *path = textf("%s/p%d", g->dir, PROTO_PORTS - 1);
	int status;

	while (access(path, F_OK)) {
		if (waitpid(g->pid, &status, WNOHANG) == g->pid) {
			g->pid = 0;
			if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND)
				die("apt install qemu-system-x86", "%s is not installed", qemu_program());
			return false;
		}
		if (std_now() > until)
			return false;
		usleep(2000);
	}
	return true;
}

/* 0, EXEC_LOST or EXEC_LATE. */
static int boot_once(const struct options *o, const struct kernel *k, struct guest *g, bool kvm, bool stay,
		     double limit)
{
	struct strings a = command(o, k, g, kvm);
	struct exec ping = {.guest = g, .kind = KIND_PING, .in = -1, .out = -1, .err = -1};
	double until = std_now() + limit;

	g->pid = launch(g, &a, stay);
	g->accel = kvm ? "kvm" : "tcg";
	if (!wait_sockets(g, until))
		return EXEC_LOST;
	ping.ready_by = until;
	return exec_session(&ping);
}

static char *kvm_answer_path(void)
{
	size_t n = 0;
	char *id = file_read(vm_arena(), "/proc/sys/kernel/random/boot_id", &n);

	return textf("%s/kvm-%.36s", cache_dir(), id && n >= 36 ? id : "unknown");
}

/* Is KVM worth trying?  Then the device exists, we may open it, and it has the one known version. */
static bool kvm_there(void)
{
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	bool ok = fd >= 0 && ioctl(fd, KVM_GET_API_VERSION, 0) == 12;

	if (fd >= 0)
		close(fd);
	return ok;
}

static void stop_attempt(struct guest *g)
{
	if (g->pid > 0) {
		kill(g->pid, SIGKILL);
		waitpid(g->pid, NULL, 0);
	}
	g->pid = 0;
}

/*
 * A /dev/kvm may exist and yet no kernel boots on it (nested hosts).  So the first guest after a boot of the host tries it with a short
 * limit, and the answer is cached until the next boot of the host.
 */
static int boot_auto(const struct options *o, const struct kernel *k, struct guest *g, bool stay)
{
	char *path, *answer;
	bool works;

	if (!kvm_there())
		return boot_once(o, k, g, false, stay, o->boot_s);
	path = kvm_answer_path();
	answer = file_read(vm_arena(), path, NULL);
	if (answer)
		return boot_once(o, k, g, answer[0] == 'y', stay, o->boot_s);
	works = boot_once(o, k, g, true, stay, KVM_PROBE_S) == 0;
	file_write(path, works ? "yes\n" : "no\n", works ? 4 : 3);
	if (o->verbose)
		note("KVM %s on this host", works ? "works" : "does not work");
	if (works)
		return 0;
	stop_attempt(g);
	return boot_once(o, k, g, false, stay, o->boot_s);
}

struct guest qemu_boot(const struct options *o, const struct kernel *k, bool stay)
{
	static struct guest g;
	double begin = std_now();
	int r;

	g = guest_create(o->name, stay ? "vm" : "run-");
	g.release = k->release;
	g.smp = o->smp;
	g.mem_mb = o->mem_mb;
	unfinished = &g;
	on_exit_hook = clean_up;
	busy_begin("Booting a guest with kernel %s", k->release);
	if (o->accel == ACCEL_AUTO)
		r = boot_auto(o, k, &g, stay);
	else
		r = boot_once(o, k, &g, o->accel == ACCEL_KVM, stay, o->boot_s);
	busy_end();
	if (r) {
		guest_show_end(&g, 20);
		if (r == EXEC_LATE)
			die("a busy host? raise --boot-timeout", "kernel %s did not finish booting in %u s",
			    k->release, o->boot_s);
		die(NULL, "the guest with kernel %s ended while it booted", k->release);
	}
	if (o->verbose)
		note("%s: kernel %s up in %.1f s (%s)", g.name, k->release, std_now() - begin, g.accel);
	g.alive = true;
	guest_publish(&g);
	if (stay) {
		unfinished = NULL;
		on_exit_hook = NULL;
	}
	return g;
}
