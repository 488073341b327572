// SPDX-License-Identifier: GPL-2.0-or-later
/* A temporary folder that goes with this process: see sweeper.h. */
#include "base/sweeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"

/* It holds no file of its parent's, is in no group that gets a signal, and takes none that can be blocked. */
static _Noreturn void watch(int fd, const char *path)
{
	ssize_t n;
	char byte;

	setsid();
	if (chdir("/") || dup2(fd, STDIN_FILENO) < 0)
		_exit(1);
	for (int i = 1; i < 3; i++)
		(void)!dup2(STDIN_FILENO, i);
	close_range(3, ~0u, 0);
	do
		n = read(STDIN_FILENO, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		file_remove_tree(path);
	_exit(0);
}

/* The end for writing goes to programs that we start, too: these may write in the folder as long as they run. */
static void start(struct sweeper *w, const char *path)
{
	int ends[2];

	if (pipe(ends))
		return;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	w->pid = child_fork(0);
	if (w->pid == 0) {
		close(ends[1]);
		watch(ends[0], path);
	}
	close(ends[0]);
	w->fd = ends[1];
	if (w->pid > 0)
		return;
	close(w->fd);
	w->pid = 0;
}

/*
 * Makes the folder of the template, if there is one, and has it watched; false with errno: it could not be made.  All signals are blocked
 * meanwhile: none ends us between the two, and the watcher keeps them blocked.
 */
static bool begin(struct sweeper *w, char *template, const char *path)
{
	sigset_t all, before;
	int e;

	*w = (struct sweeper){0};
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (template)
		path = mkdtemp(template);
	e = errno;
	if (path)
		start(w, path);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = e;
	return path;
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
	(void)!write(w->fd, "", 1);
	close(w->fd);
	child_wait(w->pid);
	w->pid = 0;
}
