// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments of system calls whose form another one tells: of ioctl(), for terminals, sockets and all files; of prctl(), bpf() and keyctl(). */
#include "rt/call.h"

/* Argument i, of which the kernel takes 32 bits: a request, an option, a command or a size. */
static rt_u32 asked(const struct rt_call *k, rt_u32 i)
{
	return (rt_u32)rt_call_register(k, i);
}

/* A number that is in memory. */
static void put_int(struct rt_call *k, rt_u64 addr)
{
	rt_call_number_at(k, addr, sizeof(rt_s32), 1);
}

/* ---- ioctl() ---- */

enum ioctl_form { NOTHING, NUMBER, NAMED, INT, WIDE, TERMIOS, FIELDS, ADDRESS };
enum ioctl_way { PASSED = 1, WRITTEN = 2, BOTH_WAYS = PASSED | WRITTEN };

/*
 * way: is what the argument points to passed, or written by the kernel?  With BOTH_WAYS an entry has only what the interface is found by.
 * row: the layout, for FIELDS; the kind, for NAMED.
 */
static const struct ioctl {
	rt_u32 request;
	rt_u8 form, way;
	rt_u16 row;
} ioctls[] = {
	{0x5401, TERMIOS, WRITTEN, 0}, /* TCGETS, TCSETS, TCSETSW, TCSETSF */
	{0x5402, TERMIOS, PASSED, 0},
	{0x5403, TERMIOS, PASSED, 0},
	{0x5404, TERMIOS, PASSED, 0},
	{0x5409, NUMBER, PASSED, 0},                /* TCSBRK */
	{0x540a, NAMED, PASSED, RT_CALL_tc_flow},   /* TCXONC */
	{0x540b, NAMED, PASSED, RT_CALL_tc_flush},  /* TCFLSH */
	{0x540c, NOTHING, 0, 0},                    /* TIOCEXCL, TIOCNXCL */
	{0x540d, NOTHING, 0, 0},
	{0x540e, NUMBER, PASSED, 0},                /* TIOCSCTTY */
	{0x540f, INT, WRITTEN, 0},                  /* TIOCGPGRP, TIOCSPGRP, TIOCOUTQ */
	{0x5410, INT, PASSED, 0},
	{0x5411, INT, WRITTEN, 0},
	{0x5413, FIELDS, WRITTEN, RT_FIELDS_winsize}, /* TIOCGWINSZ, TIOCSWINSZ */
	{0x5414, FIELDS, PASSED, RT_FIELDS_winsize},
	{0x541b, INT, WRITTEN, 0},                  /* FIONREAD, TIOCPKT, FIONBIO */
	{0x5420, INT, PASSED, 0},
	{0x5421, INT, PASSED, 0},
	{0x5422, NOTHING, 0, 0},                    /* TIOCNOTTY */
	{0x5423, INT, PASSED, 0},                   /* TIOCSETD, TIOCGETD */
	{0x5424, INT, WRITTEN, 0},
	{0x5425, NUMBER, PASSED, 0},                /* TCSBRKP */
	{0x5427, NOTHING, 0, 0},                    /* TIOCSBRK, TIOCCBRK */
	{0x5428, NOTHING, 0, 0},
	{0x5429, INT, WRITTEN, 0},                  /* TIOCGSID */
	{0x5450, NOTHING, 0, 0},                    /* FIONCLEX, FIOCLEX */
	{0x5451, NOTHING, 0, 0},
	{0x5452, INT, PASSED, 0},                   /* FIOASYNC */
	{0x40045431, INT, PASSED, 0},               /* TIOCSPTLCK */
	{0x80045430, INT, WRITTEN, 0},              /* TIOCGPTN */
	{0x8905, INT, WRITTEN, 0},                  /* SIOCATMARK */
	{0x8910, FIELDS, BOTH_WAYS, RT_FIELDS_ifr_name_of_index}, /* SIOCGIFNAME */
	{0x8913, FIELDS, BOTH_WAYS, RT_FIELDS_ifr_flags}, /* SIOCGIFFLAGS, SIOCSIFFLAGS */
	{0x8914, FIELDS, PASSED, RT_FIELDS_ifr_flags},
	{0x8915, ADDRESS, BOTH_WAYS, 0},            /* SIOCGIFADDR, SIOCSIFADDR, and of others */
	{0x8916, ADDRESS, PASSED, 0},
	{0x8917, ADDRESS, BOTH_WAYS, 0},
	{0x8918, ADDRESS, PASSED, 0},
	{0x8919, ADDRESS, BOTH_WAYS, 0},
	{0x891a, ADDRESS, PASSED, 0},
	{0x891b, ADDRESS, BOTH_WAYS, 0},
	{0x891c, ADDRESS, PASSED, 0},
	{0x891d, FIELDS, BOTH_WAYS, RT_FIELDS_ifr_metric}, /* SIOCGIFMETRIC, SIOCSIFMETRIC */
	{0x891e, FIELDS, PASSED, RT_FIELDS_ifr_metric},
	{0x8921, FIELDS, BOTH_WAYS, RT_FIELDS_ifr_mtu}, /* SIOCGIFMTU, SIOCSIFMTU */
	{0x8922, FIELDS, PASSED, RT_FIELDS_ifr_mtu},
	{0x8933, FIELDS, BOTH_WAYS, RT_FIELDS_ifr_index}, /* SIOCGIFINDEX */
	{0x8942, FIELDS, BOTH_WAYS, RT_FIELDS_ifr_qlen}, /* SIOCGIFTXQLEN, SIOCSIFTXQLEN */
	{0x8943, FIELDS, PASSED, RT_FIELDS_ifr_qlen},
	{0x125d, INT, PASSED, 0}, /* BLKROSET, BLKROGET */
	{0x125e, INT, WRITTEN, 0},
	{0x125f, NOTHING, 0, 0}, /* BLKRRPART, BLKFLSBUF */
	{0x1261, NOTHING, 0, 0},
	{0x1262, NUMBER, PASSED, 0}, /* BLKRASET */
	{0x1268, INT, WRITTEN, 0}, /* BLKSSZGET */
	{0x1277, FIELDS, PASSED, RT_FIELDS_block_range}, /* BLKDISCARD */
	{0x1278, INT, WRITTEN, 0}, /* BLKIOMIN, BLKIOOPT, BLKALIGNOFF, BLKPBSZGET */
	{0x1279, INT, WRITTEN, 0},
	{0x127a, INT, WRITTEN, 0},
	{0x127b, INT, WRITTEN, 0},
	{0x127f, FIELDS, PASSED, RT_FIELDS_block_range}, /* BLKZEROOUT */
	{0x80081270, INT, WRITTEN, 0}, /* BLKBSZGET, BLKBSZSET */
	{0x40081271, INT, PASSED, 0},
	{0x80081272, WIDE, WRITTEN, 0}, /* BLKGETSIZE64 */
	{0x4c00, NUMBER, PASSED, 0}, /* LOOP_SET_FD, LOOP_CLR_FD, LOOP_CHANGE_FD, LOOP_SET_CAPACITY */
	{0x4c01, NOTHING, 0, 0},
	{0x4c06, NUMBER, PASSED, 0},
	{0x4c07, NOTHING, 0, 0},
	{0x4c80, NUMBER, PASSED, 0}, /* LOOP_CTL_ADD, LOOP_CTL_REMOVE, LOOP_CTL_GET_FREE */
	{0x4c81, NUMBER, PASSED, 0},
	{0x4c82, NOTHING, 0, 0},
	{0x80045200, INT, WRITTEN, 0}, /* RNDGETENTCNT, RNDADDTOENTCNT, RNDZAPENTCNT, RNDCLEARPOOL, RNDRESEEDCRNG */
	{0x40045201, INT, PASSED, 0},
	{0x5204, NOTHING, 0, 0},
	{0x5206, NOTHING, 0, 0},
	{0x5207, NOTHING, 0, 0},
	{0x400454ca, FIELDS, PASSED, RT_FIELDS_ifr_name}, /* TUNSETIFF, TUNSETPERSIST */
	{0x400454cb, NUMBER, PASSED, 0},
	{0x80247009, FIELDS, WRITTEN, RT_FIELDS_rtc_time}, /* RTC_RD_TIME, RTC_SET_TIME */
	{0x4024700a, FIELDS, PASSED, RT_FIELDS_rtc_time},
	{0x40049409, NUMBER, PASSED, 0}, /* FICLONE */
	{0x80044501, INT, WRITTEN, 0}, /* EVIOCGVERSION, EVIOCGRAB */
	{0x40044590, NUMBER, PASSED, 0},
	{0xb701, NOTHING, 0, 0}, /* NS_GET_USERNS, NS_GET_PARENT, NS_GET_NSTYPE */
	{0xb702, NOTHING, 0, 0},
	{0xb703, NOTHING, 0, 0},
};

