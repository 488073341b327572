/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input, output and error of a program, and its clock. */
#ifndef BASE_STD_H
#define BASE_STD_H

/*
 * First thing in main(): opens those of the three that are closed, so that no other file takes their place.  When the program
 * exits and stdout could not be written, that is reported and the exit status is this one.  A file that reaches the limit of
 * its size is an error as a full disk is: SIGXFSZ is ignored.
 */
void std_guard(const char *program, int status);

/* Seconds, of a clock that is never set. */
double std_now(void);

#endif
