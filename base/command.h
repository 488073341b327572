/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of -c: by a shell where it needs one. */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/arena.h"

/* How the command is run: NULL-terminated, without a word if it is empty. */
const char *const *command_argv(struct arena *a, const char *command);
/* The file of its program, or NULL with the reason. */
const char *command_program(struct arena *a, const char *name, const char **why);

#endif
