/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -v says of the numbered passes, in the words and the form that programs around stap look for. */
#ifndef TRANSLATOR_REPORT_H
#define TRANSLATOR_REPORT_H

#include "translator/session.h"

/* Time since some moment, of the clock, and of the processor for this process and its children that have ended. */
struct report_time {
	double real, user, system;
};

struct report_time report_now(void);
/* "1usr/2sys/3real ms", since then. */
const char *report_since(struct session *s, const struct report_time *then);
/* Pass 1 to 4 is complete; detail: the times of its parts, or NULL. */
void report_pass(struct session *s, int number, const struct report_time *begin, const char *detail);
/* Pass 1 to 5 has failed, after the messages that say why. */
void report_failed(const struct session *s, int number);

#endif
