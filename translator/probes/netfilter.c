/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netfilter: packets on their way through the kernel, at the hooks where it also asks its packet filters. */
#include "runtime/sites/netfilter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/kernel.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

static const struct probe_form forms[] = {
	{"netfilter.hook(s).pf(s)", 0, "a packet is at a hook of a protocol family: NF_INET_LOCAL_IN of NFPROTO_IPV4"},
	{"netfilter.hook(s).pf(s).priority(s)", 0, "before functions of higher priority: a number, or a name as NF_IP_PRI_FIRST"},
	{"netfilter.pf(s).hook(s)", 0, "the same"},
	{"netfilter.pf(s).hook(s).priority(s)", 0, "the same"},
	{0},
};

/* ---- names ---- */

#define BIT(family) (1u << (family))
#define ANY_IP (BIT(SITE_NETFILTER_IPV4) | BIT(SITE_NETFILTER_IPV6) | BIT(SITE_NETFILTER_INET))

/* Patterns do not match what is another name, or the sum, of others. */
struct name {
	const char *text;
	int number;
	unsigned families; /* of a hook: that have it */
	bool other;
};

static const struct name families[] = {
	{.text = "NFPROTO_IPV4", .number = SITE_NETFILTER_IPV4},
	{.text = "NFPROTO_IPV6", .number = SITE_NETFILTER_IPV6},
	{.text = "NFPROTO_ARP", .number = SITE_NETFILTER_ARP},
	{.text = "NFPROTO_BRIDGE", .number = SITE_NETFILTER_BRIDGE},
	{.text = "NFPROTO_INET", .number = SITE_NETFILTER_INET, .other = true},
	{.text = "PF_INET", .number = SITE_NETFILTER_IPV4, .other = true},
	{.text = "PF_INET6", .number = SITE_NETFILTER_IPV6, .other = true},
	{.text = "PF_BRIDGE", .number = SITE_NETFILTER_BRIDGE, .other = true},
	{0},
};

#define FIVE(prefix, of, other)                                                                      \
	{prefix "PRE_ROUTING", 0, (of), (other)}, {prefix "LOCAL_IN", 1, (of), (other)},    \
	{prefix "FORWARD", 2, (of), (other)}, {prefix "LOCAL_OUT", 3, (of), (other)},       \
	{prefix "POST_ROUTING", 4, (of), (other)}

static const struct name hooks[] = {
	FIVE("NF_INET_", ANY_IP, false),
	FIVE("NF_IP_", BIT(SITE_NETFILTER_IPV4), true),
	FIVE("NF_IP6_", BIT(SITE_NETFILTER_IPV6), true),
	FIVE("NF_BR_", BIT(SITE_NETFILTER_BRIDGE), false),
	{"NF_ARP_IN", 0, BIT(SITE_NETFILTER_ARP), false},
	{"NF_ARP_OUT", 1, BIT(SITE_NETFILTER_ARP), false},
	{"NF_ARP_FORWARD", 2, BIT(SITE_NETFILTER_ARP), false},
	{0},
};

#define BOTH(name, n)                                       \
	{.text = "NF_IP_PRI_" name, .number = (n)},         \
	{.text = "NF_IP6_PRI_" name, .number = (n), .other = true}

static const struct name priorities[] = {
	BOTH("FIRST", INT32_MIN), BOTH("RAW_BEFORE_DEFRAG", -450), BOTH("CONNTRACK_DEFRAG", -400), BOTH("RAW", -300),
	BOTH("SELINUX_FIRST", -225), BOTH("CONNTRACK", -200), BOTH("MANGLE", -150), BOTH("NAT_DST", -100), BOTH("FILTER", 0),
	BOTH("SECURITY", 50), BOTH("NAT_SRC", 100), BOTH("SELINUX_LAST", 225), BOTH("CONNTRACK_HELPER", 300),
	BOTH("CONNTRACK_CONFIRM", INT32_MAX), BOTH("LAST", INT32_MAX),
	{.text = "NF_BR_PRI_FIRST", .number = INT32_MIN, .other = true},
	{.text = "NF_BR_PRI_NAT_DST_BRIDGED", .number = -300, .other = true},
	{.text = "NF_BR_PRI_FILTER_BRIDGED", .number = -200, .other = true},
	{.text = "NF_BR_PRI_BRNF", .number = 0, .other = true},
	{.text = "NF_BR_PRI_NAT_DST_OTHER", .number = 100, .other = true},
	{.text = "NF_BR_PRI_FILTER_OTHER", .number = 200, .other = true},
	{.text = "NF_BR_PRI_NAT_SRC", .number = 300, .other = true},
	{.text = "NF_BR_PRI_LAST", .number = INT32_MAX, .other = true},
	{0},
};

