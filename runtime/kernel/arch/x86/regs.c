// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of the probed code on x86-64, 32-bit user programs included: arguments, return value, DWARF
 * numbers, kernel stack.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/fsgsbase.h>
#include <asm/syscall.h>
#include <asm/text-patching.h>
#include <asm/unwind.h>

#include "kernel/arch/arch.h"
#include "kernel/arch/calls.h"
#include "kernel/arch/regs.h"
#include "kernel/arch/syscall.h"
#include "kernel/hit.h"
#include "rt/port.h"

static struct pt_regs *regs_of(struct rt_ctx *c)
{
	if (!c->regs)
		rt_error(c, "no registers in this probe");
	return c->regs;
}

static bool is_32bit(struct pt_regs *regs)
{
	return user_mode(regs) && !user_64bit_mode(regs);
}

/* The i-th word of what was pushed before the call, at function entry. */
static rt_u64 stack_word(struct rt_ctx *c, struct pt_regs *regs, rt_u32 i)
{
	rt_u32 size = is_32bit(regs) ? 4 : 8;

	return rt_read(c, user_mode(regs) ? RT_USER : RT_KERNEL, regs->sp + (i + 1ull) * size, size);
}

/* What Go passes integers and pointers in, by DWARF's numbers. */
static const rt_u8 go_arguments[] = {0, 3, 2, 5, 4, 8, 9, 10, 11};

void rt_set_arg(struct rt_ctx *c, rt_u32 n, rt_u64 v)
{
	static const rt_u8 dwarf[] = {5, 4, 1, 2, 8, 9};
	struct pt_regs *regs;
	rt_u32 size;

	if (c->probe->flags & RT_PROBE_SYSCALL && n < c->nargs) {
		*arch_syscall_argument(c->regs, n) = v;
		((rt_u64 *)c->args)[n] = v;
		return;
	}
	if (c->args) {
		rt_error(c, "the arguments of this probe cannot be written");
		return;
	}
	regs = regs_of(c);
	if (!regs)
		return;
	if (!is_32bit(regs) && c->probe->flags & RT_PROBE_GO && n < ARRAY_SIZE(go_arguments)) {
		rt_set_reg(c, go_arguments[n], v);
		return;
	}
	if (!is_32bit(regs) && n < ARRAY_SIZE(dwarf)) {
		rt_set_reg(c, dwarf[n], v);
		return;
	}
	size = is_32bit(regs) ? 4 : 8;
	n -= is_32bit(regs) ? 0 : ARRAY_SIZE(dwarf);
	rt_write(c, user_mode(regs) ? RT_USER : RT_KERNEL, regs->sp + (n + 1ull) * size, v, size);
}

/* Values that came with the hit. */
static noinline rt_u64 given_arg(struct rt_ctx *c, rt_u32 n)
{
	if (n < c->nargs)
		return c->args[n];
	rt_error(c, "there is no argument %u in this probe", n + 1);
	return 0;
}

rt_u64 rt_arg(struct rt_ctx *c, rt_u32 n)
{
	struct pt_regs *regs;

	if (unlikely(c->args))
		return given_arg(c, n);
	regs = regs_of(c);
	if (!regs)
		return 0;
	if (is_32bit(regs))
		return stack_word(c, regs, n);
	if (unlikely(c->probe->flags & RT_PROBE_GO) && n < ARRAY_SIZE(go_arguments))
		return rt_reg(c, go_arguments[n]);
	switch (n) {
	case 0:
		return regs->di;
	case 1:
		return regs->si;
	case 2:
		return regs->dx;
	case 3:
		return regs->cx;
	case 4:
		return regs->r8;
	case 5:
		return regs->r9;
	}
	return stack_word(c, regs, n - 6);
}

rt_bool rt_has_far_arg(struct rt_ctx *c, const char *function, rt_s64 n)
{
	bool is_go = c->probe->flags & RT_PROBE_GO && c->regs && !is_32bit(c->regs);

	if (is_go && n >= 1 && n <= (rt_s64)ARRAY_SIZE(go_arguments))
		return true;
	if (is_go && n >= 1) /* behind a structure or a text that did not fit in those that were left, it may yet be in one */
		rt_error(c, "%s: of a function of Go only the first %u words that are passed in registers are known, not %lld", function,
			 (rt_u32)ARRAY_SIZE(go_arguments), n);
	else
		rt_error(c, "%s: there is no argument %lld here", function, n);
	return false;
}

