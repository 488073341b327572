// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole files and folders: see file.h. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_keeping_errno(int fd)
{
	int e = errno;

	close(fd);
	errno = e;
}

ssize_t file_get(int fd, void *p, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = read(fd, (char *)p + done, n - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int file_put(int fd, const void *p, size_t n)
{
	const char *s = p;

	while (n) {
		ssize_t put = write(fd, s, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		s += put;
		n -= (size_t)put;
	}
	return 0;
}

/* One byte more is asked for, to see the end. */
char *file_read_open(struct arena *a, int fd, size_t size, size_t *len)
{
	size_t room = size ? size + 1 : 4096, n = 0;
	char *s = arena_alloc(a, room);

	for (;;) {
		ssize_t got = file_get(fd, s + n, room - n);
		char *more;

		if (got < 0)
			return NULL;
		n += (size_t)got;
		if (n < room)
			break;
		more = arena_alloc(a, 2 * room);
		memcpy(more, s, n);
		s = more;
		room *= 2;
	}
	s[n] = 0;
	if (len)
		*len = n;
	return s;
}

char *file_read(struct arena *a, const char *path, size_t *len)
{
	/* O_NONBLOCK: do not wait for a writer of a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *s = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st)) {
		if (S_ISREG(st.st_mode))
			s = file_read_open(a, fd, (size_t)st.st_size, len);
		else
			errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	}
	close_keeping_errno(fd);
	return s;
}

static int put_and_close(int fd, const void *data, size_t len)
{
	if (!file_put(fd, data, len))
		return close(fd);
	close_keeping_errno(fd);
	return -1;
}

int file_write(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	return fd < 0 ? -1 : put_and_close(fd, data, len);
}

static mode_t allowed(mode_t mode)
{
	mode_t mask = umask(077);

	umask(mask);
	return mode & ~mask;
}

int file_replace(const char *path, const void *data, size_t len, mode_t mode)
{
	struct arena a = {0};
	char *part = arena_printf(&a, "%s.%ld.XXXXXX", path, (long)getpid());
	int fd = mkostemp(part, O_CLOEXEC), e = errno, rc = -1;

	if (fd >= 0) {
		rc = fchmod(fd, allowed(mode));
		if (put_and_close(fd, data, len) || rc || rename(part, path))
			rc = -1;
		e = errno;
		if (rc)
			unlink(part);
	}
	arena_free(&a);
	errno = e;
	return rc;
}

int file_copy(const char *from, const char *to)
{
	struct arena a = {0};
	size_t len;
	char *s = file_read(&a, from, &len);
	int rc = s ? file_write(to, s, len) : -1;
	int e = errno;

	arena_free(&a);
	errno = e;
	return rc;
}

static int make_one(const char *path, mode_t mode)
{
	return mkdir(path, mode) && errno != EEXIST ? -1 : 0;
}

int file_make_folder(const char *path, mode_t mode)
{
	size_t n = strlen(path);
	char text[PATH_MAX];
	struct stat st;

	if (!n || n >= sizeof text) {
		errno = n ? ENAMETOOLONG : ENOENT;
		return -1;
	}
	memcpy(text, path, n + 1);
	for (char *p = text; (p = strchr(p + 1, '/')); *p = '/') {
		*p = '\0';
		if (make_one(text, mode))
			return -1;
	}
	if (make_one(text, mode) || stat(text, &st))
		return -1;
	if (S_ISDIR(st.st_mode))
		return 0;
	errno = ENOTDIR;
	return -1;
}

static int remove_at(int dirfd, const char *name)
{
	int fd;
	DIR *d;
	int rc = 0;

	if (unlinkat(dirfd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	if (!d) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	for (struct dirent *e; (e = readdir(d));)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			rc |= remove_at(fd, e->d_name);
	closedir(d);
	if (unlinkat(dirfd, name, AT_REMOVEDIR) && errno != ENOENT)
		rc = -1;
	return rc;
}

int file_remove_tree(const char *path)
{
	return remove_at(AT_FDCWD, path);
}

const char *file_temporary_folder(void)
{
	const char *dir = getenv("TMPDIR");
	struct stat st;

	return dir && *dir == '/' && !stat(dir, &st) && S_ISDIR(st.st_mode) && !access(dir, W_OK | X_OK) ? dir : "/tmp";
}

bool file_is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

const char *file_name_at(struct arena *a, const char *name, time_t when)
{
	char made[PATH_MAX];
	struct tm here;

	if (!strchr(name, '%') || !localtime_r(&when, &here) || !strftime(made, sizeof made, name, &here))
		return name;
	return arena_strdup(a, made);
}

int file_open_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0 || !file_is_regular(fd) || !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return fd;
	close_keeping_errno(fd);
	return -1;
}

/* Some file systems have none without a name: there it loses its name at once. */
int file_temporary(void)
{
	const char *dir = file_temporary_folder();
	struct arena a = {0};
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *name = arena_printf(&a, "%s/spile-XXXXXX", dir);

	if (fd < 0) {
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
	}
	arena_free(&a);
	return fd;
}

int file_hash(struct hash128 *h, const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char part[1 << 16];
	ssize_t n;

	*size = 0;
	if (fd < 0)
		return -1;
	do {
		n = file_get(fd, part, sizeof part);
		if (n < 0)
			break;
		*h = hash128_add_bulk(*h, part, (size_t)n);
		*size += (size_t)n;
	} while (n == sizeof part);
	close_keeping_errno(fd);
	return n < 0 ? -1 : 0;
}

struct hash128 file_identity(struct hash128 h, const char *path)
{
	struct {
		long long size, sec, nsec;
	} id = {-1, 0, 0};
	struct stat st;

	if (stat(path, &st) == 0) {
		id.size = st.st_size;
		id.sec = st.st_mtim.tv_sec;
		id.nsec = st.st_mtim.tv_nsec;
	}
	return hash128_add(hash128_add_str(h, path), &id, sizeof id);
}
