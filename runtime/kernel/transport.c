// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Transport of the output.  Only its own CPU writes to a relay buffer, with interrupts off, so a buffer has one writer at a time; only an
 * NMI can come between, and its record is then lost and counted.  A record gets its number in the total order when its place is certain,
 * so the numbers have no gap.  It is published by advancing `committed' when it is complete.
 *
 * Relay provides memory, sub-buffers and the accounting of full ones.  Its own read() is not used: it reads several fields that the writer
 * may be changing, and when the buffer is full, it can take a sub-buffer that was not read for overwritten.  Our reader knows from
 * `committed' how far it may go, and from end[] where each sub-buffer that it leaves ended.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/relay.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "kernel/compat/relay_subbuf_start.h"
#include "kernel/mail.h"
#include "kernel/state.h"
#include "kernel/transport.h"

#define SUBBUFS 16

struct transport_stream {
	/* written by the writer */
	bool writing;
	u64 committed;        /* bytes of whole records, ever */
	u64 filled;           /* sub-buffers that the writer has left, ever */
	u64 end[SUBBUFS];     /* of sub-buffer i: `committed' when the writer left it */
	u64 lost_records, lost_bytes;
	/* written by the reader, under lock */
	struct mutex lock ____cacheline_aligned_in_smp;
	bool closed;          /* there is no channel, or it is about to go */
	u64 read;             /* bytes, ever */
	u64 emptied;          /* sub-buffers, ever */
	size_t offset;        /* in the sub-buffer being read */
};

static struct transport_stream __percpu *transport_streams;
static struct rchan *transport_channel; /* NULL: nothing is written any more; readers check stream->closed */
static pid_t transport_reader;
static struct {
	atomic64_t n;
} transport_order ____cacheline_aligned_in_smp;

/* ---- writing ---- */

/* Called by relay, before it writes to the next sub-buffer; 0: that is not free yet. */
static int begin_next(struct rchan_buf *buf, void *prev)
{
	struct transport_stream *s;

	if (!prev)
		return 1;
	if (relay_buf_full(buf))
		return 0;
	s = per_cpu_ptr(transport_streams, buf->cpu);
	s->end[s->filled % SUBBUFS] = s->committed;
	smp_store_release(&s->filled, s->filled + 1);
	mail_wake();
	return 1;
}
COMPAT_RELAY_SUBBUF_START_FUNCTION(subbuf_start, begin_next)

/* Relay needs a file for each buffer, but only checks that there is one; we have files of our own. */
static struct dentry *create_buf_file(const char *name, struct dentry *parent, umode_t mode,
				      struct rchan_buf *buf, int *is_global)
{
	return (struct dentry *)buf;
}

static int remove_buf_file(struct dentry *dentry)
{
	return 0;
}

static const struct rchan_callbacks transport_callbacks = {
	.subbuf_start = subbuf_start,
	.create_buf_file = create_buf_file,
	.remove_buf_file = remove_buf_file,
};

static bool write_record(struct transport_stream *s, enum wire_kind kind, const void *data, unsigned int len)
{
	struct wire_record *r;

	if (unlikely(!*this_cpu_ptr(transport_channel->buf)))
		return false;
	r = relay_reserve(transport_channel, sizeof(*r) + len);
	if (unlikely(!r))
		return false;
	r->len = len;
	r->kind = kind;
	r->cpu = raw_smp_processor_id();
	r->order = atomic64_inc_return(&transport_order.n);
	memcpy(r + 1, data, len);
	smp_store_release(&s->committed, s->committed + sizeof(*r) + len);
	return true;
}

static bool try_to_write(enum wire_kind kind, const void *data, unsigned int len)
{
	struct transport_stream *s;
	unsigned long flags;
	bool done = false;

	local_irq_save(flags);
	s = this_cpu_ptr(transport_streams);
	if (likely(!s->writing)) { /* else this is an NMI */
		s->writing = true;
		barrier();
		done = write_record(s, kind, data, len);
		barrier();
		s->writing = false;
	}
	local_irq_restore(flags);
	return done;
}

static void count_lost_record(unsigned int len)
{
	this_cpu_inc(transport_streams->lost_records);
	this_cpu_add(transport_streams->lost_bytes, len);
}

void transport_write(enum wire_kind kind, const void *data, unsigned int len)
{
	if (unlikely(!try_to_write(kind, data, len)))
		count_lost_record(len);
}

void transport_write_waiting(enum wire_kind kind, const void *data, unsigned int len)
{
	while (!try_to_write(kind, data, len)) {
		if (fatal_signal_pending(current)) {
			count_lost_record(len);
			return;
		}
		schedule_timeout_killable(1);
	}
}

u64 transport_order_now(void)
{
	return atomic64_read(&transport_order.n);
}

void transport_ledger(struct wire_ledger *l)
{
	int cpu;

	l->records = transport_order_now();
	for_each_possible_cpu(cpu) {
		struct transport_stream *s = per_cpu_ptr(transport_streams, cpu);

		l->lost_records += s->lost_records;
		l->lost_bytes += s->lost_bytes;
	}
}

