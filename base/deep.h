/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room for recursion.  The passes follow the script: expressions, statements and calls within each other, as deep as the limits
 * of the parser let a script of a million words be, which is more than the usual 8 MB of stack hold.
 */
#ifndef BASE_DEEP_H
#define BASE_DEEP_H

/*
 * Calls fn(arg) with 1 GB of stack, of which only what is used takes memory, and gives its result.  Where so much cannot be had
 * (ulimit -v), with the stack that is there.  fn runs in a thread of its own: it must not wait for signals.
 */
int deep_call(int (*fn)(void *arg), void *arg);

#endif
