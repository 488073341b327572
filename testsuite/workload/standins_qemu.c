/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of standins.c: an emulator's markers, which have semaphores. */
#define _SDT_HAS_SEMAPHORES 1
#include "include/sys/sdt.h"
#include "workload.h"

void standins_qemu(long times);

#define SEMAPHORE(name) __attribute__((section(".probes"), used)) volatile unsigned short name##_semaphore
SEMAPHORE(qemu_kvm_run_exit);
SEMAPHORE(qemu_memory_region_ops_write);
SEMAPHORE(qemu_virtio_queue_notify);
SEMAPHORE(qemu_vm_state_notify);

/* An exit so often, of which each second writes to a device and each tenth is for a queue; one change of the state. */
void standins_qemu(long times)
{
	for (long i = 0; i < times; i++) {
		if (qemu_kvm_run_exit_semaphore)
			STAP_PROBE2(qemu, kvm_run_exit, 0, 2);
		if (i % 2 == 0 && qemu_memory_region_ops_write_semaphore)
			STAP_PROBE6(qemu, memory_region_ops_write, 0, &times, 0x3f8L, i, 1, "serial");
		if (i % 10 == 0 && qemu_virtio_queue_notify_semaphore)
			STAP_PROBE3(qemu, virtio_queue_notify, &times, 1, &i);
	}
	if (qemu_vm_state_notify_semaphore)
		STAP_PROBE3(qemu, vm_state_notify, 1, 9, "running");
}
