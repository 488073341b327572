/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of callees.c and callees_more.c that both know. */
#ifndef WORKLOAD_CALLEES_H
#define WORKLOAD_CALLEES_H

long leaf(long n);
long other(long n);

#endif
