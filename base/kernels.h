/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The installed kernels by their releases, which of them a guest boots, and what is inside a bootable image. */
#ifndef BASE_KERNELS_H
#define BASE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Releases of which an image (boot/vmlinuz-RELEASE) or modules (lib/modules/RELEASE) are below one of the roots, oldest first.
 * "" is the root of this machine; NULL ends the roots.
 */
size_t kernels_installed(struct arena *a, const char *const *roots, const char *const **releases);
/* Like strverscmp(), but the way people order releases: 6.9 < 6.12 < 6.12.1. */
int kernels_compare(const char *a, const char *b);
/*
 * The kernel that a guest boots when none is named.  In this order: one that fits; the running one; one that is not for real
 * time or clouds; the newest.  NULL: there is none.
 */
const char *kernels_default(const char *const *releases, size_t n, bool (*fits)(void *ctx, const char *release), void *ctx);
/*
 * The one that begins most like release.  Of several, one that is for real time or clouds if release is, and not otherwise; then the newest.
 * NULL: none begins like it.  releases are oldest first.
 */
const char *kernels_like(const char *const *releases, size_t n, const char *release);

/* The packed kernel inside an x86 bzImage, with the size that the kernel's build appends; false if it is none. */
bool kernels_payload(const unsigned char *image, size_t n, const unsigned char **payload, size_t *len);

#endif
