// SPDX-License-Identifier: GPL-2.0-or-later
/* Installed kernels: see kernels.h. */
#include "base/kernels.h"

#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/vec.h"

typedef VEC(const char *) releases_list;

int kernels_compare(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			unsigned long x = strtoul(a, (char **)&a, 10), y = strtoul(b, (char **)&b, 10);

			if (x != y)
				return x < y ? -1 : 1;
		} else if (*a != *b) {
			/* Letters sort before separators: 6.1-rc1 and 6.1~x before 6.1.1. */
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++, b++;
		}
	}
	return *a ? 1 : *b ? -1 : 0;
}

static int by_release(const void *x, const void *y)
{
	return kernels_compare(*(const char *const *)x, *(const char *const *)y);
}

static void collect(struct arena *a, const char *root, const char *folder, const char *prefix, releases_list *out)
{
	DIR *d = opendir(arena_printf(a, "%s/%s", root, folder));
	size_t n = strlen(prefix);

	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && !strncmp(e->d_name, prefix, n) && strchr(e->d_name, '.'))
			vec_push(a, out, arena_strdup(a, e->d_name + n));
	if (d)
		closedir(d);
}

size_t kernels_installed(struct arena *a, const char *const *roots, const char *const **releases)
{
	releases_list all = {0};
	size_t n = 0;

	for (; *roots; roots++) {
		collect(a, *roots, "boot", "vmlinuz-", &all);
		collect(a, *roots, "lib/modules", "", &all);
	}
	if (all.n)
		qsort(all.v, all.n, sizeof *all.v, by_release);
	for (size_t i = 0; i < all.n; i++)
		if (n == 0 || strcmp(all.v[n - 1], all.v[i]) != 0)
			all.v[n++] = all.v[i];
	*releases = all.v;
	return n;
}

static bool is_ordinary(const char *release)
{
	return !strstr(release, "-rt") && !strstr(release, "cloud");
}

const char *kernels_like(const char *const *releases, size_t n, const char *release)
{
	const char *found = NULL;
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t same = 0;

		while (release[same] && releases[i][same] == release[same])
			same++;
		if (!same)
			continue;
		same = 2 * same + (is_ordinary(releases[i]) == is_ordinary(release));
		if (same < most)
			continue;
		most = same;
		found = releases[i];
	}
	return found;
}

const char *kernels_default(const char *const *releases, size_t n, bool (*fits)(void *ctx, const char *release), void *ctx)
{
	const char *best = NULL;
	struct utsname u = {0};
	int most = 0;

	uname(&u);
	for (size_t i = 0; i < n; i++) {
		const char *r = releases[i];
		int suits = 4 * fits(ctx, r) + 2 * !strcmp(r, u.release) + is_ordinary(r);

		if (suits < most)
			continue;
		most = suits;
		best = r;
	}
	return best;
}

static uint32_t le32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* After the x86 boot protocol, which has the two since its version 2.08. */
bool kernels_payload(const unsigned char *image, size_t n, const unsigned char **payload, size_t *len)
{
	uint64_t sectors, off, size;

	if (n < 0x250 || memcmp(image + 0x202, "HdrS", 4) != 0 || (image[0x206] | image[0x207] << 8) < 0x208)
		return false;
	sectors = image[0x1f1] ? image[0x1f1] : 4;
	off = (sectors + 1) * 512 + le32(image + 0x248);
	size = le32(image + 0x24c);
	if (off > n || size > n - off)
		return false;
	*payload = image + off;
	*len = size;
	return true;
}
