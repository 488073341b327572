// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * State folders of guests: $XDG_RUNTIME_DIR/spile-vm or /tmp/spile-vm-UID, one folder per guest.
 *
 * There is no daemon: QEMU inherits a locked descriptor of the file `lock`, so the lock says, without races and without trusting a process
 * id, whether the guest lives.  Folders of `run` (named run-PID) are removed by the next spile-vm that finds them dead.  Those of `start`
 * stay until `stop` or a `start` of the same name, so that the console of a guest that crashed can be read.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm/vm.h"

#define RUN_PREFIX "run-"

char *guest_base_dir(void)
{
	static char *dir;
	const char *xdg = getenv("XDG_RUNTIME_DIR");
	struct stat st;

	if (dir)
		return dir;
	if (xdg && *xdg == '/' && !access(xdg, W_OK))
		dir = textf("%s/spile-vm", xdg);
	else
		dir = textf("/tmp/spile-vm-%u", (unsigned)getuid());
	if (file_make_folder(dir, 0700))
		die(NULL, "cannot make %s: %s", dir, strerror(errno));
	if (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 077))
		die("remove it, or set XDG_RUNTIME_DIR", "%s is not a private folder of this user", dir);
	return dir;
}

static bool good_name(const char *name)
{
	size_t n = strlen(name);

	return n && n <= 64 && name[0] != '.' && name[0] != '-' && strcmp(name, "cache") &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") == n;
}

/* Whether a live QEMU holds the lock of this folder; a folder that is just being made counts as alive. */
static bool is_alive(const char *dir)
{
	int fd = open(textf("%s/lock", dir), O_RDONLY | O_CLOEXEC);
	bool held;

	if (fd < 0)
		return false;
	held = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return held;
}

static char *read_state(const char *dir, const char *file, size_t *len)
{
	return file_read(vm_arena(), textf("%s/%s", dir, file), len);
}

static void load(struct guest *g)
{
	char *info = read_state(g->dir, "info", NULL), *cookie, accel[16], release[128];
	long pid = 0;
	size_t n;

	g->alive = is_alive(g->dir);
	if (!info)
		return;
	if (sscanf(info, "pid %ld\nrelease %127s\nsmp %u\nmem %u\nstarted %ld\naccel %15s\n", &pid, release,
		   &g->smp, &g->mem_mb, &g->started, accel) == 6) {
		g->release = textf("%s", release);
		g->accel = textf("%s", accel);
		g->pid = (pid_t)pid;
	}
	cookie = read_state(g->dir, "cookie", &n);
	if (cookie && n == sizeof(g->cookie))
		memcpy(g->cookie, cookie, n);
}

struct guest *guest_all(size_t *n)
{
	char *base = guest_base_dir();
	DIR *d = opendir(base);
	struct strings names = {0};
	struct dirent *e;
	struct guest *g;

	while (d && (e = readdir(d)))
		if (good_name(e->d_name))
			strings_add(&names, e->d_name);
	if (d)
		closedir(d);
	g = arena_alloc(vm_arena(), (names.n + 1) * sizeof(*g));
	for (size_t i = 0; i < names.n; i++) {
		g[i].name = names.v[i];
		g[i].dir = textf("%s/%s", base, names.v[i]);
		load(&g[i]);
	}
	*n = names.n;
	return g;
}

void guest_reap(void)
{
	size_t n;
	struct guest *g = guest_all(&n);
	struct stat st;

	/* One that is just being made has no locked file yet: only those that are some seconds old count as dead. */
	for (size_t i = 0; i < n; i++)
		if (!g[i].alive && !strncmp(g[i].name, RUN_PREFIX, strlen(RUN_PREFIX)) &&
		    !stat(g[i].dir, &st) && time(NULL) - st.st_mtime > 10)
			file_remove_tree(g[i].dir);
}

static char *pick_name(const char *prefix)
{
	char *base = guest_base_dir();

	if (!strcmp(prefix, RUN_PREFIX))
		return textf("%s%d", prefix, (int)getpid());
	for (unsigned i = 1;; i++) {
		char *name = textf("%s%u", prefix, i);

		if (!mkdir(textf("%s/%s", base, name), 0700))
			return name;
		if (errno != EEXIST)
			die(NULL, "cannot make a folder in %s: %s", base, strerror(errno));
	}
}

