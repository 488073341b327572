// SPDX-License-Identifier: GPL-2.0-or-later
/* What to do about an error of a handler: the texts are short, since scripts catch and compare them. */
#include <stddef.h>
#include <string.h>

#include "loader/loader.h"

static const struct remedy {
	const char *about; /* a part of the error's text, before its place */
	const char *text;
} all_remedies[] = {
	{"MAXACTION exceeded", "a handler may not run for long: "
		"-D MAXACTION=N lets it do 10 N statements and turns of loops, 100000000 at most; the default is 1000"},
	{"MAXNESTING exceeded", "if the recursion is to end at all, -D MAXNESTING=N lets N calls be within each other"},
	{"Array overflow, check MAXMAPENTRIES",
	 "declare the array with room for more, \"global NAME[N]\", or with % so that the oldest element goes, \"global NAME%\"; or "
	 "-D MAXMAPENTRIES=N for all arrays"},
	{"Array overflow, check size limit",
	 "declare the array with room for more, or with % so that the oldest element goes: \"global NAME%[N]\""},
	{"too far apart, for @avg", "add them up in a larger unit, such as x / 1000"},
	{"empty aggregate", "ask whether @count() is 0 first, or use try { ... } catch { ... }"},
	{"string space exhausted", "make strings shorter, with -D MAXSTRINGLEN=N, or recursion less deep"},
	{"read fault at 0x", "the memory is not there or is paged out; try { ... } catch { ... } lets the handler go on"},
	{"string copy fault at 0x", "the memory is not there or is paged out; try { ... } catch { ... } lets the handler go on"},
	{"memory dump fault at 0x", "the memory is not there or is paged out; try { ... } catch { ... } lets the handler go on"},
	{"probe overhead (",
	 "probe less or ask earlier in the handler; -D STP_OVERLOAD_THRESHOLD=N allows handlers N of each 1000000000 ns "
	 "(by default 500000000), and -D STP_NO_OVERLOAD any time"},
	{"the handler has kept its CPU for too long",
	 "do long work in end probes, which let others run, or in parts, by a timer"},
	{"this function of Python has no variable", "ask before: @defined($name) ? $name : \"\"; $$vars has all that have a value"},
	{"an exception leaves this function of Python", "ask before: @defined($return) ? $return : \"\"; $$return is \"\" then"},
	{"is too many bytes for a memory dump", "it takes 4096 bytes at most"},
};

const char *remedy_about(const char *error)
{
	const char *place = strstr(error, " near ");

	if (!place)
		place = error + strlen(error);
	for (size_t i = 0; i < sizeof all_remedies / sizeof *all_remedies; i++) {
		const char *at = strstr(error, all_remedies[i].about);

		if (at && at < place)
			return all_remedies[i].text;
	}
	return NULL;
}

const char *remedy_about_skip(enum wire_skip cause)
{
	static const char *const texts[WIRE_SKIP_COUNT] = {
		[WIRE_SKIP_LOCK] = "-D MAXTRYLOCK=N waits longer for the globals: N times 10 us; the default is 10000 times",
		[WIRE_SKIP_RETURN] = "of functions of the kernel, .return.maxactive(N) follows N calls at once, and -D KRETACTIVE=N does for all; "
				     "of those of programs, the kernel follows 64 in a thread",
	};

	return texts[cause];
}
