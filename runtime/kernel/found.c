// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files with code that handlers found in programs.  See found.h.
 *
 * A table that handlers fill without a lock.  A file is held until the reader has opened it, and by nobody after that: so it is known by numbers
 * that no other file has at the same time, and hardly later: those of its file system and inode, the inode's generation, its size, and when it was
 * changed.
 *
 * Tables stay until the session ends, since walks have pointers to them.
 */
#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "kernel/compat/inode_changed.h"
#include "kernel/found.h"
#include "kernel/memory.h"
#include "rt/port.h"

#define FOUND_BITS 9
#define FOUND (1 << FOUND_BITS)
#define FOUND_TRIES 16 /* slots in which a file may be; if all are taken it gets no number */
#define FOUND_WAITING_MOST 32 /* files for the reader */
#define FOUND_TABLES_MOST (64ULL << 20) /* bytes of the tables of one file */
#define FOUND_ALL_MOST (256ULL << 20)   /* of all files */
#define FOUND_SETTLE (3 * HZ)

enum found_state { FOUND_FREE, FOUND_BUSY, FOUND_KNOWN };
enum found_asked {
	FOUND_NOT_ASKED,
	FOUND_ASKING,   /* a handler is storing the reference to the file */
	FOUND_WAITS,    /* for the reader */
	FOUND_GIVEN,    /* the reader has it */
	FOUND_ANSWERED, /* with tables or without */
};

struct found_key {
	u64 inode, size, changed;
	u32 device, generation;
};

struct found_file {
	u32 state; /* enum found_state */
	u32 asked; /* enum found_asked: what the reader knows of the file */
	struct found_key key;
	struct file *file; /* with a reference, while it waits for the reader */
	const struct rt_image *image; /* nameless, or that of the tables */
	struct rt_image nameless, tabled;
	void *tables;
	char name[NAME_MAX + 1]; /* without its folder */
};

static struct found_file *found;
static bool found_has_reader, found_closed;
static atomic_t found_waiting;  /* files that the reader was not given yet */
static atomic_t found_open;     /* files that it has not answered about */
static u64 found_bytes;         /* of tables; under found_mutex */
static DEFINE_MUTEX(found_mutex); /* the reader's side */
static DECLARE_WAIT_QUEUE_HEAD(found_queue);

static void found_wake_now(struct irq_work *work)
{
	wake_up_all(&found_queue);
}
static DEFINE_IRQ_WORK(found_wake, found_wake_now);

/* ---- in handlers ---- */

static struct found_key found_key_of(const struct inode *inode)
{
	return (struct found_key){
		.inode = inode->i_ino,
		.size = i_size_read(inode),
		.changed = compat_inode_changed(inode),
		.device = inode->i_sb->s_dev,
		.generation = inode->i_generation,
	};
}

static bool found_is(const struct found_file *f, const struct found_key *key)
{
	return f->key.inode == key->inode && f->key.size == key->size && f->key.changed == key->changed && f->key.device == key->device &&
	       f->key.generation == key->generation;
}

static bool found_is_locked(const struct inode *inode)
{
#ifdef CONFIG_FILE_LOCKING
	return READ_ONCE(inode->i_flctx);
#else
	return false;
#endif
}

/* What would end a line or change a terminal is shown as "?". */
static void found_make_visible(char *name)
{
	for (; *name; name++)
		if ((u8)*name < ' ' || ((u8)*name >= 0x7f && (u8)*name < 0xa0))
			*name = '?';
}

/* The file may be renamed meanwhile.  The sequence is read without the lock that its own functions may wait for. */
static bool found_copy_name(const struct dentry *d, char *name)
{
	unsigned int before, n;
	bool read;

	rcu_read_lock();
	before = READ_ONCE(d->d_seq.seqcount.sequence);
	smp_rmb();
	n = min_t(unsigned int, READ_ONCE(d->d_name.len), NAME_MAX);
	read = !copy_from_kernel_nofault(name, READ_ONCE(d->d_name.name), n);
	smp_rmb();
	rcu_read_unlock();
	if (!read || !n || before & 1 || READ_ONCE(d->d_seq.seqcount.sequence) != before)
		return false;
	name[n] = 0;
	found_make_visible(name);
	if (*name == '[') /* only what is no file has such a name */
		*name = '?';
	return true;
}

