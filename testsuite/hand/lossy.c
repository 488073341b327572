// SPDX-License-Identifier: GPL-2.0-or-later
/* As flood.c, with a transport so small that it must lose records if they are not read. */
#define BUFFER_KB 64
#include "hand/flood.c"
