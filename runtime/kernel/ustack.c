// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code and stacks of programs.  See ustack.h.
 *
 * Which code is at an address is asked of the kernel at each hit, under the lock of the mappings: so it is true whatever the program has
 * mapped and unmapped before.  The lock is only tried; compat/mmap_lock.h says why that may be done in any context.  It is held while the
 * stack is read without faults.  A handler that may sleep gives it back before it waits for memory.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stat.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>

#include "kernel/access.h"
#include "kernel/arch/arch.h"
#include "kernel/arch/frame.h"
#include "kernel/arch/regs.h"
#include "kernel/build_id.h"
#include "kernel/compat/executing.h"
#include "kernel/compat/mmap_lock.h"
#include "kernel/compat/uretprobe_area.h"
#include "kernel/compat/uretprobe_depth.h"
#include "kernel/compat/uretprobe_pending.h"
#include "kernel/found.h"
#include "kernel/mapped.h"
#include "kernel/probes/images.h"
#include "kernel/state.h"
#include "kernel/ustack.h"
#include "rt/port.h"
#include "wire.h"

static_assert(RT_FRAMES_MOST == WIRE_FRAMES_MAX);
static_assert(RT_PART_USER == WIRE_PART_USER && RT_PART_BRIEF == WIRE_PART_BRIEF);
static_assert((int)RT_ENDS == (int)WIRE_END_COUNT);

#define LOCK_WAIT_US 100
#define NAMED_LATER (RT_PROGRAMS_UNWIND | RT_PROGRAMS_SYMBOLS) /* a script that asks for both may name addresses of stacks later */

static struct images ustack_images; /* in the order of rt_script.images: their paths differ */
static struct compat_mmap_unlock __percpu *ustack_unlock;
static struct {
	const void *kind; /* NULL: not known */
	u32 image;
} ustack_vdso;

/* A file without a build-id may be another one of that name by now. */
static bool is_same_file(const struct image *im, const struct rt_image *known)
{
	struct kstat st;

	if (known->build_id || !im->inode)
		return true;
	return !vfs_getattr(&im->path, &st, STATX_SIZE | STATX_MTIME, AT_STATX_SYNC_AS_STAT) && st.size == known->size &&
	       st.mtime.tv_sec == known->changed;
}

/* The kernel has one for each kind of programs; the script's is that of the loader's kind, if it has the same build-id. */
static void find_vdso(u32 i)
{
	const struct rt_image *known = &rt_script.images[i];
	char hex[BUILD_ID_HEX + 1];
	unsigned long start = 0;
	const void *kind = current->mm ? arch_vdso(current->mm, &start) : NULL;

	ustack_images.of[ustack_images.n++].name = known->path; /* no file */
	if (!kind || !start || !known->build_id || build_id_read_mapped(start, hex) || strcmp(hex, known->build_id))
		return;
	ustack_vdso.image = i;
	ustack_vdso.kind = kind;
}

int ustack_begin(void)
{
	int cpu, rc;
	u32 i;

	if (!rt_script.nimages && !rt_script.programs)
		return 0;
	ustack_unlock = alloc_percpu_gfp(struct compat_mmap_unlock, GFP_KERNEL | __GFP_NOWARN);
	if (!ustack_unlock)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		compat_mmap_unlock_init(per_cpu_ptr(ustack_unlock, cpu));
	rc = images_make(&ustack_images, rt_script.nimages);
	if (!rc && rt_script.programs)
		rc = found_begin();
	if (!rc && (rt_script.programs & NAMED_LATER) == NAMED_LATER)
		rc = mapped_begin();
	for (i = 0; i < rt_script.nimages && !rc; i++) {
		const struct rt_image *known = &rt_script.images[i];
		struct image *im;

		if (!strcmp(known->path, RT_VDSO)) {
			find_vdso(i);
			continue;
		}
		im = images_find(&ustack_images, known->path, known->build_id);
		if (!is_same_file(im, known))
			im->problem = "the file has changed";
	}
	return rc;
}

void ustack_end(void)
{
	int cpu;

	if (!ustack_unlock)
		return;
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(ustack_unlock, cpu)->work);
	found_end();
	mapped_end();
	images_free(&ustack_images);
	ustack_images = (struct images){};
	ustack_vdso.kind = NULL;
	free_percpu(ustack_unlock);
	ustack_unlock = NULL;
}

/* ---- mappings ---- */

enum { MAY_LOOK = 1, HOLDS_LOCK = 2, OWN_MEMORY = 4, HOOKS_ASKED = 8, HOOKS_STABLE = 16 };

