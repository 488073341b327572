/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders with separate files of debug information, as packages install them: $SPILE_DEBUGINFO_PATH, or /usr/lib/debug. */
#ifndef DEBUGINFO_DEBUG_FILES_H
#define DEBUGINFO_DEBUG_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The folder after the first i of them, which is copied; NULL: there are no more, or it is too long for the buffer. */
const char *debug_files_folder(unsigned i, char *buffer, size_t size);
/* Is it not the usual one? */
bool debug_files_are_given(void);
/* The folders as libdwfl wants them, or NULL: its own default. */
const char *debug_files_search_path(void);
/* The version of the library that reads debug files. */
const char *debug_files_reader(void);

#endif