static bool found_fill(struct found_file *f, const struct found_key *key, const struct vm_area_struct *vma)
{
	if (!found_copy_name(vma->vm_file->f_path.dentry, f->name)) {
		smp_store_release(&f->state, FOUND_FREE);
		return false;
	}
	f->key = *key;
	f->nameless = (struct rt_image){ .path = f->name };
	f->image = &f->nameless;
	smp_store_release(&f->state, FOUND_KNOWN);
	return true;
}

/*
 * May the reader have the file?  Until it has read it, the program's open file stays: so not one whose end others may wait for, which is locked or
 * open for writing.  To open a device may do something, and a file of FUSE, whose types have subtypes, may never answer.
 */
static bool found_may_be_read(const struct vm_area_struct *vma)
{
	const struct file *file = vma->vm_file;
	const struct inode *inode = file_inode(file);

	return S_ISREG(inode->i_mode) && !(vma->vm_flags & (VM_IO | VM_PFNMAP)) && !(file->f_mode & FMODE_WRITE) &&
	       !found_is_locked(inode) && !(inode->i_sb->s_type->fs_flags & FS_HAS_SUBTYPE);
}

/* The mapping has a reference to the file, so taking another one is an atomic addition.  If many wait, the next hit asks again. */
static void found_ask(struct found_file *f, const struct vm_area_struct *vma)
{
	if (likely(READ_ONCE(f->asked) != FOUND_NOT_ASKED) || !READ_ONCE(found_has_reader) || atomic_read(&found_waiting) >= FOUND_WAITING_MOST ||
	    !found_may_be_read(vma) || cmpxchg(&f->asked, FOUND_NOT_ASKED, FOUND_ASKING) != FOUND_NOT_ASKED)
		return;
	f->file = get_file(vma->vm_file);
	atomic_inc(&found_open);
	atomic_inc(&found_waiting);
	smp_store_release(&f->asked, FOUND_WAITS);
	irq_work_queue(&found_wake);
}

/* The slot of the file, or NULL. */
static struct found_file *found_find(const struct vm_area_struct *vma, bool *is_new)
{
	struct found_key key = found_key_of(file_inode(vma->vm_file));
	u32 at = hash_64(key.inode ^ (u64)key.device << 32, FOUND_BITS), i, state;

	for (i = 0; i < FOUND_TRIES; i++, at = (at + 1) % FOUND) {
		struct found_file *f = &found[at];

		state = smp_load_acquire(&f->state);
		if (state == FOUND_FREE)
			state = cmpxchg(&f->state, FOUND_FREE, FOUND_BUSY);
		if (state == FOUND_FREE) {
			*is_new = found_fill(f, &key, vma);
			return *is_new ? f : NULL;
		}
		if (state == FOUND_BUSY) /* it may be this file */
			return NULL;
		if (found_is(f, &key))
			return f;
	}
	return NULL;
}

u32 found_image(const struct vm_area_struct *vma, bool *is_new)
{
	struct found_file *f = found && vma->vm_file ? found_find(vma, is_new) : NULL;

	if (!f)
		return RT_NO_IMAGE;
	found_ask(f, vma);
	return rt_script.nimages + (f - found);
}

/* ---- by number ---- */

static struct found_file *found_at(u32 number)
{
	u32 at = number - rt_script.nimages;

	return found && number >= rt_script.nimages && at < FOUND && smp_load_acquire(&found[at].state) == FOUND_KNOWN ? &found[at] : NULL;
}

const struct rt_image *rt_port_image(rt_u32 number)
{
	const struct found_file *f = found_at(number);

	return f ? smp_load_acquire(&f->image) : NULL;
}

bool found_is_settled(u32 number)
{
	const struct found_file *f = found_at(number);

	return !f || !READ_ONCE(found_has_reader) || READ_ONCE(f->asked) == FOUND_ANSWERED;
}

/* ---- tables ---- */