/* Takes the folder's lock, in a descriptor that QEMU will inherit. */
static int take_lock(const char *dir)
{
	int fd = open(textf("%s/lock", dir), O_RDWR | O_CREAT, 0600);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

struct guest guest_create(const char *name, const char *prefix)
{
	struct guest g = {0};
	char *path;

	if (name && (!good_name(name) || !strncmp(name, RUN_PREFIX, strlen(RUN_PREFIX))))
		die("use letters, digits, and ._+- inside; not cache, and not run-...",
		    "%s cannot be the name of a guest", name);
	guest_reap();
	g.name = name ? textf("%s", name) : pick_name(prefix);
	g.dir = textf("%s/%s", guest_base_dir(), g.name);
	if (mkdir(g.dir, 0700) && errno != EEXIST)
		die(NULL, "cannot make %s: %s", g.dir, strerror(errno));
	if (take_lock(g.dir) < 0)
		die("stop it first, or choose another --name", "a guest named %s is running", g.name);
	unlink(textf("%s/info", g.dir));
	if (getrandom(g.cookie, sizeof(g.cookie), 0) != sizeof(g.cookie))
		die(NULL, "getrandom: %s", strerror(errno));
	path = textf("%s/cookie", g.dir);
	if (file_write(path, g.cookie, sizeof(g.cookie)))
		die(NULL, "cannot write %s: %s", path, strerror(errno));
	g.started = time(NULL);
	return g;
}

void guest_publish(const struct guest *g)
{
	char *path = textf("%s/info", g->dir);
	char *info = textf("pid %d\nrelease %s\nsmp %u\nmem %u\nstarted %ld\naccel %s\n", (int)g->pid, g->release,
			   g->smp, g->mem_mb, g->started, g->accel);

	if (file_replace(path, info, strlen(info), 0600))
		die(NULL, "cannot write %s: %s", path, strerror(errno));
}

struct guest guest_open(const char *name, bool need_alive)
{
	struct guest g = {0};
	size_t n;
	struct guest *all;
	char *list;

	g.name = textf("%s", name);
	g.dir = textf("%s/%s", guest_base_dir(), name);
	if (good_name(name) && !access(g.dir, F_OK)) {
		load(&g);
		if (need_alive && !g.alive) {
			guest_show_end(&g, 20);
			die("start it again", "guest %s has ended", name);
		}
		return g;
	}
	all = guest_all(&n);
	list = textf("%s", n ? "there are:" : "none was started: spile-vm start");
	for (size_t i = 0; i < n; i++)
		list = textf("%s %s", list, all[i].name);
	die(list, "there is no guest %s", name);
}

static bool gone_within(const struct guest *g, double s)
{
	for (double end = std_now() + s; is_alive(g->dir); usleep(5000))
		if (std_now() > end)
			return false;
	return true;
}

/* The lock is what makes the process id safe to signal: while it is held, QEMU lives. */
void guest_kill(struct guest *g)
{
	if (g->pid > 0 && is_alive(g->dir)) {
		kill(g->pid, SIGTERM);
		if (!gone_within(g, 3)) {
			kill(g->pid, SIGKILL);
			gone_within(g, 5);
		}
	}
	g->alive = false;
}

/* Where the kernel's last messages begin: a panic and its trace may be longer than the number of lines to show. */
static char *last_panic(char *s)
{
	char *found = NULL, *p = s;

	while ((p = strstr(p, "Kernel panic")) != NULL)
		found = p++;
	while (found && found > s && found[-1] != '\n')
		found--;
	return found;
}

static void show_tail(const char *what, const char *dir, const char *file, unsigned lines)
{
	size_t n = 0;
	char *s = read_state(dir, file, &n), *p, *panic;

	if (!s || !n)
		return;
	n = drop_returns(s, n);
	while (n && s[n - 1] == '\n')
		n--;
	s[n] = 0;
	for (p = s + n; p > s && lines; p--)
		if (p[-1] == '\n' && !--lines)
			break;
	panic = last_panic(s);
	if (panic && panic < p)
		p = panic;
	if (*p)
		say_visibly(textf("%s:\n", what), p);
}

void guest_show_end(const struct guest *g, unsigned lines)
{
	show_tail("the guest's console ends with", g->dir, "console", lines);
	show_tail("QEMU says", g->dir, "qemu.log", lines);
}