/* NULL: of a form that is not known. */
static const struct ioctl *ioctl_of(const struct rt_call *k)
{
	rt_u32 request = asked(k, k->at - 1), i;

	for (i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]); i++)
		if (ioctls[i].request == request)
			return &ioctls[i];
	return 0;
}

enum { OPOST_BIT = 1, ISIG_BIT = 1, ICANON_BIT = 2, ECHO_BIT = 8, BAUD_BITS = 0x100f };

/* How a terminal is set: its speed, and what matters most. */
static void put_termios(struct rt_call *k, rt_u64 addr)
{
	const rt_u32 *w = k->block.word;

	if (!rt_call_read(k, addr, k->block.byte, 16))
		return;
	rt_call_put(k, "{");
	rt_call_names(k, RT_CALL_baud, w[2] & BAUD_BITS);
	rt_call_put(k, w[1] & OPOST_BIT ? " opost" : " -opost");
	rt_call_put(k, w[3] & ISIG_BIT ? " isig" : " -isig");
	rt_call_put(k, w[3] & ICANON_BIT ? " icanon" : " -icanon");
	rt_call_put(k, w[3] & ECHO_BIT ? " echo ...}" : " -echo ...}");
}

enum { IF_NAME_BYTES = 16, IF_NAME_TEXT = 4 * IF_NAME_BYTES + 8, SOCKADDR_BYTES = 16 };

