// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Process 1 of a guest: loads the modules of the initial file system, puts the host's root, read-only over
 * 9p, below a tmpfs overlay, mounts what kernel programs expect, and then supervises one server per port
 * (serve.c).
 *
 * Starts nothing else until a session needs it, so that a guest is up as soon as the kernel is.  An error here is printed on the console,
 * where spile-vm shows it, and powers the guest off.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm/proto.h"
#include "vm/vm.h"

#define NEWROOT "/root"
#define P9_OPTIONS "trans=virtio,version=9p2000.L,msize=262144,access=any"

enum { MAX_SHARES = 16, IDLE_STEP_S = 15 };

struct boot {
	uint8_t cookie[16];
	unsigned idle_min;
	char *modules; /* folder of this kernel's modules when it is not the usual one */
	struct strings shares;
};

static void power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void give_up(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void give_up(const char *fmt, ...)
{
	int fd = open("/dev/console", O_WRONLY), e = errno;
	va_list ap;

	(void)e;
	va_start(ap, fmt);
	dprintf(fd, "spile-vm in the guest: ");
	vdprintf(fd, fmt, ap);
	dprintf(fd, "\n");
	va_end(ap);
	power_off();
	_exit(1);
}

static void mount_or_die(const char *what, const char *where, const char *type, unsigned long flags,
			 const char *options)
{
	mkdir(where, 0755);
	if (mount(what, where, type, flags, options))
		give_up("cannot mount %s (%s) on %s: %s", what, type, where, strerror(errno));
}

/* Mounts a file system that the kernel may not have. */
static void mount_if_any(const char *where, const char *type, const char *options)
{
	mkdir(where, 0755);
	if (mount(type, where, type, MS_NOSUID | MS_NODEV | MS_NOEXEC, options) && errno != ENODEV &&
	    errno != ENOENT)
		give_up("cannot mount %s on %s: %s", type, where, strerror(errno));
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (file_put(fd, text, strlen(text)))
		give_up("cannot write %s: %s", path, strerror(errno));
	close(fd);
}

static void load_modules(void)
{
	for (int i = 0;; i++) {
		char *path = textf("/modules/%02d.ko", i);
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0 && errno == ENOENT)
			return;
		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST))
			give_up("cannot load %s: %s", path, strerror(errno));
		close(fd);
		unlink(path);
	}
}

/* In place: %xx back to characters. */
static char *decode(char *s)
{
	char *out = s;

	for (char *p = s; *p; p++) {
		unsigned c;

		if (*p == '%' && sscanf(p + 1, "%2x", &c) == 1) {
			*out++ = (char)c;
			p += 2;
		} else {
			*out++ = *p;
		}
	}
	*out = 0;
	return s;
}

static void take_word(struct boot *b, char *w)
{
	char *value = strchr(w, '=');

	if (strncmp(w, "spile.", 6) || !value)
		return;
	*value++ = 0;
	if (!strcmp(w, "spile.cookie")) {
		for (int i = 0; i < 16; i++)
			sscanf(value + 2 * i, "%2hhx", &b->cookie[i]);
	} else if (!strcmp(w, "spile.idle")) {
		b->idle_min = (unsigned)strtoul(value, NULL, 10);
	} else if (!strcmp(w, "spile.modules")) {
		b->modules = decode(value);
	} else if (!strcmp(w, "spile.share")) {
		strings_add(&b->shares, decode(value));
	}
}

static struct boot read_words(void)
{
	struct boot b = {0};
	char *line = file_read(vm_arena(), "/proc/cmdline", NULL), *save = NULL;

	if (!line)
		give_up("cannot read /proc/cmdline: %s", strerror(errno));
	for (char *w = strtok_r(line, " \n", &save); w; w = strtok_r(NULL, " \n", &save))
		take_word(&b, w);
	return b;
}

static void make_dirs(const char *path)
{
	if (file_make_folder(path, 0755))
		give_up("cannot make %s: %s", path, strerror(errno));
}

/*
 * The host's files may change while the guest runs, so nothing may be cached for ever.  Attributes and pages are cached ("loose"), but
 * every exec begins by dropping unused names (refresh() in serve.c), and the cache's key includes the server's version of a file.  Nothing
 * is cached of what the guest may write: in 6.12 a file that is
 * read while it grows gets zeros where the last lines were.
 */
static void make_root(const struct boot *b)
{
	mount_or_die("tmpfs", "/rw", "tmpfs", 0, "mode=0755,size=75%");
	make_dirs("/rw/upper");
	make_dirs("/rw/work");
	mount_or_die("root", "/lower", "9p", MS_RDONLY, P9_OPTIONS ",cache=loose");
	mount_or_die("overlay", NEWROOT, "overlay", 0,
		     "lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work,xino=off");
	if (b->modules) {
		struct {
			const char *s;
		} release = {strrchr(b->modules, '/')};
		char *from = textf(NEWROOT "%s", b->modules),
		     *to = textf(NEWROOT "/lib/modules%s", release.s ? release.s : "");

		make_dirs(to);
		if (mount(from, to, NULL, MS_BIND, NULL))
			give_up("cannot show %s as %s: %s", from, to, strerror(errno));
	}
	for (size_t i = 0; i < b->shares.n; i++) {
		char *tag = textf("share%zu", i), *at = textf(NEWROOT "%s", b->shares.v[i]);

		make_dirs(at);
		mount_or_die(tag, at, "9p", 0, P9_OPTIONS ",cache=none");
	}
}

