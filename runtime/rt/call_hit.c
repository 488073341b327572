// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of the system call that is hit: found in its registers, shown at the entry, and at the return.
 *
 * At the entry much of the program's memory may not be there yet, at the return some of it has changed.  So a return is given the texts of the
 * entry, and shows those that were whole; what was not in memory is read again, and what the kernel writes is read there only.  The saved
 * text is, for each argument that is shown, a head of two bytes, and its text.  The head has the length: nothing in a text, which is the
 * program's, is looked at.
 */
#include "rt/call.h"

static const rt_u8 class_of[] = {
#define KIND(kind, class, text) [RT_CALL_##kind] = RT_CALL_##class,
	RT_CALL_KINDS(KIND)
#undef KIND
};

rt_u64 rt_call_register(const struct rt_call *k, rt_u32 i)
{
	rt_u64 v = i < RT_CALL_ARGS ? k->args[i] : 0;

	return k->abi ? (rt_u32)v : v;
}

rt_bool rt_call_has_written(const struct rt_call *k)
{
	return k->is_return && k->result >= 0;
}

/* Of the present argument; and says how many registers it takes. */
static rt_u64 value_of(struct rt_call *k)
{
	rt_u64 v = rt_call_register(k, k->at);

	k->taken = 1;
	switch ((enum rt_call_class)class_of[k->kind]) {
	case RT_CALL_INT:
		return (rt_u64)(rt_s64)(rt_s32)v;
	case RT_CALL_UINT:
		return (rt_u32)v;
	case RT_CALL_LONG:
		return k->abi ? (rt_u64)(rt_s64)(rt_s32)v : v;
	case RT_CALL_PAIR:
	case RT_CALL_POS:
		k->taken = k->abi || class_of[k->kind] == RT_CALL_POS ? 2 : 1;
		return k->abi ? v | rt_call_register(k, k->at + 1) << 32 : v;
	case RT_CALL_WORD:
		break;
	}
	return v;
}

/* What stands for a call that is not described: its registers. */
static const char raw[] = {RT_CALL_hex, RT_CALL_hex, RT_CALL_hex, RT_CALL_hex, RT_CALL_hex, RT_CALL_hex, 0};

_Static_assert(RT_CALL_mknod_type <= 256, "the kind of an argument is a byte");
_Static_assert(sizeof(struct rt_call) <= RT_SCRATCH, "a call fits into the memory of a hit");

/* Begins before the first argument. */
static struct rt_call *begin_with(struct rt_ctx *c, const char **kinds, enum rt_call_abi abi, const rt_u64 *args)
{
	struct rt_call *k = (struct rt_call *)c->scratch;

	memset(k, 0, __builtin_offsetof(struct rt_call, chunk));
	k->c = c;
	k->abi = abi;
	k->args = args;
	k->s = rt_sink_make(c);
	if (!*kinds)
		*kinds = raw;
	return k;
}

/* NULL, with an error, if there is no call. */
static struct rt_call *begin(struct rt_ctx *c, const char **kinds, enum rt_call_abi abi)
{
	if (!c->args || c->nargs < RT_CALL_ARGS) {
		rt_error(c, "no system call begins in this probe");
		return 0;
	}
	return begin_with(c, kinds, abi, c->args);
}

/* Takes the argument j, after the one before it; false: there is none. */
static rt_bool next(struct rt_call *k, const char *kinds, rt_s64 j)
{
	if (j >= RT_CALL_ARGS || !kinds[j])
		return 0;
	k->at += k->taken;
	k->kind = (enum rt_call_kind)(rt_u8)kinds[j];
	k->value = value_of(k);
	return 1;
}

/* Takes those up to i; false: the call has none, or does not show it. */
static rt_bool find(struct rt_call *k, const char *kinds, rt_s64 i)
{
	rt_s64 j = 0;

	while (j <= i && next(k, kinds, j))
		j++;
	return i >= 0 && j == i + 1 && rt_call_is_shown(k);
}

/* ---- what is saved ---- */

/* Two bytes, of which none is 0: 13 bits of the length, and whether some memory was missing. */
enum { HEAD = 2, LENGTH_LOW = 0x7f, FILL_LOW = 0x80, LENGTH_HIGH = 0x3f, FILL_HIGH = 0x40, MISSING = 0x80 };

