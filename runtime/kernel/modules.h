/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a module that is loaded the one that the script was compiled for? */
#ifndef KERNEL_MODULES_H
#define KERNEL_MODULES_H

#include <linux/types.h>

struct module;

/* Does the script use a module of this name?  Any context. */
bool modules_is_used(const struct module *m);

enum modules_answer {
	MODULES_SAME,
	MODULES_OTHER,   /* another build: its functions and types may be others.  A warning was given, once in a session */
	MODULES_UNKNOWN, /* no build-id was known when the script was compiled */
};
/* Of a module that stays: in a callback of machine.h, or as ksyms_module() requires.  Process context. */
enum modules_answer modules_compare(const struct module *m);

#endif
