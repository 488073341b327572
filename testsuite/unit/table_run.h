/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a function as if it were a program, with its output in files, in a process of its own or in this one, which is then as it was before. */
#ifndef TESTSUITE_TABLE_RUN_H
#define TESTSUITE_TABLE_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"

/* The files of a run: its output, and two that what it calls may write. */
enum run_file { OUT, ERR, JSON, TREES, RUN_FILES };

static struct {
	unsigned seconds;       /* it may take */
	int fds[RUN_FILES];
	FILE *files[RUN_FILES]; /* within a run: JSON and TREES */
} runs;

static void write_file(const char *path, const char *text, size_t n)
{
	if (file_write(path, text, n))
		abort();
}

static char *run_read(int fd, struct arena *a)
{
	struct sb text = {0};
	char buf[4096], *copy;
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buf, sizeof buf)) > 0)
		sb_putn(&text, buf, (size_t)n);
	copy = arena_strdup(a, text.s ? text.s : "");
	sb_free(&text);
	return copy;
}

/* What a run left in one of its files, once. */
static char *run_text(enum run_file f, struct arena *a)
{
	char *text = run_read(runs.fds[f], a);

	close(runs.fds[f]);
	return text;
}

static void run_begin(void)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, STDIN_FILENO);
	close(null);
	dup2(runs.fds[OUT], STDOUT_FILENO);
	dup2(runs.fds[ERR], STDERR_FILENO);
	for (enum run_file f = JSON; f < RUN_FILES; f++)
		runs.files[f] = fdopen(fcntl(runs.fds[f], F_DUPFD_CLOEXEC, 3), "w");
	alarm(runs.seconds);
}

static int run_in_child(int (*fn)(void *), void *data)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		run_begin();
		exit(fn(data));
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* As it was before a run. */
struct surroundings {
	char **environment, *folder;
	int stdio[3];
};

static void keep_surroundings(struct surroundings *k)
{
	size_t n = 0;

	while (environ[n])
		n++;
	k->environment = calloc(n + 1, sizeof *k->environment);
	for (size_t i = 0; i < n; i++)
		k->environment[i] = strdup(environ[i]);
	k->folder = getcwd(NULL, 0);
	for (int i = 0; i < 3; i++)
		k->stdio[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
}

static void restore_surroundings(struct surroundings *k)
{
	for (int i = 0; i < 3; i++) {
		dup2(k->stdio[i], i);
		close(k->stdio[i]);
	}
	clearenv();
	for (char **e = k->environment; *e; e++) {
		char *value = strchr(*e, '=');

		*value++ = 0;
		setenv(*e, value, 1);
		free(*e);
	}
	free(k->environment);
	if (chdir(k->folder))
		abort();
	free(k->folder);
}

static int run_in_place(int (*fn)(void *), void *data)
{
	struct surroundings kept;
	int rc;

	keep_surroundings(&kept);
	run_begin();
	rc = fn(data);
	alarm(0);
	fflush(NULL);
	for (enum run_file f = JSON; f < RUN_FILES; f++) {
		fclose(runs.files[f]);
		runs.files[f] = NULL;
	}
	restore_surroundings(&kept);
	return (rc & 255) << 8;
}

/* The status as wait() gives it.  Then each of the files is read by run_text(). */
static int run_with_files(int (*fn)(void *), void *data, bool in_child)
{
	for (int i = 0; i < RUN_FILES; i++)
		runs.fds[i] = memfd_create("run", MFD_CLOEXEC);
	fflush(NULL);
	return in_child ? run_in_child(fn, data) : run_in_place(fn, data);
}

#endif
