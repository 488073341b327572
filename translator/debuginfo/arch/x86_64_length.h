/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DEBUGINFO_X86_64_LENGTH_H
#define DEBUGINFO_X86_64_LENGTH_H

#include <stdbool.h>
#include <stddef.h>

/* Of the instruction at the beginning of the n bytes; 0: it is unknown, or longer than that. */
unsigned x86_64_length(const unsigned char *code, size_t n);

#endif
