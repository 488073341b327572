/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mapped files, unpacking, and the container around a kernel's BTF: ELF. */
#include "translator/debuginfo/unpack.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"

enum { BLOCK = 1 << 18 };
static const uint64_t MAX_UNPACKED = (uint64_t)1 << 30;

/* --- files --- */

static int read_all(struct arena *a, int fd, const char *name, struct bytes *out, struct problem *why)
{
	size_t cap = 1 << 23;
	ssize_t got;
	char *p;

	p = mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return problem_set(why, a, PROBLEM_NO_FILE, "%s cannot be read: %s", name, strerror(errno));
	*out = (struct bytes){.p = (unsigned char *)p, .mapped = cap, .map = p};
	got = file_get(fd, p, cap);
	if (got < 0 || (size_t)got == cap) {
		problem_set(why, a, PROBLEM_NO_FILE, "%s cannot be read: %s", name, got < 0 ? strerror(errno) : "it is too large");
		bytes_free(out);
		return -1;
	}
	out->n = (size_t)got;
	return 0;
}

int bytes_of_fd(struct arena *a, int fd, const char *name, struct bytes *out, struct problem *why)
{
	struct stat st;
	void *p;

	memset(out, 0, sizeof *out);
	if (fstat(fd, &st) < 0)
		return problem_set(why, a, PROBLEM_NO_FILE, "%s cannot be read: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return problem_set(why, a, PROBLEM_NO_FILE, "%s is not a regular file", name);
	if (st.st_size == 0) /* procfs reports 0 for every file */
		return read_all(a, fd, name, out, why);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return read_all(a, fd, name, out, why);
	*out = (struct bytes){.p = p, .n = (size_t)st.st_size, .mapped = (size_t)st.st_size, .map = p};
	return 0;
}

int bytes_of_file(struct arena *a, const char *path, struct bytes *out, struct problem *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), r;

	memset(out, 0, sizeof *out);
	if (fd < 0)
		return problem_set(why, a, PROBLEM_NO_FILE, "%s cannot be read: %s", path, strerror(errno));
	r = bytes_of_fd(a, fd, path, out, why);
	close(fd);
	return r;
}

void bytes_free(struct bytes *b)
{
	if (b->map)
		munmap(b->map, b->mapped);
	memset(b, 0, sizeof *b);
}

/* --- packed formats: each writes to fd; returns false on damaged data or a full disk --- */

struct sink {
	int fd;
	uint64_t total;
	unsigned char *block; /* BLOCK bytes */
};

static bool put(struct sink *s, const void *data, size_t n)
{
	s->total += n;
	return s->total <= MAX_UNPACKED && !file_put(s->fd, data, n);
}

static bool unpack_lzma(struct sink *s, const unsigned char *p, size_t n)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret r = lzma_auto_decoder(&z, (uint64_t)512 << 20, 0);
	bool ok = r == LZMA_OK;

	z.next_in = p;
	z.avail_in = n;
	while (ok && r == LZMA_OK) {
		z.next_out = s->block;
		z.avail_out = BLOCK;
		r = lzma_code(&z, LZMA_RUN);
		ok = (r == LZMA_OK || r == LZMA_STREAM_END) && put(s, s->block, BLOCK - z.avail_out);
	}
	lzma_end(&z);
	return ok;
}

static bool unpack_gzip(struct sink *s, const unsigned char *p, size_t n)
{
	z_stream z = {.next_in = (unsigned char *)p, .avail_in = n > UINT32_MAX ? UINT32_MAX : (unsigned)n};
	int r = Z_OK;
	bool ok = inflateInit2(&z, 16 + MAX_WBITS) == Z_OK;

	while (ok && r != Z_STREAM_END) {
		z.next_out = s->block;
		z.avail_out = BLOCK;
		r = inflate(&z, Z_NO_FLUSH);
		ok = (r == Z_OK || r == Z_STREAM_END) && put(s, s->block, BLOCK - z.avail_out);
	}
	inflateEnd(&z);
	return ok;
}

static bool unpack_zstd(struct sink *s, const unsigned char *p, size_t n)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in = {p, n, 0};
	size_t left = 1;
	bool ok = z && !ZSTD_isError(ZSTD_initDStream(z));

	while (ok && left) {
		ZSTD_outBuffer out = {s->block, BLOCK, 0};

		left = ZSTD_decompressStream(z, &out, &in);
		ok = !ZSTD_isError(left) && put(s, s->block, out.pos) && (left == 0 || out.pos || in.pos < n);
	}
	ZSTD_freeDStream(z);
	return ok;
}

