/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The passes, in order: their names serve --dump=, -v and the test folders. */
#ifndef TRANSLATOR_PIPELINE_H
#define TRANSLATOR_PIPELINE_H

#include "translator/session.h"

/* Runs the passes that the options ask for; the exit status of spile. */
int pipeline_run(struct session *s);

/* The passes (each says in its file what it reads, writes and guarantees); 0, or -1 with diagnostics. */
int parse_pass(struct session *s);
int points_pass(struct session *s);
int advise_pass(struct session *s);
int bind_pass(struct session *s);
int infer_pass(struct session *s);
int check_pass(struct session *s);
int display_pass(struct session *s);
int opt_pass(struct session *s);
int regions_pass(struct session *s);
int lower_pass(struct session *s);
int rates_pass(struct session *s);
int emit_pass(struct session *s);
int build_pass(struct session *s);

/* Before the work: what the options say about the run and cannot be.  -1 with diagnostics. */
int run_check(struct session *s);
/* The same of the kernel: -1 if no module can be loaded here, so that none need be built to be run. */
int run_check_kernel(struct session *s);
/* Pass 5: the exit status of the run. */
int run_module(struct session *s);
/* terminal.c: does the script have control characters of its own, or print bytes?  To be called after bind. */
bool terminal_is_drawn_on(struct session *s);
/* Does the output go to a terminal, as plain text? */
bool terminal_is_text(struct session *s);

#endif
