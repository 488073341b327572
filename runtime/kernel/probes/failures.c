// SPDX-License-Identifier: GPL-2.0-or-later
/* Places that could not be probed, reported once per reason.  See failures.h. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/mail.h"
#include "kernel/probes/failures.h"

static struct failures_reason *failures_find_reason(struct failures *f, const char *text)
{
	unsigned int i;

	for (i = 0; i < f->nreasons; i++)
		if (strcmp(f->reasons[i].text, text) == 0)
			return &f->reasons[i];
	if (f->nreasons == FAILURES_REASONS)
		return NULL;
	f->reasons[f->nreasons].text = text;
	return &f->reasons[f->nreasons++];
}

void failures_add(struct failures *f, const char *text, const char *name)
{
	struct failures_reason *r = failures_find_reason(f, text);
	size_t n = strlen(name);

	if (!r) {
		f->others++;
		return;
	}
	r->n++;
	if (r->last && strcmp(r->last, name) == 0)
		return;
	r->last = name;
	if (r->cut || r->used + n + 3 > sizeof(r->names)) {
		r->cut = true;
		return;
	}
	r->used += scnprintf(r->names + r->used, sizeof(r->names) - r->used, "%s%s", r->used ? ", " : "", name);
}

void failures_report(const struct failures *f, unsigned int total, const char *what)
{
	unsigned int i;

	for (i = 0; i < f->nreasons; i++) {
		const struct failures_reason *r = &f->reasons[i];

		mail_warn("%u of %u %s could not be probed: %s (%s%s)", r->n, total, what, r->text, r->names,
			  r->cut ? ", ..." : "");
	}
	if (f->others)
		mail_warn("%u of %u %s could not be probed for other reasons", f->others, total, what);
}
