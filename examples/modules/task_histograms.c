// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long the calls of a function of a process take, or with argument=N what its argument N (1 to 6) is: a histogram for each thread.
 *
 *	insmod task_histograms.ko pid=PID vaddr=ADDRESS [argument=N]
 *	cat /proc/task_histograms
 *	rmmod task_histograms
 *
 * The histograms hang in a table of lists by thread.  A thread's is made at its first call: handlers of user probes may sleep, so they may
 * allocate as well.  Later only the thread itself writes to it.
 */
#define pr_fmt(text) KBUILD_MODNAME ": " text

#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "probes.c"

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "process");
static ulong vaddr;
module_param(vaddr, ulong, 0444);
MODULE_PARM_DESC(vaddr, "address of the function");
static uint argument;
module_param(argument, uint, 0444);
MODULE_PARM_DESC(argument, "1 to 6: its values are counted; 0: nanoseconds");
static uint most = 10000;
module_param(most, uint, 0644);
MODULE_PARM_DESC(most, "threads; calls of more are only counted as missed");

#define BUCKETS 65 /* 0; 1; 2-3; 4-7; ... */
#define DEPTH 16   /* calls in each other whose time is measured */
#define TABLE_BITS 8

struct histogram {
	struct hlist_node node;
	pid_t tid;
	u64 started; /* of the thread: another one may get its number */
	char comm[TASK_COMM_LEN];
	unsigned int depth;
	struct {
		unsigned long sp;
		u64 began;
	} calls[DEPTH]; /* active ones, the newest last */
	unsigned long counts[BUCKETS];
};

static struct hlist_head table[1 << TABLE_BITS]; /* read under RCU; histograms stay until the end */
static DEFINE_MUTEX(adding);
static unsigned int histograms;
static atomic_long_t missed;

static struct user_probe entry;
static struct user_retprobe ret;

static struct histogram *find(void)
{
	struct histogram *h;

	rcu_read_lock();
	hlist_for_each_entry_rcu(h, &table[hash_32(current->pid, TABLE_BITS)], node)
		if (h->tid == current->pid && h->started == current->start_time)
			break;
	rcu_read_unlock();
	return h;
}

static struct histogram *make(void)
{
	struct histogram *h = NULL;

	mutex_lock(&adding);
	if (histograms < most)
		h = kzalloc(sizeof(*h), GFP_KERNEL);
	if (h) {
		histograms++;
		h->tid = current->pid;
		h->started = current->start_time;
		get_task_comm(h->comm, current);
		hlist_add_head_rcu(&h->node, &table[hash_32(h->tid, TABLE_BITS)]);
	}
	mutex_unlock(&adding);
	return h;
}

static void count(struct histogram *h, u64 value)
{
	WRITE_ONCE(h->counts[fls64(value)], h->counts[fls64(value)] + 1);
}

/* The stack grows down: a call whose frame is not above a new one's has ended without a return, as by longjmp(). */
static void begin_call(struct histogram *h, unsigned long sp)
{
	while (h->depth && h->calls[h->depth - 1].sp <= sp)
		h->depth--;
	if (h->depth == DEPTH) {
		atomic_long_inc(&missed);
		return;
	}
	h->calls[h->depth].sp = sp;
	h->calls[h->depth++].began = ktime_get_ns();
}

/* The return address may have been on the stack. */
static void end_call(struct histogram *h, unsigned long sp)
{
	u64 now = ktime_get_ns();

	while (h->depth && h->calls[h->depth - 1].sp < sp - sizeof(long))
		h->depth--;
	if (h->depth && h->calls[h->depth - 1].sp <= sp)
		count(h, now - h->calls[--h->depth].began);
}

static void on_entry(struct user_probe *u, struct pt_regs *regs)
{
	struct histogram *h = find() ?: make();

	if (!h)
		atomic_long_inc(&missed);
	else if (argument)
		count(h, regs_get_kernel_argument(regs, argument - 1));
	else
		begin_call(h, user_stack_pointer(regs));
}

/* Calls that ran already when the probe came have no beginning. */
static void on_return(struct user_retprobe_instance *ri, struct pt_regs *regs)
{
	struct histogram *h = find();

	if (h)
		end_call(h, user_stack_pointer(regs));
}

static void show(struct seq_file *s, const struct histogram *h)
{
	seq_printf(s, "%d %s\n", h->tid, h->comm);
	for (unsigned int i = 0; i < BUCKETS; i++)
		if (READ_ONCE(h->counts[i]))
			seq_printf(s, "  %llu: %lu\n", i ? 1ULL << (i - 1) : 0ULL, READ_ONCE(h->counts[i]));
}

static int show_all(struct seq_file *s, void *unused)
{
	struct histogram *h;

	rcu_read_lock();
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry_rcu(h, &table[i], node)
			show(s, h);
	rcu_read_unlock();
	if (atomic_long_read(&missed))
		seq_printf(s, "missed: %ld\n", atomic_long_read(&missed));
	return 0;
}

static int add_probes(void)
{
	int rc;

	entry.pid = ret.u.pid = pid;
	entry.vaddr = ret.u.vaddr = vaddr;
	entry.handler = on_entry;
	ret.handler = on_return;
	rc = argument ? 0 : register_uretprobe(&ret);
	return rc ?: register_uprobe(&entry);
}

static void clean_up(void)
{
	struct hlist_node *next;
	struct histogram *h;

	unregister_all_uprobes();
	remove_proc_entry(KBUILD_MODNAME, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry_safe(h, next, &table[i], node)
			kfree(h);
}

static int __init task_histograms_init(void)
{
	int rc;

	if (argument > 6)
		return -EINVAL;
	if (!proc_create_single(KBUILD_MODNAME, 0400, NULL, show_all))
		return -ENOMEM;
	rc = add_probes();
	if (rc)
		clean_up();
	return rc;
}

module_init(task_histograms_init);
module_exit(clean_up);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a histogram of the calls of a function for each thread of a process");