rt_u64 rt_retval(struct rt_ctx *c)
{
	struct pt_regs *regs = regs_of(c);

	if (unlikely(c->probe->flags & RT_PROBE_SYSCALL))
		return *c->args;
	return !regs ? 0 : is_32bit(regs) ? (rt_u32)regs->ax : regs->ax;
}

#define REG(name) offsetof(struct pt_regs, name)
static const rt_u16 dwarf64[] = {
	REG(ax), REG(dx), REG(cx), REG(bx), REG(si), REG(di), REG(bp), REG(sp), REG(r8),
	REG(r9), REG(r10), REG(r11), REG(r12), REG(r13), REG(r14), REG(r15), REG(ip),
};
static const rt_u16 dwarf32[] = {REG(ax), REG(cx), REG(dx), REG(bx), REG(sp),
				 REG(bp), REG(si), REG(di), REG(ip)};
#undef REG

/* Where the register is kept; NULL with an error. */
static unsigned long *kept_register(struct rt_ctx *c, struct pt_regs *regs, rt_u32 dwarf)
{
	if (is_32bit(regs)) {
		if (dwarf < ARRAY_SIZE(dwarf32))
			return (unsigned long *)((char *)regs + dwarf32[dwarf]);
	} else if (dwarf < ARRAY_SIZE(dwarf64)) {
		return (unsigned long *)((char *)regs + dwarf64[dwarf]);
	}
	rt_error(c, "register %u is not available", dwarf);
	return NULL;
}

static rt_u64 read_register(struct rt_ctx *c, struct pt_regs *regs, rt_u32 dwarf)
{
	const unsigned long *reg = kept_register(c, regs, dwarf);

	return !reg ? 0 : is_32bit(regs) ? (rt_u32)*reg : *reg;
}

rt_u64 rt_reg(struct rt_ctx *c, rt_u32 dwarf)
{
	struct pt_regs *regs = regs_of(c);

	return regs ? read_register(c, regs, dwarf) : 0;
}

void rt_set_reg(struct rt_ctx *c, rt_u32 dwarf, rt_u64 v)
{
	struct pt_regs *regs = regs_of(c);
	unsigned long *reg = regs ? kept_register(c, regs, dwarf) : NULL;

	if (reg)
		*reg = is_32bit(regs) ? (rt_u32)v : v;
}

void rt_set_retval(struct rt_ctx *c, rt_u64 v)
{
	if (c->probe->flags & RT_PROBE_SYSCALL)
		*(rt_u64 *)c->args = v;
	rt_set_reg(c, 0, v);
}

rt_u64 rt_user_reg(struct rt_ctx *c, rt_u32 dwarf)
{
	struct pt_regs *regs = c->regs;

	if (regs && user_mode(regs))
		return read_register(c, regs, dwarf);
	if (!current->mm || current->flags & PF_KTHREAD || !hit_in_task()) {
		rt_error(c, "no user registers in this probe");
		return 0;
	}
	return read_register(c, task_pt_regs(current), dwarf);
}

/* The kernel leaves it as the program has it, while the task runs; what the kernel has stored of it may be old. */
rt_u64 rt_thread_pointer(struct rt_ctx *c)
{
	return x86_fsbase_read_cpu();
}

/* Where the current process is in user mode, or was when it entered the kernel; NULL if it is none, or not told. */
static struct pt_regs *user_regs(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;

	if (regs && user_mode(regs))
		return regs;
	return current->mm && !(current->flags & PF_KTHREAD) && hit_in_task() ? task_pt_regs(current) : NULL;
}

/*
 * The kernel stores them with interrupts off.  So only an NMI can come in between, or when they are being put back: then the stack pointer is
 * not yet, or no longer, below them.  An exception that came there has another stack.
 */
struct pt_regs *arch_user_regs(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs, *stored = task_pt_regs(current);
	unsigned long bottom = (unsigned long)task_stack_page(current);

	if (regs && user_mode(regs))
		return regs;
	if (hit_in_nmi() && (!regs || regs->sp - bottom > (unsigned long)stored - bottom))
		return NULL;
	return stored;
}

