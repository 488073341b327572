// SPDX-License-Identifier: GPL-2.0-or-later
/* What the mechanisms have in common that watch memory.  See watched.h. */
#include "kernel/arch/arch.h"
#include "kernel/mail.h"
#include "kernel/probes/watched.h"

/* QEMU's emulator reports an access to only one of the watchpoints that it touches; a processor to all. */
void watched_warn_of_overlaps(const struct rt_site *sites, rt_u32 n, watched_overlap_fn *overlap)
{
	rt_u32 i, k;

	if (!arch_is_emulated())
		return;
	for (i = 0; i < n; i++)
		for (k = 0; k < i; k++)
			if (overlap(k, i))
				mail_warn("probes %s and %s watch the same memory: this machine is emulated (QEMU without KVM), and reports an "
					  "access to only one of them", rt_script.probes[sites[k].probe].point,
					  rt_script.probes[sites[i].probe].point);
}
