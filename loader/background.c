// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -F: a session that goes on in the background.  What is wrong with its beginning is still reported where it was started: the process that
 * the user waits for is left behind, and ends when the probes are armed, or as the session does.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "loader/loader.h"

static pid_t session; /* of the process that waits for its start */

static void end_session(int sig)
{
	(void)sig;
	kill(session, SIGTERM);
}

static void pass_signals_on(void)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = end_session }, now;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!sigaction(signals[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

/* Of the process that was started: prints the id of the one that goes on. */
static _Noreturn void wait_for_start(pid_t pid, int news)
{
	char byte;
	int status = 0;
	ssize_t n;

	session = pid;
	pass_signals_on();
	do
		n = read(news, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1) {
		printf("%d\n", (int)pid);
		exit(0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		say_error("the session was killed by signal %d before its probes were armed; the next run unloads its module", WTERMSIG(status));
	_exit(child_status(status));
}

bool background_may_write(const char *output)
{
	struct stat st;

	if (stat(output, &st) || S_ISREG(st.st_mode))
		return true;
	say_error("-F needs a file of a disk, and %s is none: what goes wrong in the background must be found somewhere", output);
	return false;
}

static const char *messages_of(struct arena *a, const char *output)
{
	return arena_printf(a, "%s.messages", output);
}

/* Messages after the beginning go where they can be found.  What is there is left until there is a session. */
static int open_messages(struct background *b, const char *output)
{
	struct arena a = { 0 };
	const char *path = messages_of(&a, output);
	struct stat st;

	b->is_own = fstat(STDERR_FILENO, &st) || !S_ISREG(st.st_mode);
	b->messages = b->is_own ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (b->messages < 0)
		say_error("cannot write %s: %s", path, strerror(errno));
	arena_free(&a);
	return b->messages;
}

/* That the disk is full must still be written.  Some file systems cannot keep room. */
static int keep_room(const struct background *b)
{
	enum { ROOM = 16 << 10 };

	if (!b->is_own)
		return 0;
	if (!ftruncate(b->messages, 0) && (!fallocate(b->messages, FALLOC_FL_KEEP_SIZE, 0, ROOM) || errno != ENOSPC))
		return 0;
	say_error("there is no room for the messages of the session: %s", strerror(errno));
	return -1;
}

int background_begin(struct background *b, const char *output)
{
	int news[2];
	pid_t pid;

	if (open_messages(b, output) < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, news) || (pid = fork()) < 0) {
		say_error("cannot go on in the background: %s", strerror(errno));
		return -1;
	}
	if (pid) {
		close(news[1]);
		wait_for_start(pid, news[0]);
	}
	close(news[0]);
	b->news = news[1];
	setsid();
	return 0;
}

const char *background_go_on(struct background *b)
{
	const char *problem = NULL;
	int null;

	if (keep_room(b))
		return "there is no room for its messages";
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		close(null);
	}
	dup2(b->messages, STDERR_FILENO);
	close(b->messages);
	if (send(b->news, "", 1, MSG_NOSIGNAL) != 1)
		problem = "the program that started the session was killed";
	close(b->news);
	return problem;
}

void background_end(const struct background *b, const char *output)
{
	struct arena a = { 0 };
	const char *path = messages_of(&a, output);
	struct stat st;

	if (b->is_own && !stat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(path);
	arena_free(&a);
}
