/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache: DIR/runtime/KEY/ and DIR/script/xx/KEY/, each entry a folder of finished files with a seal.
 *
 * - An entry appears whole, by rename, or not at all.  Its "seal" has the size and hash of every file; an entry that does not
 *   match it (the disk was full, or a crash came before the data was on it) is removed and made again.
 * - Every run that uses the cache holds DIR/lock/use shared; cleaning holds it exclusively.
 * - Two first runs on one kernel do not both build: DIR/lock/KEY, which the kernel releases if its holder dies.
 * - Each run has a folder of its own in DIR/tmp/ for what it makes, and holds a lock on it.  A child removes it when
 *   the run is killed (base/sweeper.h); should that be killed, too, later runs remove folders without a lock.
 *   Machines that share DIR do not see each other's locks on every file system (9p), so the folder's name says which boot of which
 *   machine made it, and others leave it alone for a day.
 * - The folder's mtime is the time of last use.  Over the limit (DIR/cache.limit, MB, default 256) the oldest
 * go.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/paths.h"
#include "base/store.h"
#include "base/sweeper.h"
#include "translator/build/private.h"

#define LIMIT_MB 256
#define KEPT "kept-"            /* begins the name of a work folder that the user wants to look into */
#define STALE_S 3600            /* such a folder is removed after this time; also one of which it is not known whether it is in use */
#define FOREIGN_S 86400         /* a folder that this boot of this machine has not made is removed after this time: no lock of another is seen */
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define LEAST_FREE (128u << 20) /* bytes; with less than this on the disk the cache is not usable */

struct build_cache {
	const char *dir;
	int use_fd;     /* holds lock/use */
	int work_fd;    /* holds the work folder */
	bool temporary; /* dir goes away with us */
	struct sweeper sweeper;
};

static const struct loc nowhere;

/* --- opening --- */

static int lock_fd(int fd, int how)
{
	int rc;

	do
		rc = flock(fd, how);
	while (rc && errno == EINTR);
	return rc;
}

static int lock_file(const char *path, int how)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int e;

	if (fd < 0 || !lock_fd(fd, how))
		return fd;
	e = errno;
	close(fd);
	errno = e;
	return -1;
}

/*
 * A moment of waiting for another run, which does what is said.  After a second it is told, once: on a terminal by the line of busy.h.
 */
static void wait_for_other(struct build *b, unsigned moments, const char *does)
{
	enum { MOMENT_MS = 50 };

	if (!moments)
		busy_begin("Waiting for another spile, which %s", does);
	if (moments == busy_delay_ms / MOMENT_MS && !b->silent && !isatty(STDERR_FILENO))
		busy_begin_long("Waiting for another spile, which %s", does);
	nanosleep(&(struct timespec){.tv_nsec = MOMENT_MS * 1000000}, NULL);
}

/* As lock_file(), and tells what it waits for. */
static int lock_after_other(struct build *b, const char *path, int how, const char *does)
{
	unsigned moments = 0;
	int fd;

	while ((fd = lock_file(path, how | LOCK_NB)) < 0 && errno == EWOULDBLOCK)
		wait_for_other(b, moments++, does);
	if (moments) {
		int e = errno;

		busy_begin("Building the module"); /* again: the text above has replaced it */
		errno = e;
	}
	return fd;
}

/* -1 with the reason, which names what cannot be used. */
static int make_dirs(struct arena *a, const char *dir, const char **why)
{
	static const char *const parts[] = {"runtime", "script", "sources", "tmp", "lock"};
	struct statvfs vfs;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		const char *part = arena_printf(a, "%s/%s", dir, parts[i]);

		if (access(part, W_OK | X_OK) && file_make_folder(part, 0700)) {
			*why = arena_printf(a, "%s cannot be made: %s", part, strerror(errno));
			return -1;
		}
		if (access(part, W_OK | X_OK)) {
			*why = arena_printf(a, "%s cannot be written: %s", part, strerror(errno));
			return -1;
		}
	}
	if (statvfs(dir, &vfs) == 0 && (unsigned long long)vfs.f_bavail * vfs.f_frsize < LEAST_FREE) {
		*why = arena_printf(a, "its disk has less than %u MB of room", LEAST_FREE >> 20);
		return -1;
	}
	return 0;
}

/* The first byte of a path that is special to make. */
static char unfit_byte(const char *path)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-@,=";

	return path[strspn(path, good)];
}

