/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "netfilter": packets at the hooks of netfilter.  Shared by the translator, which writes the sites, and
 * runtime/kernel/probes/netfilter.c, which registers a function at each hook.  Freestanding; used by no generated C.
 *
 *	s[0], s[1]  NULL
 *	n[0]  protocol family, enum site_netfilter_family
 *	n[1]  number of the hook in it
 *	n[2]  priority: where other functions are at the hook, those with a lower one come first
 *	n[3]  0
 *
 * Kind 0.  A site is at its hook in all network namespaces, also in those that are made later.  Handlers run in any context but
 * interrupts and NMIs, and never sleep.  There are no registers: the values are rt_arg()'s, as enum site_netfilter_value says.
 */
#ifndef SITES_NETFILTER_H
#define SITES_NETFILTER_H

enum site_netfilter_value {
	SITE_NETFILTER_HOOK,    /* its number */
	SITE_NETFILTER_PACKET,  /* struct sk_buff * */
	SITE_NETFILTER_IN,      /* struct net_device *: from which it came, or NULL */
	SITE_NETFILTER_OUT,     /* to which it goes, or NULL */
	SITE_NETFILTER_VERDICT, /* unsigned int *: what becomes of it, which the handler may change */
	SITE_NETFILTER_VALUES,
};

/* The kernel's numbers. */
enum site_netfilter_family {
	SITE_NETFILTER_INET = 1, /* IPv4 and IPv6 */
	SITE_NETFILTER_IPV4 = 2,
	SITE_NETFILTER_ARP = 3,
	SITE_NETFILTER_BRIDGE = 7,
	SITE_NETFILTER_IPV6 = 10,
};

#endif
