// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes as a kernel image, a packed module or an ELF file with sections. */
#include <stdint.h>

#include "base/kernels.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/unpack.h"

static void look_inside(struct arena *a, const struct bytes *file)
{
	const unsigned char *data;
	struct problem why;
	size_t len;

	if (unpack_section(file, ".BTF", &data, &len))
		btf_close(btf_open(a, data, len, NULL, &why));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = {.p = data, .n = size}, out;
	const unsigned char *payload = data;
	struct arena a = {0};
	struct problem why;
	size_t n = size;

	kernels_payload(data, size, &payload, &n);
	if (unpack_is_packed(payload, n) && unpack(&a, payload, n, "image", &out, &why) == 0) {
		look_inside(&a, &out);
		bytes_free(&out);
	}
	look_inside(&a, &file);
	arena_free(&a);
	return 0;
}