static bool lock_mappings(struct rt_ctx *c, u32 *port)
{
	struct access_wait w = { .until = c->wait_until };
	enum compat_mmap got;

	if (*port & MAY_LOOK)
		return true;
	while ((got = compat_mmap_trylock(raw_cpu_ptr(ustack_unlock))) == COMPAT_MMAP_NOT_NOW) {
		if (!c->may_sleep || irqs_disabled() || !access_may_wait(&w))
			return false;
		usleep_range(LOCK_WAIT_US, 2 * LOCK_WAIT_US);
	}
	c->wait_until = w.until;
	*port |= MAY_LOOK | (got == COMPAT_MMAP_LOCKED ? HOLDS_LOCK : 0);
	return true;
}

static void unlock_mappings(u32 *port)
{
	if (*port & HOLDS_LOCK)
		compat_mmap_unlock(raw_cpu_ptr(ustack_unlock));
	*port &= ~(u32)(MAY_LOOK | HOLDS_LOCK);
}

/* The number of the script's image with this inode, or RT_NO_IMAGE. */
static u32 find_known(const struct inode *inode)
{
	u32 i;

	for (i = 0; i < ustack_images.n; i++)
		if (ustack_images.of[i].inode == inode && !ustack_images.of[i].problem)
			return i;
	return RT_NO_IMAGE;
}

/* A stack in one file of a process leads to others: so that all have tables soon, they are found together. */
#define FOUND_TOGETHER 256 /* mappings */
static void find_others(void)
{
	const struct vm_area_struct *vma;
	unsigned long addr = 0;
	bool is_new = false;
	u32 n;

	for (n = 0; n < FOUND_TOGETHER && (vma = compat_mmap_next(addr)); n++, addr = vma->vm_end)
		if (vma->vm_flags & VM_EXEC && vma->vm_file && find_known(file_inode(vma->vm_file)) == RT_NO_IMAGE)
			found_image(vma, &is_new);
}

static u32 find_unknown(const struct vm_area_struct *vma)
{
	bool is_new = false;
	u32 image = found_image(vma, &is_new);

	if (unlikely(is_new))
		find_others();
	return image;
}

static void find_image(const struct vm_area_struct *vma, struct rt_code *code)
{
	const struct inode *inode = vma->vm_file ? file_inode(vma->vm_file) : NULL;
	unsigned long vdso;

	if (!inode && ustack_vdso.kind && arch_vdso(current->mm, &vdso) == ustack_vdso.kind && vdso == vma->vm_start) {
		code->image = ustack_vdso.image;
		code->base = vdso;
		return;
	}
	if (inode)
		code->image = find_known(inode);
	if (inode && code->image == RT_NO_IMAGE)
		code->image = find_unknown(vma);
	code->base = vma->vm_start - ((u64)vma->vm_pgoff << PAGE_SHIFT);
}

static struct rt_code look_for_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	struct rt_code code = { .start = addr, .end = addr + 1, .image = RT_NO_IMAGE, .why = RT_END_NO_CODE };
	const struct vm_area_struct *vma;

	if (!ustack_unlock)
		return code;
	if (!lock_mappings(c, &u->port)) {
		code.why = RT_END_BUSY;
		return code;
	}
	vma = compat_mmap_find(addr);
	code.is_unmapped = !vma;
	if (!vma || !(vma->vm_flags & VM_EXEC))
		return code;
	code.start = vma->vm_start;
	code.end = vma->vm_end;
	code.why = RT_END_FOREIGN;
	find_image(vma, &code);
	if (code.end - code.base >= RT_CODE_OFFSETS) /* the program chooses the offset */
		code.image = RT_NO_IMAGE;
	return code;
}

static struct rt_code rt_port_unwind_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	struct rt_code code = look_for_code(c, u, addr);

	if (u->is_stack && code.why != RT_END_BUSY)
		mapped_note(code.start, code.end, code.base, code.image, addr);
	return code;
}

static rt_bool rt_port_unwind_seen(rt_u64 addr, struct rt_code *code)
{
	return mapped_find(addr, &code->image, &code->base);
}

/* In the probes at the end, current is the loader, whose code nobody means. */
static rt_bool rt_port_unwind_is_past(struct rt_ctx *c)
{
	return !c->regs && READ_ONCE(state_now) >= STATE_STOPPING && current->tgid == state_loader();
}

/* ---- where an image is ---- */

/* What is added to the addresses that the file says of this code; false: the mapping is of no code of the image. */
static bool base_of(const struct vm_area_struct *vma, u32 image, u64 *base)
{
	const struct rt_image *m = &rt_script.images[image];
	u64 from, to;
	u32 i;

	if (!vma || !(vma->vm_flags & VM_EXEC) || !vma->vm_file || file_inode(vma->vm_file) != ustack_images.of[image].inode)
		return false;
	from = (u64)vma->vm_pgoff << PAGE_SHIFT;
	to = from + (vma->vm_end - vma->vm_start);
	for (i = 0; i < m->ncode; i++)
		if (m->code[i].off < to && m->code[i].off + m->code[i].size > from) {
			*base = vma->vm_start - from + m->code[i].off - m->code[i].address;
			return true;
		}
	return false;
}