#define FUNCTIONS_BEGIN_AT 16 /* multiples of this; Go's of 32 */

/*
 * Between the exception and handle_swbp(), which sets the instruction pointer back: then it is at a breakpoint.  An interrupt that came just
 * behind an instruction of one byte that is probed looks the same.  So would one at the beginning of a function of Go, whose linker fills the
 * room between functions with the breakpoint's opcode: where functions begin, it is taken for that.
 */
bool arch_behind_breakpoint(const struct pt_regs *regs)
{
	u8 code[2];

	if ((long)regs->orig_ax != -1) /* a system call, or an exception with a code */
		return false;
	if (IS_ALIGNED(regs->ip, FUNCTIONS_BEGIN_AT))
		return false;
	return !copy_from_user_nofault(code, (const void __user *)(regs->ip - 1), sizeof(code)) && code[0] == INT3_INSN_OPCODE &&
	       code[1] != INT3_INSN_OPCODE;
}

void arch_user_registers(const struct pt_regs *regs, const rt_u8 *dwarf, rt_u32 n, rt_u64 *to)
{
	rt_u32 i;

	for (i = 0; i < n; i++)
		to[i] = dwarf[i] < ARRAY_SIZE(dwarf64) ? *(const unsigned long *)((const char *)regs + dwarf64[dwarf[i]]) : 0;
}

rt_s64 rt_uaddr(struct rt_ctx *c)
{
	struct pt_regs *regs = user_regs(c);

	return regs ? regs->ip : 0;
}

rt_s64 rt_32bit_app(struct rt_ctx *c)
{
	struct pt_regs *regs = user_regs(c);

	return regs && is_32bit(regs);
}

rt_s64 rt_syscall_nr(struct rt_ctx *c)
{
	if (c->probe->flags & RT_PROBE_SYSCALL)
		return syscall_get_nr(current, c->regs);
	rt_error(c, "no system call in this probe");
	return 0;
}

rt_s64 rt_syscall_compat(struct rt_ctx *c)
{
	return hit_in_task() && arch_syscall_is_compat();
}

#define REG(wide, narrow, field) {wide, 8, offsetof(struct pt_regs, field)}, {narrow, 4, offsetof(struct pt_regs, field)}
static const struct {
	char name[9];
	rt_u8 size;
	rt_u16 at;
} named[] = {
	REG("rax", "eax", ax), REG("rbx", "ebx", bx), REG("rcx", "ecx", cx), REG("rdx", "edx", dx),
	REG("rsi", "esi", si), REG("rdi", "edi", di), REG("rbp", "ebp", bp), REG("rsp", "esp", sp),
	REG("r8", "r8d", r8), REG("r9", "r9d", r9), REG("r10", "r10d", r10), REG("r11", "r11d", r11),
	REG("r12", "r12d", r12), REG("r13", "r13d", r13), REG("r14", "r14d", r14), REG("r15", "r15d", r15),
	REG("rip", "eip", ip), REG("rflags", "eflags", flags), REG("orig_rax", "orig_eax", orig_ax),
	REG("xcs", "cs", cs), REG("xss", "ss", ss),
};
#undef REG

rt_s64 rt_named_reg(struct rt_ctx *c, struct rt_str name, rt_bool is_signed)
{
	struct pt_regs *regs = regs_of(c);
	rt_u32 i;

	if (!regs)
		return 0;
	for (i = 0; i < ARRAY_SIZE(named); i++) {
		rt_u64 value = *(unsigned long *)((char *)regs + named[i].at);

		if (name.n != strlen(named[i].name) || memcmp(name.p, named[i].name, name.n))
			continue;
		if (named[i].size == 8)
			return value;
		return is_signed ? (rt_s64)(int)value : (rt_s64)(rt_u32)value;
	}
	rt_error(c, "there is no register of this name");
	return 0;
}

/* Of the names, those of the whole registers; a 32-bit program has no r8 to r15. */
static bool is_shown(struct pt_regs *regs, const char *name, rt_u8 size)
{
	return is_32bit(regs) ? size == 4 && name[0] != 'r' : size == 8;
}

