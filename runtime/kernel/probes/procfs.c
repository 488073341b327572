// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "procfs".  What a site means: sites/procfs.h.
 *
 * Who reads from a file's beginning has its handlers run, and then reads what they gave, however slowly; each that has opened the file has
 * a text of its own, which a write to the same open file clears.  What is written is given to the handlers in pieces of at most
 * MAXSTRINGLEN - 1 bytes.
 *
 * Files may be open when the session ends.  To remove them the kernel waits for running calls, so a call must not wait for a page that
 * another program brings: texts are copied as in handlers (access.h).
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/access.h"
#include "kernel/files.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "kernel/memory.h"
#include "kernel/state.h"
#include "sites/procfs.h"

#define PROCFS_OPENED 256 /* how often a file may be open at once */

/* A file or a folder of files, in the order of their making: a folder is before what is in it. */
struct procfs_node {
	struct list_head list;
	struct proc_dir_entry *entry;
	const struct rt_site *site; /* the first of the file; NULL: a folder */
	rt_u32 room;                /* for a text */
	rt_u32 kinds;               /* of its sites: 1 << enum site_procfs_kind */
	atomic_t opened;
	char path[];
};

struct procfs_text {
	struct mutex lock; /* for threads that share an open file */
	struct procfs_node *node;
	rt_u32 n, room;
	char p[];
};

static LIST_HEAD(procfs_nodes);
static const struct rt_site *procfs_sites;
static rt_u32 procfs_nsites;

/* ---- $value ---- */

static struct procfs_text *procfs_text_of(struct rt_ctx *c)
{
	if (c->probe->flags & RT_PROBE_TEXT)
		return (struct procfs_text *)c->data;
	rt_error(c, "there is no $value in this probe");
	return NULL;
}

struct rt_str rt_text(struct rt_ctx *c)
{
	const struct procfs_text *t = procfs_text_of(c);

	return t ? rt_str_copy(c, t->p, t->n) : RT_EMPTY;
}

void rt_text_append(struct rt_ctx *c, struct rt_str s)
{
	struct procfs_text *t = procfs_text_of(c);

	if (!t)
		return;
	if (s.n > t->room - t->n) {
		rt_error(c, "$value would have more than %u bytes: .maxsize(N) allows for more", t->room);
		return;
	}
	memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
}

void rt_text_set(struct rt_ctx *c, struct rt_str s)
{
	struct procfs_text *t = procfs_text_of(c);

	if (!t)
		return;
	t->n = 0;
	rt_text_append(c, s);
}

/* ---- hits: in the process that reads or writes ---- */

/* 0; -EIO: a handler failed or could not run. */
static int procfs_run(const struct procfs_text *t, unsigned int kind)
{
	const struct rt_site *s;
	int rc = 0;

	for (s = procfs_sites; s < procfs_sites + procfs_nsites; s++) {
		struct rt_ctx *c;

		if (s->kind != kind || strcmp(s->s[0], t->node->site->s[0]) != 0)
			continue;
		c = hit_enter(s->probe, NULL, true);
		if (!c) {
			rc = -EIO;
			continue;
		}
		c->data = t;
		hit_run(c);
		if (RT_FAILED(c))
			rc = -EIO;
		hit_leave(c);
	}
	return rc;
}

/* Copies to the program, or from it; how much went well, or -EFAULT. */
static ssize_t procfs_copy(bool to_user, unsigned long user, char *text, size_t n)
{
	struct access_wait wait = {};
	size_t done = 0;

	while (done < n) {
		unsigned int part = min_t(size_t, n - done, PAGE_SIZE - offset_in_page(user + done));
		int rc = to_user ? access_write_user(user + done, text + done, part, &wait) :
				   access_read_user(user + done, text + done, part, &wait);

		if (rc)
			break;
		done += part;
	}
	return done || !n ? (ssize_t)done : -EFAULT;
}

static ssize_t procfs_read(struct file *f, char __user *to, size_t n, loff_t *pos)
{
	struct procfs_text *t = f->private_data;
	ssize_t rc = 0;

	if (mutex_lock_interruptible(&t->lock))
		return -ERESTARTSYS;
	if (*pos == 0) {
		t->n = 0;
		rc = state_running() ? procfs_run(t, SITE_PROCFS_READ) : -ENODEV;
	}
	if (!rc && *pos >= 0 && *pos < t->n) {
		rc = procfs_copy(true, (unsigned long)to, t->p + *pos, min_t(size_t, n, t->n - *pos));
		if (rc > 0)
			*pos += rc;
	}
	mutex_unlock(&t->lock);
	return rc;
}

static ssize_t procfs_write(struct file *f, const char __user *from, size_t n, loff_t *pos)
{
	struct procfs_text *t = f->private_data;
	ssize_t rc, done;

	if (mutex_lock_interruptible(&t->lock))
		return -ERESTARTSYS;
	rc = procfs_copy(false, (unsigned long)from, t->p, min_t(size_t, n, rt_script.limits->string_max));
	if (rc > 0) {
		done = rc;
		t->n = done;
		rc = state_running() ? procfs_run(t, SITE_PROCFS_WRITE) : -ENODEV;
		t->n = 0;
		rc = rc ?: done;
	}
	mutex_unlock(&t->lock);
	return rc;
}

static bool procfs_has(const struct procfs_node *node, unsigned int kind)
{
	return node->kinds & (1 << kind);
}

