/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of -c, which is run by a shell only if it needs one. */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/arena.h"

/*
 * The arguments that run the command, NULL-terminated; without a word if the command is empty.  Words are split and unquoted as by a shell.
 * A shell is run only for expansions, redirections and several commands; if there is one command, the program replaces the shell and has its
 * process id.
 */
const char *const *command_argv(struct arena *a, const char *command);
/* The name of the program, of the first one if there are several; "" if there is none. */
const char *command_first(struct arena *a, const char *command);
/* The file of a program, or NULL with the reason. */
const char *command_program(struct arena *a, const char *name, const char **why);

#endif
