/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small file operations of the build.  All return 0 or -1 with errno. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/build/private.h"

char *file_read(struct arena *a, const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *s = NULL;
	size_t n = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || (errno = EINVAL, false))) {
		s = arena_alloc(a, (size_t)st.st_size + 1);
		while (n < (size_t)st.st_size) {
			ssize_t k = read(fd, s + n, (size_t)st.st_size - n);

			if (k < 0 && errno == EINTR)
				continue;
			if (k < 0) {
				s = NULL;
				break;
			}
			if (k == 0)
				break;
			n += (size_t)k;
		}
	}
	if (len)
		*len = n;
	close(fd);
	return s;
}

int file_write(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const char *p = data;

	if (fd < 0)
		return -1;
	while (len) {
		ssize_t k = write(fd, p, len);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			int e = errno;

			close(fd);
			errno = e;
			return -1;
		}
		p += k;
		len -= (size_t)k;
	}
	return close(fd);
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

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] != '.' && dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".def"));
}

int file_sources(struct arena *a, const char *dir, const char *sub, build_argv *out)
{
	struct dirent **list;
	const char *path = *sub ? arena_printf(a, "%s/%s", dir, sub) : dir;
	int n = scandir(path, &list, NULL, alphasort);
	int rc = 0;

	if (n < 0)
		return errno == ENOENT ? 0 : -1;
	for (int i = 0; i < n; i++) {
		const char *name = arena_printf(a, "%s%s%s", sub, *sub ? "/" : "", list[i]->d_name);
		struct stat st;

		if (list[i]->d_name[0] != '.' && stat(arena_printf(a, "%s/%s", dir, name), &st) == 0) {
			if (S_ISDIR(st.st_mode) && (*sub || strcmp(list[i]->d_name, "user")))
				rc |= file_sources(a, dir, name, out);
			else if (S_ISREG(st.st_mode) && is_source(list[i]->d_name))
				vec_push(a, out, name);
		}
		free(list[i]);
	}
	free(list);
	return rc;
}

int file_runtime(struct build *b, build_argv *out)
{
	if (access(b->runtime_dir, R_OK | X_OK) || file_sources(b->arena, b->runtime_dir, "", out)) {
		diag_report(b->diags, (struct loc){0}, E_IO, "cannot read the runtime's sources in %s: %s",
			    b->runtime_dir, strerror(errno));
		return -1;
	}
	return 0;
}
