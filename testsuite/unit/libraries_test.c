// SPDX-License-Identifier: GPL-2.0-or-later
/* The cache of the dynamic linker: as ldconfig writes it, and damaged. */
#include <string.h>

#include "testsuite/unit/unit.h"
#include "translator/probes/libraries.h"

/* A head of 48 bytes, two entries for one name of which the first is for some processors only, one for another name, and the texts. */
static const char cache[] = "glibc-ld.so.cache1.1"
			    "\x03\0\0\0" "\x30\0\0\0" "\2\0\0\0" "\0\0\0\0" "\0\0\0\0\0\0\0\0\0\0\0\0"
			    "\3\3\0\0" "\x78\0\0\0" "\x86\0\0\0" "\0\0\0\0" "\1\0\0\0\0\0\0\x40"
			    "\3\3\0\0" "\x78\0\0\0" "\x81\0\0\0" "\0\0\0\0" "\0\0\0\0\0\0\0\0"
			    "\3\3\0\0" "\x7b\0\0\0" "\x8d\0\0\0" "\0\0\0\0" "\0\0\0\0\0\0\0\0"
			    "a1\0" "a1.so\0" "/x/a\0" "/fast/\0" "/y";

static void test_finds_by_the_whole_name(void)
{
	size_t at = 0;
	const char *path = libraries_in_cache(cache, sizeof cache, "a1", &at);

	if (CHECK(path != NULL))
		CHECK_STR(path, "/x/a");
	CHECK(!libraries_in_cache(cache, sizeof cache, "a1", &at));
	at = 0;
	path = libraries_in_cache(cache, sizeof cache, "a1.so", &at);
	if (CHECK(path != NULL))
		CHECK_STR(path, "/y");
	at = 0;
	CHECK(!libraries_in_cache(cache, sizeof cache, "a", &at));
}

static void test_a_cache_of_the_older_form_may_come_first(void)
{
	static const char old[] = "ld.so-1.7.0\0\1\0\0\0" "\3\0\0\0\0\0\0\0\0\0\0\0" "\0\0\0"; /* 28 bytes, and 4 up to a multiple of 8 */
	char both[32 + sizeof cache];
	size_t at = 0;
	const char *path;

	memcpy(both, old, 32);
	memcpy(both + 32, cache, sizeof cache);
	path = libraries_in_cache(both, sizeof both, "a1", &at);
	if (CHECK(path != NULL))
		CHECK_STR(path, "/x/a");
}

/* Each copy ends where its memory does. */
static void test_a_cut_cache_is_read_to_its_end_only(void)
{
	for (size_t n = 0; n < sizeof cache; n++) {
		char *part = malloc(n + !n);
		size_t at = 0;

		memcpy(part, cache, n);
		CHECK(!libraries_in_cache(part, n, "a1.so", &at));
		free(part);
	}
}

static void test_wrong_numbers_lead_nowhere(void)
{
	for (size_t i = 0; i < 0x78; i++) {
		char *bad = malloc(sizeof cache);
		size_t at = 0;

		memcpy(bad, cache, sizeof cache);
		bad[i] = '\xff';
		while (libraries_in_cache(bad, sizeof cache, "a1", &at))
			;
		CHECK(at <= 3);
		free(bad);
	}
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_finds_by_the_whole_name);
	UNIT_RUN(test_a_cache_of_the_older_form_may_come_first);
	UNIT_RUN(test_a_cut_cache_is_read_to_its_end_only);
	UNIT_RUN(test_wrong_numbers_lead_nowhere);
	return unit_done();
}
