// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What socketcall() is passed: the number of one of twenty calls, and where in memory its arguments are.  They are shown as those of that
 * call, in brackets: call_hit.c goes on with their kinds and numbers as if they were in registers.
 */
#include "rt/call.h"

#define CALL(...) {__VA_ARGS__}
#define K(kind) RT_CALL_##kind
/* By number, from 1 on: what translator/call_args.def has of these calls. */
static const char kinds_of[][RT_CALL_ARGS + 1] = {
	CALL(K(END)),
	CALL(K(pf), K(socket_type), K(socket_protocol)),                                 /* socket */
	CALL(K(int), K(sockaddr), K(int)),                                               /* bind */
	CALL(K(int), K(sockaddr), K(uint)),                                              /* connect */
	CALL(K(int), K(int)),                                                            /* listen */
	CALL(K(int), K(out_sockaddr), K(length)),                                        /* accept */
	CALL(K(int), K(out_sockaddr), K(length)),                                        /* getsockname */
	CALL(K(int), K(out_sockaddr), K(length)),                                        /* getpeername */
	CALL(K(pf), K(socket_type), K(socket_protocol), K(out_fds)),                     /* socketpair */
	CALL(K(int), K(buf), K(size), K(msg_flags)),                                     /* send */
	CALL(K(int), K(out_buf), K(size), K(msg_flags)),                                 /* recv */
	CALL(K(int), K(buf), K(size), K(msg_flags), K(sockaddr), K(uint)),               /* sendto */
	CALL(K(int), K(out_buf), K(size), K(msg_flags), K(out_sockaddr), K(length)),     /* recvfrom */
	CALL(K(int), K(shutdown)),                                                       /* shutdown */
	CALL(K(int), K(sol), K(sockopt), K(sockoptval), K(uint)),                        /* setsockopt */
	CALL(K(int), K(sol), K(sockopt), K(out_sockoptval), K(length)),                  /* getsockopt */
	CALL(K(int), K(msghdr), K(msg_flags)),                                           /* sendmsg */
	CALL(K(int), K(msg_read), K(msg_flags)),                                         /* recvmsg */
	CALL(K(int), K(out_sockaddr), K(length), K(socket_flags)),                       /* accept4 */
	CALL(K(int), K(mmsg_read), K(uint), K(msg_flags), K(timespec)),                  /* recvmmsg */
	CALL(K(int), K(mmsg_send), K(uint), K(msg_flags)),                               /* sendmmsg */
};
#undef K
#undef CALL

const char *rt_call_sockets(const struct rt_call *k)
{
	rt_u32 call = (rt_u32)rt_call_register(k, k->at - 1);

	return k->kind == RT_CALL_socketcall_args && call < sizeof(kinds_of) / sizeof(kinds_of[0]) && kinds_of[call][0] ? kinds_of[call] : 0;
}

rt_bool rt_call_sockets_read(struct rt_call *k, rt_u32 n)
{
	rt_u32 i;

	if (!rt_call_get(k, k->value, k->block.word, n * sizeof(rt_u32)))
		return 0;
	for (i = 0; i < n; i++)
		k->several[i] = k->block.word[i];
	return 1;
}
