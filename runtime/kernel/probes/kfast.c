// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arming of fast points.  See kfast.h.
 *
 * A hit finds its points by the address, in a table that is never changed while hits may read it: points that get other addresses, with a
 * module that comes, are entered into the other one of two tables.  Of points whose addresses did not change, the order is the same in
 * both, so what links them is written with the values that it has.
 */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/mail.h"
#include "kernel/probes/kcalls.h"
#include "kernel/probes/kfast.h"
#include "sites/kprobe.h"
#include "wire.h"

static struct {
	struct kpoint_table *tables[2]; /* the second one: if points may move */
	unsigned long *ips;   /* room for those of all slots and the guard */
	unsigned long guard;
	unsigned int placed;  /* times that kfast_place() was called */
	struct kfast_filter {
		unsigned long guard; /* once a point took this way */
		bool armed;
		bool used;           /* to be freed once */
		bool stale;          /* the table is new, or the last attempt to change it failed */
	} filters[KPOINT_WAYS];
} kfast;

static struct kpoint_table *kfast_make_table(unsigned int bits)
{
	struct kpoint_table *t = kvzalloc(struct_size(t, slots, 1u << bits), GFP_KERNEL);

	if (!t)
		return NULL;
	t->bits = bits;
	t->shift = 32 - bits;
	return t;
}

int kfast_make(unsigned int n, bool moves, unsigned long guard)
{
	unsigned int bits = ilog2(roundup_pow_of_two(2 * n)) + 1;

	kfast.guard = guard;
	kfast.tables[0] = kfast_make_table(bits);
	kfast.tables[1] = moves ? kfast_make_table(bits) : NULL;
	kfast.ips = kvcalloc(n + 1, sizeof(*kfast.ips), GFP_KERNEL);
	return kfast.tables[0] && kfast.ips && (!moves || kfast.tables[1]) ? 0 : -ENOMEM;
}

/* Can the only point at its address be called directly, where there are no registers yet? */
static bool kfast_is_direct(const struct kpoint *p)
{
	return p->is_return ? !p->probe->entry : p->small || p->brief;
}

static bool kfast_is_body(struct kpoint *p)
{
	if (!p->claim_tried && p->may_call_body) {
		p->claim_tried = true;
		p->body = kpoint_claim_body(p);
	}
	return p->body;
}

/* All points of the table are in their slots: which code is each function to call? */
static void kfast_choose_ways(struct kpoint_table *t)
{
	unsigned int i;

	for (i = 0; i < 1u << t->bits; i++) {
		struct kpoint_slot *slot = &t->slots[i];
		struct kpoint *p = slot->first;

		if (!p)
			continue;
		slot->only = !p->next && kfast_is_direct(p) ? p : NULL;
		slot->way = !slot->only ? KPOINT_TRACER : kfast_is_body(p) ? KPOINT_BODY : KPOINT_DIRECT;
		kfast.filters[slot->way].guard = kfast.guard;
	}
}

void kfast_place(struct kpoint *points, unsigned int n)
{
	struct kpoint_table *t = kfast.tables[kfast.placed % 2];
	enum kpoint_way way;

	if (kfast.placed++ >= 2)
		kpoint_wait_for_hits(); /* those that began when this table was in use */
	memset(t->slots, 0, sizeof(t->slots[0]) << t->bits);
	/* backwards: so the points of one address run in the order of the script */
	while (n-- > 0) {
		struct kpoint *p = &points[n];
		struct kpoint_slot *slot;

		if (!p->fast || p->absent)
			continue;
		slot = kpoint_find_slot(t, (unsigned long)p->rp.kp.addr);
		slot->ip = (unsigned long)p->rp.kp.addr;
		WRITE_ONCE(p->next, slot->first);
		slot->first = p;
	}
	kfast_choose_ways(t);
	smp_store_release(&kpoint_table, t);
	for (way = 0; way < KPOINT_WAYS; way++)
		kfast.filters[way].stale = true;
}

/* Gathers the addresses to be armed, for kfast_set_filter(), and returns how many; *changed: they differ from those armed now. */
static unsigned int kfast_gather_ips(enum kpoint_way way, bool *changed)
{
	const struct kfast_filter *f = &kfast.filters[way];
	struct kpoint_table *t = kpoint_table;
	unsigned int i, n = 0;

	*changed = !f->armed || f->stale;
	for (i = 0; i < 1u << t->bits; i++) {
		struct kpoint_slot *slot = &t->slots[i];
		struct kpoint *p;
		bool wanted = false;

		if (slot->way != way)
			continue;
		for (p = slot->first; p; p = p->next)
			wanted |= kpoint_is_wanted(p);
		*changed |= wanted != slot->armed;
		if (wanted)
			kfast.ips[n++] = slot->ip;
		slot->armed = wanted;
	}
	if (f->guard)
		kfast.ips[n++] = f->guard;
	return n;
}

