/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/markers.h"

#include "include/sys/sdt.h"

static const char *script(const struct session *s)
{
	return s->opt.script_file ? s->opt.script_file : s->opt.script_text ? "-e" : "";
}

/* The names of markers are in the notes of the file, so each is written out. */
void markers_begin(const struct session *s, int pass)
{
	switch (pass) {
	case 0:
		STAP_PROBE2(stap, pass0__start, s, script(s));
		break;
	case 1:
		STAP_PROBE2(stap, pass1a__start, s, script(s));
		break;
	case 2:
		STAP_PROBE2(stap, pass2__start, s, script(s));
		break;
	case 3:
		STAP_PROBE2(stap, pass3__start, s, script(s));
		break;
	case 4:
		STAP_PROBE2(stap, pass4__start, s, script(s));
		break;
	case 5:
		STAP_PROBE2(stap, pass5__start, s, script(s));
		break;
	}
}

void markers_end(const struct session *s, int pass)
{
	switch (pass) {
	case 0:
		STAP_PROBE2(stap, pass0__end, s, script(s));
		break;
	case 1:
		STAP_PROBE2(stap, pass1__end, s, script(s));
		break;
	case 2:
		STAP_PROBE2(stap, pass2__end, s, script(s));
		break;
	case 3:
		STAP_PROBE2(stap, pass3__end, s, script(s));
		break;
	case 4:
		STAP_PROBE2(stap, pass4__end, s, script(s));
		break;
	case 5:
		STAP_PROBE2(stap, pass5__end, s, script(s));
		break;
	}
}