/* It goes away with us, also if we are killed, unless the user wants to look into it. */
static const char *temporary_dir(struct build *b, struct sweeper *sweeper, const char **why)
{
	const char *t = file_temporary_folder();
	char *path;

	t = unfit_byte(t) ? "/tmp" : t;
	path = arena_printf(b->arena, "%s/spile-XXXXXX", t);
	if (!(b->keep ? mkdtemp(path) : sweeper_make_folder(sweeper, path))) {
		*why = arena_printf(b->arena, "in %s: %s", t, strerror(errno));
		return NULL;
	}
	if (!make_dirs(b->arena, path, why))
		return path;
	*why = arena_printf(b->arena, "in %s: %s", t, *why);
	file_remove_tree(path);
	sweeper_end(sweeper);
	return NULL;
}

/* Makes the directory ready for use and locks it as used; its full path, or NULL with the reason. */
static const char *usable_dir(struct build *b, const char *dir, int *use_fd, const char **why)
{
	const char *path;
	char *full;

	*why = "there is no home directory";
	if (!dir || make_dirs(b->arena, dir, why))
		return NULL;
	full = realpath(dir, NULL);
	*why = strerror(errno);
	if (!full)
		return NULL;
	path = arena_strdup(b->arena, full);
	free(full);
	if (unfit_byte(path)) {
		*why = arena_printf(b->arena, "kernel builds cannot have '%c' in a path", unfit_byte(path));
		return NULL;
	}
	*use_fd = lock_after_other(b, arena_printf(b->arena, "%s/lock/use", path), LOCK_SH, "empties the cache");
	*why = strerror(errno);
	return *use_fd < 0 ? NULL : path;
}

/* ---- work folders ---- */

/* "m" and the boot of this machine, in 16 digits: all who have the same see each other's locks.  NULL: not known. */
static const char *boot_mark(struct arena *a)
{
	size_t n = 0;
	char *id = file_read(a, BOOT_ID, &n), hex[33];

	if (!id || !n)
		return NULL;
	hash128_hex(hash128_add(hash128_init(), id, n), hex);
	return arena_printf(a, "m%.16s-", hex);
}

/*
 * A run that cleans up may remove the folder after it is made and before it is locked, as if it were a left one: then another is
 * made.  Where folders cannot be locked this cannot be seen.
 */
static const char *make_work_dir(struct build *b, const char *dir, int *work_fd)
{
	const char *mark = boot_mark(b->arena);

	for (;;) {
		char *path = arena_printf(b->arena, "%s/tmp/%s%s%ld-XXXXXX", dir, b->keep ? KEPT : "", mark ? mark : "", (long)getpid());

		if (!mkdtemp(path))
			return NULL;
		*work_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (*work_fd < 0 && errno != ENOENT)
			return NULL;
		if (*work_fd < 0)
			continue;
		lock_fd(*work_fd, LOCK_SH);
		if (!access(path, F_OK))
			return path;
		close(*work_fd);
	}
}

/* After how many seconds a folder that nobody seems to hold is removed; -1: at once. */
static time_t stale_after(const char *name, const char *mark, bool unheld)
{
	bool kept = !strncmp(name, KEPT, strlen(KEPT));

	name += kept ? strlen(KEPT) : 0;
	if (!mark || strncmp(name, mark, strlen(mark)))
		return FOREIGN_S;
	return kept || !unheld ? STALE_S : -1;
}

/* It is locked while it is removed, so that no other run begins to use it. */
static void remove_if_left(const char *path, const char *name, const char *mark, time_t now)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool unheld, unknown;
	struct stat st;
	time_t after;

	if (fd < 0)
		return;
	unheld = !lock_fd(fd, LOCK_EX | LOCK_NB);
	unknown = !unheld && errno != EWOULDBLOCK;
	after = stale_after(name, mark, unheld);
	if ((unheld || unknown) && (after < 0 || (!fstat(fd, &st) && st.st_mtime + after < now)))
		file_remove_tree(path);
	close(fd);
}

/* Removes the folders of runs that were killed; all: also those that the user wants to look into. */
static void remove_left_work(const char *dir, bool all)
{
	struct arena a = {0};
	const char *tmp = arena_printf(&a, "%s/tmp", dir), *mark = boot_mark(&a);
	time_t now = time(NULL);
	DIR *d = opendir(tmp);

	for (struct dirent *e; d && (e = readdir(d));) {
		const char *name = all && !strncmp(e->d_name, KEPT, strlen(KEPT)) ? e->d_name + strlen(KEPT) : e->d_name;

		if (e->d_name[0] != '.')
			remove_if_left(arena_printf(&a, "%s/%s", tmp, e->d_name), name, mark, now);
	}
	if (d)
		closedir(d);
	arena_free(&a);
}

/* made: what goes now, or NULL. */
static void leave(struct build_cache *c, const char *made)
{
	if (made)
		file_remove_tree(made);
	sweeper_end(&c->sweeper);
	if (c->use_fd >= 0)
		close(c->use_fd);
}

