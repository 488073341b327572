// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spile-tables PID: tables of the programs and libraries that a session finds.  spilerun, whose process id that is, starts it with the session's file
 * "programs" as standard input.  It ends with the session, or with spilerun.
 *
 * It reads no file itself (reader.h): should that fail, stacks have addresses in place of the names of that file.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tables/reader.h"
#include "tables/tables.h"

enum { LIMIT_MS = 5000 };

/* The answer is given in any case, since the end of the session waits for it. */
static void answer(struct reader *r, const struct wire_program *p)
{
	struct wire_tables t = {.number = p->number};
	struct sb out = {0};

	if (reader_ask(r, p, &out)) {
		t.data = (uintptr_t)out.s;
		t.size = out.n;
	}
	ioctl(0, WIRE_TABLES, &t);
	sb_free(&out);
}

int main(int argc, char **argv)
{
	struct reader r = {.session = 0, .limit_ms = LIMIT_MS, .make = tables_make};
	struct wire_program p;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc != 2 || getppid() != atoi(argv[1]))
		return 1;
	unsetenv("DEBUGINFOD_URLS"); /* a session does not wait for servers */
	for (;;) {
		if (ioctl(0, WIRE_NEXT_PROGRAM, &p)) {
			if (errno == EINTR)
				continue;
			break;
		}
		if (p.version != WIRE_VERSION)
			break;
		answer(&r, &p);
		close(p.fd);
	}
	return errno == ENODATA ? 0 : 1;
}
