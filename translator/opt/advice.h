/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice about what the user's script has in vain: variables never assigned or never read, functions and globals never
 * used, statements without effect or out of reach.  The tapset and what macros made are not looked at.
 *
 * It is gathered from the script as it was written, before @defined and constants choose among its parts, so that nothing
 * is told of a part that only some targets need; and given when the script has turned out to be free of errors.
 */
#ifndef TRANSLATOR_OPT_ADVICE_H
#define TRANSLATOR_OPT_ADVICE_H

struct session;

/* Adds what the bound bodies know: variables that aliases set and read.  To be called before anything is optimised. */
void advice_bound(struct session *s);
/* Gives the advice.  To be called when it is known which functions run. */
void advice_report(struct session *s);

#endif
