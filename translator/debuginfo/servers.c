/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libdw asks the servers, but does not tell why one gave nothing, and what failed is kept in the client's cache as "not there".  So each server is
 * asked once more, by the client library in a process of its own: with an empty cache, little patience, and the library's own report of what it
 * did in a file.  Of that the last line "url 0 REASON" is taken.
 *
 * Nor does libdw say that a server took the client's whole patience for each build, 90 seconds unless $DEBUGINFOD_TIMEOUT says another time.  So
 * a search that found nothing is timed; and a server that has not answered is left out of the variable in later searches.  The client would ask a
 * server that has not answered twice more, which costs its patience thrice: it does so only if the user has said how often.  Instead, a search
 * that failed before the time is repeated once, as a connection may have been broken off; that there is no such build is in the client's cache then.
 */
#include "translator/debuginfo/servers.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/std.h"
#include "base/str.h"

enum { MOST_SERVERS = 8, PATIENCE_S = 10, CURL_PATIENCE_S = 5, CLIENT_PATIENCE_S = 90 };

static const char variable[] = "DEBUGINFOD_URLS", tries[] = "DEBUGINFOD_RETRY_LIMIT";

static struct {
	bool is_known;
	char text[1024]; /* "": no fault */
} fault;

/* Servers that have not answered. */
static struct {
	char *asked; /* the others; NULL: all that are named */
	struct sb text;
	bool is_taken;
} silent;

typedef void *begin_function(void);
typedef int find_function(void *client, const unsigned char *id, int n, char **path);
typedef void verbose_function(void *client, int fd);

/* How long the client waits for an answer; 0: for ever. */
static int client_patience(void)
{
	const char *text = getenv("DEBUGINFOD_TIMEOUT");

	return text && text[0] ? atoi(text) : CLIENT_PATIENCE_S;
}

/* In the process of its own.  Its exit status: 0, or an errno; 255: there is no library. */
static int ask(const char *server, const char *build_id, const char *cache, int report)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW);
	begin_function *begin = library ? (begin_function *)dlsym(library, "debuginfod_begin") : NULL;
	find_function *find = library ? (find_function *)dlsym(library, "debuginfod_find_debuginfo") : NULL;
	verbose_function *verbose = library ? (verbose_function *)dlsym(library, "debuginfod_set_verbose_fd") : NULL;
	char *path = NULL;
	void *client;
	int rc;

	if (!begin || !find)
		return 255;
	setenv("DEBUGINFOD_URLS", server, 1);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	if (client_patience() <= 0 || client_patience() > CURL_PATIENCE_S)
		setenv("DEBUGINFOD_TIMEOUT", "5", 1);
	setenv(tries, "0", 1);
	unsetenv("DEBUGINFOD_PROGRESS");
	client = begin();
	if (!client)
		return 255;
	if (verbose)
		verbose(client, report);
	alarm(PATIENCE_S);
	rc = find(client, (const unsigned char *)build_id, 0, &path);
	return rc >= 0 ? 0 : -rc & 0x7f;
}

/* The last line of the library's report that says how it went; NULL: there is none. */
static const char *reason(struct arena *a, int report)
{
	char bytes[16384];
	ssize_t n = pread(report, bytes, sizeof bytes - 1, 0);
	const char *found = NULL;
	char *rest = bytes;

	bytes[n > 0 ? n : 0] = 0;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (!strncmp(line, "url 0 ", 6) && !strstr(line, "/buildid/"))
			found = arena_strdup(a, line + 6);
	return found;
}

static void add_fault(const char *server, const char *why)
{
	size_t n = strlen(fault.text);

	snprintf(fault.text + n, sizeof fault.text - n, "%s%s: %s", n ? "; " : "", server, why);
}

static bool is_set(const char *urls)
{
	return urls && urls[0];
}

/* Those of the servers that are still asked. */
static const char *asked(void)
{
	return silent.asked ? silent.asked : getenv(variable);
}

