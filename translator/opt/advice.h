/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice about useless parts of the user's script: variables never assigned or never read, functions and globals never used,
 * statements without effect or never reached.  The tapset and the text of macros are left out, words of arguments are not.
 *
 * It is gathered from the script as it was written, before @defined and constants choose among its parts, so that no part is
 * reported that some targets need.  It is given when the script has no errors.
 */
#ifndef TRANSLATOR_OPT_ADVICE_H
#define TRANSLATOR_OPT_ADVICE_H

struct session;

/* Adds what the bound bodies know: variables that aliases set and read.  To be called before anything is optimised. */
void advice_bound(struct session *s);
/* Gives the advice.  To be called when it is known which functions run. */
void advice_report(struct session *s);

#endif
