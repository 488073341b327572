// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of -c: see command.h. */
#include "base/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/vec.h"

/* Only words, without anything special to a shell: run without one. */
static bool is_plain(const char *s)
{
	const char *first = s + strspn(s, " ");

	if (memchr(first, '=', strcspn(first, " ")))
		return false;
	return !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+=.,:/@%")];
}

/* More than one command, or something that `exec' does not accept. */
static bool is_compound(const char *s)
{
	const char *first = s + strspn(s, " \t");

	return strpbrk(s, "|&;<>(){}\n`!#") || memchr(first, '=', strcspn(first, " \t"));
}

/* A builtin of the shell: there is no such program, so `exec' would fail. */
static bool is_builtin(const char *s)
{
	static const char *const words[] = { ".",      ":",	  "alias", "cd",     "command", "eval",	 "exec",  "exit",
					     "export", "getopts", "hash",  "read",   "readonly", "set",	 "shift", "times",
					     "trap",   "type",	  "ulimit", "umask", "unalias", "unset", "wait" };
	const char *first = s + strspn(s, " \t");
	size_t n = strcspn(first, " \t");

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == n && !memcmp(words[i], first, n))
			return true;
	return false;
}

const char *const *command_argv(struct arena *a, const char *command)
{
	VEC(const char *) argv = {0};

	if (is_plain(command) && !is_builtin(command)) {
		for (const char *p = command + strspn(command, " "); *p; p += strspn(p, " ")) {
			vec_push(a, &argv, arena_strndup(a, p, strcspn(p, " ")));
			p += strcspn(p, " ");
		}
	} else {
		vec_push(a, &argv, "/bin/sh");
		vec_push(a, &argv, "-c");
		vec_push(a, &argv, is_compound(command) || is_builtin(command) ? command : arena_printf(a, "exec %s", command));
	}
	vec_push(a, &argv, (const char *)NULL);
	return argv.v;
}

const char *command_program(struct arena *a, const char *name, const char **why)
{
	const char *path = child_find_program(a, name);

	if (path)
		return path;
	if (!strchr(name, '/'))
		*why = getenv("PATH") ? "there is no such program in the folders of PATH" :
					"there is no such program in /bin and /usr/bin, and no PATH";
	else
		*why = access(name, X_OK) ? strerror(errno) : "it is not a program";
	return NULL;
}
