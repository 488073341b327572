/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: netfilter 1..2: hooks of network namespaces.  2: the kernel has them.  1: it was built without netfilter. */
#ifndef COMPAT_NETFILTER_H
#define COMPAT_NETFILTER_H

#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/netfilter.h>

#if COMPAT_NETFILTER == 2
/* Process context.  0 or -errno. */
static inline int compat_netfilter_register(struct net *net, const struct nf_hook_ops *ops)
{
	return nf_register_net_hook(net, ops);
}

/* Process context.  A call that is under way is not waited for: it ends within an RCU grace period. */
static inline void compat_netfilter_unregister(struct net *net, const struct nf_hook_ops *ops)
{
	nf_unregister_net_hook(net, ops);
}

/* Has the kernel hooks of the protocol family?  It complains when one of another family is registered. */
static inline bool compat_netfilter_has(unsigned int family)
{
	switch (family) {
	case NFPROTO_INET:
	case NFPROTO_IPV4:
	case NFPROTO_IPV6:
		return true;
	case NFPROTO_ARP:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP);
	case NFPROTO_BRIDGE:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE);
	default:
		return false;
	}
}
#elif COMPAT_NETFILTER == 1
static inline int compat_netfilter_register(struct net *net, const struct nf_hook_ops *ops)
{
	return -EOPNOTSUPP;
}

static inline void compat_netfilter_unregister(struct net *net, const struct nf_hook_ops *ops)
{
}

static inline bool compat_netfilter_has(unsigned int family)
{
	return false;
}
#endif

#endif