/*
 * Where an image was found: the page, in the high bits, and a tag of the process, the image, and how much code the process has mapped.  A word
 * is read and written at once, in any context and on all CPUs.  What it says is checked.  With the tag of now there is no second copy since, unless
 * as much other code was unmapped as the copy has.
 */
#define PLACE_BITS 8
#define PLACE_TAG_BITS 20
static u64 places_known[1 << PLACE_BITS];

static u64 *place_known(u32 image, u64 *tag)
{
	u64 hash = ((unsigned long)current->mm ^ current->mm->exec_vm * 0x9e3779b97f4a7c15ull) + image;

	hash *= 0x9e3779b97f4a7c15ull;
	*tag = hash >> (64 - PLACE_TAG_BITS);
	return &places_known[hash << PLACE_TAG_BITS >> (64 - PLACE_BITS)]; /* its low bits would be the same for aligned addresses */
}

/* All mappings are looked at, since a second copy of the image has variables of its own.  NULL, why not, or "": an error is set already. */
#define MAPPINGS_CHARGED 64
static const char *find_base(struct rt_ctx *c, u32 image, u64 *base)
{
	const struct vm_area_struct *vma;
	u64 tag, *known = place_known(image, &tag), word = READ_ONCE(*known), at = 0, other;
	unsigned long addr = 0;
	u32 n = 0;

	if ((word & (BIT_ULL(PLACE_TAG_BITS) - 1)) == tag && base_of(compat_mmap_find(word >> PLACE_TAG_BITS << PAGE_SHIFT), image, base))
		return NULL;
	for (; (vma = compat_mmap_next(addr)); addr = vma->vm_end) {
		if (n++ % MAPPINGS_CHARGED == 0 && rt_charge(c, 1))
			return "";
		if (!base_of(vma, image, &other))
			continue;
		if (at && other != *base)
			return "is mapped more than once in this process";
		at = vma->vm_start;
		*base = other;
	}
	if (!at)
		return "is not mapped in this process";
	WRITE_ONCE(*known, at >> PAGE_SHIFT << PLACE_TAG_BITS | tag);
	return NULL;
}

rt_u64 rt_image_base(struct rt_ctx *c, rt_u32 image, rt_bool thread)
{
	const char *path = rt_script.images[image].path, *why;
	u64 base = 0;
	u32 port = 0;

	if (ustack_images.of[image].problem) {
		rt_error(c, "%s: %s", path, ustack_images.of[image].problem);
		return 0;
	}
	if (!current->mm || current->flags & PF_KTHREAD) {
		why = "is not mapped: no process runs here, or its memory is gone";
	} else if (thread && rt_port_in_nmi()) { /* maybe in the middle of a switch between threads */
		why = "has variables of threads, and which thread runs is not known here";
	} else if (!lock_mappings(c, &port)) {
		why = "cannot be looked for: the mappings of this process are being changed";
	} else {
		why = find_base(c, image, &base);
		unlock_mappings(&port);
	}
	if (why && *why)
		rt_error(c, "%s %s", path, why);
	return base;
}

/* ---- registers and memory ---- */

/* Is the user memory that is mapped the current task's?  In the middle of a context switch it is not; an NMI can be there, or a tracepoint. */
static bool ustack_is_own(const struct pt_regs *regs)
{
	u8 byte;

	return !copy_from_user_nofault(&byte, (const void __user *)user_stack_pointer((struct pt_regs *)regs), sizeof(byte));
}

static enum rt_stack_end rt_port_unwind_begin(struct rt_ctx *c, struct rt_unwind *u)
{
	struct pt_regs *regs;

	if (!current->mm || current->flags & PF_KTHREAD)
		return RT_END_OUTERMOST;
	regs = compat_executing() ? NULL : arch_user_regs(c);
	if (!regs || (regs != c->regs && arch_behind_breakpoint(regs)))
		return RT_END_REGISTERS;
	u->at = instruction_pointer(regs);
	if (!u->at)
		return RT_END_OUTERMOST;
	if (arch_address_size(regs) != sizeof(u->at))
		return RT_END_MACHINE;
	u->is_return = c->probe->flags & RT_PROBE_RETURN && regs == c->regs && u->at != c->probe_addr;
	u->reg[0] = user_stack_pointer(regs);
	arch_user_registers(regs, rt_script.followed + 1, RT_UNWIND_REGISTERS - 1, u->reg + 1);
	if (c->may_sleep || ustack_is_own(regs)) /* no task sleeps in the middle of a switch */
		u->port |= OWN_MEMORY;
	return RT_END_LIMIT;
}