static void set_head(struct rt_call *k, rt_u32 start)
{
	rt_u32 length = k->s.n - start - HEAD;

	k->s.buf[start] = (char)(FILL_LOW | (length & LENGTH_LOW));
	k->s.buf[start + 1] = (char)(FILL_HIGH | (length >> 7 & LENGTH_HIGH) | (k->missing ? MISSING : 0));
}

static void save(struct rt_call *k)
{
	rt_u32 start = k->s.n;

	rt_sink_fill(&k->s, (char)FILL_LOW, HEAD);
	if (k->s.cut)
		return;
	k->missing = 0;
	rt_call_argument(k, k->value);
	set_head(k, start);
}

/* Takes the next text from what was saved; false: there is no other. */
static rt_bool saved(struct rt_call *k, struct rt_str *text, rt_bool *missing)
{
	rt_u8 low, high;

	if (k->nsaved < HEAD)
		return 0;
	low = (rt_u8)k->saved[0];
	high = (rt_u8)k->saved[1];
	*missing = (high & MISSING) != 0;
	text->p = k->saved + HEAD;
	text->n = (rt_u32)rt_min((low & LENGTH_LOW) | (high & LENGTH_HIGH) << 7, k->nsaved - HEAD);
	k->saved = text->p + text->n;
	k->nsaved -= HEAD + text->n;
	return 1;
}

#define OR_KIND(k, class, text) || kind == RT_CALL_##k
static rt_bool is_output(enum rt_call_kind kind)
{
	return 0 RT_CALL_OUTPUTS(OR_KIND);
}

static rt_bool is_input_and_output(enum rt_call_kind kind)
{
	return 0 RT_CALL_BOTH(OR_KIND);
}
#undef OR_KIND

/*
 * At a return: is the argument to be shown as it is now?  If not, what was saved of it is put.  A part of no caller, whose frames are below
 * all that shows an argument.
 */
static __attribute__((noinline)) rt_bool is_new(struct rt_call *k, rt_bool read_again)
{
	struct rt_str text;
	rt_bool missing = 0, has = saved(k, &text, &missing);
	rt_bool written = is_input_and_output(k->kind) && rt_call_has_written(k) && rt_call_writes(k);

	if (is_output(k->kind) || (has && written) || (has && missing && read_again))
		return 1;
	if (has)
		rt_sink_put(&k->s, text.p, text.n);
	return 0;
}

/* Has it begun another program?  Then the addresses are not those of the memory that is there now. */
static rt_bool is_gone(const char *kinds, rt_s64 result)
{
	rt_u32 i;

	for (i = 0; i < RT_CALL_ARGS && kinds[i]; i++)
		if (kinds[i] == RT_CALL_argv)
			return result >= 0;
	return 0;
}

rt_bool rt_call_gives_address(const char *kinds)
{
	return kinds && kinds[rt_cstr_len(kinds) + 1] == RT_CALL_ptr;
}

/* ---- socketcall() and ipc() ---- */

enum moment { NOW, TO_SAVE, LATER };

/* A number of 32 bits is saved in so many bytes, of which none is 0. */
enum { SAVED_BYTES = 5, SAVED_BITS = 7 };

/* From now on the registers are those of the real call, whose first argument is the next. */
static void go_on_with_real_call(struct rt_call *k)
{
	k->args = k->multiplexed;
	k->at = k->taken = 0;
	k->alone = 0;
}

static void save_multiplexed(struct rt_call *k, rt_u32 n)
{
	rt_u32 start = k->s.n, i;

	rt_sink_fill(&k->s, (char)FILL_LOW, HEAD + n * SAVED_BYTES); /* cut short, it says that nothing could be read */
	if (k->s.cut)
		return;
	for (i = 0; i < n * SAVED_BYTES; i++)
		k->s.buf[start + HEAD + i] |= (char)(k->multiplexed[i / SAVED_BYTES] >> i % SAVED_BYTES * SAVED_BITS & ((1 << SAVED_BITS) - 1));
	k->missing = 0;
	set_head(k, start);
}

