/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files and folders.  What returns an int returns 0, or -1 with errno. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "base/arena.h"
#include "base/str.h"

/* Reads until n bytes are there or the file ends; the number, or -1 with errno. */
ssize_t file_get(int fd, void *p, size_t n);
/* Writes all of it. */
int file_put(int fd, const void *p, size_t n);

/*
 * The whole file in the arena with a NUL after it, also one of /proc or /sys, whose st_size is not its length.  NULL with errno;
 * a folder (EISDIR) and other files that are not regular (EINVAL) cannot be read.
 */
char *file_read(struct arena *a, const char *path, size_t *len);
/* The rest of an open file that is said to have so many bytes; it may have more or less. */
char *file_read_open(struct arena *a, int fd, size_t size, size_t *len);
bool file_is_regular(int fd);
/*
 * Opens it for output, of one session at a time, if it is regular; a file that is there is not emptied.  -1 with errno; EWOULDBLOCK: another session
 * writes it.
 */
int file_open_output(const char *path);
/* The name with what strftime() makes of its conversions, as %Y, at that time; unchanged if that is too long. */
const char *file_name_at(struct arena *a, const char *name, time_t when);
/* A new file has mode 0600. */
int file_write(const char *path, const void *data, size_t len);
/* Whole or not at all: writes another file and renames it.  The mode is cut by the umask. */
int file_replace(const char *path, const void *data, size_t len, mode_t mode);
int file_copy(const char *from, const char *to);
/* As `mkdir -p`, with that mode for what is new. */
int file_make_folder(const char *path, mode_t mode);
/* As `rm -rf`; a path that does not exist is fine. */
int file_remove_tree(const char *path);

/* The folder for temporary files: $TMPDIR if it is the full path of a folder that can be written, else /tmp. */
const char *file_temporary_folder(void);
/* A temporary file without a name, so that it goes away with its last descriptor, for reading and writing. */
int file_temporary(void);

/* What is in the file, into a hash; its size as well.  It is read in parts, so it takes no memory. */
int file_hash(struct hash128 *h, const char *path, size_t *size);
/* Identity (path, size, time of change) of a file into a hash; a file that does not exist is an identity as well. */
struct hash128 file_identity(struct hash128 h, const char *path);

#endif
