/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See markers.h. */
#include "translator/markers.h"

#include "include/sys/sdt.h"

static const char *script(const struct session *s)
{
	return s->opt.script_file ? s->opt.script_file : s->opt.script_text ? "-e" : "";
}

/* The names of markers are in the notes of the file, so each is written out. */
#define MARKER(number, name)                             \
	case number:                                     \
		STAP_PROBE2(stap, name, s, script(s));   \
		break;

void markers_begin(const struct session *s, int pass)
{
	switch (pass) {
	MARKER(0, pass0__start)
	MARKER(1, pass1a__start)
	MARKER(2, pass2__start)
	MARKER(3, pass3__start)
	MARKER(4, pass4__start)
	MARKER(5, pass5__start)
	}
}

void markers_end(const struct session *s, int pass)
{
	switch (pass) {
	MARKER(0, pass0__end)
	MARKER(1, pass1__end)
	MARKER(2, pass2__end)
	MARKER(3, pass3__end)
	MARKER(4, pass4__end)
	MARKER(5, pass5__end)
	}
}
