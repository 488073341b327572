/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How glibc keeps what each thread has of libraries' variables, in programs of 64 bits: it has never been otherwise.  rt/thread_block.c reads it;
 * translator/debuginfo/elf_threads.c compares it with what a C library says of itself, and takes from there what varies.
 */
#ifndef RT_THREAD_LAYOUT_H
#define RT_THREAD_LAYOUT_H

enum {
	/* of the thread: where its vector of blocks is */
	RT_THREAD_VECTOR = 8,
	/* of the vector: an entry for each module begins with the address of the block; entry 0 has the generation, the one before it the length */
	RT_THREAD_ENTRY = 16,
	RT_THREAD_BLOCK = 0,
	/* of the dynamic linker's list of modules */
	RT_THREAD_LIST_LENGTH = 0,
	RT_THREAD_LIST_NEXT = 8,
	RT_THREAD_LIST_SLOTS = 16,
	/* of a slot of it */
	RT_THREAD_SLOT = 16,
	RT_THREAD_SLOT_GENERATION = 0,
	RT_THREAD_SLOT_MODULE = 8,
};

#endif