/* False: it does not answer.  What a server says about a build that it does not have is no fault. */
static bool ask_one(struct arena *a, const char *server, const char *build_id, const char *cache)
{
	int report = file_temporary(), status;
	pid_t pid = report < 0 ? -1 : child_fork(0);
	const char *why;

	if (!pid) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		dup2(null, STDERR_FILENO);
		_exit(ask(server, build_id, cache, report));
	}
	status = pid > 0 ? child_wait(pid) : 0;
	why = status ? reason(a, report) : NULL;
	if (status == 255)
		add_fault(server, "libdebuginfod.so.1 is not installed");
	else if (status > 128)
		add_fault(server, arena_printf(a, "no answer within %d seconds", PATIENCE_S));
	else if (status && why && !strstr(why, " 404"))
		add_fault(server, why);
	else if (status && !why && status != ENOENT)
		add_fault(server, strerror(status));
	if (report >= 0)
		close(report);
	return status <= 128 && status != ETIME;
}

/* The same, with a cache of its own. */
static bool ask_newly(struct arena *a, const char *server, const char *build_id)
{
	char *cache = arena_printf(a, "%s/spile-servers-XXXXXX", file_temporary_folder());
	bool answers;

	if (!mkdtemp(cache))
		return true;
	answers = ask_one(a, server, build_id, cache);
	file_remove_tree(cache);
	return answers;
}

static void ask_all(struct arena *a, const char *urls, const char *build_id)
{
	char *words = arena_strdup(a, urls);
	unsigned n = 0;

	for (char *server; n < MOST_SERVERS && (server = strsep(&words, " "));)
		if (*server) {
			ask_newly(a, server, build_id);
			n++;
		}
}

const char *servers_fault(struct arena *a, const char *build_id)
{
	if (!servers_are_named())
		return NULL;
	if (!fault.is_known && build_id && build_id[0] && servers_are_asked()) {
		fault.is_known = true;
		ask_all(a, asked(), build_id);
	}
	if (!silent.text.n)
		return fault.text[0] ? arena_strdup(a, fault.text) : NULL;
	return arena_printf(a, "%s%s%s", silent.text.s, fault.text[0] ? "; " : "", fault.text);
}

/* ---- servers that do not answer ---- */

bool servers_are_named(void)
{
	return is_set(getenv(variable));
}

bool servers_are_asked(void)
{
	return is_set(asked());
}

void servers_begin(struct servers_search *search)
{
	search->began = std_now();
	search->named = NULL;
	search->is_ours = !getenv(tries);
	if (search->is_ours)
		setenv(tries, "0", 1);
	if (!silent.asked)
		return;
	search->named = strdup(getenv(variable));
	setenv(variable, silent.asked, 1);
}

/* Of several, each is asked once more, to know which it was. */
static void leave_out(struct arena *a, const char *build_id)
{
	char *words = arena_strdup(a, asked());
	size_t first = strspn(words, " ");
	bool is_one = !words[first + strcspn(words + first, " ")];
	struct sb others = {0};

	for (char *server; (server = strsep(&words, " "));) {
		if (!*server)
			continue;
		if (!is_one && ask_newly(a, server, build_id))
			sb_printf(&others, "%s%s", others.n ? " " : "", server);
		else
			sb_printf(&silent.text, "%s%s: no answer", silent.text.n ? "; " : "", server);
	}
	fault.is_known = false; /* of the others, if it is asked for */
	fault.text[0] = 0;
	free(silent.asked);
	silent.asked = strdup(others.n ? others.s : "");
	silent.is_taken = false;
	sb_free(&others);
}

bool servers_end(struct servers_search *search, bool found, const char *build_id)
{
	int patience = client_patience();
	struct arena a = {0};

	if (search->named)
		setenv(variable, search->named, 1);
	free(search->named);
	if (search->is_ours)
		unsetenv(tries);
	if (found || !servers_are_asked())
		return false;
	if (patience <= 0 || std_now() - search->began < patience)
		return build_id && search->is_ours && !search->repeated++;
	leave_out(&a, build_id);
	arena_free(&a);
	return false;
}

const char *servers_take_silent(struct arena *a)
{
	if (!silent.text.n || silent.is_taken)
		return NULL;
	silent.is_taken = true;
	return arena_strdup(a, silent.text.s);
}

/* ---- advice ---- */

const char *servers_advice(struct arena *a, const char *build_id, const char *advice)
{
	const char *why = servers_fault(a, build_id);

	if (!servers_are_named())
		return arena_printf(a, "%s, or set DEBUGINFOD_URLS", advice);
	if (why)
		return arena_printf(a, "%s; or let DEBUGINFOD_URLS name a server that can be asked: %s", advice, why);
	return arena_printf(a, "%s: no server of DEBUGINFOD_URLS has it", advice);
}