/* Whoever may open the file may open it often: their texts are part of the memory that the session may take. */
static struct procfs_text *procfs_text_new(size_t room)
{
	struct procfs_text *t;
	size_t size = struct_size(t, p, room);

	if (!memory_take(size))
		return NULL;
	t = kvzalloc(size, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (!t)
		memory_give(size);
	return t;
}

static void procfs_text_free(struct procfs_text *t)
{
	size_t size = struct_size(t, p, t->room);

	mutex_destroy(&t->lock);
	kvfree(t);
	memory_give(size);
}

static int procfs_open(struct inode *inode, struct file *f)
{
	struct procfs_node *node = pde_data(inode);
	struct procfs_text *t;

	if (((f->f_mode & FMODE_READ) && !procfs_has(node, SITE_PROCFS_READ)) ||
	    ((f->f_mode & FMODE_WRITE) && !procfs_has(node, SITE_PROCFS_WRITE)))
		return -EACCES; /* root may open it, but no handler would run */
	if (atomic_inc_return(&node->opened) > PROCFS_OPENED) {
		atomic_dec(&node->opened);
		return -EMFILE;
	}
	t = procfs_text_new(node->room);
	if (!t) {
		atomic_dec(&node->opened);
		return -ENOMEM;
	}
	mutex_init(&t->lock);
	t->node = node;
	t->room = node->room;
	f->private_data = t;
	return 0;
}

static int procfs_release(struct inode *inode, struct file *f)
{
	struct procfs_text *t = f->private_data;

	atomic_dec(&t->node->opened);
	procfs_text_free(t);
	return 0;
}

static const struct proc_ops procfs_ops = {
	.proc_open = procfs_open,
	.proc_read = procfs_read,
	.proc_write = procfs_write,
	.proc_lseek = default_llseek,
	.proc_release = procfs_release,
};

/* ---- the files ---- */

static struct procfs_node *procfs_find(const char *path, size_t n)
{
	struct procfs_node *node;

	list_for_each_entry(node, &procfs_nodes, list)
		if (strlen(node->path) == n && memcmp(node->path, path, n) == 0)
			return node;
	return NULL;
}

static struct procfs_node *procfs_new(const char *path, size_t n)
{
	struct procfs_node *node = kzalloc(struct_size(node, path, n + 1), GFP_KERNEL);

	if (!node)
		return NULL;
	memcpy(node->path, path, n);
	list_add_tail(&node->list, &procfs_nodes);
	return node;
}

/* What a file allows is the sum of what its sites do.  Returns its mode. */
static umode_t procfs_set(struct procfs_node *node)
{
	const struct rt_site *s;
	umode_t mode = 0;

	node->room = rt_script.limits->string_max;
	for (s = procfs_sites; s < procfs_sites + procfs_nsites; s++) {
		if (strcmp(s->s[0], node->path) != 0)
			continue;
		mode |= (s->kind == SITE_PROCFS_READ ? 0444 : 0222) & ~s->n[0];
		node->kinds |= 1 << s->kind;
		node->room = max_t(rt_u32, node->room, s->n[1]);
	}
	return mode ?: 0400; /* to procfs 0 means that all may read it; root may open it anyway */
}

/* The folder that the path is in, NULL: none; -ENOMEM, or -ENOTDIR: a file has that name. */
static struct proc_dir_entry *procfs_make_folders(const char *path)
{
	struct proc_dir_entry *parent = NULL;
	const char *end = path;

	while ((end = strchr(end, '/'))) {
		struct procfs_node *node = procfs_find(path, end - path);

		if (!node) {
			node = procfs_new(path, end - path);
			if (!node)
				return ERR_PTR(-ENOMEM);
			node->entry = files_folder(kbasename(node->path), parent);
		}
		if (!node->entry || node->site)
			return ERR_PTR(node->site ? -ENOTDIR : -ENOMEM);
		parent = node->entry;
		end++;
	}
	return parent;
}

static int procfs_make_file(const struct rt_site *site)
{
	struct procfs_node *node = procfs_find(site->s[0], strlen(site->s[0]));
	struct proc_dir_entry *parent;

	if (node)
		return node->site ? 0 : -EISDIR;
	parent = procfs_make_folders(site->s[0]);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	node = procfs_new(site->s[0], strlen(site->s[0]));
	if (!node)
		return -ENOMEM;
	node->site = site;
	node->entry = files_add(kbasename(node->path), procfs_set(node), parent, &procfs_ops, node);
	return node->entry ? 0 : -ENOMEM;
}

/* What is in a folder goes first. */
static void procfs_stop(void)
{
	struct procfs_node *node, *before;

	list_for_each_entry_safe_reverse(node, before, &procfs_nodes, list) {
		proc_remove(node->entry); /* waits for running calls, and releases what is open */
		list_del(&node->list);
		kfree(node);
	}
}

static int procfs_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 i;
	int rc;

	procfs_sites = sites;
	procfs_nsites = n;
	for (i = 0; i < n; i++) {
		rc = procfs_make_file(&sites[i]);
		if (!rc)
			continue;
		mail_error("probe %s: cannot make the file%s (error %d)", rt_script.probes[sites[i].probe].point,
			   rc == -ENOTDIR || rc == -EISDIR ? ": another one's path ends or goes on there" : "", rc);
		procfs_stop();
		return rc;
	}
	*armed += n;
	return 0;
}

const struct rt_mechanism rt_mechanism_procfs = {
	.name = "procfs",
	.start = procfs_start,
	.stop = procfs_stop,
};
