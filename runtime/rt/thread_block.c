// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The block of variables that the current thread has of a library, found as a debugger does: by the dynamic linker's list of the modules that have
 * such variables.  All that is read is checked against what is known otherwise, as another linker may run in this process.
 */
#include "rt/lib.h"
#include "rt/thread_layout.h"

enum { MOST_MODULES = 512, MOST_LISTS = 64 };
#define NOT_ALLOCATED (~0ull)

struct module {
	rt_u64 number, generation, map;
};

static rt_u64 word(struct rt_ctx *c, rt_u64 addr)
{
	return rt_read(c, RT_USER, addr, sizeof(rt_u64));
}

/* The slot of the library that is loaded there: the number of a module is its place in the list. */
static rt_bool find_module(struct rt_ctx *c, rt_u64 list, rt_u64 bias, struct module *m)
{
	rt_u64 first = 0;

	for (rt_u32 lists = 0; list && lists < MOST_LISTS && !c->error; lists++) {
		rt_u64 n = word(c, list + RT_THREAD_LIST_LENGTH);

		for (rt_u64 i = !first; i < n && !c->error; i++) { /* no module has number 0 */
			rt_u64 slot = list + RT_THREAD_LIST_SLOTS + i * RT_THREAD_SLOT;

			if (first + i >= MOST_MODULES)
				return 0;
			m->map = word(c, slot + RT_THREAD_SLOT_MODULE);
			m->number = first + i;
			if (m->map && word(c, m->map) == bias) {
				m->generation = word(c, slot + RT_THREAD_SLOT_GENERATION);
				return !c->error;
			}
		}
		first += n;
		list = word(c, list + RT_THREAD_LIST_NEXT);
	}
	return 0;
}

rt_u64 rt_thread_block(struct rt_ctx *c, rt_u64 thread, rt_u64 bias, rt_u64 list, rt_u64 offset)
{
	rt_u64 linker = rt_port_linker(c), place, vector, block;
	struct module m;

	if (!linker || !find_module(c, word(c, linker + list), bias, &m) || word(c, m.map + offset + sizeof place) != m.number) {
		rt_error(c, "cannot find this library's thread variables: the program's C library is not the one that the script was compiled for");
		return 0;
	}
	place = word(c, m.map + offset);
	if (place && place != NOT_ALLOCATED) /* in the block that each thread begins with, below what its register points to */
		return thread - place;
	vector = word(c, thread + RT_THREAD_VECTOR);
	if (c->error || m.number > word(c, vector - RT_THREAD_ENTRY) || m.generation > word(c, vector))
		block = NOT_ALLOCATED;
	else
		block = word(c, vector + m.number * RT_THREAD_ENTRY + RT_THREAD_BLOCK);
	if (block == NOT_ALLOCATED || !block)
		rt_error(c, "this thread has no variables of the library yet: it gets them when it first uses one");
	return block;
}
