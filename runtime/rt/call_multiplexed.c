// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multiplexed calls, socketcall() and ipc().  They are passed the number of the real call and its arguments: of socketcall() in memory, of ipc()
 * mostly in the registers after the number.  These are shown as those of the real call, in brackets: call_hit.c goes on with their kinds and numbers
 * as if they were in registers.  Kinds are those that translator/call_args.def has of these calls.
 */
#include "rt/call.h"

#define K(kind) RT_CALL_##kind

/* ---- ipc() ---- */

/* Where an argument is: in a register, or in the first or second word that the fifth points to. */
enum place { FIRST = 1, SECOND, THIRD, POINTER, FIFTH, AT_POINTER = 8, AFTER_IT };
enum { MOST = 5 };

/* The lower half of the number is the call, the upper half a version: msgrcv() of any but 0 has other arguments. */
enum { CALL_BITS = 16, CALL_MASK = (1 << CALL_BITS) - 1 };
enum {
	SEMOP = 1, SEMGET, SEMCTL, SEMTIMEDOP,
	MSGSND = 11, MSGRCV, MSGGET, MSGCTL,
	SHMAT = 21, SHMDT, SHMGET, SHMCTL,
	MSGRCV_WITH_VERSION = 1 << CALL_BITS | MSGRCV, /* more than any call has in the lower half */
};

static const struct ipc {
	rt_u32 call;
	char kinds[MOST + 1];
	rt_u8 places[MOST];
} ipcs[] = {
	{SEMOP, {K(int), K(ptr), K(uint)}, {FIRST, POINTER, SECOND}},
	{SEMGET, {K(ipc_key), K(int), K(ipc_flags)}, {FIRST, SECOND, THIRD}},
	{SEMCTL, {K(int), K(int), K(semctl), K(ptr)}, {FIRST, SECOND, THIRD, AT_POINTER}},
	{SEMTIMEDOP, {K(int), K(ptr), K(uint), K(timespec)}, {FIRST, POINTER, SECOND, FIFTH}},
	{MSGSND, {K(int), K(ptr), K(size), K(msg_op)}, {FIRST, POINTER, SECOND, THIRD}},
	{MSGRCV, {K(int), K(ptr), K(size), K(long), K(msg_op)}, {FIRST, AT_POINTER, SECOND, AFTER_IT, THIRD}},
	{MSGRCV_WITH_VERSION, {K(int), K(ptr), K(size), K(long), K(msg_op)}, {FIRST, POINTER, SECOND, FIFTH, THIRD}},
	{MSGGET, {K(ipc_key), K(ipc_flags)}, {FIRST, SECOND}},
	{MSGCTL, {K(int), K(msgctl), K(ptr)}, {FIRST, SECOND, POINTER}},
	{SHMAT, {K(int), K(ptr), K(shmat)}, {FIRST, POINTER, SECOND}},
	{SHMDT, {K(ptr)}, {POINTER}},
	{SHMGET, {K(ipc_key), K(size), K(shmget)}, {FIRST, SECOND, THIRD}},
	{SHMCTL, {K(int), K(shmctl), K(ptr)}, {FIRST, SECOND, POINTER}},
};

/* NULL: there is no such call. */
static const struct ipc *ipc_of(const struct rt_call *k)
{
	rt_u32 passed = (rt_u32)rt_call_register(k, k->at - 1), call = passed & CALL_MASK, i;

	if (call == MSGRCV && passed >> CALL_BITS)
		call = MSGRCV_WITH_VERSION;
	for (i = 0; i < sizeof(ipcs) / sizeof(ipcs[0]); i++)
		if (ipcs[i].call == call)
			return &ipcs[i];
	return 0;
}

static rt_bool read_ipc(struct rt_call *k, rt_u32 n)
{
	const struct ipc *f = ipc_of(k);
	rt_u32 i, place;

	for (i = 0; i < n; i++) {
		place = f->places[i];
		if (place >= AT_POINTER && !rt_call_get(k, rt_call_register(k, POINTER), k->block.word, (place - AT_POINTER + 1) * sizeof(rt_u32)))
			return 0;
		k->multiplexed[i] = place >= AT_POINTER ? k->block.word[place - AT_POINTER] : rt_call_register(k, place);
	}
	return 1;
}

/* ---- socketcall() ---- */

#define CALL(...) {__VA_ARGS__}
/* By number, from 1 on. */
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

static const char *kinds_of_socketcall(const struct rt_call *k)
{
	rt_u32 call = (rt_u32)rt_call_register(k, k->at - 1);

	return call < sizeof(kinds_of) / sizeof(kinds_of[0]) && kinds_of[call][0] ? kinds_of[call] : 0;
}

static rt_bool read_socketcall(struct rt_call *k, rt_u32 n)
{
	rt_u32 i;

	if (!rt_call_get(k, k->value, k->block.word, n * sizeof(rt_u32)))
		return 0;
	for (i = 0; i < n; i++)
		k->multiplexed[i] = k->block.word[i];
	return 1;
}

/* ---- both ---- */

const char *rt_call_multiplexed(const struct rt_call *k)
{
	const struct ipc *f;

	if (k->kind == RT_CALL_socketcall_args)
		return kinds_of_socketcall(k);
	f = k->kind == RT_CALL_ipc_first ? ipc_of(k) : 0;
	return f ? f->kinds : 0;
}

rt_bool rt_call_multiplexed_read(struct rt_call *k, rt_u32 n)
{
	return k->kind == RT_CALL_ipc_first ? read_ipc(k, n) : read_socketcall(k, n);
}
