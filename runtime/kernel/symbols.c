// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of kernel addresses and kernel stacks, from the kernel's own symbol table. */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "kernel/symbols.h"
#include "rt/rt.h"

#define FRAMES_MAX 64

/* However long it is: for what prints it. */
static struct rt_str symbol_text(struct rt_ctx *c, rt_u64 addr, rt_bool without_offset)
{
	char *mark = rt_mark(c), *buf = rt_alloc(c, KSYM_SYMBOL_LEN);
	struct rt_str s;
	int n;

	if (!buf)
		return RT_EMPTY;
	n = without_offset ? sprint_symbol_no_offset(buf, addr) : sprint_symbol(buf, addr);
	if (without_offset)
		n = strcspn(buf, " ");
	buf[n] = 0;
	if (n <= 64) /* the buffer is much larger than a name; a handler may ask for many */
		rt_release(c, mark + (buf - mark) + n + 1);
	s.p = buf;
	s.n = n;
	return s;
}

/* A script's string. */
static struct rt_str cut(struct rt_str s)
{
	s.n = min(s.n, rt_script.limits->string_max);
	return s;
}

struct rt_str rt_symname(struct rt_ctx *c, rt_u64 addr, rt_bool without_offset)
{
	return cut(symbol_text(c, addr, without_offset));
}

struct rt_str rt_probefunc(struct rt_ctx *c)
{
	const char *known = c->probe->function;

	if (known && *known)
		return cut((struct rt_str){ known, strlen(known) });
	if (!c->regs || rt_user_mode(c))
		return RT_EMPTY;
	return rt_symname(c, rt_addr(c), true);
}

static unsigned int frames_wanted(void)
{
	return min_t(unsigned int, rt_script.limits->backtrace, FRAMES_MAX);
}

static void print_c_text(struct rt_ctx *c, const char *s)
{
	rt_print_str(c, (struct rt_str){ s, strlen(s) });
}

static void print_frame(struct rt_ctx *c, unsigned long addr)
{
	char *mark = rt_mark(c);
	char hex[32];
	struct rt_str name;

	snprintf(hex, sizeof(hex), " 0x%lx : ", addr);
	print_c_text(c, hex);
	name = symbol_text(c, addr, false);
	rt_print_str(c, name);
	if (!memchr(name.p, '[', name.n))
		print_c_text(c, " [kernel]");
	print_c_text(c, "\n");
	rt_release(c, mark);
}

void rt_print_backtrace(struct rt_ctx *c)
{
	char *mark = rt_mark(c);
	unsigned int max = frames_wanted(), n, i;
	unsigned long *at = (unsigned long *)rt_alloc(c, max * sizeof(*at));

	if (!at)
		return;
	n = symbols_stack(c, at, max);
	for (i = 0; i < n && !c->error; i++)
		print_frame(c, at[i]);
	rt_release(c, mark);
}

struct rt_str rt_backtrace(struct rt_ctx *c)
{
	unsigned int max = frames_wanted(), n, i, room = max * 19 + 1, used = 0;
	unsigned long *at = (unsigned long *)rt_alloc(c, max * sizeof(*at));
	char *text = rt_alloc(c, room);

	if (!at || !text)
		return RT_EMPTY;
	n = symbols_stack(c, at, max);
	for (i = 0; i < n; i++)
		used += scnprintf(text + used, room - used, "%s0x%lx", i ? " " : "", at[i]);
	return cut((struct rt_str){ text, used });
}
