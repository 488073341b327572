/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside debuginfo/ only: one BTF section, or a module's split BTF on top of the kernel's.  libbpf reads the
 * format, keeps a copy of the bytes and checks their structure; references in them may still be wrong and are checked when they are
 * followed.  btf.c adds the questions that the translator asks.
 */
#ifndef DEBUGINFO_BTF_H
#define DEBUGINFO_BTF_H

#include <stddef.h>

#include "translator/debuginfo/dtype.h"

struct btf_image;

/* NULL with why if the bytes are damaged or not BTF of this machine's byte order.  base: of which this is the split part, or NULL. */
struct btf_image *btf_open(struct arena *a, const void *data, size_t size, const struct btf_image *base,
			   struct problem *why);
/* All names and types that came from it become invalid; b may be NULL.  A split image is closed before its base. */
void btf_close(struct btf_image *b);
struct dtypes *btf_dtypes(struct btf_image *b);

/* Functions, of this image alone (not its base), in no order. */
void btf_functions(const struct btf_image *b, void (*cb)(void *ctx, const char *name), void *ctx);
/* References of the different prototypes that functions of the name have, at most cap; returns how many prototypes there are. */
size_t btf_function(struct btf_image *b, const char *name, uint64_t *protos, size_t cap);

/* Reference of the type of a variable, of this image alone; false if BTF has none of the name. */
bool btf_variable(const struct btf_image *b, const char *name, uint64_t *type);
void btf_variables(const struct btf_image *b, void (*cb)(void *ctx, const char *name), void *ctx);

#endif