static void rt_port_unwind_end(struct rt_ctx *c, struct rt_unwind *u)
{
	unlock_mappings(&u->port);
}

/* Without the lock, what was found may be mapped elsewhere by the time of the next frame.  All are made empty: the walk still has one, see port.h. */
static void forget_code(struct rt_unwind *u)
{
	u32 i;

	for (i = 0; i < u->ncodes; i++)
		u->code[i].end = u->code[i].start;
	u->ncodes = u->newest = 0;
}

static noinline rt_bool read_slowly(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr, rt_u64 *word)
{
	if (!copy_from_user_nofault(word, (const void __user *)(unsigned long)addr, sizeof(*word)))
		return true;
	if (!c->may_sleep)
		return false;
	forget_code(u);
	unlock_mappings(&u->port);
	return !rt_port_read(c, RT_USER, addr, word, sizeof(*word));
}

/*
 * Access to the program's memory is begun once for this many bytes of the stack, a power of two: so each word is only compared with where they begin.
 * The mask is for what a processor reads before it knows the result of that.
 */
#define WINDOW 0x10000UL

static __always_inline bool begin_access(rt_u64 from, unsigned long size)
{
	pagefault_disable();
	if (user_access_begin((const void __user *)(unsigned long)from, size))
		return true;
	pagefault_enable();
	return false;
}

static inline void rt_port_unwind_close(void)
{
	user_access_end();
	pagefault_enable();
}

static inline rt_bool rt_port_unwind_open(struct rt_unwind *u, rt_u64 *from)
{
	*from = min_t(u64, u->reg[0], TASK_SIZE_MAX - WINDOW - 1);
	return u->port & OWN_MEMORY && begin_access(*from, WINDOW);
}

static __always_inline rt_bool rt_port_unwind_look(rt_u64 from, rt_u64 addr, rt_u64 *word)
{
	addr -= from;
	if (unlikely(addr > WINDOW - sizeof(*word)))
		return false;
	OPTIMIZER_HIDE_VAR(addr);
	unsafe_get_user(*word, (const u64 __user *)(unsigned long)(from + (addr & (WINDOW - 1))), failed);
	return true;
failed:
	return false;
}

static rt_bool rt_port_unwind_read(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr, rt_u64 *word)
{
	bool done = false;

	if (u->port & OWN_MEMORY && begin_access(addr, sizeof(*word))) {
		done = rt_port_unwind_look(addr, addr, word);
		rt_port_unwind_close();
	}
	return done || read_slowly(c, u, addr, word);
}

/*
 * The kernel's list of hooked returns is current's own and changes when one is handled.  That begins with an exception in its user code or,
 * on kernels from 6.11 on, with a system call, whose number the kernel clears first: so not in a system call that has a number, and not while user
 * code is interrupted.  A handler of a user function's return runs in the middle of that.  When the task ends, the kernel frees the list.
 */
static bool hooks_are_stable(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;

	if (current->flags & PF_EXITING)
		return false;
	if (syscall_get_nr(current, task_pt_regs(current)) >= 0)
		return true;
	if (!regs || !user_mode(regs))
		return false;
	return !(c->probe->flags & RT_PROBE_RETURN) || compat_uretprobe_pending(c->probe_addr, instruction_pointer(regs), user_stack_pointer(regs));
}

static bool may_look_at_hooks(struct rt_ctx *c, struct rt_unwind *u)
{
	if (!(u->port & HOOKS_ASKED))
		u->port |= HOOKS_ASKED | (hooks_are_stable(c) ? HOOKS_STABLE : 0);
	return u->port & HOOKS_STABLE;
}

/* The kernel's trampoline is the first word of a page, which a program can only return to if it has an image that begins so. */
static inline rt_bool rt_port_unwind_is_return(rt_u64 addr)
{
	return addr & ~PAGE_MASK;
}

static rt_bool rt_port_unwind_return(struct rt_ctx *c, struct rt_unwind *u, rt_u64 slot, rt_u64 *addr)
{
	const struct return_instance *r = NULL;

	if (rt_port_unwind_is_return(*addr) || !compat_uretprobe_area())
		return true;
	if (!may_look_at_hooks(c, u))
		return false;
	while ((r = compat_uretprobe_next(r)))
		if (r->stack == slot) {
			*addr = r->orig_ret_vaddr;
			return true;
		}
	return false;
}

#include "rt/unwind.h"
