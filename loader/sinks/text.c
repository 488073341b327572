// SPDX-License-Identifier: GPL-2.0-or-later
/* Output as the script prints it, byte for byte; everything else goes to stderr. */
#include <errno.h>
#include <stdio.h>

#include "base/visible.h"
#include "loader/loader.h"

static void text(struct sink *s, unsigned cpu, char *p, size_t n)
{
	(void)cpu;
	if (s->is_text)
		visible_mask(p, n);
	output_put(s->to, p, n);
}

static void report_skips(const struct wire_ledger *l)
{
	static const char *const texts[] = {
#define X(id, name, text) text,
		WIRE_SKIPS(X)
#undef X
	};
	unsigned long long skipped = 0;
	char causes[1024] = "", own[64] = "";
	size_t n = 0;

	for (unsigned i = 0; i < WIRE_SKIP_COUNT; i++) {
		if (i == WIRE_SKIP_STOPPING || !l->skipped[i])
			continue;
		skipped += l->skipped[i];
		n += (size_t)snprintf(causes + n, sizeof causes - n, "%s%s: %llu", n ? ", " : " (", texts[i],
				      (unsigned long long)l->skipped[i]);
	}
	if (l->own)
		snprintf(own, sizeof own, " + own %llu", (unsigned long long)l->own);
	say_verbose("hits %llu = handled %llu + errors %llu + skipped %llu%s", (unsigned long long)l->hits,
		    (unsigned long long)l->handled, (unsigned long long)l->errors, skipped, own);
	if (!skipped && !l->errors)
		return;
	say_warning("Number of errors: %llu, skipped probes: %llu", (unsigned long long)l->errors, skipped);
	say_warning("hits %llu = handled %llu + errors %llu + skipped %llu%s%s%s", (unsigned long long)l->hits,
		    (unsigned long long)l->handled, (unsigned long long)l->errors, skipped, causes,
		    n ? ")" : "", own);
	for (unsigned i = 0; i < WIRE_SKIP_COUNT && !say.quiet; i++)
		if (l->skipped[i] && remedy_about_skip(i))
			say_hint(remedy_about_skip(i));
}

/* Reports how much of the output was not written. */
static void report_output(const struct output *o)
{
	if (o->dropped && o->error != EPIPE)
		say_error("of %llu bytes of output %llu were written and %llu were not",
			  (unsigned long long)(o->written + o->dropped), (unsigned long long)o->written,
			  (unsigned long long)o->dropped);
}

static void results(struct sink *s, const struct wire_ledger *l)
{
	report_skips(l);
	report_output(s->to);
	if (l->lost_records)
		say_warning("lost %llu records (%llu bytes) for lack of transport space; larger buffers (-s "
			    "MB) or less output help",
			    (unsigned long long)l->lost_records, (unsigned long long)l->lost_bytes);
	if (l->lost_messages)
		say_warning("%llu warnings or errors came too fast and are not shown: print, which has larger buffers, instead of "
			    "warn(), or error() less often",
			    (unsigned long long)l->lost_messages);
}

const struct sink_form sink_text = {.name = "text", .text = text, .results = results};
