/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the servers of $DEBUGINFOD_URLS have given nothing, for messages; and those that do not answer are not asked again. */
#ifndef DEBUGINFO_SERVERS_H
#define DEBUGINFO_SERVERS_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * Advice for debug information that is missing: "ADVICE, or set DEBUGINFOD_URLS"; or, if that is set, which server cannot be asked and why, or
 * that none has it.  The servers are asked once in this process, for this build (hex; NULL or "": none is asked).
 */
const char *servers_advice(struct arena *a, const char *build_id, const char *advice);
/* "http://server: why", of the servers that cannot be asked; NULL: all were asked, or none is named. */
const char *servers_fault(struct arena *a, const char *build_id);

/* Is any named?  Is any of them still asked? */
bool servers_are_named(void);
bool servers_are_asked(void);

struct servers_search {
	double began;
	char *named;  /* in $DEBUGINFOD_URLS, if it is without those now that have not answered; or NULL */
	bool is_ours; /* how often the client tries again: $DEBUGINFOD_RETRY_LIMIT */
	unsigned repeated;
};

/*
 * Around each search of libdw that may ask the servers; the struct begins as {0}.  If the second is true, it is to be made again, between both.
 * When one ends without success after the time that the client gives a server to answer, the servers that do not answer are not asked in later ones.
 */
void servers_begin(struct servers_search *search);
bool servers_end(struct servers_search *search, bool found, const char *build_id);
/* Those, once, "http://server: no answer", for a warning; NULL: there are none, or no more. */
const char *servers_take_silent(struct arena *a);

#endif