static void put_interface_address(struct rt_call *k, rt_u64 addr, rt_u32 request)
{
	if (!rt_call_read(k, addr, k->block.byte, IF_NAME_BYTES))
		return;
	rt_call_put(k, "{ifr_name=");
	rt_call_quoted(k, addr, IF_NAME_BYTES, IF_NAME_TEXT, 1);
	rt_call_put(k, request >= 0x891b ? ", ifr_netmask=" : request >= 0x8919 ? ", ifr_broadaddr=" :
		       request >= 0x8917 ? ", ifr_dstaddr=" : ", ifr_addr=");
	rt_call_sockaddr(k, addr + IF_NAME_BYTES, SOCKADDR_BYTES);
	rt_call_put(k, "}");
}

/* Of an interface, before the kernel has written: what it is asked for. */
static void put_question(struct rt_call *k, rt_u64 addr, const struct ioctl *f)
{
	rt_bool by_index = f->form == FIELDS && f->row == RT_FIELDS_ifr_name_of_index;

	rt_call_fields(k, by_index ? RT_FIELDS_ifr_of_index : RT_FIELDS_ifr_name, addr, RT_CALL_WHOLE);
}

static void put_ioctl_arg(struct rt_call *k, rt_u64 v)
{
	const struct ioctl *f = ioctl_of(k);

	if (!f || (f->way == WRITTEN && !rt_call_has_written(k))) {
		rt_call_hex(k, v);
		return;
	}
	if (f->way == BOTH_WAYS && !rt_call_has_written(k)) {
		put_question(k, v, f);
		return;
	}
	switch ((enum ioctl_form)f->form) {
	case NOTHING:
	case NUMBER:
		rt_call_dec(k, (rt_s32)v);
		break;
	case NAMED:
		rt_call_names(k, (enum rt_call_kind)f->row, v);
		break;
	case INT:
		put_int(k, v);
		break;
	case WIDE:
		rt_call_number_at(k, v, sizeof(rt_s64), 0);
		break;
	case TERMIOS:
		put_termios(k, v);
		break;
	case FIELDS:
		rt_call_fields(k, (enum rt_call_layout)f->row, v, RT_CALL_WHOLE);
		break;
	case ADDRESS:
		put_interface_address(k, v, f->request);
		break;
	}
}

