/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KREASON_H
#define KREASON_H

/* What an error means that came from looking for a point in the kernel, or from arming it.  Any context. */
const char *kreason_text(int rc);

#endif
