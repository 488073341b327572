// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands of the script, by system().  One starts when the loader comes to it in the output; what is printed after it waits until it
 * has ended, but not for long: then it goes on beside the session.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/std.h"
#include "loader/loader.h"

#define GO_FIRST_S 1 /* so long the output waits for a command */
#define END_S 5      /* and the end of the session for those that still run */

static void collect(struct commands *c, unsigned i)
{
	struct command *one = &c->running[i];
	int status;

	if (one->process.pidfd == c->newest)
		c->newest = -1;
	target_end(&one->process);
	status = child_status(one->process.status);
	if (status)
		say_verbose("system: %s: exit status %d", one->text, status);
	free(one->text);
	*one = c->running[--c->n];
}

void commands_collect(struct commands *c)
{
	struct pollfd fds[COMMANDS_MOST];
	unsigned n = c->n;

	for (unsigned i = 0; i < n; i++)
		fds[i] = (struct pollfd){ c->running[i].process.pidfd, POLLIN, 0 };
	if (!n || poll(fds, n, 0) <= 0)
		return;
	for (unsigned i = n; i--;) /* from the end: collect() moves the last one */
		if (fds[i].revents)
			collect(c, i);
}

static void end_one(struct commands *c, unsigned i)
{
	say_warning("this command of system() still runs at the end of the session, and is ended: %s", c->running[i].text);
	say_hint("one that is to go on ends with &");
	collect(c, i);
}

static bool has_waited(struct commands *c)
{
	if (!c->ending)
		c->ending = std_now();
	return std_now() - c->ending > END_S;
}

bool commands_start(struct commands *c, const char *text, size_t n)
{
	struct command *one;

	commands_collect(c);
	if (c->n == COMMANDS_MOST && c->stopping && has_waited(c))
		end_one(c, 0);
	if (c->n == COMMANDS_MOST)
		return false;
	one = &c->running[c->n];
	one->text = mem_calloc(n + 1, 1);
	memcpy(one->text, text, n);
	say_verbose("system: %s", one->text);
	if (target_run(&one->process, one->text)) {
		free(one->text);
		return true;
	}
	c->n++;
	c->newest = one->process.pidfd;
	c->since = std_now();
	return true;
}

int commands_awaited(const struct commands *c)
{
	return c->n && c->newest >= 0 && std_now() - c->since < GO_FIRST_S ? c->newest : -1;
}

bool commands_done(struct commands *c)
{
	commands_collect(c);
	return !c->n || has_waited(c);
}

void commands_end(struct commands *c)
{
	commands_collect(c);
	while (c->n)
		end_one(c, c->n - 1);
}
