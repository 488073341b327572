// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "netfilter".  What a site means: sites/netfilter.h.
 *
 * Hooks belong to network namespaces, which come and go: the kernel reports each one, and at once those that are there.  A list of them is
 * kept here, so that conditions can arm and disarm a site in all of them.
 *
 * The kernel calls a hook under RCU.  So after a grace period no call of a function that was unregistered is under way.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/netfilter.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "kernel/arming.h"
#include "kernel/compat/netfilter.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "sites/netfilter.h"

struct netfilter_point {
	const struct rt_site *site;
	struct nf_hook_ops ops;
	bool there;  /* the kernel has the hook */
	bool wanted; /* by its condition */
	bool failed; /* that it could not be armed was reported */
};

/* A network namespace. */
struct netfilter_net {
	struct list_head list;
	struct net *net;
	bool *armed; /* of each point */
};

static struct netfilter_point *netfilter_points;
static rt_u32 netfilter_count;
static int netfilter_error; /* the first, of any point */
static unsigned int netfilter_id;
static LIST_HEAD(netfilter_nets);
/* Points are armed and disarmed: when a namespace comes or goes, and by conditions.  Protects all of the above. */
static DEFINE_MUTEX(netfilter_mutex);

static const char *netfilter_name(const struct netfilter_point *p)
{
	return rt_script.probes[p->site->probe].point;
}

/* ---- hits ---- */

/* Does the kernel take packets of the protocol family back from a program?  Those of others it loses, and complains. */
static bool netfilter_can_queue(u8 pf)
{
	return pf == NFPROTO_IPV4 || pf == NFPROTO_IPV6 || pf == NFPROTO_BRIDGE;
}

/*
 * May the kernel be given it?  After any other verdict nobody would free the packet, or the kernel would complain.  A packet that is
 * queued for a program has a flag and a number in the upper bits.
 */
static bool netfilter_is_verdict(u32 verdict, u8 pf)
{
	return verdict == NF_ACCEPT || verdict == NF_DROP ||
	       (netfilter_can_queue(pf) && (verdict & ~(NF_VERDICT_QMASK | NF_VERDICT_FLAG_QUEUE_BYPASS)) == NF_QUEUE);
}

static void netfilter_refuse(const struct netfilter_point *p, u32 verdict)
{
	static bool told;

	if (!xchg(&told, true))
		mail_warn("probe %s: %u is no verdict that can be given here (0: drop, 1: accept, 3: queue, of IPv4, IPv6 and bridges "
			  "only): the packet is accepted", netfilter_name(p), verdict);
}

static unsigned int netfilter_hit(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	const struct netfilter_point *p = priv;
	u32 verdict = NF_ACCEPT;
	const u64 values[SITE_NETFILTER_VALUES] = {
		[SITE_NETFILTER_HOOK] = state->hook,
		[SITE_NETFILTER_PACKET] = (unsigned long)skb,
		[SITE_NETFILTER_IN] = (unsigned long)state->in,
		[SITE_NETFILTER_OUT] = (unsigned long)state->out,
		[SITE_NETFILTER_VERDICT] = (unsigned long)&verdict,
	};
	struct rt_ctx *c = READ_ONCE(p->wanted) ? hit_enter(p->site->probe, NULL, false) : NULL;

	if (!c)
		return NF_ACCEPT;
	c->args = values;
	c->nargs = ARRAY_SIZE(values);
	hit_run(c);
	if (RT_FAILED(c))
		verdict = NF_ACCEPT;
	hit_leave(c);
	verdict = READ_ONCE(verdict);
	if (likely(netfilter_is_verdict(verdict, state->pf)))
		return verdict;
	netfilter_refuse(p, verdict);
	return NF_ACCEPT;
}

/*
 * ---- arming; process context, under the mutex ----
 *
 * With each hook that goes, the kernel drops all packets that are queued for programs in its namespace.  So a hook that was wanted once stays
 * until the session ends, and a condition only decides whether its handler runs.
 */

static void netfilter_arm(struct netfilter_net *n, rt_u32 i)
{
	struct netfilter_point *p = &netfilter_points[i];
	int rc;

	if (!p->there || !p->wanted || n->armed[i])
		return;
	rc = compat_netfilter_register(n->net, &p->ops);
	n->armed[i] = !rc;
	if (!rc)
		return;
	netfilter_error = netfilter_error ?: rc;
	if (!p->failed)
		mail_error("probe %s: the kernel refuses it (error %d)", netfilter_name(p), rc);
	p->failed = true;
}

