/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_H
#define SESSION_H
int session_start(void);
#endif
