// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes as BTF.  Asks everything that the translator may ask; nothing may crash, hang or use much memory. */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "testsuite/fuzz/fuzz.h"
#include "translator/debuginfo/btf.h"

enum { MAX_FUNCTIONS = 64, MAX_TYPES = 64 };

struct names {
	const char *v[MAX_FUNCTIONS];
	size_t n;
};

static void collect(void *ctx, const char *name)
{
	struct names *names = ctx;

	if (names->n < MAX_FUNCTIONS)
		names->v[names->n++] = name;
}

static void ask(struct arena *a, struct btf_image *b)
{
	struct dtypes *types = btf_dtypes(b);
	struct names names = {.n = 0};
	uint64_t protos[4], ref;
	struct problem why;
	int64_t value;
	size_t i, n;

	btf_functions(b, collect, &names);
	for (i = 0; i < names.n; i++) {
		n = btf_function(b, names.v[i], protos, 4);
		if (n == 0)
			abort(); /* it was listed */
		fuzz_type(a, dtype_new(types, protos[0]));
	}
	for (ref = 0; ref < MAX_TYPES; ref++)
		fuzz_type(a, dtype_new(types, ref));
	fuzz_type(a, dtype_new(types, UINT32_MAX));
	dtypes_find(types, "struct list_head *", &why);
	dtypes_find(types, "unsigned long", &why);
	dtypes_enumerator(types, "RED", &value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct problem why;
	struct btf_image *base = btf_open(&a, data, size, NULL, &why), *split = NULL;

	if (base) {
		ask(&a, base);
		split = btf_open(&a, data, size, base, &why); /* as if it were a module's, on top of itself */
		if (split)
			ask(&a, split);
	}
	btf_close(split);
	btf_close(base);
	arena_free(&a);
	intern_reset();
	return 0;
}