/* After a length of 15 more bytes are added, up to one that is not 255. */
static bool lz4_length(const unsigned char **p, const unsigned char *end, size_t *len)
{
	unsigned char c = 255;

	if (*len != 15)
		return true;
	while (c == 255) {
		if (*p == end)
			return false;
		c = *(*p)++;
		*len += c;
	}
	return true;
}

/* One block of at most cap bytes; the number of bytes made, or -1. */
static long lz4_block(const unsigned char *p, size_t n, unsigned char *out, size_t cap)
{
	const unsigned char *end = p + n;
	size_t at = 0, len, back;

	while (p < end) {
		unsigned char token = *p++;

		len = token >> 4;
		if (!lz4_length(&p, end, &len) || len > (size_t)(end - p) || len > cap - at)
			return -1;
		memcpy(out + at, p, len);
		at += len;
		p += len;
		if (p == end)
			break;
		if (end - p < 2)
			return -1;
		back = p[0] | (size_t)p[1] << 8;
		p += 2;
		len = token & 15;
		if (!lz4_length(&p, end, &len) || back == 0 || back > at || len + 4 > cap - at)
			return -1;
		for (len += 4; len; len--, at++)
			out[at] = out[at - back];
	}
	return (long)at;
}

static uint32_t le32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Legacy frames: magic, then blocks of a 32-bit length and up to 8 MiB unpacked, until the data or the sizes end. */
static bool unpack_lz4(struct sink *s, const unsigned char *p, size_t n)
{
	enum { CAP = 8 << 20 };
	unsigned char *block = malloc(CAP);
	size_t at = 4;
	bool ok = block != NULL;

	while (ok && n - at > 4) {
		size_t len = le32(p + at);
		long made;

		at += 4;
		if (len == 0 || len > n - at)
			break;
		made = lz4_block(p + at, len, block, CAP);
		ok = made >= 0 && put(s, block, (size_t)made);
		at += len;
		if (made < CAP)
			break;
	}
	free(block);
	return ok && s->total;
}

static const struct {
	unsigned char len, magic[6];
	bool (*unpack)(struct sink *s, const unsigned char *p, size_t n);
} formats[] = {
	{6, {0xfd, '7', 'z', 'X', 'Z', 0}, unpack_lzma}, {3, {0x1f, 0x8b, 8}, unpack_gzip},
	{4, {0x28, 0xb5, 0x2f, 0xfd}, unpack_zstd},      {3, {0x5d, 0, 0}, unpack_lzma},
	{4, {0x02, 0x21, 0x4c, 0x18}, unpack_lz4},
};

static int format_of(const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof formats / sizeof *formats; i++)
		if (n >= formats[i].len && memcmp(p, formats[i].magic, formats[i].len) == 0)
			return (int)i;
	return -1;
}

bool unpack_is_packed(const unsigned char *p, size_t n)
{
	return format_of(p, n) >= 0;
}

int unpack(struct arena *a, const unsigned char *p, size_t n, const char *name, struct bytes *out,
	   struct problem *why)
{
	int format = format_of(p, n), r = -1;
	struct sink s = {.fd = -1};

	if (format < 0)
		return problem_set(why, a, PROBLEM_BAD_FORMAT, "%s is packed in a form that is not known",
				   name);
	s.fd = file_temporary();
	if (s.fd < 0)
		return problem_set(why, a, PROBLEM_NO_FILE, "a temporary file for %s cannot be made: %s",
				   name, strerror(errno));
	s.block = malloc(BLOCK);
	if (s.block && formats[format].unpack(&s, p, n))
		r = bytes_of_fd(a, s.fd, name, out, why);
	else
		problem_set(why, a, PROBLEM_BAD_FORMAT,
			    "%s cannot be unpacked: it is damaged, or there is no space for it", name);
	free(s.block);
	close(s.fd);
	return r;
}

/* --- ELF --- */

static bool inside(uint64_t off, uint64_t len, uint64_t all)
{
	return off <= all && len <= all - off;
}

/* The file's table of sections: its first byte, or NULL; *h is filled. */
static const unsigned char *section_table(const struct bytes *elf, Elf64_Ehdr *h)
{
	if (elf->n < sizeof *h || memcmp(elf->p, ELFMAG, SELFMAG) != 0)
		return NULL;
	memcpy(h, elf->p, sizeof *h);
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum ||
	    !inside(h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), elf->n))
		return NULL;
	return elf->p + h->e_shoff;
}

