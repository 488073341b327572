// SPDX-License-Identifier: GPL-2.0-or-later
/* Small helpers of spile-vm: memory that is kept, messages. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/visible.h"
#include "vm/vm.h"

void (*on_exit_hook)(void);

static struct arena memory;

struct arena *vm_arena(void)
{
	return &memory;
}

char *textf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(&memory, fmt, ap);
	va_end(ap);
	return s;
}

void strings_add(struct strings *l, const char *s)
{
	vec_push(&memory, l, arena_strdup(&memory, s));
	vec_push(&memory, l, NULL);
	l->n--;
}

size_t drop_returns(char *s, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i] != '\r')
			s[k++] = s[i];
	return k;
}

/* One write: several processes may share this terminal.  Names and texts from elsewhere must not control it. */
void say_visibly(const char *label, const char *text)
{
	struct sb line = {0};

	busy_end();
	sb_printf(&line, "spile-vm: %s", label);
	visible_put(&line, text, strlen(text), "\n\t");
	dprintf(STDERR_FILENO, "%s\n", line.s);
	sb_free(&line);
}

static void say(const char *fmt, va_list ap)
{
	say_visibly("", arena_vprintf(&memory, fmt, ap));
}

void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void die(const char *hint, const char *fmt, ...)
{
	void (*hook)(void) = on_exit_hook;
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	if (hint)
		say_visibly("hint: ", hint);
	on_exit_hook = NULL;
	if (hook)
		hook();
	exit(EXIT_VM);
}
