// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading and writing memory whose address cannot be trusted.  Kernel memory is never faulted in.  User memory is, when
 * the handler may sleep; the kernel has page faults enabled there and nothing locked.
 *
 * A handler that waits keeps probes from being removed, its own and those of others.  So it waits only for a disk, and not for long.
 * Pages in memory are copied without a fault.  For any other page the kernel is asked to begin to bring it in without waiting; the
 * handler sleeps a little and tries again, for at most ACCESS_WAIT_MS in one hit.  Pages that come from another program (userfaultfd,
 * a file system in user space), from a server or from a device are not even asked for.
 */
#include <linux/backing-dev.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/userfaultfd_k.h>

#include "kernel/access.h"
#include "kernel/arch/arch.h"
#include "kernel/compat/get_user_page.h"
#include "kernel/compat/kernel_write.h"
#include "kernel/hit.h"
#include "kernel/state.h"
#include "rt/port.h"

#define ACCESS_WAIT_MS 1000        /* in one hit */
#define ACCESS_WAIT_SHORTEST_US 50 /* between the first two attempts */
#define ACCESS_WAIT_LONGEST_US 2000

struct user_access {
	unsigned long addr;
	void *buffer;
	unsigned int n;
	bool write;
};

static bool may_fault_in(const struct rt_ctx *c)
{
	return c->may_sleep && !irqs_disabled() && current->mm;
}

/* A fault goes through memory management, a file system and a driver.  8 KB where the stack has 16. */
static bool stack_suffices_for_fault(void)
{
	return arch_stack_pointer() - (unsigned long)task_stack_page(current) >= THREAD_SIZE / 2;
}

/* ---- pages that are not in memory ---- */

/*
 * Do the file's contents come from memory or a disk?  Otherwise they come from a server, or from a program (fuse.NAME, a type with a
 * subtype).
 */
static bool file_is_local(const struct super_block *sb)
{
	int flags = sb->s_type->fs_flags;

	return sb->s_bdi == &noop_backing_dev_info || ((flags & FS_REQUIRES_DEV) && !(flags & FS_HAS_SUBTYPE));
}

/*
 * The file's page at addr with a reference, if it is in memory and mapping it starts no read, not even a read-ahead; else NULL.
 */
static struct page *find_page_in_memory(struct vm_area_struct *vma, unsigned long addr)
{
	struct page *page = find_get_page(vma->vm_file->f_mapping, linear_page_index(vma, addr));
	struct folio *folio;

	if (!page)
		return NULL;
	folio = page_folio(page);
	if (folio_test_uptodate(folio) && !folio_test_locked(folio) && !folio_test_readahead(folio))
		return page;
	put_page(page);
	return NULL;
}

/* May the page be asked for?  *held: a page to put_page() afterwards, or NULL. */
static bool area_is_local(struct vm_area_struct *vma, const struct user_access *a, unsigned long addr, struct page **held)
{
	struct inode *inode = vma->vm_file ? file_inode(vma->vm_file) : NULL;

	if (userfaultfd_armed(vma))
		return false;
	if (!inode)
		return true;
	if (!S_ISREG(inode->i_mode))
		return false;
	if (a->write && (vma->vm_flags & VM_SHARED)) /* writing would wait for a frozen file system */
		return inode->i_sb->s_bdi == &noop_backing_dev_info;
	if (file_is_local(inode->i_sb))
		return true;
	*held = find_page_in_memory(vma, addr);
	return *held;
}

/*
 * If no area has the address, find_vma() gives the next one above it.  That may be a stack, which grows down when the program itself uses the
 * address.  Until then nothing is there, and newer kernels complain on the console about whoever asks for it.
 */
static bool area_has(const struct vm_area_struct *vma, const struct user_access *a, unsigned long addr)
{
	return vma && addr >= vma->vm_start && (vma->vm_flags & (a->write ? VM_WRITE : VM_READ));
}

/* 0, -EAGAIN: not yet, or one of enum rt_access. */
static int ask_for_page(const struct user_access *a, unsigned long addr)
{
	struct page *page = NULL, *held = NULL;
	struct vm_area_struct *vma;
	int rc;

	if (!mmap_read_trylock(current->mm))
		return -EAGAIN;
	vma = find_vma(current->mm, addr);
	if (!area_has(vma, a, addr)) {
		rc = RT_ACCESS_BAD;
	} else if (!stack_suffices_for_fault()) {
		rc = RT_ACCESS_STACK;
	} else if (!area_is_local(vma, a, addr, &held)) {
		rc = RT_ACCESS_OTHERS;
	} else {
		long n = compat_get_user_page(addr, FOLL_NOWAIT | (a->write ? FOLL_WRITE : 0), &page);

		rc = n == 1 ? 0 : n == 0 ? -EAGAIN : RT_ACCESS_BAD;
	}
	mmap_read_unlock(current->mm);
	if (page)
		put_page(page);
	if (held)
		put_page(held);
	return rc;
}

static int ask_for_pages(const struct user_access *a)
{
	unsigned long addr = a->addr & PAGE_MASK;
	int rc = 0;

	for (; !rc && addr < a->addr + a->n; addr += PAGE_SIZE)
		rc = ask_for_page(a, max(addr, a->addr));
	return rc;
}

static bool try_to_copy(const struct user_access *a)
{
	void __user *p = (void __user *)a->addr;

	return !(a->write ? copy_to_user_nofault(p, a->buffer, a->n) : copy_from_user_nofault(a->buffer, p, a->n));
}

