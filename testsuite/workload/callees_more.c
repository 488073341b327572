/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "callees.h"
#include "workload.h"

static PROBED long bottom(long n)
{
	return n * 2;
}

PROBED long leaf(long n)
{
	return bottom(n) + 1;
}

/* Not the one that right() calls. */
static PROBED long hidden(long n)
{
	return leaf(n) + 3;
}

PROBED long other(long n)
{
	return hidden(n) + 1;
}
