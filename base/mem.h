/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only callers of the C library's allocator in base/: memory, or the end of the process. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Zeroed. */
void *mem_calloc(size_t n, size_t size);
void *mem_realloc(void *p, size_t n, size_t size);
/* "PROGRAM: out of memory (N bytes wanted)", then exits with this status (1, or what std_guard() was given). */
extern int mem_exit_status;
_Noreturn void mem_exhausted(size_t wanted);

#endif
