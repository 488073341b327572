// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fuzzers' corpus, and damaged forms of it, through the fuzzers' own functions: tests again what `testsuite/fuzz/run` has found,
 * without clang and in seconds.  A failure is a crash (by ASan and UBSan too) or the alarm.
 */
#include <dirent.h>

#include "testsuite/unit/unit.h"

#define LLVMFuzzerTestOneInput btf_one
#include "testsuite/fuzz/btf_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput elf_one
#include "testsuite/fuzz/elf_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput unpack_one
#include "testsuite/fuzz/unpack_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput pair_one
#include "testsuite/fuzz/pair_fuzz.c"
#undef LLVMFuzzerTestOneInput

enum { MAX_FILE = 1 << 16, DAMAGED = 60, SECONDS = 240 };

/* The bytes in memory of exactly their size, so that ASan reports one too many. */
static void one(int (*fn)(const uint8_t *data, size_t size), const unsigned char *bytes, size_t n)
{
	unsigned char *copy = malloc(n ? n : 1);

	memcpy(copy, bytes, n);
	CHECK_EQ(fn(copy, n), 0);
	free(copy);
}

static void all_forms(int (*fn)(const uint8_t *data, size_t size), unsigned char *bytes, size_t n)
{
	static unsigned char bad[MAX_FILE];
	unsigned seed = 1, i, k;

	one(fn, bytes, n);
	for (i = 0; i < DAMAGED; i++) {
		size_t len = i % 4 ? n : (size_t)rand_r(&seed) % (n + 1);

		memcpy(bad, bytes, n);
		for (k = 0; k < 1u << i % 6; k++)
			bad[(size_t)rand_r(&seed) % n] = (unsigned char)(i % 2 ? 255 : rand_r(&seed));
		one(fn, bad, len);
	}
}

static void corpus(const char *name, int (*fn)(const uint8_t *data, size_t size))
{
	static unsigned char bytes[MAX_FILE];
	const char *dir = unit_source_path("testsuite/fuzz/corpus");
	char path[8192];
	struct dirent *entry;
	unsigned files = 0;
	DIR *d;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	d = opendir(path);
	while (d && (entry = readdir(d)) != NULL) {
		FILE *f = NULL;
		size_t n = 0;

		if (entry->d_name[0] != '.' &&
		    snprintf(path, sizeof path, "%s/%s/%s", dir, name, entry->d_name) > 0)
			f = fopen(path, "r");
		if (f)
			n = fread(bytes, 1, sizeof bytes, f);
		if (f)
			fclose(f);
		if (n)
			all_forms(fn, bytes, n), files++;
	}
	if (d)
		closedir(d);
	CHECK(files > 0);
}

static void test_btf_corpus(void)
{
	corpus("btf", btf_one);
}

static void test_elf_corpus(void)
{
	corpus("elf", elf_one);
}

static void test_split_corpus(void)
{
	corpus("split", pair_one);
}

static void test_shared_corpus(void)
{
	corpus("shared", pair_one);
}

static void test_packed_corpus(void)
{
	corpus("unpack", unpack_one);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	unit_limit_cpu(SECONDS);
	UNIT_RUN(test_btf_corpus);
	UNIT_RUN(test_elf_corpus);
	UNIT_RUN(test_split_corpus);
	UNIT_RUN(test_shared_corpus);
	UNIT_RUN(test_packed_corpus);
	return unit_done();
}