/* ---- prctl() ---- */

enum prctl_form {
	PLAIN, DECIMAL, OF_KIND, SIGNAL, NAME, FIRST_WRITTEN, SIGNAL_WRITTEN = FIRST_WRITTEN, INT_WRITTEN, KIND_WRITTEN, ADDRESS_WRITTEN, NAME_WRITTEN
};

/* args: how many of the four after the option are passed; of others all are shown.  more: the kind of the second. */
static const struct prctl {
	rt_u32 option;
	rt_u8 args, form;
	rt_u16 kind, more;
} prctls[] = {
#define ROW(option, args, form) {option, args, form, RT_CALL_END, RT_CALL_END},
#define KIND(option, args, form, kind) {option, args, form, RT_CALL_##kind, RT_CALL_END},
	ROW(1, 1, SIGNAL)                                             /* PR_SET_PDEATHSIG */
	ROW(2, 1, SIGNAL_WRITTEN)                                     /* PR_GET_PDEATHSIG */
	ROW(3, 0, PLAIN)                                              /* PR_GET_DUMPABLE */
	KIND(4, 1, OF_KIND, dumpable)                                 /* PR_SET_DUMPABLE */
	ROW(5, 1, INT_WRITTEN)                                        /* PR_GET_UNALIGN */
	ROW(7, 0, PLAIN)                                              /* PR_GET_KEEPCAPS */
	ROW(8, 1, DECIMAL)                                            /* PR_SET_KEEPCAPS */
	ROW(13, 0, PLAIN)                                             /* PR_GET_TIMING */
	ROW(14, 1, DECIMAL)                                           /* PR_SET_TIMING */
	ROW(15, 1, NAME)                                              /* PR_SET_NAME */
	ROW(16, 1, NAME_WRITTEN)                                      /* PR_GET_NAME */
	ROW(21, 0, PLAIN)                                             /* PR_GET_SECCOMP */
	KIND(22, 2, OF_KIND, seccomp_mode)                            /* PR_SET_SECCOMP */
	KIND(23, 1, OF_KIND, cap)                                     /* PR_CAPBSET_READ */
	KIND(24, 1, OF_KIND, cap)                                     /* PR_CAPBSET_DROP */
	KIND(25, 1, KIND_WRITTEN, tsc)                                /* PR_GET_TSC */
	KIND(26, 1, OF_KIND, tsc)                                     /* PR_SET_TSC */
	ROW(27, 0, PLAIN)                                             /* PR_GET_SECUREBITS */
	ROW(28, 1, PLAIN)                                             /* PR_SET_SECUREBITS */
	ROW(29, 1, DECIMAL)                                           /* PR_SET_TIMERSLACK */
	ROW(30, 0, PLAIN)                                             /* PR_GET_TIMERSLACK */
	ROW(31, 0, PLAIN)                                             /* PR_TASK_PERF_EVENTS_DISABLE */
	ROW(32, 0, PLAIN)                                             /* PR_TASK_PERF_EVENTS_ENABLE */
	KIND(35, 4, OF_KIND, set_mm)                                  /* PR_SET_MM */
	ROW(36, 1, DECIMAL)                                           /* PR_SET_CHILD_SUBREAPER */
	ROW(37, 1, INT_WRITTEN)                                       /* PR_GET_CHILD_SUBREAPER */
	ROW(38, 4, DECIMAL)                                           /* PR_SET_NO_NEW_PRIVS */
	ROW(40, 1, ADDRESS_WRITTEN)                                   /* PR_GET_TID_ADDRESS */
	ROW(41, 4, DECIMAL)                                           /* PR_SET_THP_DISABLE */
	{47, 4, OF_KIND, RT_CALL_cap_ambient, RT_CALL_cap},           /* PR_CAP_AMBIENT */
	KIND(52, 4, OF_KIND, spec)                                    /* PR_GET_SPECULATION_CTRL */
	{53, 4, OF_KIND, RT_CALL_spec, RT_CALL_spec_ctrl},            /* PR_SET_SPECULATION_CTRL */
	KIND(0x53564d41, 4, OF_KIND, set_vma)                         /* PR_SET_VMA */
#undef ROW
#undef KIND
};