static void netfilter_arm_all(struct netfilter_net *n)
{
	rt_u32 i;

	for (i = 0; i < netfilter_count; i++)
		netfilter_arm(n, i);
}

static void netfilter_ask_conditions(void)
{
	rt_u32 i;

	for (i = 0; i < netfilter_count; i++)
		WRITE_ONCE(netfilter_points[i].wanted, arming_wants(&rt_script.probes[netfilter_points[i].site->probe]));
}

static void netfilter_refresh(void)
{
	struct netfilter_net *n;

	mutex_lock(&netfilter_mutex);
	netfilter_ask_conditions();
	list_for_each_entry(n, &netfilter_nets, list)
		netfilter_arm_all(n);
	mutex_unlock(&netfilter_mutex);
}

/* ---- namespaces; process context ---- */

/* An error here would be that of a program that makes a namespace, so one of a hook is none. */
static int netfilter_net_comes(struct net *net)
{
	struct netfilter_net *n = net_generic(net, netfilter_id);

	n->net = net;
	n->armed = kvcalloc(netfilter_count, sizeof(*n->armed), GFP_KERNEL);
	if (!n->armed)
		return -ENOMEM;
	mutex_lock(&netfilter_mutex);
	list_add_tail(&n->list, &netfilter_nets);
	netfilter_arm_all(n);
	mutex_unlock(&netfilter_mutex);
	return 0;
}

static void netfilter_net_goes(struct net *net)
{
	struct netfilter_net *n = net_generic(net, netfilter_id);
	rt_u32 i;

	mutex_lock(&netfilter_mutex);
	for (i = 0; i < netfilter_count; i++)
		if (n->armed[i])
			compat_netfilter_unregister(n->net, &netfilter_points[i].ops);
	list_del(&n->list);
	mutex_unlock(&netfilter_mutex);
	kvfree(n->armed);
}

static struct pernet_operations netfilter_namespaces = {
	.init = netfilter_net_comes,
	.exit = netfilter_net_goes,
	.id = &netfilter_id,
	.size = sizeof(struct netfilter_net),
};

/* ---- the mechanism ---- */

/* How many hooks the kernel has; -EOPNOTSUPP: not one of a site that is not optional. */
static int netfilter_find(const struct rt_site *sites)
{
	rt_u32 i;
	int n = 0;

	for (i = 0; i < netfilter_count; i++) {
		struct netfilter_point *p = &netfilter_points[i];

		p->site = &sites[i];
		p->ops = (struct nf_hook_ops){ .hook = netfilter_hit, .priv = p, .pf = p->site->n[0], .hooknum = p->site->n[1],
					       .priority = p->site->n[2] };
		p->there = compat_netfilter_has(p->ops.pf);
		n += p->there;
		if (p->there)
			continue;
		if (!(p->site->flags & RT_SITE_OPTIONAL)) {
			mail_error("probe %s: this kernel was built without hooks of the protocol family", netfilter_name(p));
			return -EOPNOTSUPP;
		}
		mail_warn("probe %s: this kernel was built without hooks of the protocol family", netfilter_name(p));
	}
	return n;
}

static void netfilter_free(void)
{
	kvfree(netfilter_points);
	netfilter_points = NULL;
	netfilter_count = 0;
	netfilter_error = 0;
}

static void netfilter_stop(void)
{
	synchronize_rcu(); /* what the last handlers queued is among what the kernel drops with the hook, not lost to it */
	unregister_pernet_subsys(&netfilter_namespaces);
	synchronize_rcu(); /* no handler runs any more, nor uses a point */
	netfilter_free();
}

static int netfilter_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int found, rc;

	netfilter_points = kvcalloc(n, sizeof(*netfilter_points), GFP_KERNEL);
	if (!netfilter_points)
		return -ENOMEM;
	netfilter_count = n;
	found = netfilter_find(sites);
	if (found < 0) {
		netfilter_free(); /* not all points are filled in */
		return found;
	}
	netfilter_ask_conditions();
	rc = register_pernet_subsys(&netfilter_namespaces);
	if (rc) {
		netfilter_free();
		return rc;
	}
	mutex_lock(&netfilter_mutex);
	rc = netfilter_error;
	mutex_unlock(&netfilter_mutex);
	if (rc)
		netfilter_stop();
	else
		*armed += found;
	return rc;
}

const struct rt_mechanism rt_mechanism_netfilter = {
	.name = "netfilter",
	.start = netfilter_start,
	.stop = netfilter_stop,
	.refresh = netfilter_refresh,
};
