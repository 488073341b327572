// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unpacks kernel modules, and the kernel itself out of its boot image, with the programs that every
 * distribution has for that.
 *
 * A guest under TCG starts an unpacked kernel (by its PVH entry point) two seconds sooner than the image,
 * whose decompressor is slow there.  KASLR is lost, because the decompressor does it; --kaslr boots the image itself.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/kernels.h"
#include "vm/vm.h"

static const struct packer {
	const char *suffix, *program, *package, *magic;
	size_t magic_len;
} packers[] = {
	{".xz", "xz", "xz-utils",
	 "\xfd"
	 "7zXZ",
	 6},
	{".zst", "zstd", "zstd", "\x28\xb5\x2f\xfd", 4},
	{".gz", "gzip", "gzip", "\x1f\x8b", 2},
};

/* The file made by PROGRAM -dc <in >out, where in is of a file with this path. 0 when it ran well. */
static int filter_to(const struct packer *p, const char *path, int in, int out)
{
	struct child_start c = {.argv = (const char *const[]){p->program, "-dc", NULL}, .in = in, .out = out, .err = -1};
	pid_t pid;
	int e = child_start(&c, &pid);

	if (e)
		die(textf("apt install %s", p->package), "cannot run %s, which unpacks %s: %s", p->program, path, strerror(e));
	return child_wait(pid) ? -1 : 0;
}

/* It has no name, so nothing is left of it when this process is killed or dies of an error. */
static int temporary(void)
{
	int fd = file_temporary();

	if (fd < 0)
		die("set TMPDIR to a folder with room that you can write", "cannot make a temporary file in %s: %s", file_temporary_folder(),
		    strerror(errno));
	return fd;
}

static char *filter(const struct packer *p, const char *path, size_t *len)
{
	int in = open(path, O_RDONLY | O_CLOEXEC), out;
	char *data = NULL;

	if (in < 0)
		die("reinstall the kernel's package", "cannot read %s: %s", path, strerror(errno));
	out = temporary();
	if (!filter_to(p, path, in, out))
		data = file_read(vm_arena(), textf("/proc/self/fd/%d", out), len);
	close(in);
	close(out);
	return data;
}

char *unpack_module(const char *path, size_t *len)
{
	const struct packer *end = packers + sizeof(packers) / sizeof(*packers), *p;
	size_t n = strlen(path);
	char *data;

	for (p = packers; p < end; p++) {
		size_t m = strlen(p->suffix);

		if (n > m && !strcmp(path + n - m, p->suffix))
			break;
	}
	data = p < end ? filter(p, path, len) : file_read(vm_arena(), path, len);
	if (!data || *len < 4 || memcmp(data, ELFMAG, SELFMAG))
		die("reinstall the kernel's package", "%s cannot be read as a kernel module", path);
	return data;
}

/* Whether a file is an ELF executable with the note that names a PVH entry point (Xen, type 18). */
static bool has_pvh_entry(const char *path)
{
	static const char note[] = {4, 0, 0, 0, 8, 0, 0, 0, 18, 0, 0, 0, 'X', 'e', 'n', 0};
	static const char short_note[] = {4, 0, 0, 0, 4, 0, 0, 0, 18, 0, 0, 0, 'X', 'e', 'n', 0};
	struct arena a = {0};
	size_t n;
	char *s = file_read(&a, path, &n);
	const Elf64_Ehdr *e = (const void *)s;
	bool found = false;

	if (!s)
		return false;
	if (n > sizeof(*e) && !memcmp(s, ELFMAG, SELFMAG) && e->e_ident[EI_CLASS] == ELFCLASS64 &&
	    e->e_phoff < n && e->e_phnum <= (n - e->e_phoff) / sizeof(Elf64_Phdr)) {
		const Elf64_Phdr *p = (const void *)(s + e->e_phoff);

		for (unsigned i = 0; i < e->e_phnum && !found; i++)
			if (p[i].p_type == PT_NOTE && p[i].p_offset < n && p[i].p_filesz <= n - p[i].p_offset)
				found = memmem(s + p[i].p_offset, p[i].p_filesz, note, sizeof(note)) ||
					memmem(s + p[i].p_offset, p[i].p_filesz, short_note,
					       sizeof(short_note));
	}
	arena_free(&a);
	return found;
}

static const struct packer *packer_of(const uint8_t *s)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(*packers); i++)
		if (!memcmp(s, packers[i].magic, packers[i].magic_len))
			return &packers[i];
	return NULL;
}

/* Unpacks image to the file `to`.  False when the kind of image is not known: it can still be booted as it is. */
static bool unpack_image(const char *image, const char *to)
{
	struct arena a = {0};
	size_t n, len = 0;
	const uint8_t *s = (uint8_t *)file_read(&a, image, &n);
	const uint8_t *at;
	const struct packer *p = s && kernels_payload(s, n, &at, &len) && len >= 16 ? packer_of(at) : NULL;
	bool ok = false;
	int in, out;

	if (p) {
		if (strcmp(p->program, "gzip")) /* whose own format ends with the size that is appended */
			len -= 4;
		in = temporary();
		out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		ok = out >= 0 && !file_put(in, at, len) && !lseek(in, 0, SEEK_SET) && !filter_to(p, image, in, out) &&
		     !close(out) && has_pvh_entry(to);
		close(in);
	}
	arena_free(&a);
	return ok;
}

char *unpack_kernel(const struct kernel *k)
{
	char *tmp, *path = cache_find("vmlinux", k->release, file_identity(hash128_init(), k->image), &tmp);

	if (!tmp)
		return path;
	if (unpack_image(k->image, tmp)) {
		cache_store(tmp, path);
		return path;
	}
	unlink(tmp);
	return k->image;
}