static int found_take_tables(struct found_file *f, const void __user *data, u64 size)
{
	if (size < sizeof(struct rt_image_tables))
		return -EINVAL;
	if (size > FOUND_TABLES_MOST || size > FOUND_ALL_MOST - found_bytes || !memory_take(size))
		return -ENOMEM;
	f->tables = kvmalloc(size, GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	if (!f->tables || copy_from_user(f->tables, data, size) || !rt_image_tables_read(f->tables, size, &f->tabled)) {
		kvfree(f->tables);
		f->tables = NULL;
		memory_give(size);
		return -EINVAL;
	}
	found_bytes += size;
	smp_store_release(&f->image, &f->tabled);
	return 0;
}

/* ---- the reader ---- */

bool found_attach(void)
{
	bool first;

	mutex_lock(&found_mutex);
	first = !found_has_reader;
	if (first)
		WRITE_ONCE(found_has_reader, true);
	mutex_unlock(&found_mutex);
	return first;
}

/* Drops the files that wait for the reader; those that it has count as answered.  One that is FOUND_ASKING is dropped by found_end(). */
static void found_drop_files(void)
{
	u32 i, asked;

	for (i = 0; i < FOUND; i++) {
		asked = smp_load_acquire(&found[i].asked);
		if (asked != FOUND_WAITS && asked != FOUND_GIVEN)
			continue;
		if (asked == FOUND_WAITS) {
			fput(found[i].file);
			found[i].file = NULL;
			atomic_dec(&found_waiting);
		}
		WRITE_ONCE(found[i].asked, FOUND_ANSWERED);
		atomic_dec(&found_open);
	}
}

void found_detach(void)
{
	mutex_lock(&found_mutex);
	WRITE_ONCE(found_has_reader, false);
	if (found)
		found_drop_files();
	mutex_unlock(&found_mutex);
	wake_up_all(&found_queue);
}

void found_close(void)
{
	WRITE_ONCE(found_closed, true);
	wake_up_all(&found_queue);
}

static struct file *found_next(u32 *number)
{
	struct file *file = NULL;
	u32 i;

	mutex_lock(&found_mutex);
	for (i = 0; found && i < FOUND && !file; i++) {
		if (smp_load_acquire(&found[i].asked) != FOUND_WAITS)
			continue;
		file = found[i].file;
		found[i].file = NULL;
		WRITE_ONCE(found[i].asked, FOUND_GIVEN);
		atomic_dec(&found_waiting);
		*number = rt_script.nimages + i;
	}
	mutex_unlock(&found_mutex);
	return file;
}

struct file *found_wait(u32 *number)
{
	struct file *file;

	while (!(file = found_next(number))) {
		if (READ_ONCE(found_closed))
			return ERR_PTR(-ENODATA);
		if (wait_event_interruptible(found_queue, atomic_read(&found_waiting) > 0 || READ_ONCE(found_closed)))
			return ERR_PTR(-ERESTARTSYS);
	}
	return file;
}

int found_tables(u32 number, const void __user *data, u64 size)
{
	struct found_file *f;
	int rc = -EINVAL;

	mutex_lock(&found_mutex);
	f = found_at(number);
	if (f && READ_ONCE(f->asked) == FOUND_GIVEN) {
		rc = size ? found_take_tables(f, data, size) : 0;
		smp_store_release(&f->asked, FOUND_ANSWERED);
		atomic_dec(&found_open);
	}
	mutex_unlock(&found_mutex);
	wake_up_all(&found_queue);
	return rc;
}

void found_settle(void)
{
	wait_event_timeout(found_queue, !atomic_read(&found_open) || !READ_ONCE(found_has_reader), FOUND_SETTLE);
}

/* ---- begin and end ---- */

int found_begin(void)
{
	struct found_file *all = kvcalloc(FOUND, sizeof(*all), GFP_KERNEL);

	mutex_lock(&found_mutex);
	found = all;
	mutex_unlock(&found_mutex);
	return all ? 0 : -ENOMEM;
}

void found_end(void)
{
	struct found_file *all = found;
	u32 i;

	if (!all)
		return;
	found_close();
	mutex_lock(&found_mutex);
	found = NULL;
	mutex_unlock(&found_mutex);
	irq_work_sync(&found_wake);
	for (i = 0; i < FOUND; i++) {
		if (all[i].file)
			fput(all[i].file);
		kvfree(all[i].tables);
	}
	kvfree(all);
}