static bool is_meant(const char *text, const struct name *n)
{
	return str_has_glob(text) ? !n->other && str_glob(text, n->text) : !strcmp(text, n->text);
}

/* The names of a table; of hooks those of one family, if it is not 0. */
static const char *listed(struct session *s, const struct name *table, unsigned family)
{
	struct sb b = {0};

	for (const struct name *n = table; n->text; n++)
		if (!n->other && (!family || n->families & BIT(family)))
			sb_printf(&b, "%s%s", b.n ? ", " : "", n->text);
	const char *text = arena_strdup(&s->arena, b.s ? b.s : "");
	sb_free(&b);
	return text;
}

static int no_name(struct session *s, const struct component *c, const struct name *table, const char *what)
{
	struct diag *d = s_error(s, c->arg->loc, E_NO_MATCH, "no %s is called %s", what, probe_quoted(s, c->arg->text));
	struct nearest near;

	nearest_init(&near, c->arg->text);
	for (const struct name *n = table; n->text; n++)
		nearest_add(&near, n->text);
	if (!diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena)))
		diag_hint(&s->diags, d, "possible here: %s", listed(s, table, 0));
	return -1;
}

/* ---- sites ---- */

static int read_priority(struct session *s, const struct component *c, int *priority)
{
	char *end;
	long n;

	for (const struct name *p = priorities; p->text; p++)
		if (!strcmp(p->text, c->arg->text)) {
			*priority = p->number;
			return 0;
		}
	errno = 0;
	n = strtol(c->arg->text, &end, 0);
	if (end == c->arg->text || *end)
		return no_name(s, c, priorities, "priority");
	if (errno || n < INT32_MIN || n > INT32_MAX)
		return probe_bad_value(s, c, "a priority is a number of 32 bits");
	*priority = (int)n;
	return 0;
}

static struct site *add(struct session *s, const struct point *p, const struct name *hook, const struct name *family, int priority,
			struct sites *out)
{
	const struct component *c = probe_component(p, "priority");
	struct site *t = probe_site(s, &probe_netfilter, p, out);

	t->n[0] = family->number;
	t->n[1] = hook->number;
	t->n[2] = priority;
	t->point = arena_printf(&s->arena, "netfilter.hook(\"%s\").pf(\"%s\")%s", hook->text, family->text,
				c ? arena_printf(&s->arena, ".priority(%s)", probe_quoted(s, c->arg->text)) : "");
	return t;
}

/* Nothing was found: why? */
static int report_no_match(struct session *s, const struct component *hook, const struct component *pf)
{
	const struct name *h = hooks, *f = families;
	struct diag *d;

	while (f->text && !is_meant(pf->arg->text, f))
		f++;
	if (!f->text)
		return no_name(s, pf, families, "protocol family");
	while (h->text && !is_meant(hook->arg->text, h))
		h++;
	if (!h->text)
		return no_name(s, hook, hooks, "hook");
	d = s_error(s, hook->arg->loc, E_NO_MATCH, "%s has no hook %s", f->text, probe_quoted(s, hook->arg->text));
	diag_hint(&s->diags, d, "it has %s", listed(s, hooks, (unsigned)f->number));
	return -1;
}