static const struct prctl prctl_other = {0, 4, PLAIN, RT_CALL_END, RT_CALL_END};

static const struct prctl *prctl_of(const struct rt_call *k)
{
	rt_u32 option = asked(k, 0), i;

	for (i = 0; i < sizeof(prctls) / sizeof(prctls[0]); i++)
		if (prctls[i].option == option)
			return &prctls[i];
	return &prctl_other;
}

enum { TASK_NAME_BYTES = 16, TASK_NAME_TEXT = 4 * TASK_NAME_BYTES + 8 };

static void put_signal_written(struct rt_call *k, rt_u64 addr)
{
	if (!rt_call_read(k, addr, k->block.byte, sizeof(rt_u32)))
		return;
	rt_call_put(k, "[");
	rt_call_signal(k, k->block.word[0]);
	rt_call_put(k, "]");
}

static void put_kind_written(struct rt_call *k, rt_u64 addr, enum rt_call_kind kind)
{
	if (!rt_call_read(k, addr, k->block.byte, sizeof(rt_u32)))
		return;
	rt_call_put(k, "[");
	rt_call_names(k, kind, k->block.word[0]);
	rt_call_put(k, "]");
}

static void put_address_written(struct rt_call *k, rt_u64 addr)
{
	k->block.wide[0] = 0;
	if (!rt_call_read(k, addr, k->block.byte, k->abi ? 4 : 8))
		return;
	rt_call_put(k, "[");
	rt_call_pointer(k, k->block.wide[0]);
	rt_call_put(k, "]");
}

enum { SET_VMA = 0x53564d41, VMA_NAME_BYTES = 80 };

void rt_call_prctl_more(struct rt_call *k, rt_u64 v)
{
	const struct prctl *f = prctl_of(k);

	if (f->option == SET_VMA && k->at == 4 && v)
		rt_call_quoted(k, v, VMA_NAME_BYTES, 4 * VMA_NAME_BYTES + 8, 1);
	else if (f->more != RT_CALL_END && k->at == 2)
		rt_call_names(k, (enum rt_call_kind)f->more, v);
	else
		rt_call_hex(k, v);
}

static void put_prctl_arg(struct rt_call *k, rt_u64 v)
{
	const struct prctl *f = prctl_of(k);

	if (f->form >= FIRST_WRITTEN && !rt_call_has_written(k)) {
		rt_call_hex(k, v);
		return;
	}
	switch ((enum prctl_form)f->form) {
	case PLAIN:
		rt_call_hex(k, v);
		break;
	case DECIMAL:
		rt_call_dec(k, (rt_s64)v);
		break;
	case OF_KIND:
		rt_call_names(k, (enum rt_call_kind)f->kind, v);
		break;
	case SIGNAL:
		rt_call_signal(k, v);
		break;
	case SIGNAL_WRITTEN:
		put_signal_written(k, v);
		break;
	case INT_WRITTEN:
		put_int(k, v);
		break;
	case KIND_WRITTEN:
		put_kind_written(k, v, (enum rt_call_kind)f->kind);
		break;
	case ADDRESS_WRITTEN:
		put_address_written(k, v);
		break;
	case NAME:
	case NAME_WRITTEN:
		rt_call_quoted(k, v, TASK_NAME_BYTES, TASK_NAME_TEXT, 1);
		break;
	}
}

/* ---- bpf() ---- */