static void mount_system(void)
{
	mount_or_die("devpts", NEWROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		     "mode=0620,ptmxmode=0666");
	mount_or_die("tmpfs", NEWROOT "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	mount_or_die("tmpfs", NEWROOT "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755");
	mount_if_any(NEWROOT "/sys/kernel/debug", "debugfs", NULL);
	mount_if_any(NEWROOT "/sys/kernel/tracing", "tracefs", NULL);
	mount_if_any(NEWROOT "/sys/fs/bpf", "bpf", NULL);
	mount_if_any(NEWROOT "/sys/fs/cgroup", "cgroup2", NULL);
}

static void move(const char *from, const char *to)
{
	if (mount(from, to, NULL, MS_MOVE, NULL))
		give_up("cannot move %s to %s: %s", from, to, strerror(errno));
}

/*
 * /lower and /rw stay in the initial file system below the new root: the former is held by a descriptor, for
 * refresh().
 */
static int enter_root(void)
{
	int lower = open("/lower", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (lower < 0)
		give_up("cannot open /lower: %s", strerror(errno));
	move("/dev", NEWROOT "/dev");
	move("/proc", NEWROOT "/proc");
	move("/sys", NEWROOT "/sys");
	mount_system();
	if (chdir(NEWROOT) || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		give_up("cannot enter the root: %s", strerror(errno));
	mkdir("/run/lock", 01777);
	return lower;
}

static void loopback_up(void)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq r = {.ifr_name = "lo"};

	if (s < 0 || ioctl(s, SIOCGIFFLAGS, &r))
		give_up("cannot reach the loopback interface: %s", strerror(errno));
	r.ifr_flags |= IFF_UP;
	if (ioctl(s, SIOCSIFFLAGS, &r))
		give_up("cannot bring the loopback interface up: %s", strerror(errno));
	close(s);
}

/* The device node of port i, or -1: found by the name that QEMU gave it. */
static int open_port(int i)
{
	DIR *d = opendir("/sys/class/virtio-ports");
	struct arena a = {0};
	const char *want = arena_printf(&a, PROTO_PORT_NAME "%d\n", i);
	struct dirent *e;
	int fd = -1;

	while (d && fd < 0 && (e = readdir(d))) {
		const char *name = file_read(&a, arena_printf(&a, "/sys/class/virtio-ports/%s/name", e->d_name), NULL);

		if (name && !strcmp(name, want))
			fd = open(arena_printf(&a, "/dev/%s", e->d_name), O_RDWR | O_NONBLOCK | O_CLOEXEC);
	}
	if (d)
		closedir(d);
	arena_free(&a);
	return fd;
}

/* Ports appear shortly after their driver. */
static int wait_port(int i)
{
	for (double end = std_now() + 10; std_now() < end; usleep(2000)) {
		int fd = open_port(i);

		if (fd >= 0)
			return fd;
	}
	give_up("port %d does not appear", i);
}

static pid_t start_server(int i, const struct boot *b, struct serve_shared *shared)
{
	int fd = wait_port(i);
	pid_t pid = fork();

	if (pid < 0)
		give_up("fork: %s", strerror(errno));
	if (!pid) {
		signal(SIGCHLD, SIG_DFL);
		serve_port(fd, b->cookie, shared, &b->shares);
	}
	close(fd);
	return pid;
}

static void check_idle(const struct boot *b, struct serve_shared *shared)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (b->idle_min && !shared->active && t.tv_sec - shared->last_end_s > (long)b->idle_min * 60) {
		write_file("/dev/kmsg", "spile-vm: nothing was run for long; powering off\n");
		power_off();
	}
}

static void supervise(const struct boot *b, struct serve_shared *shared)
{
	pid_t servers[PROTO_PORTS];
	struct timespec wait = {.tv_sec = IDLE_STEP_S};
	sigset_t set;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < PROTO_PORTS; i++)
		servers[i] = start_server(i, b, shared);
	for (;;) {
		sigtimedwait(&set, NULL, &wait);
		if (shared->poweroff)
			power_off();
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			for (int i = 0; i < PROTO_PORTS; i++)
				if (servers[i] == pid)
					servers[i] = start_server(i, b, shared);
		check_idle(b, shared);
	}
}

int agent_main(void)
{
	struct serve_shared *shared;
	struct boot b;
	int lower;

	mount_or_die("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");
	mount_or_die("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	mount_or_die("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	load_modules();
	b = read_words();
	make_root(&b);
	lower = enter_root();
	loopback_up();
	if (sethostname("spile-vm", 8))
		give_up("sethostname: %s", strerror(errno));
	/* From now on the console shows every warning: the kernel was started quiet only to boot fast. */
	write_file("/proc/sys/kernel/printk", "7 4 1 7");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		give_up("mmap: %s", strerror(errno));
	shared->lower = lower;
	supervise(&b, shared);
	return 1;
}
