/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of -c: by a shell where it needs one. */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/arena.h"

/*
 * How the command is run: NULL-terminated, without a word if it is empty.  Words are split as a shell does it, also quoted ones; a shell is only
 * run for what it replaces or opens, and for several commands.  Of one command it is replaced by the program, whose process is the shell's then.
 */
const char *const *command_argv(struct arena *a, const char *command);
/* The name of its program, the first one if there are several; "": there is none. */
const char *command_first(struct arena *a, const char *command);
/* The file of a program, or NULL with the reason. */
const char *command_program(struct arena *a, const char *name, const char **why);

#endif