/* The first section of the name that has bytes in the file. */
static bool find_section(const struct bytes *elf, const char *name, Elf64_Shdr *s)
{
	const unsigned char *table;
	Elf64_Ehdr h;
	Elf64_Shdr names;
	unsigned i;

	table = section_table(elf, &h);
	if (!table)
		return false;
	memcpy(&names, table + h.e_shstrndx * sizeof *s, sizeof *s);
	if (!inside(names.sh_offset, names.sh_size, elf->n))
		return false;
	for (i = 0; i < h.e_shnum; i++) {
		size_t n = strlen(name) + 1;

		memcpy(s, table + i * sizeof *s, sizeof *s);
		if (s->sh_type != SHT_NOBITS && inside(s->sh_name, n, names.sh_size) &&
		    memcmp(elf->p + names.sh_offset + s->sh_name, name, n) == 0 && inside(s->sh_offset, s->sh_size, elf->n))
			return true;
	}
	return false;
}

bool unpack_section(const struct bytes *elf, const char *name, const unsigned char **data, size_t *len)
{
	Elf64_Shdr s;

	if (!find_section(elf, name, &s))
		return false;
	*data = elf->p + s.sh_offset;
	*len = s.sh_size;
	return true;
}

bool unpack_section_address(const struct bytes *elf, const char *name, uint64_t *address)
{
	Elf64_Shdr s;

	if (!find_section(elf, name, &s))
		return false;
	*address = s.sh_addr;
	return true;
}

bool unpack_relocated(const struct bytes *elf, uint64_t where, uint64_t *value)
{
	const unsigned char *p;
	Elf64_Rela r;
	size_t n;

	if (!unpack_section(elf, ".rela.dyn", &p, &n))
		return false;
	for (size_t i = 0; i < n / sizeof r; i++) {
		memcpy(&r, p + i * sizeof r, sizeof r);
		if (r.r_offset != where || ELF64_R_SYM(r.r_info))
			continue;
		*value = (uint64_t)r.r_addend;
		return true;
	}
	return false;
}

const unsigned char *unpack_at(const struct bytes *elf, uint64_t address, uint64_t len)
{
	const unsigned char *table;
	Elf64_Ehdr h;
	Elf64_Shdr s;

	table = section_table(elf, &h);
	for (unsigned i = 0; table && i < h.e_shnum; i++) {
		memcpy(&s, table + i * sizeof s, sizeof s);
		if (s.sh_type != SHT_NOBITS && (s.sh_flags & SHF_ALLOC) && address >= s.sh_addr &&
		    inside(address - s.sh_addr, len, s.sh_size) && inside(s.sh_offset, s.sh_size, elf->n))
			return elf->p + s.sh_offset + (address - s.sh_addr);
	}
	return NULL;
}

unsigned unpack_machine(const struct bytes *file)
{
	Elf64_Ehdr h;

	if (file->n < sizeof h || memcmp(file->p, ELFMAG, SELFMAG) != 0)
		return 0;
	memcpy(&h, file->p, sizeof h);
	return h.e_machine;
}

/* The size of the BTF that begins here, by its header: of the header, 24 bytes, and of its two parts. */
static size_t btf_size(const unsigned char *p, size_t n)
{
	uint64_t types, types_len, strings, strings_len, size;

	if (n < 24)
		return 0;
	types = le32(p + 8);
	types_len = le32(p + 12);
	strings = le32(p + 16);
	strings_len = le32(p + 20);
	size = 24 + strings + strings_len;
	return types == 0 && types_len && strings == types_len && strings_len && size <= n ? (size_t)size : 0;
}

bool unpack_btf(const struct bytes *kernel, const unsigned char **data, size_t *len)
{
	static const unsigned char begins[] = {0x9f, 0xeb, 1, 0, 24, 0, 0, 0};
	const unsigned char *p = kernel->p, *end = kernel->p + kernel->n;

	if (unpack_machine(kernel))
		return unpack_section(kernel, ".BTF", data, len);
	for (; (p = memmem(p, (size_t)(end - p), begins, sizeof begins)); p++) {
		size_t size = btf_size(p, (size_t)(end - p));

		if (!size)
			continue;
		*data = p;
		*len = size;
		return true;
	}
	return false;
}

void unpack_build_id(const unsigned char *notes, size_t n, struct sb *out)
{
	size_t at = 0;
	Elf64_Nhdr h;

	while (n - at >= sizeof h) {
		size_t name, desc;

		memcpy(&h, notes + at, sizeof h);
		name = ((size_t)h.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)h.n_descsz + 3) & ~(size_t)3;
		at += sizeof h;
		if (name + desc > n - at)
			return;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && !memcmp(notes + at, "GNU", 4) && h.n_descsz <= 64) {
			for (size_t i = 0; i < h.n_descsz; i++)
				sb_printf(out, "%02x", notes[at + name + i]);
			return;
		}
		at += name + desc;
	}
}