/* in: the member that all of them are in, as users of strace know it. */
static const struct bpf {
	rt_u8 command, layout;
	char in[16];
} bpfs[] = {
	{0, RT_FIELDS_bpf_map_create, ""},                        /* BPF_MAP_CREATE */
	{1, RT_FIELDS_bpf_elem, ""},                              /* BPF_MAP_LOOKUP_ELEM */
	{2, RT_FIELDS_bpf_elem, ""},                              /* BPF_MAP_UPDATE_ELEM */
	{3, RT_FIELDS_bpf_key, ""},                               /* BPF_MAP_DELETE_ELEM */
	{4, RT_FIELDS_bpf_next_key, ""},                          /* BPF_MAP_GET_NEXT_KEY */
	{5, RT_FIELDS_bpf_prog_load, ""},                         /* BPF_PROG_LOAD */
	{6, RT_FIELDS_bpf_obj, ""},                               /* BPF_OBJ_PIN */
	{7, RT_FIELDS_bpf_obj, ""},                               /* BPF_OBJ_GET */
	{8, RT_FIELDS_bpf_attach, ""},                            /* BPF_PROG_ATTACH */
	{9, RT_FIELDS_bpf_detach, ""},                            /* BPF_PROG_DETACH */
	{10, RT_FIELDS_bpf_test, "{test="},                       /* BPF_PROG_TEST_RUN */
	{11, RT_FIELDS_bpf_next_id, ""},                          /* BPF_PROG_GET_NEXT_ID */
	{12, RT_FIELDS_bpf_next_id, ""},                          /* BPF_MAP_GET_NEXT_ID */
	{13, RT_FIELDS_bpf_prog_id, ""},                          /* BPF_PROG_GET_FD_BY_ID */
	{14, RT_FIELDS_bpf_map_id, ""},                           /* BPF_MAP_GET_FD_BY_ID */
	{15, RT_FIELDS_bpf_info, "{info="},                       /* BPF_OBJ_GET_INFO_BY_FD */
	{16, RT_FIELDS_bpf_query, "{query="},                     /* BPF_PROG_QUERY */
	{17, RT_FIELDS_bpf_tracepoint, "{raw_tracepoint="},       /* BPF_RAW_TRACEPOINT_OPEN */
	{18, RT_FIELDS_bpf_btf_load, ""},                         /* BPF_BTF_LOAD */
	{19, RT_FIELDS_bpf_btf_id, ""},                           /* BPF_BTF_GET_FD_BY_ID */
	{20, RT_FIELDS_bpf_task_fd, "{task_fd_query="},           /* BPF_TASK_FD_QUERY */
	{21, RT_FIELDS_bpf_elem, ""},                             /* BPF_MAP_LOOKUP_AND_DELETE_ELEM */
	{22, RT_FIELDS_bpf_map, ""},                              /* BPF_MAP_FREEZE */
	{23, RT_FIELDS_bpf_next_id, ""},                          /* BPF_BTF_GET_NEXT_ID */
	{24, RT_FIELDS_bpf_batch, "{batch="},                     /* BPF_MAP_LOOKUP_BATCH */
	{25, RT_FIELDS_bpf_batch, "{batch="},                     /* BPF_MAP_LOOKUP_AND_DELETE_BATCH */
	{26, RT_FIELDS_bpf_batch, "{batch="},                     /* BPF_MAP_UPDATE_BATCH */
	{27, RT_FIELDS_bpf_batch, "{batch="},                     /* BPF_MAP_DELETE_BATCH */
	{28, RT_FIELDS_bpf_link, "{link_create="},                /* BPF_LINK_CREATE */
	{29, RT_FIELDS_bpf_link_update, "{link_update="},         /* BPF_LINK_UPDATE */
	{30, RT_FIELDS_bpf_link_id, ""},                          /* BPF_LINK_GET_FD_BY_ID */
	{31, RT_FIELDS_bpf_next_id, ""},                          /* BPF_LINK_GET_NEXT_ID */
	{32, RT_FIELDS_bpf_stats, "{enable_stats="},              /* BPF_ENABLE_STATS */
	{33, RT_FIELDS_bpf_iter, "{iter_create="},                /* BPF_ITER_CREATE */
	{34, RT_FIELDS_bpf_link_fd, "{link_detach="},             /* BPF_LINK_DETACH */
	{35, RT_FIELDS_bpf_bind, "{prog_bind_map="},              /* BPF_PROG_BIND_MAP */
	{36, RT_FIELDS_bpf_token, "{token_create="},              /* BPF_TOKEN_CREATE */
};