static int kfast_disarm_way(enum kpoint_way way)
{
	struct kfast_filter *f = &kfast.filters[way];
	int rc = f->armed ? unregister_ftrace_function(&kpoint_ops[way]) : 0;

	f->armed = rc != 0;
	return rc;
}

int kfast_disarm(void)
{
	enum kpoint_way way;
	int first = 0;

	for (way = 0; way < KPOINT_WAYS; way++) {
		int rc = kfast_disarm_way(way);

		first = first ?: rc;
	}
	return first;
}

static int kfast_set_filter(enum kpoint_way way)
{
	struct kfast_filter *f = &kfast.filters[way];
	bool changed;
	unsigned int n = kfast_gather_ips(way, &changed);
	int rc = 0;

	if (!changed)
		return 0;
	if (!n) {
		rc = kfast_disarm_way(way);
		f->stale = rc != 0;
		return rc;
	}
	f->used = true;
	rc = ftrace_set_filter_ips(&kpoint_ops[way], kfast.ips, n, 0, 1);
	f->stale = rc != 0;
	if (f->armed)
		return rc;
	if (!rc)
		rc = register_ftrace_function(&kpoint_ops[way]);
	f->armed = rc == 0;
	return rc;
}

int kfast_set(struct kpoint *points, unsigned int n)
{
	enum kpoint_way way;
	unsigned int i;
	int first = 0;

	for (i = 0; i < n; i++)
		if (kpoint_is_wanted(&points[i]) && points[i].fast)
			WRITE_ONCE(points[i].armed, true);
	for (way = 0; way < KPOINT_WAYS; way++) {
		int rc = kfast_set_filter(way);

		first = first ?: rc;
	}
	for (i = 0; i < n; i++)
		if (!kpoint_is_wanted(&points[i]) && points[i].fast)
			WRITE_ONCE(points[i].armed, false);
	return first;
}

/* Has the point taken this way, or (KPOINT_WAYS) is it a kprobe? */
static bool kfast_took(const struct kpoint *p, enum kpoint_way way)
{
	if (p->absent || !p->fast)
		return !p->absent && p->registered && way == KPOINT_WAYS;
	return kpoint_find_slot(kpoint_table, (unsigned long)p->rp.kp.addr)->way == way;
}

static void kfast_report_way(const struct kpoint *points, unsigned int npoints, enum kpoint_way way, const char *how)
{
	const unsigned int room = WIRE_TEXT_MAX / 2;
	char *names = kzalloc(room, GFP_KERNEL);
	unsigned int i, n = 0, named = 0, used = 0;

	for (i = 0; names && i < npoints; i++) {
		unsigned int length = strlen(points[i].probe->point) + 2;

		if (!kfast_took(&points[i], way))
			continue;
		n++;
		if (named + 1 < n || used + length >= room)
			continue;
		used += scnprintf(names + used, room - used, "%s%s", named++ ? ", " : "", points[i].probe->point);
	}
	if (n > named)
		mail_note("armed %s: %s, and %u more", how, names, n - named);
	else if (n)
		mail_note("armed %s: %s", how, names);
	kfree(names);
}

/* With -v the loader has said why.  Without that only who has asked for it (--fast-returns) is told. */
static void kfast_report_no_bodies(const struct kpoint *points, unsigned int n)
{
	unsigned int i, wanted = 0, asked = 0;

	for (i = 0; i < n; i++) {
		wanted += points[i].claim_tried;
		asked += points[i].claim_tried && (points[i].site->n[3] & SITE_KPROBE_ASKED);
	}
	if (!wanted || kcalls_is_there())
		return;
	(asked ? mail_warn : mail_note)("%s is not loaded%s: %u return%s hooked instead", CALLS_MODULE, asked ? " (-v says why)" : "", wanted,
					wanted > 1 ? "s are" : " is");
}

void kfast_report(const struct kpoint *points, unsigned int n)
{
	kfast_report_no_bodies(points, n);
	kfast_report_way(points, n, KPOINT_DIRECT, "by calls of their own");
	kfast_report_way(points, n, KPOINT_BODY, "as callers of their functions");
	kfast_report_way(points, n, KPOINT_TRACER, "by the function tracer");
	kfast_report_way(points, n, KPOINT_WAYS, "as kprobes");
}

void kfast_free(bool keep)
{
	enum kpoint_way way;

	if (!keep) {
		for (way = 0; way < KPOINT_WAYS; way++)
			if (kfast.filters[way].used)
				ftrace_free_filter(&kpoint_ops[way]);
		kvfree(kfast.tables[0]);
		kvfree(kfast.tables[1]);
		kpoint_table = NULL;
	}
	kvfree(kfast.ips);
	memset(&kfast, 0, sizeof(kfast));
}
