/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folders of entries that can be made again.  An entry is a file or a folder.  It appears whole, by rename; the time of its
 * change is the time of its last use; above a limit the least recently used ones are removed.
 */
#ifndef BASE_STORE_H
#define BASE_STORE_H

#include <stdbool.h>

/* Marks an entry as used now, if that is allowed; false: it is not there. */
bool store_use(const char *path);
/* Renames what was made beside the entry to the entry's name.  A folder stays where another run was faster.  -1 with errno. */
int store_publish(const char *made, const char *path);

struct store_part {
	const char *dir;
	int depth; /* 0: the entries are in dir, 1: in the folders in it */
};
/*
 * Removes the least recently used entries of all parts (NULL ends them) while they have more than limit bytes, but none that was used
 * in the last minute.  A folder vanishes by rename into grave, of the same file system, before its files go; without a grave only
 * files are looked at.
 */
void store_trim(const struct store_part *parts, unsigned long long limit, const char *grave);

#endif
