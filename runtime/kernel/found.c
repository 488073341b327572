// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files with code that handlers found in programs.  See found.h.
 *
 * A table that handlers fill without a lock.  A file is held by nobody after the hit, so it is known by numbers that no other file has at the same
 * time, and hardly later: those of its file system and inode, the inode's generation, and its size.
 */
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kernel/found.h"
#include "rt/port.h"

#define FOUND_BITS 9
#define FOUND (1 << FOUND_BITS)
#define FOUND_TRIES 16 /* places for a file; if all are taken it gets no number */

enum found_state { FOUND_FREE, FOUND_BUSY, FOUND_KNOWN };

struct found_key {
	u64 inode, size;
	u32 device, generation;
};

struct found_file {
	u32 state; /* enum found_state */
	struct found_key key;
	struct rt_image image;
	char name[NAME_MAX + 1]; /* without its folder */
};

static struct found_file *found;

static struct found_key found_key_of(const struct inode *inode)
{
	return (struct found_key){
		.inode = inode->i_ino,
		.size = i_size_read(inode),
		.device = inode->i_sb->s_dev,
		.generation = inode->i_generation,
	};
}

static bool found_is(const struct found_file *f, const struct found_key *key)
{
	return f->key.inode == key->inode && f->key.size == key->size && f->key.device == key->device && f->key.generation == key->generation;
}

/* What would end a line or change a terminal is shown as "?". */
static void found_make_visible(char *name)
{
	for (; *name; name++)
		if ((u8)*name < ' ' || *name == 0x7f)
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
	return true;
}

static bool found_fill(struct found_file *f, const struct found_key *key, const struct vm_area_struct *vma)
{
	if (!found_copy_name(vma->vm_file->f_path.dentry, f->name)) {
		smp_store_release(&f->state, FOUND_FREE);
		return false;
	}
	f->key = *key;
	f->image = (struct rt_image){ .path = f->name };
	smp_store_release(&f->state, FOUND_KNOWN);
	return true;
}

u32 found_image(const struct vm_area_struct *vma)
{
	struct found_key key;
	u32 at, i, state;

	if (!found || !vma->vm_file)
		return RT_NO_IMAGE;
	key = found_key_of(file_inode(vma->vm_file));
	at = hash_64(key.inode ^ (u64)key.device << 32, FOUND_BITS);
	for (i = 0; i < FOUND_TRIES; i++, at = (at + 1) % FOUND) {
		struct found_file *f = &found[at];

		state = smp_load_acquire(&f->state);
		if (state == FOUND_FREE)
			state = cmpxchg(&f->state, FOUND_FREE, FOUND_BUSY);
		if (state == FOUND_FREE)
			return found_fill(f, &key, vma) ? rt_script.nimages + at : RT_NO_IMAGE;
		if (state == FOUND_BUSY) /* it may be this file */
			return RT_NO_IMAGE;
		if (state == FOUND_KNOWN && found_is(f, &key))
			return rt_script.nimages + at;
	}
	return RT_NO_IMAGE;
}

const struct rt_image *rt_port_image(rt_u32 number)
{
	u32 at = number - rt_script.nimages;

	return found && at < FOUND && smp_load_acquire(&found[at].state) == FOUND_KNOWN ? &found[at].image : NULL;
}

int found_begin(void)
{
	found = kvcalloc(FOUND, sizeof(*found), GFP_KERNEL);
	return found ? 0 : -ENOMEM;
}

void found_end(void)
{
	kvfree(found);
	found = NULL;
}