static void put_bpf_attr(struct rt_call *k, rt_u64 addr)
{
	rt_u32 command = asked(k, k->at - 1), i;
	rt_u32 size = asked(k, k->at + 1);

	for (i = 0; i < sizeof(bpfs) / sizeof(bpfs[0]); i++)
		if (bpfs[i].command == command) {
			rt_call_put(k, bpfs[i].in);
			rt_call_fields(k, (enum rt_call_layout)bpfs[i].layout, addr, size);
			rt_call_put(k, bpfs[i].in[0] ? "}" : "");
			return;
		}
	rt_call_hex(k, addr);
}

/* ---- keyctl() ---- */

/*
 * What the options 0 .. are passed after the first, a letter for each: a key (k), a text (s), a buffer whose length follows (b), a number with a
 * sign (d), without one (u), in hexadecimal (h), an address (p).
 */
static const char keyctls[][5] = {
	"kd", "s", "kbu", "k", "kdd", "kh", "kpu", "k", "kk", "kk", "kssk", "kpu", "kbuk", "kuk", "d", "ku", "k", "kpu", "", "kuuk", "kpuk", "k",
	"dk", "ppup", "khsp", "pspp", "pspp", "pspp", "pspp", "kss", "kkkh", "pu", "kdh",
};

static const char *keyctl_form(const struct rt_call *k)
{
	rt_u32 option = asked(k, 0);

	return option < sizeof(keyctls) / sizeof(keyctls[0]) ? keyctls[option] : "hhhh";
}

enum { KEY_TEXT_BYTES = 256 };

void rt_call_keyctl_arg(struct rt_call *k, rt_u64 v)
{
	switch (keyctl_form(k)[k->at - 1]) {
	case 'k':
		if (rt_call_name(RT_CALL_key_serial, (rt_u32)v))
			rt_call_names(k, RT_CALL_key_serial, (rt_u32)v);
		else
			rt_call_dec(k, (rt_s32)v);
		break;
	case 's':
		if (v)
			rt_call_quoted(k, v, KEY_TEXT_BYTES, RT_CALL_BUFFER_TEXT, 1);
		else
			rt_call_pointer(k, v);
		break;
	case 'b':
		if (v)
			rt_call_quoted(k, v, rt_call_register(k, k->at + 1), RT_CALL_BUFFER_TEXT, 0);
		else
			rt_call_pointer(k, v);
		break;
	case 'd':
		rt_call_dec(k, (rt_s32)v);
		break;
	case 'u':
		rt_call_udec(k, v);
		break;
	default:
		rt_call_hex(k, v);
		break;
	}
}

/* ---- all ---- */

rt_bool rt_call_takes(const struct rt_call *k)
{
	const struct ioctl *f;

	if (k->kind == RT_CALL_keyctl_arg)
		return k->at <= rt_cstr_len(keyctl_form(k));
	if (k->kind != RT_CALL_ioctl_arg)
		return k->at <= prctl_of(k)->args;
	f = ioctl_of(k);
	return !f || f->form != NOTHING;
}

rt_bool rt_call_writes(const struct rt_call *k)
{
	const struct ioctl *f;

	if (k->kind == RT_CALL_prctl_arg)
		return prctl_of(k)->form >= FIRST_WRITTEN;
	if (k->kind != RT_CALL_ioctl_arg)
		return 1;
	f = ioctl_of(k);
	return f && f->way & WRITTEN;
}

void rt_call_option(struct rt_call *k, rt_u64 v)
{
	if (k->kind == RT_CALL_ioctl_arg)
		put_ioctl_arg(k, v);
	else if (k->kind == RT_CALL_prctl_arg)
		put_prctl_arg(k, v);
	else
		put_bpf_attr(k, v);
}
