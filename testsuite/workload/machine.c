/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine TIMES: a virtual machine of KVM writes so many times to an I/O port, and halts. */
#include <fcntl.h>
#include <linux/kvm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "workload.h"

enum { AT = 0x1000, PAGE = 0x1000 };

static const unsigned char code[] = {0xe6, 0x10, 0x49, 0x75, 0xfb, 0xf4}; /* again: out %al, $0x10; dec %cx; jnz again; hlt */

static int checked(int result, const char *what)
{
	if (result >= 0)
		return result;
	perror(what);
	exit(1);
}

int main(int argc, char **argv)
{
	int kvm = checked(open("/dev/kvm", O_RDWR), "/dev/kvm"), vm = checked(ioctl(kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	void *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region region = {.guest_phys_addr = AT, .memory_size = PAGE, .userspace_addr = (unsigned long)memory};
	struct kvm_regs regs = {.rip = AT, .rflags = 2, .rcx = (unsigned long)argument(argc, argv, 1, 1)};
	struct kvm_sregs sregs;
	long outs = 0;

	memcpy(memory, code, sizeof code);
	checked(ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");
	int cpu = checked(ioctl(vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU"), size = checked(ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "size");
	struct kvm_run *run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);

	checked(ioctl(cpu, KVM_GET_SREGS, &sregs), "KVM_GET_SREGS");
	sregs.cs.base = sregs.cs.selector = 0;
	checked(ioctl(cpu, KVM_SET_SREGS, &sregs), "KVM_SET_SREGS");
	checked(ioctl(cpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
	while (checked(ioctl(cpu, KVM_RUN, 0), "KVM_RUN") == 0 && run->exit_reason == KVM_EXIT_IO)
		outs++;
	printf("outs %ld, %s\n", outs, run->exit_reason == KVM_EXIT_HLT ? "halted" : "?");
	return 0;
}