/* ---- reading ---- */

/*
 * Bytes that can be read at once from the reader's position; moves it past the ends of sub-buffers that are done.  Under s->lock.
 */
static size_t readable_here(struct transport_stream *s, int cpu)
{
	u64 committed = smp_load_acquire(&s->committed);

	while (smp_load_acquire(&s->filled) != s->emptied) {
		u64 end = s->end[s->emptied % SUBBUFS];

		if (end != s->read)
			return end - s->read;
		s->emptied++;
		s->offset = 0;
		relay_subbufs_consumed(transport_channel, cpu, 1);
	}
	return committed > s->read ? committed - s->read : 0;
}

/* Under s->lock. */
static ssize_t copy_out(struct transport_stream *s, int cpu, char __user *to, size_t room)
{
	struct rchan_buf *buf = s->closed ? NULL : *per_cpu_ptr(transport_channel->buf, cpu);
	size_t done = 0, n;

	while (buf && done < room && (n = readable_here(s, cpu))) {
		void *from = buf->start + (s->emptied % SUBBUFS) * transport_channel->subbuf_size + s->offset;

		n = min(n, room - done);
		if (copy_to_user(to + done, from, n))
			return done ? done : -EFAULT;
		s->read += n;
		s->offset += n;
		done += n;
	}
	return done;
}

static int cpu_of(struct file *f)
{
	return (int)(long)f->private_data;
}

/* Never waits.  -EAGAIN: nothing now; 0: end of the data. */
static ssize_t transport_read(struct file *f, char __user *to, size_t room, loff_t *pos)
{
	int cpu = cpu_of(f);
	struct transport_stream *s = per_cpu_ptr(transport_streams, cpu);
	bool stopped = READ_ONCE(state_now) == STATE_STOPPED;
	ssize_t n;

	smp_rmb(); /* the state first: what was written before the stop is seen below */
	if (mutex_lock_interruptible(&s->lock))
		return -ERESTARTSYS;
	n = copy_out(s, cpu, to, room);
	mutex_unlock(&s->lock);
	return n || stopped ? n : -EAGAIN;
}

bool transport_filling(void)
{
	int cpu;

	for_each_possible_cpu(cpu) { /* one that went offline may have left data */
		struct transport_stream *s = per_cpu_ptr(transport_streams, cpu);

		if (READ_ONCE(s->filled) != READ_ONCE(s->emptied))
			return true;
	}
	return false;
}

void transport_serve(pid_t reader)
{
	WRITE_ONCE(transport_reader, reader);
}

/* What another process read would be missing in the session's output. */
static int transport_open(struct inode *inode, struct file *f)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (current->tgid != READ_ONCE(transport_reader))
		return -EBUSY;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	f->private_data = pde_data(inode);
	return stream_open(inode, f);
}

static int transport_release(struct inode *inode, struct file *f)
{
	module_put(THIS_MODULE);
	return 0;
}

const struct proc_ops transport_proc_ops = {
	.proc_open = transport_open,
	.proc_read = transport_read,
	.proc_release = transport_release,
};

/* ---- start and stop ---- */

static bool memory_suffices(size_t subbuf)
{
	return (u64)subbuf * SUBBUFS * num_online_cpus() / PAGE_SIZE < si_mem_available() / 2;
}

int transport_init(unsigned int kb, unsigned int record_max)
{
	size_t smallest = sizeof(struct wire_record) + record_max;
	size_t subbuf = ALIGN(max_t(size_t, (size_t)kb * 1024 / SUBBUFS, smallest), PAGE_SIZE);
	int cpu;

	if (!memory_suffices(subbuf))
		return -ENOBUFS;
	transport_streams = __alloc_percpu_gfp(sizeof(struct transport_stream), SMP_CACHE_BYTES, GFP_KERNEL | __GFP_NOWARN);
	if (!transport_streams)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		mutex_init(&per_cpu_ptr(transport_streams, cpu)->lock);
	/* no CPU may come online after relay has looked at them and before it is notified of new ones */
	cpus_read_lock();
	transport_channel = relay_open(NULL, NULL, subbuf, SUBBUFS, &transport_callbacks, NULL);
	cpus_read_unlock();
	if (transport_channel)
		return 0;
	free_percpu(transport_streams);
	return -ENOBUFS;
}

void transport_drop(void)
{
	struct rchan *channel = transport_channel;
	int cpu;

	if (!channel)
		return;
	for_each_possible_cpu(cpu) { /* a reader that has not seen it closed is done with the channel when it gives the lock back */
		struct transport_stream *s = per_cpu_ptr(transport_streams, cpu);

		mutex_lock(&s->lock);
		s->closed = true;
		mutex_unlock(&s->lock);
	}
	transport_channel = NULL;
	relay_close(channel);
}

void transport_free(void)
{
	transport_drop();
	free_percpu(transport_streams);
}
