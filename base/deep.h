/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room for recursion.  The passes recurse into expressions, statements and calls.  Within the limits of the parser a script of a
 * million words can nest deeper than the usual stack of 8 MB allows.
 */
#ifndef BASE_DEEP_H
#define BASE_DEEP_H

/*
 * Calls fn(arg) with 1 GB of stack and gives its result; only what is used of it takes memory.  Where so much cannot be had
 * (ulimit -v), and from within such a call, with the stack that is there.  fn runs in another thread: it must not wait for signals.
 */
int deep_call(int (*fn)(void *arg), void *arg);

#endif
