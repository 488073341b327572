// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A temporary folder that goes with this process: see sweeper.h.
 *
 * Two pipes are read by the child only.  The end for writing of the one is ours alone: it says when we have ended, unless a byte says before that
 * nothing is to be done.  That of the other goes to the programs that we start as well: it says when all of them have ended.
 */
#include "base/sweeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"

enum { READ_END, WRITE_END };

/* The number of bytes that are read: 0 at the end. */
static ssize_t read_byte(int fd)
{
	ssize_t n;
	char byte;

	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n;
}

/*
 * It holds no file of its parent's, is in a group with none but the programs that joined it, and takes no signal that can be blocked.  The
 * programs need not go on when nobody waits for them: SIGTERM lets them remove what they keep elsewhere.
 */
static _Noreturn void watch(int ours, int all, const char *path)
{
	enum { OURS, ALL, ERRORS = STDERR_FILENO };

	setpgid(0, 0);
	/* First out of the way: neither may be at the number that the other is to have. */
	ours = fcntl(ours, F_DUPFD, ERRORS);
	all = fcntl(all, F_DUPFD, ERRORS);
	if (chdir("/") || dup2(ours, OURS) < 0 || dup2(all, ALL) < 0)
		_exit(1);
	(void)!dup2(OURS, ERRORS); /* not our parent's any more; what is written to it goes nowhere */
	close_range(ERRORS + 1, ~0u, 0);
	if (read_byte(OURS) != 0)
		_exit(0);
	kill(0, SIGTERM);
	if (read_byte(ALL) == 0 && path)
		file_remove_tree(path);
	_exit(0);
}

static void start(struct sweeper *w, const char *path)
{
	int ours[2], all[2];

	if (pipe2(ours, O_CLOEXEC))
		return;
	if (pipe2(all, O_CLOEXEC)) {
		close(ours[READ_END]);
		close(ours[WRITE_END]);
		return;
	}
	fcntl(all[WRITE_END], F_SETFD, 0);
	w->pid = child_fork(0);
	if (w->pid == 0) {
		close(ours[WRITE_END]);
		close(all[WRITE_END]);
		watch(ours[READ_END], all[READ_END], path);
	}
	close(ours[READ_END]);
	close(all[READ_END]);
	w->own_fd = ours[WRITE_END];
	w->programs_fd = all[WRITE_END];
	if (w->pid > 0) {
		setpgid(w->pid, w->pid); /* here, too: whoever is first, a program can join it from now on */
		return;
	}
	close(w->own_fd);
	close(w->programs_fd);
	w->pid = 0;
}

/*
 * Makes the folder of the template, if there is one, and has it watched; false with errno: it could not be made.  All signals are blocked
 * meanwhile: none ends us between the two, and the watcher keeps them blocked.
 */
static bool begin(struct sweeper *w, char *template, const char *path)
{
	bool is_made = true;
	sigset_t all, before;
	int e;

	*w = (struct sweeper){0};
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (template)
		is_made = (path = mkdtemp(template)) != NULL;
	e = errno;
	if (is_made)
		start(w, path);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = e;
	return is_made;
}

void sweeper_watch(struct sweeper *w, const char *path)
{
	begin(w, NULL, path);
}

char *sweeper_make_folder(struct sweeper *w, char *template)
{
	return begin(w, template, NULL) ? template : NULL;
}

void sweeper_end(struct sweeper *w)
{
	if (!w->pid)
		return;
	(void)!write(w->own_fd, "", 1);
	close(w->own_fd);
	close(w->programs_fd);
	child_wait(w->pid);
	w->pid = 0;
}
