/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that user probes are in, each held from when it is first asked for.  Process context. */
#ifndef PROBES_IMAGES_H
#define PROBES_IMAGES_H

#include <linux/fs.h>
#include <linux/path.h>

struct image {
	const char *name;
	const char *build_id; /* that it must have; NULL: any */
	struct path path;
	struct inode *inode; /* NULL: the file cannot be probed */
	const char *problem; /* why not */
	bool returns; /* a return of one of its functions is probed */
};

struct images {
	struct image *of;
	unsigned int n;
};

/* Room for so many files.  0 or -ENOMEM. */
int images_make(struct images *s, unsigned int room);
/* The file, opened unless it is there already.  name and build_id must live as long as s. */
struct image *images_find(struct images *s, const char *name, const char *build_id);
/* Reads n bytes of the file, which can be probed.  False: they are not all there. */
bool images_read(const struct image *im, loff_t offset, void *buffer, size_t n);
/* Is a return probed in this file?  Any context. */
bool images_probe_returns_of(const struct images *s, const struct inode *inode);
/* Releases all files.  Does nothing if images_make() was not called, or failed. */
void images_free(struct images *s);

#endif