void rt_print_regs(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;
	rt_u32 i, shown = 0;
	char text[32];

	if (!regs)
		return;
	for (i = 0; i < ARRAY_SIZE(named); i++) {
		unsigned long value = *(unsigned long *)((char *)regs + named[i].at);
		int n;

		if (!is_shown(regs, named[i].name, named[i].size))
			continue;
		n = scnprintf(text, sizeof(text), "%s%s: %0*lx", !shown ? "" : shown % 4 ? "  " : "\n", named[i].name, 2 * named[i].size,
			      named[i].size == 8 ? value : (rt_u32)value);
		rt_print_str(c, (struct rt_str){text, n});
		shown++;
	}
	rt_print_char(c, '\n');
}

/* Not in the entry handler of a return, which is at the beginning of the function. */
static bool is_returning(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;

	return c->probe->flags & RT_PROBE_RETURN && regs->ip - c->probe_addr > MCOUNT_INSN_SIZE + ENDBR_INSN_SIZE;
}

/*
 * Registers of our own code that the kernel has called, or NULL if it is not known: then the walk has to begin in here.  Each frame of ours is
 * searched for among those of all modules, so to walk up through them takes longer than through what they were called by.
 */
static struct pt_regs *ours(struct rt_ctx *c)
{
	struct pt_regs *regs = (struct pt_regs *)c->scratch;

	BUILD_BUG_ON(sizeof(*regs) > sizeof(c->scratch));
	if (!c->from[0])
		return NULL;
	*regs = (struct pt_regs){ .ip = c->from[0], .sp = c->from[1], .bp = c->from[2], .cs = __KERNEL_CS, .flags = X86_EFLAGS_FIXED };
	return regs;
}

/* A frame of ours, from which a function's body is called as by the function's caller, does not show. */
static unsigned long address_of_frame(struct unwind_state *state)
{
	unsigned long addr = unwind_get_return_address(state);

	if (!addr || !arch_is_of_module(addr) || !arch_calls_is_frame(addr))
		return addr;
	unwind_next_frame(state);
	return unwind_done(state) ? 0 : unwind_get_return_address(state);
}

unsigned int arch_stack_trace(struct rt_ctx *c, rt_u64 *to, unsigned int max)
{
	struct pt_regs *regs = c->probe->flags & RT_PROBE_SYSCALL ? NULL : c->regs; /* those of a system call are the program's */
	struct pt_regs *from = regs ?: ours(c);
	struct unwind_state state;
	unsigned int n = 0;

	if (regs && user_mode(regs))
		return 0;
	if (regs && n < max)
		to[n++] = rt_addr(c);
	if (regs && n < max && is_returning(c))
		to[n++] = regs->ip; /* in the caller, which is the frame of regs now */
	unwind_start(&state, current, from, NULL); /* begins after the frame of these */
	for (; n < max && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long addr = address_of_frame(&state);

		if (!addr)
			break;
		if (!regs && !n && within_module(addr, THIS_MODULE))
			continue; /* ourselves, in a probe without registers */
		to[n++] = addr;
	}
	return n;
}

/* Goes up when the task leaves its CPU, before it has left it. */
static unsigned long switches_of(const struct task_struct *t)
{
	return READ_ONCE(t->nvcsw) + READ_ONCE(t->nivcsw);
}

/*
 * The stack of a task that does not run does not change.  It is freed after a grace period for those that run without preemption; and the
 * kernel's store of used stacks, which is emptied when a CPU has gone, not before all CPUs could have been preempted.
 */
unsigned int arch_task_stack_trace(struct task_struct *t, rt_u64 *to, unsigned int max)
{
	unsigned long before = switches_of(t);
	struct unwind_state state;
	unsigned int n = 0;

	smp_rmb();
	if (READ_ONCE(t->__state) & TASK_DEAD || task_on_another_cpu(t))
		return 0;
	for (unwind_start(&state, t, NULL, NULL); n < max && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long addr = address_of_frame(&state);

		if (!addr)
			break;
		to[n++] = addr;
	}
	smp_rmb();
	if (task_on_another_cpu(t))
		return 0;
	smp_rmb(); /* if it has come and gone, it was counted before it went */
	return switches_of(t) == before ? n : 0;
}
