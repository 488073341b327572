// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes the packets that are queued for programs under number 0, and holds them until it is killed: it gives no verdict.
 * /proc/net/netfilter/nfnetlink_queue shows how many wait.  As root, with the module nfnetlink_queue.
 */
#include <arpa/inet.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workload.h"

struct request {
	struct nlmsghdr head;
	struct nfgenmsg of;
	char attributes[64];
};

static void put(struct request *r, int type, const void *data, size_t n)
{
	struct nlattr *a = (void *)((char *)r + r->head.nlmsg_len);

	a->nla_type = (unsigned short)type;
	a->nla_len = (unsigned short)(NLA_HDRLEN + n);
	memcpy((char *)a + NLA_HDRLEN, data, n);
	r->head.nlmsg_len += NLA_ALIGN(a->nla_len);
}

int main(void)
{
	struct nfqnl_msg_config_cmd bind_it = {.command = NFQNL_CFG_CMD_BIND, .pf = htons(AF_INET)};
	struct nfqnl_msg_config_params params = {.copy_range = htonl(64), .copy_mode = NFQNL_COPY_PACKET};
	struct request r = {
		.head = {.nlmsg_len = NLMSG_LENGTH(sizeof r.of), .nlmsg_type = NFNL_SUBSYS_QUEUE << 8 | NFQNL_MSG_CONFIG,
			 .nlmsg_flags = NLM_F_REQUEST},
		.of = {.nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0},
	};
	int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);

	put(&r, NFQA_CFG_CMD, &bind_it, sizeof bind_it);
	put(&r, NFQA_CFG_PARAMS, &params, sizeof params);
	if (s < 0 || send(s, &r, r.head.nlmsg_len, 0) < 0) {
		perror("queue");
		return 1;
	}
	for (;;)
		pause();
}
