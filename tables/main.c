// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spile-tables: tables of the programs and libraries that a session finds.  spilerun starts it, with the session's file "programs" as standard input.
 * It ends with the session.
 *
 * It is a process of its own since it reads whatever files there are, with much code: should it fail, stacks have addresses in place of names.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "runtime/wire.h"
#include "tables/tables.h"

/* The answer is given in any case, since the end of the session waits for it. */
static void answer(const struct wire_program *p)
{
	char link[32], name[PATH_MAX];
	struct wire_tables t = {.number = p->number};
	struct arena a = {0};
	struct sb out = {0};
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", p->fd);
	n = readlink(link, name, sizeof name - 1);
	if (n > 0) {
		name[n] = 0;
		if (!tables_make(&a, link, name, p->wanted, p->tracked, &out)) {
			t.data = (uintptr_t)out.s;
			t.size = out.n;
		}
	}
	ioctl(0, WIRE_TABLES, &t);
	sb_free(&out);
	arena_free(&a);
}

int main(void)
{
	struct wire_program p;

	unsetenv("DEBUGINFOD_URLS"); /* a session does not wait for servers */
	for (;;) {
		if (ioctl(0, WIRE_NEXT_PROGRAM, &p)) {
			if (errno == EINTR)
				continue;
			break;
		}
		if (p.version != WIRE_VERSION)
			break;
		answer(&p);
		close(p.fd);
	}
	return errno == ENODATA ? 0 : 1;
}
