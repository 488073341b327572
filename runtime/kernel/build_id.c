// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id of an ELF file: the note of that type in its program headers.  See build_id.h. */
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kernel/build_id.h"

#define NOTES_MAX 4096

/* A file, or, if that is NULL, what current's program has mapped. */
struct build_id_source {
	struct file *file;
	const u8 __user *mapped;
};

static int build_id_read_at(const struct build_id_source *from, void *to, size_t n, loff_t at)
{
	ssize_t got;

	if (!from->file)
		return copy_from_user(to, from->mapped + at, n) ? -EFAULT : 0;
	got = kernel_read(from->file, to, n, &at);
	if (got < 0)
		return got;
	return got == n ? 0 : -ENOEXEC;
}

/* The id among the notes of a segment. */
static int build_id_find_note(const u8 *notes, size_t n, size_t align, char *hex)
{
	size_t at = 0;

	while (at + sizeof(Elf32_Nhdr) <= n) {
		const Elf32_Nhdr *h = (const void *)(notes + at);
		size_t name = at + sizeof(*h), desc;

		if (h->n_namesz > n || h->n_descsz > n)
			break;
		desc = ALIGN(name + h->n_namesz, align);
		if (desc + h->n_descsz > n)
			break;
		if (h->n_type == BUILD_ID_NOTE && h->n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0 &&
		    h->n_descsz <= BUILD_ID_HEX / 2) {
			snprintf(hex, 2 * h->n_descsz + 1, "%*phN", (int)h->n_descsz, notes + desc);
			return 0;
		}
		at = ALIGN(desc + h->n_descsz, align);
	}
	return -ENOENT;
}

struct build_id_segment {
	u32 type;
	u64 offset, size, align;
};

static int build_id_read_notes(const struct build_id_source *from, const struct build_id_segment *s, char *hex)
{
	size_t n = min_t(u64, s->size, NOTES_MAX);
	u8 *notes = kmalloc(n, GFP_KERNEL);
	int rc;

	if (!notes)
		return -ENOMEM;
	rc = build_id_read_at(from, notes, n, s->offset);
	if (!rc)
		rc = build_id_find_note(notes, n, s->align == 8 ? 8 : 4, hex);
	kfree(notes);
	return rc;
}

/* The i-th program header: 1, or 0 when there are no more, or -errno. */
#define READ_SEGMENT(bits) \
static int build_id_read_segment_##bits(const struct build_id_source *from, unsigned int i, struct build_id_segment *s) \
{ \
	Elf##bits##_Ehdr e; \
	Elf##bits##_Phdr p; \
	int rc = build_id_read_at(from, &e, sizeof(e), 0); \
\
	if (rc || i >= e.e_phnum) \
		return rc; \
	if (e.e_phentsize != sizeof(p)) \
		return -ENOEXEC; \
	rc = build_id_read_at(from, &p, sizeof(p), e.e_phoff + i * sizeof(p)); \
	*s = (struct build_id_segment){ p.p_type, p.p_offset, p.p_filesz, p.p_align }; \
	return rc ?: 1; \
}
READ_SEGMENT(64)
READ_SEGMENT(32)

static int build_id_of(const struct build_id_source *from, char *hex)
{
	int (*read_segment)(const struct build_id_source *from, unsigned int i, struct build_id_segment *s);
	struct build_id_segment seg;
	u8 ident[EI_NIDENT];
	unsigned int i;
	int rc = build_id_read_at(from, ident, sizeof(ident), 0);

	if (rc)
		return rc;
	if (memcmp(ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	read_segment = ident[EI_CLASS] == ELFCLASS64 ? build_id_read_segment_64 : build_id_read_segment_32;
	for (i = 0; (rc = read_segment(from, i, &seg)) > 0; i++) {
		if (seg.type != PT_NOTE)
			continue;
		rc = build_id_read_notes(from, &seg, hex);
		if (rc != -ENOENT)
			return rc;
	}
	return rc ?: -ENOENT;
}

int build_id_read(struct file *file, char hex[BUILD_ID_HEX + 1])
{
	return build_id_of(&(struct build_id_source){ .file = file }, hex);
}

int build_id_read_mapped(unsigned long start, char hex[BUILD_ID_HEX + 1])
{
	return build_id_of(&(struct build_id_source){ .mapped = (const u8 __user *)start }, hex);
}