/* False: they could not be read. */
static rt_bool saved_multiplexed(struct rt_call *k, rt_u32 n)
{
	struct rt_str text;
	rt_bool missing;
	rt_u32 i;

	if (!saved(k, &text, &missing) || missing || text.n != n * SAVED_BYTES)
		return 0;
	for (i = 0; i < n * SAVED_BYTES; i++) {
		if (i % SAVED_BYTES == 0)
			k->multiplexed[i / SAVED_BYTES] = 0;
		k->multiplexed[i / SAVED_BYTES] |= (rt_u64)(text.p[i] & ((1 << SAVED_BITS) - 1)) << i % SAVED_BYTES * SAVED_BITS;
	}
	return 1;
}

/*
 * If the present argument is what socketcall() or ipc() passes on, and it can be read, or was at the entry: the kinds of the real call's arguments,
 * of which the first is the next argument.  What could not be read at the entry is all shown as it is now.
 */
static __attribute__((noinline)) const char *multiplexed(struct rt_call *k, enum moment *moment, rt_bool read_again)
{
	const char *kinds = rt_call_multiplexed(k), *was = k->saved;
	rt_u32 n = kinds ? rt_cstr_len(kinds) : 0, nwas = k->nsaved;

	if (!kinds)
		return 0;
	if (*moment != LATER || !saved_multiplexed(k, n)) {
		if ((*moment == LATER && !read_again) || !rt_call_multiplexed_read(k, n)) {
			k->saved = was;
			k->nsaved = nwas;
			return 0;
		}
		if (*moment == LATER)
			*moment = NOW;
	}
	if (*moment == TO_SAVE)
		save_multiplexed(k, n);
	go_on_with_real_call(k);
	return kinds;
}

/* ---- showing ---- */

/* For what had no room. */
static void put_dots(struct rt_call *k)
{
	static const char dots[] = "...";

	if (k->s.max < sizeof(dots))
		return;
	k->s.n = (rt_u32)rt_min(k->s.n, k->s.max - (sizeof(dots) - 1));
	rt_call_put(k, dots);
}

/* All arguments.  NULL, or the kinds of a real call's arguments, which are now to be shown by another call of this function. */
static const char *show_list(struct rt_call *k, const char *kinds, enum moment *moment, rt_bool read_again)
{
	const char *more;
	rt_u32 i;

	for (i = 0; !k->s.cut && next(k, kinds, i); i++) {
		if (!rt_call_is_shown(k))
			continue;
		if (*moment == LATER && k->nsaved < HEAD)
			break;
		if (*moment != TO_SAVE)
			rt_call_put(k, i ? ", " : "");
		if (k->s.cut)
			break;
		more = multiplexed(k, moment, read_again);
		if (more)
			return more;
		if (*moment == TO_SAVE)
			save(k);
		else if (*moment == NOW || is_new(k, read_again))
			rt_call_argument(k, k->value);
	}
	return 0;
}

static void show_multiplexed(struct rt_call *k, const char *kinds, enum moment moment, rt_bool read_again)
{
	if (moment != TO_SAVE)
		rt_call_put(k, "[");
	show_list(k, kinds, &moment, read_again);
	if (moment != TO_SAVE)
		rt_call_put(k, "]");
}

/* One of them, if the call has and shows it. */
static void show_one(struct rt_call *k, const char *kinds, rt_s64 i, enum moment moment, rt_bool read_again)
{
	const char *more;

	if (!find(k, kinds, i))
		return;
	more = multiplexed(k, &moment, read_again);
	if (more)
		show_multiplexed(k, more, moment, read_again);
	else if (moment == TO_SAVE)
		save(k);
	else if (moment == NOW || is_new(k, read_again))
		rt_call_argument(k, k->value);
}

static void show_all(struct rt_call *k, const char *kinds, enum moment moment, rt_bool read_again)
{
	/* at a return: it was cut at the entry, and its last text has no end */
	rt_bool cut = moment == LATER && k->nsaved >= rt_script.limits->string_max;
	const char *more = show_list(k, kinds, &moment, read_again);

	if (more)
		show_multiplexed(k, more, moment, read_again);
	if (moment != TO_SAVE && (cut || k->s.cut))
		put_dots(k);
}

