// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a function as if it were a program.  See table_run.h. */
#include "testsuite/unit/table_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

FILE *table_run_files[RUN_FILES];

static int fds[RUN_FILES]; /* of a run, until they are read */

void table_run_write(const char *path, const char *text, size_t n)
{
	if (file_write(path, text, n))
		abort();
}

char *table_run_read(int fd, struct arena *a)
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

char *table_run_text(enum run_file f, struct arena *a)
{
	char *text = table_run_read(fds[f], a);

	close(fds[f]);
	return text;
}

static void run_begin(unsigned seconds)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, STDIN_FILENO);
	close(null);
	dup2(fds[OUT], STDOUT_FILENO);
	dup2(fds[ERR], STDERR_FILENO);
	for (enum run_file f = JSON; f < RUN_FILES; f++)
		table_run_files[f] = fdopen(fcntl(fds[f], F_DUPFD_CLOEXEC, 3), "w");
	alarm(seconds);
}

static int status_of(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static int run_in_child(int (*fn)(void *), void *data, unsigned seconds)
{
	pid_t pid = fork();

	if (pid == 0) {
		run_begin(seconds);
		exit(fn(data));
	}
	return status_of(pid);
}

/* Of this process, before a run. */
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

static int run_in_place(int (*fn)(void *), void *data, unsigned seconds)
{
	struct surroundings kept;
	int rc;

	keep_surroundings(&kept);
	run_begin(seconds);
	rc = fn(data);
	alarm(0);
	fflush(NULL);
	for (enum run_file f = JSON; f < RUN_FILES; f++) {
		fclose(table_run_files[f]);
		table_run_files[f] = NULL;
	}
	restore_surroundings(&kept);
	return (rc & 255) << 8;
}

int table_run(int (*fn)(void *), void *data, bool in_child, unsigned seconds)
{
	for (int i = 0; i < RUN_FILES; i++)
		fds[i] = memfd_create("run", MFD_CLOEXEC);
	fflush(NULL);
	return in_child ? run_in_child(fn, data, seconds) : run_in_place(fn, data, seconds);
}

int table_run_apart(void (*fn)(const char *path, unsigned counts[static 2]), const char *path, unsigned counts[static 2])
{
	unsigned *shared = mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	if (shared == MAP_FAILED)
		abort();
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		fn(path, shared);
		exit(0);
	}
	status = status_of(pid);
	memcpy(counts, shared, 2 * sizeof *shared);
	munmap(shared, 2 * sizeof *shared);
	return status;
}