static bool kernel_lacks(struct session *s, struct problem *why)
{
	struct problem ignored = {0};

	if (!s->kernel || kernel_has_symbol(s->kernel, NULL, "nf_register_net_hook", &ignored))
		return false;
	problem_set(why, &s->arena, PROBLEM_NONE, "the kernel was built without netfilter (CONFIG_NETFILTER)");
	return true;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *hook = probe_component(p, "hook"), *pf = probe_component(p, "pf"), *priority = probe_component(p, "priority");
	size_t before = out->v.n;
	struct problem why = {0};
	int at = 0;

	(void)form;
	if (kernel_lacks(s, &why)) {
		if (!p->optional)
			session_problem(s, p->c[0].loc, &why, "%s", "");
		return p->optional ? 0 : -1;
	}
	if (p->one) {
		probe_site(s, &probe_netfilter, p, out);
		return 0;
	}
	if (priority && read_priority(s, priority, &at))
		return -1;
	for (const struct name *f = families; f->text; f++)
		for (const struct name *h = hooks; is_meant(pf->arg->text, f) && h->text; h++)
			if (h->families & BIT(f->number) && is_meant(hook->arg->text, h))
				add(s, p, h, f, at, out)->optional |= str_has_glob(pf->arg->text);
	return out->v.n > before || p->optional ? 0 : report_no_match(s, hook, pf);
}

/* ---- what has a name there ---- */

struct in_packet {
	struct place place;
	struct proto_value values[SITE_NETFILTER_VALUES];
	struct problem why; /* they are not known, if it has a text */
};

static struct place_variable variable_of(const struct proto_value *v)
{
	return (struct place_variable){v->name, PLACE_PARAMETER, MOMENT_HERE, v};
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	const struct in_packet *x = (const struct in_packet *)place;

	(void)s;
	(void)moment;
	if (x->why.text) {
		problem_copy(why, &x->why);
		return PLACE_UNKNOWN;
	}
	for (size_t i = 0; i < SITE_NETFILTER_VALUES; i++)
		if (!strcmp(x->values[i].name, name)) {
			*out = variable_of(&x->values[i]);
			return PLACE_HAS;
		}
	return PLACE_HAS_NOT;
}

static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct in_packet *x = (const struct in_packet *)place;

	(void)moment;
	for (size_t i = 0; !x->why.text && i < SITE_NETFILTER_VALUES; i++)
		vec_push(&s->arena, &out->v, variable_of(&x->values[i]));
	problem_copy(why, &x->why);
	return !x->why.text;
}

/* The verdict is where a pointer that comes with the hit points to, so that it can be written. */
static int follow(struct session *s, struct proto_value *v, struct problem *why)
{
	const struct dtype_step step = {.kind = DTYPE_STEP_DEREF};

	v->type = dtype_target(v->type);
	return dtype_path(&s->arena, &v->fetch, &step, 1, &v->fetch, why);
}

static void find_values(struct session *s, struct in_packet *x)
{
	static const struct { const char *name, *type; } known[] = {
		[SITE_NETFILTER_HOOK] = {"hooknum", "unsigned int"},
		[SITE_NETFILTER_PACKET] = {"skb", "struct sk_buff*"},
		[SITE_NETFILTER_IN] = {"in", "struct net_device*"},
		[SITE_NETFILTER_OUT] = {"out", "struct net_device*"},
		[SITE_NETFILTER_VERDICT] = {"verdict", "unsigned int*"},
	};
	struct dtypes *types = s->kernel ? kernel_types(s->kernel, NULL, &x->why) : NULL;

	if (!s->kernel)
		x->why = s->no_kernel;
	for (size_t i = 0; types && i < SITE_NETFILTER_VALUES; i++) {
		x->values[i] = (struct proto_value){.name = known[i].name, .type = dtypes_find(types, known[i].type, &x->why)};
		if (!x->values[i].type)
			return;
	}
	if (!types)
		return;
	kernel_place_given(s->kernel, x->values, SITE_NETFILTER_VALUES);
	follow(s, &x->values[SITE_NETFILTER_VERDICT], &x->why);
}

static struct place *place(struct session *s, const struct site *t)
{
	static const struct place_kind kind = {variable, variables};
	struct in_packet *x = arena_new(&s->arena, struct in_packet);

	(void)t;
	x->place = (struct place){.kind = &kind};
	find_values(s, x);
	return &x->place;
}

const struct probe_mechanism mechanism_netfilter = {
	.name = "netfilter",
	.disarms = true,
};

const struct probe_family probe_netfilter = {
	.mechanism = &mechanism_netfilter,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