int cache_open(struct build *b)
{
	const char *asked = b->cache_dir ? b->cache_dir : paths_cache();
	const char *dir, *why, *work;
	struct build_cache *c;

	if (b->cache)
		return 0;
	c = arena_new(b->arena, struct build_cache);
	c->use_fd = -1;
	dir = usable_dir(b, asked, &c->use_fd, &why);
	if (!dir) {
		struct diag *d =
			diag_report(b->diags, nowhere, W_CACHE, "cannot use the cache directory %s: %s",
				    asked ? asked : "~/.cache/spile", why);

		diag_hint(b->diags, d,
			  "each run now takes seconds; set SPILE_DIR to a directory with room that you "
			  "can write");
		if (b->tell)
			b->tell(b->tell_data);
		dir = temporary_dir(b, &c->sweeper, &why);
		c->temporary = true;
	}
	if (!dir) {
		diag_hint(b->diags, diag_report(b->diags, nowhere, E_IO, "cannot make a temporary directory %s", why),
			  "name a folder with room: --tmpdir=FOLDER, or TMPDIR");
		return -1;
	}
	c->dir = dir;
	remove_left_work(dir, false);
	work = make_work_dir(b, dir, &c->work_fd);
	if (!work) {
		diag_report(b->diags, nowhere, E_IO, "cannot make a directory in %s/tmp: %s", dir,
			    strerror(errno));
		leave(c, c->temporary ? dir : NULL);
		return -1;
	}
	b->cache = c;
	b->work_dir = work;
	return 0;
}

bool cache_is_temporary(const struct build *b)
{
	return b->cache->temporary;
}

void cache_close(struct build *b)
{
	struct build_cache *c = b->cache;

	if (!c)
		return;
	leave(c, b->keep ? NULL : c->temporary ? c->dir : b->work_dir);
	close(c->work_fd);
	b->cache = NULL;
}

pid_t cache_watch_work(struct build *b)
{
	if (!b->cache)
		return 0;
	if (!b->cache->sweeper.pid)
		sweeper_watch(&b->cache->sweeper, b->keep ? NULL : b->work_dir);
	return b->cache->sweeper.pid;
}

int cache_lock(struct build *b, const char *key)
{
	return lock_after_other(b, arena_printf(b->arena, "%s/lock/%s", b->cache->dir, key), LOCK_EX,
				"compiles the runtime for this kernel");
}

