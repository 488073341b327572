// SPDX-License-Identifier: GPL-2.0-or-later
/* The files that user probes are in.  See images.h. */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/build_id.h"
#include "kernel/probes/images.h"
#include "kernel/program.h"

static const char *image_check_build_id(struct image *im)
{
	struct file *file = dentry_open(&im->path, O_RDONLY, current_cred());
	char hex[BUILD_ID_HEX + 1];
	int rc;

	if (IS_ERR(file))
		return "the file cannot be read";
	rc = build_id_read(file, hex);
	fput(file);
	if (rc == -ENOENT)
		return "the file has no build-id now: it was replaced since the script was compiled";
	if (rc)
		return "the file cannot be read as ELF";
	if (strcmp(hex, im->build_id))
		return "the file has another build-id now: it was replaced since the script was compiled";
	return NULL;
}

static void image_open(struct image *im)
{
	int rc = kern_path(im->name, LOOKUP_FOLLOW, &im->path);

	if (rc) {
		im->problem = rc == -ENOENT ? "there is no such file" : "the file cannot be opened";
		return;
	}
	if (!d_is_reg(im->path.dentry))
		im->problem = "not a regular file";
	else if (im->build_id)
		im->problem = image_check_build_id(im);
	if (im->problem)
		path_put(&im->path);
	else
		im->inode = program_inode(&im->path);
}

int images_make(struct images *s, unsigned int room)
{
	s->of = kvcalloc(room, sizeof(*s->of), GFP_KERNEL);
	return s->of ? 0 : -ENOMEM;
}

/* Sites of one file mostly stand together, so the last one is tried first. */
struct image *images_find(struct images *s, const char *name, const char *build_id)
{
	struct image *im;
	unsigned int i;

	for (i = s->n; i-- > 0;) {
		im = &s->of[i];
		if (im->name == name || strcmp(im->name, name) == 0)
			return im;
	}
	im = &s->of[s->n++];
	im->name = name;
	im->build_id = build_id;
	image_open(im);
	return im;
}

bool images_read(const struct image *im, loff_t offset, void *buffer, size_t n)
{
	struct file *file = dentry_open(&im->path, O_RDONLY, current_cred());
	bool all;

	if (IS_ERR(file))
		return false;
	all = kernel_read(file, buffer, n, &offset) == (ssize_t)n;
	fput(file);
	return all;
}

bool images_probe_returns_of(const struct images *s, const struct inode *inode)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		if (s->of[i].returns && s->of[i].inode == inode)
			return true;
	return false;
}

void images_free(struct images *s)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		if (s->of[i].inode)
			path_put(&s->of[i].path);
	kvfree(s->of);
}