bool access_may_wait(struct access_wait *w)
{
	u64 now = rt_port_clock_ns();

	if (!w->until)
		w->until = now + ACCESS_WAIT_MS * 1000000ull;
	return now < w->until && (w->outlasts || state_going()) && !fatal_signal_pending(current);
}

void access_insist(struct access_wait *w, u64 ns)
{
	*w = (struct access_wait){ .until = rt_port_clock_ns() + ns, .outlasts = true };
}

u64 access_left(const struct access_wait *w)
{
	u64 now = rt_port_clock_ns();

	return w->until > now ? w->until - now : 0;
}

static noinline int wait_and_copy(const struct user_access *a, struct access_wait *w)
{
	unsigned int us = ACCESS_WAIT_SHORTEST_US;
	int rc;

	for (;;) {
		rc = ask_for_pages(a);
		if (!rc && try_to_copy(a))
			return 0;
		if (rc && rc != -EAGAIN)
			return rc;
		if (!access_may_wait(w))
			return RT_ACCESS_LATE;
		usleep_range(us, 2 * us);
		us = min(2 * us, (unsigned int)ACCESS_WAIT_LONGEST_US);
	}
}

static int access_user(struct rt_ctx *c, const struct user_access *a)
{
	struct access_wait w;
	int rc;

	if (likely(try_to_copy(a)))
		return 0;
	if (!may_fault_in(c) || !access_ok((void __user *)a->addr, a->n))
		return RT_ACCESS_BAD;
	w = (struct access_wait){ .until = c->wait_until };
	rc = wait_and_copy(a, &w);
	c->wait_until = w.until;
	return rc;
}

static int access_and_wait(const struct user_access *a, struct access_wait *w)
{
	if (likely(try_to_copy(a)))
		return 0;
	return access_ok((void __user *)a->addr, a->n) ? wait_and_copy(a, w) : RT_ACCESS_BAD;
}

int access_read_user(unsigned long addr, void *buffer, unsigned int n, struct access_wait *w)
{
	return access_and_wait(&(struct user_access){ .addr = addr, .buffer = buffer, .n = n }, w);
}

int access_write_user(unsigned long addr, const void *buffer, unsigned int n, struct access_wait *w)
{
	return access_and_wait(&(struct user_access){ .addr = addr, .buffer = (void *)buffer, .n = n, .write = true }, w);
}

/* ---- the port ---- */

/* Is a byte of them a device's?  Pages of the kernel's fixed map have others beside them that are of memory. */
static __always_inline bool has_device(unsigned long addr, unsigned long n)
{
	unsigned long last = addr + n - 1;

	do {
		if (unlikely(arch_is_device(addr)))
			return true;
		addr = (addr | ~PAGE_MASK) + 1;
	} while (addr && addr <= last);
	return false;
}

static int read_kernel(unsigned long addr, void *dst, unsigned int n)
{
	return arch_is_of_kernel(addr) && !copy_from_kernel_nofault(dst, (const void *)addr, n) ? 0 : RT_ACCESS_BAD;
}

int rt_port_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *dst, rt_u32 n)
{
	if (space == RT_KERNEL && n && has_device(addr, n))
		return RT_ACCESS_BAD;
	if (space == RT_KERNEL)
		return read_kernel(addr, dst, n);
	return access_user(c, &(struct user_access){ .addr = addr, .buffer = dst, .n = n });
}

/*
 * Is the user memory that is mapped the current task's?  In the middle of a context switch it is not; a tracepoint is there.  The kernel
 * checks that when it reads without faulting, but not when it writes.
 */
static bool is_own_memory(struct rt_ctx *c, unsigned long addr)
{
	u8 byte;

	if (!current->mm || hit_in_nmi())
		return false;
	return may_fault_in(c) || !copy_from_user_nofault(&byte, (const void __user *)addr, sizeof(byte));
}

int rt_port_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, const void *src, rt_u32 n)
{
	u64 before;

	if (space == RT_KERNEL) {
		if (read_kernel(addr, &before, n))
			return RT_ACCESS_BAD;
		return compat_kernel_write((void *)(unsigned long)addr, src, n) ? RT_ACCESS_BAD : 0;
	}
	if (!is_own_memory(c, addr))
		return RT_ACCESS_BAD;
	return access_user(c, &(struct user_access){ .addr = addr, .buffer = (void *)src, .n = n, .write = true });
}

rt_u64 rt_this_cpu(rt_u64 object)
{
	return (unsigned long)raw_cpu_ptr((void __percpu *)(unsigned long)object);
}

rt_u64 rt_of_cpu(struct rt_ctx *c, rt_u64 object, rt_u64 cpu)
{
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu)) {
		rt_error(c, "there is no CPU %lld", (long long)cpu);
		return 0;
	}
	return object + per_cpu_offset(cpu);
}

/* In pieces that do not cross pages, so that a string is read that ends just before an unreadable page. */
rt_s64 rt_port_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *dst, rt_u32 n)
{
	rt_u32 done = 0;
	int rc;

	while (done < n) {
		rt_u32 room = PAGE_SIZE - (addr + done) % PAGE_SIZE;
		rt_u32 piece = min3(n - done, room, done ? 256u : 64u);
		size_t len;

		rc = rt_port_read(c, space, addr + done, dst + done, piece);
		if (rc)
			return rc;
		len = strnlen(dst + done, piece);
		done += len;
		if (len < piece)
			break;
	}
	return done;
}
