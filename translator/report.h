/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of -v about the numbered passes, in the form that programs expect which start stap and read its output. */
#ifndef TRANSLATOR_REPORT_H
#define TRANSLATOR_REPORT_H

#include "translator/session.h"

/* Seconds: real since an arbitrary moment; user and system: CPU time of this process and of its children that have ended. */
struct report_time {
	double real, user, system;
};

struct report_time report_now(void);
/* The time since then: "1usr/2sys/3real ms". */
const char *report_since(struct session *s, const struct report_time *then);
/* Reports that pass 1 to 4 is complete; detail: the times of its parts, or NULL. */
void report_pass(struct session *s, int number, const struct report_time *begin, const char *detail);
/* Reports that pass 1 to 5 has failed; called after the messages that say why. */
void report_failed(const struct session *s, int number);

#endif