/* ---- one ---- */

rt_s64 rt_call_number(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, rt_s64 i)
{
	struct rt_call *k = begin(c, &kinds, abi);

	return k && find(k, kinds, i) ? (rt_s64)k->value : 0;
}

rt_s64 rt_call_room(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi)
{
	struct rt_call *k = begin(c, &kinds, abi);
	const char *more;
	rt_s32 room;
	rt_s64 i;

	for (i = 0; k && next(k, kinds, i); i++)
		if ((more = rt_call_multiplexed(k)) && rt_call_multiplexed_read(k, rt_cstr_len(more))) {
			go_on_with_real_call(k);
			kinds = more;
			i = -1;
		} else if (k->kind == RT_CALL_msg_read)
			return rt_call_msg_room(k, k->value, 1);
		else if (k->kind == RT_CALL_mmsg_read)
			return rt_call_msg_room(k, k->value, (rt_u32)rt_call_register(k, k->at + 1));
		else if (k->kind == RT_CALL_out_sockaddr || k->kind == RT_CALL_out_sockoptval)
			return rt_call_get(k, rt_call_register(k, k->at + 1), &room, sizeof(room)) ? room : -1;
	return -1;
}

struct rt_str rt_call_text(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, rt_s64 i)
{
	struct rt_call *k = begin(c, &kinds, abi);

	if (!k)
		return RT_EMPTY;
	k->alone = 1;
	show_one(k, kinds, i, NOW, 0);
	return rt_sink_made(c, &k->s, 0);
}

/* ---- all ---- */

struct rt_str rt_call_args(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi)
{
	struct rt_call *k = begin(c, &kinds, abi);

	if (!k)
		return RT_EMPTY;
	show_all(k, kinds, NOW, 0);
	return rt_sink_made(c, &k->s, 0);
}

struct rt_str rt_call_numbers(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, const rt_u64 *numbers)
{
	struct rt_call *k = begin_with(c, &kinds, abi, numbers);

	show_all(k, kinds, NOW, 0);
	return rt_sink_made(c, &k->s, 0);
}

struct rt_str rt_call_named(struct rt_ctx *c, enum rt_call_kind kind, rt_s64 value)
{
	const char text[] = {(char)kind, 0}, *kinds = text;
	const rt_u64 numbers[2] = {(rt_u64)value}; /* as many as an argument takes */
	struct rt_call *k = begin_with(c, &kinds, RT_CALL_NATIVE, numbers);

	show_one(k, kinds, 0, NOW, 0);
	return rt_sink_made(c, &k->s, 0);
}

struct rt_str rt_call_save(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, rt_s64 i, rt_bool plain)
{
	struct rt_call *k = begin(c, &kinds, abi);

	if (!k)
		return RT_EMPTY;
	k->alone = i >= 0;
	k->plain = plain;
	if (i < 0)
		show_all(k, kinds, TO_SAVE, 0);
	else
		show_one(k, kinds, i, TO_SAVE, 0);
	return rt_sink_made(c, &k->s, 0);
}

/* Not a part of the next one, whose frame is below all that shows an argument. */
static __attribute__((noinline)) struct rt_call *begin_later(struct rt_ctx *c, const struct rt_call_past *p, const char **kinds)
{
	struct rt_call *k = begin_with(c, kinds, p->abi, p->args);

	k->saved = p->saved.p;
	k->nsaved = p->saved.n;
	k->result = p->result;
	k->room = p->room;
	k->is_return = 1;
	return k;
}

struct rt_str rt_call_later(struct rt_ctx *c, const struct rt_call_past *p, rt_s64 i, rt_bool plain)
{
	const char *kinds = p->kinds;
	struct rt_call *k = begin_later(c, p, &kinds);
	rt_bool read_again = !is_gone(kinds, p->result);

	k->alone = i >= 0;
	k->plain = plain;
	if (i < 0)
		show_all(k, kinds, LATER, read_again);
	else
		show_one(k, kinds, i, LATER, read_again);
	return rt_sink_made(c, &k->s, 0);
}
