/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library of semaphores.c. */
#define _SDT_HAS_SEMAPHORES 1
#include "include/sys/sdt.h"
#include "workload.h"

__attribute__((section(".probes"), used)) volatile unsigned short semaphores_loaded_semaphore;

PROBED long library_loaded(long call)
{
	STAP_PROBE1(semaphores, loaded, ++call);
	return call;
}