void cache_unlock(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* --- entries --- */

const char *cache_path(struct build *b, const char *kind, const char *key)
{
	if (!strcmp(kind, "script"))
		return arena_printf(b->arena, "%s/script/%.2s/%s", b->cache->dir, key, key);
	return arena_printf(b->arena, "%s/%s/%s", b->cache->dir, kind, key);
}

/* The seal's text for the files that are in the folder now, and how many bytes they have. */
static int seal_text(struct arena *a, const char *dir, struct sb *out, unsigned long long *bytes)
{
	struct dirent **list;
	int n = scandir(dir, &list, NULL, alphasort);
	int rc = n < 0 ? -1 : 0;

	*bytes = 0;
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		struct hash128 h = hash128_init();
		size_t size;
		char hex[33];

		if (name[0] != '.' && strcmp(name, "seal")) {
			if (file_hash(&h, arena_printf(a, "%s/%s", dir, name), &size))
				rc = -1;
			hash128_hex(h, hex);
			sb_printf(out, "%s %zu %s\n", hex, size, name);
			*bytes += size;
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return rc;
}

bool cache_has(struct build *b, const char *kind, const char *key)
{
	const char *dir = cache_path(b, kind, key);
	struct arena scratch = {0};
	struct sb now = {0};
	char *seal = file_read(&scratch, arena_printf(&scratch, "%s/seal", dir), NULL);
	unsigned long long bytes;
	bool ok = seal && seal_text(&scratch, dir, &now, &bytes) == 0 && now.s && !strcmp(seal, now.s);

	if (ok)
		store_use(dir);
	else if (access(dir, F_OK) == 0)
		file_remove_tree(dir);
	sb_free(&now);
	arena_free(&scratch);
	return ok;
}

const char *cache_prepare(struct build *b)
{
	char *dir = arena_printf(b->arena, "%s/entry-XXXXXX", b->work_dir);

	if (mkdtemp(dir))
		return dir;
	diag_report(b->diags, nowhere, E_IO, "cannot make a directory in %s: %s", b->work_dir,
		    strerror(errno));
	return NULL;
}

static void trim(struct build *b, unsigned long long more);

int cache_publish(struct build *b, const char *prepared, const char *kind, const char *key)
{
	const char *dir = cache_path(b, kind, key);
	char *parent = arena_strdup(b->arena, dir);
	struct sb seal = {0};
	unsigned long long bytes;
	int rc = seal_text(b->arena, prepared, &seal, &bytes);

	*strrchr(parent, '/') = 0;
	if (!rc)
		rc = file_write(arena_printf(b->arena, "%s/seal", prepared), seal.s ? seal.s : "", seal.n);
	sb_free(&seal);
	if (rc || file_make_folder(parent, 0700) || store_publish(prepared, dir)) {
		diag_report(b->diags, nowhere, W_CACHE, "cannot store in the cache: %s: %s", dir,
			    strerror(errno));
		return -1;
	}
	trim(b, bytes);
	return 0;
}

/* --- making room --- */

static unsigned long long limit_bytes(struct build *b, struct arena *a)
{
	const char *path = arena_printf(a, "%s/cache.limit", b->cache->dir);
	char *s = file_read(a, path, NULL), *end;
	unsigned long mb;

	if (!s)
		return (unsigned long long)LIMIT_MB << 20;
	mb = strtoul(s, &end, 10);
	if (end != s && !end[strspn(end, " \t\r\nMB")])
		return (unsigned long long)mb << 20;
	diag_report(b->diags, nowhere, W_CACHE, "%s does not hold a number of megabytes; using %d", path,
		    LIMIT_MB);
	return (unsigned long long)LIMIT_MB << 20;
}

static void set_stored(int fd, unsigned long long bytes)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%llu\n", bytes);

	/* What cannot be written is a number too low or none, and the cache is looked through later or at once. */
	if (!ftruncate(fd, 0))
		(void)!pwrite(fd, text, (size_t)n, 0);
}

/* Adds to the number in the file, of bytes that were stored since the cache was looked through: the sum.  Without a number, all may be new. */
static unsigned long long add_stored(int fd, unsigned long long more)
{
	char text[24] = "";
	unsigned long long sum;

	if (pread(fd, text, sizeof text - 1, 0) <= 0)
		return ULLONG_MAX;
	sum = strtoull(text, NULL, 10) + more;
	set_stored(fd, sum);
	return sum;
}

/*
 * To look through all entries takes longer than all else that a run does here, so it is done when they may have grown by a sixteenth of the
 * limit, which each look leaves free.
 */
static void trim(struct build *b, unsigned long long more)
{
	struct arena a = {0};
	unsigned long long limit = limit_bytes(b, &a);
	int lock = lock_file(arena_printf(&a, "%s/lock/trim", b->cache->dir), LOCK_EX | LOCK_NB);

	/* If another run trims the cache now, it or the next one sees our entry. */
	if (lock >= 0 && add_stored(lock, more) >= limit / 16) {
		const struct store_part parts[] = {{arena_printf(&a, "%s/runtime", b->cache->dir), 0},
						   {arena_printf(&a, "%s/script", b->cache->dir), 1}, {0}};

		store_trim(parts, limit - limit / 16, b->work_dir);
		set_stored(lock, 0);
	}
	if (lock >= 0)
		close(lock);
	arena_free(&a);
}

static unsigned long long bytes_seen;

static int add_bytes(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)path;
	(void)at;
	bytes_seen += type == FTW_F ? (unsigned long long)st->st_blocks * 512 : 0;
	return 0;
}

/* On disk.  Not for several threads. */
static unsigned long long bytes_below(const char *path)
{
	bytes_seen = 0;
	nftw(path, add_bytes, 16, FTW_PHYS);
	return bytes_seen;
}

int build_cache_clean(struct build *b)
{
	static const char *const parts[] = {"runtime", "script", "sources"};
	const char *dir = b->cache_dir ? b->cache_dir : paths_cache();
	int lock = -1, rc = 0, error;

	build_end(b);
	if (!dir || access(dir, F_OK))
		return 0;
	for (unsigned tries = 0; tries < 200; tries++) {
		lock = lock_file(arena_printf(b->arena, "%s/lock/use", dir), LOCK_EX | LOCK_NB);
		if (lock >= 0 || errno != EWOULDBLOCK)
			break;
		wait_for_other(b, tries, "uses the cache");
		errno = EWOULDBLOCK;
	}
	error = errno;
	busy_end();
	errno = error;
	if (lock < 0 && errno != ENOENT) {
		struct diag *d =
			diag_report(b->diags, nowhere, E_IO, "cannot empty the cache %s: %s", dir,
				    errno == EWOULDBLOCK ? "another run is using it" : strerror(errno));

		if (errno == EWOULDBLOCK)
			diag_hint(b->diags, d, "try again when that run has ended");
		return -1;
	}
	b->cleaned = bytes_below(dir);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		rc |= file_remove_tree(arena_printf(b->arena, "%s/%s", dir, parts[i]));
	remove_left_work(dir, true);
	b->cleaned -= bytes_below(dir);
	if (rc)
		diag_report(b->diags, nowhere, E_IO, "cannot empty the cache %s: %s", dir, strerror(errno));
	if (lock >= 0)
		close(lock);
	return rc;
}
