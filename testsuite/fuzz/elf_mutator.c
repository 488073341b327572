// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes ELF files within one section, mostly of debug information, so that all the rest stays readable: what is inserted in the middle of a
 * file moves everything behind it, and such a file is refused at once.  An input may be several ELF files.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { MAX_SECTIONS = 200 };

struct section {
	uint8_t *p;
	size_t n;
};

static size_t add_sections(uint8_t *file, size_t size, struct section *v, size_t n)
{
	Elf64_Ehdr h;
	Elf64_Shdr s;

	if (size < sizeof h)
		return n;
	memcpy(&h, file, sizeof h);
	if (h.e_shoff > size || (size - h.e_shoff) / sizeof s < h.e_shnum)
		return n;
	for (unsigned i = 0; i < h.e_shnum && n < MAX_SECTIONS; i++) {
		memcpy(&s, file + h.e_shoff + i * sizeof s, sizeof s);
		if (s.sh_type == SHT_NOBITS || s.sh_offset > size || s.sh_size > size - s.sh_offset || !s.sh_size)
			continue;
		/* what is not for the memory is debug information or symbols: twice as likely */
		for (unsigned k = s.sh_flags & SHF_ALLOC ? 1 : 0; k < 2 && n < MAX_SECTIONS; k++)
			v[n++] = (struct section){file + s.sh_offset, s.sh_size};
	}
	return n;
}

static size_t find_sections(uint8_t *data, size_t size, struct section *v)
{
	size_t n = 0;

	for (uint8_t *at = data; (at = memmem(at, size - (size_t)(at - data), ELFMAG, SELFMAG)); at++)
		n = add_sections(at, size - (size_t)(at - data), v, n);
	return n;
}

static void change(const struct section *s, unsigned *seed)
{
	static const uint8_t special[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0xfe, 0x40};
	size_t at = (size_t)rand_r(seed) % s->n, from = (size_t)rand_r(seed) % s->n, n = 1u << rand_r(seed) % 4;
	size_t last = at > from ? at : from;

	switch (rand_r(seed) % 6) {
	case 0:
		s->p[at] = (uint8_t)rand_r(seed);
		break;
	case 1:
		s->p[at] = special[(size_t)rand_r(seed) % sizeof special];
		break;
	case 2:
		s->p[at]++;
		break;
	case 3:
		s->p[at]--;
		break;
	case 4:
		memmove(s->p + at, s->p + from, n < s->n - last ? n : s->n - last);
		break;
	case 5:
		n = 4 * n < s->n - at ? 4 * n : s->n - at;
		LLVMFuzzerMutate(s->p + at, n, n);
		break;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static struct section sections[MAX_SECTIONS];
	size_t n = find_sections(data, size, sections);
	unsigned changes;

	if (!n || rand_r(&seed) % 16 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	changes = 1u << rand_r(&seed) % 4;
	while (changes--)
		change(&sections[(size_t)rand_r(&seed) % n], &seed);
	return size;
}
