# SPDX-License-Identifier: GPL-2.0-or-later
# spile-vm is also process 1 of its guests, where there is no shared library yet: it is linked statically.
bin_PROGRAMS += spile-vm
spile_vm_SOURCES = vm/main.c vm/agent.c vm/cache.c vm/exec.c vm/guest.c vm/initrd.c vm/kernel.c vm/qemu.c vm/serve.c vm/unpack.c \
	vm/util.c vm/proto.h vm/vm.h
spile_vm_LDFLAGS = -static
spile_vm_LDADD = libbase.a
