/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: relay_subbuf_start 1..2: what relay asks before it begins a sub-buffer.  2: the sub-buffers.  1: also what was unused of the last. */
/* COMPAT_RELAY_SUBBUF_START_FUNCTION() defines `name', which returns may(buffer, the sub-buffer before or NULL). */
#ifndef COMPAT_RELAY_SUBBUF_START_H
#define COMPAT_RELAY_SUBBUF_START_H

#include <linux/relay.h>

#if COMPAT_RELAY_SUBBUF_START == 2
_Static_assert(__builtin_types_compatible_p(typeof(((struct rchan_callbacks *)0)->subbuf_start),
					    int (*)(struct rchan_buf *, void *, void *)), "subbuf_start");

#define COMPAT_RELAY_SUBBUF_START_FUNCTION(name, may) \
	static int name(struct rchan_buf *buf, void *subbuf, void *prev) \
	{ \
		return may(buf, prev); \
	}
#elif COMPAT_RELAY_SUBBUF_START == 1
_Static_assert(__builtin_types_compatible_p(typeof(((struct rchan_callbacks *)0)->subbuf_start),
					    int (*)(struct rchan_buf *, void *, void *, size_t)), "subbuf_start");

#define COMPAT_RELAY_SUBBUF_START_FUNCTION(name, may) \
	static int name(struct rchan_buf *buf, void *subbuf, void *prev, size_t prev_padding) \
	{ \
		return may(buf, prev); \
	}
#endif

#endif
