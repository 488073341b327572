// SPDX-License-Identifier: GPL-2.0-or-later
/* The context of a hit: its memory, budget, string space and error. */
#include "rt/lib.h"

#define MESSAGE_MIN 256

/* One allocation holds everything a context needs. */
int rt_ctx_init(struct rt_ctx *c)
{
	const struct rt_limits *l = rt_script.limits;
	rt_size arena = rt_round_up(l->arena, 16), iter = rt_round_up(l->iter, 16),
		out = rt_round_up(l->out + sizeof(struct rt_part), 8);
	rt_size string = rt_round_up(l->string_max + 1ULL, 8);
	rt_size message = string > MESSAGE_MIN ? string : MESSAGE_MIN;
	char *p = rt_port_alloc(arena + iter + out + string + message + rt_regex_size());

	if (!p)
		return -1;
	c->arena = c->arena_pos = p;
	c->arena_end = c->arena + arena;
	c->iter = c->iter_pos = c->arena_end;
	c->iter_end = c->iter + iter;
	c->out = c->iter_end;
	c->tokens = c->out + out;
	c->message = c->tokens + string;
	c->message_size = (rt_u32)message;
	rt_regex_init(c, c->message + message);
	return 0;
}

void rt_ctx_free(struct rt_ctx *c)
{
	rt_port_free(c->arena);
	c->arena = 0;
}

void rt_hit_begin(struct rt_ctx *c, const struct rt_probe *p)
{
	c->error = RT_OK;
	c->loc = p->loc;
	c->budget = rt_script.limits->action;
	c->arena_pos = c->arena;
	c->probe = p;
	c->no_locks = c->in_end = (p->flags & RT_PROBE_NO_LOCKS) != 0;
	c->nesting = 0;
	c->nlocked = 0;
	c->iter_pos = c->iter;
	c->out_n = c->out_part = 0;
	c->tokens_pos = c->tokens_n = 0;
	c->matched = 0;
	c->reserve_used = c->portions = 0;
	c->first_asked = 0;
}

void rt_hit_end(struct rt_ctx *c)
{
	if (c->nlocked)
		rt_unlock(c);
	if (c->out_n)
		rt_port_flush(c);
	c->out_n = c->out_part = 0;
}

/* ---- errors ---- */

static rt_bool take_error(struct rt_ctx *c, enum rt_error_kind kind)
{
	if (c->error)
		return 0;
	c->error = kind;
	c->error_loc = c->loc;
	c->ncallers = 0;
	c->message[0] = 0;
	return 1;
}

void rt_error(struct rt_ctx *c, const char *fmt, ...)
{
	struct rt_sink s = {.buf = c->message, .max = c->message_size - 1};
	__builtin_va_list args;

	if (!take_error(c, RT_SOFT))
		return;
	__builtin_va_start(args, fmt);
	rt_sink_vformat(&s, fmt, args);
	__builtin_va_end(args);
	c->message[s.n] = 0;
}

static void raise_error(struct rt_ctx *c, enum rt_error_kind kind, struct rt_str text)
{
	rt_u32 n = (rt_u32)rt_min(text.n, c->message_size - 1);

	if (!take_error(c, kind))
		return;
	memcpy(c->message, text.p, n);
	c->message[n] = 0;
}

void rt_error_str(struct rt_ctx *c, struct rt_str text)
{
	raise_error(c, RT_SOFT, text);
}

void rt_skip(struct rt_ctx *c)
{
	take_error(c, RT_SKIP);
}

void rt_abort(struct rt_ctx *c)
{
	take_error(c, RT_ABORT);
	rt_port_exit(c);
}

void rt_exit(struct rt_ctx *c)
{
	rt_port_exit(c);
}

/* The whole budget of the hit; a part of it after an error of the budget was caught. */
static rt_u64 whole_budget(const struct rt_ctx *c)
{
	rt_u64 all = (rt_u64)rt_script.limits->action + rt_script.limits->more;

	return c->reserve_used ? all / 8 : all;
}

/* The next portion; 0: there is no more. */
static rt_u64 next_portion(const struct rt_ctx *c)
{
	rt_u64 one = rt_script.limits->action, given = (c->portions + 1ULL) * one, all = whole_budget(c);

	return given < all ? rt_min(one, all - given) : 0;
}

/*
 * Whether a hit must end early is checked only when a portion is used up, or in long work on an array.  So the check costs nothing in
 * a handler that stays within the default budget.
 */
rt_bool rt_budget_exceeded(struct rt_ctx *c)
{
	while (c->budget < 0) {
		rt_u64 n = next_portion(c);

		if (!n) {
			rt_error(c, "MAXACTION exceeded");
			return 1;
		}
		c->portions++;
		c->budget += (rt_s64)n;
	}
	return rt_must_end(c);
}

rt_bool rt_must_end(struct rt_ctx *c)
{
	enum rt_error_kind end;

	if (!c->nlocked)
		rt_port_breathe(c);
	end = rt_port_goes_on(c);
	if (end == RT_OK)
		return 0;
	raise_error(c, end, end == RT_STOPPED ? RT_STR("the handler was interrupted before it was done")
					      : RT_STR("the handler has kept its CPU for too long"));
	return 1;
}

void rt_called_from(struct rt_ctx *c, rt_u32 loc)
{
	if (!c->ncallers && loc == c->error_loc)
		return; /* the failed operation is the call itself */
	if (c->ncallers < RT_CALLERS)
		c->callers[c->ncallers] = loc;
	c->ncallers++;
}

/*
 * A budget that is used up can be caught once: the rest of the hit then gets an eighth of a budget, so that the handler can report
 * it.  When that is used up too, nothing catches it.
 */
rt_bool rt_catch(struct rt_ctx *c, struct rt_str *text)
{
	rt_size n, room = (rt_size)(c->arena_end - c->arena_pos);

	if (c->error != RT_SOFT)
		return 0;
	if (c->budget < 0) {
		if (c->reserve_used)
			return 0;
		c->reserve_used = 1;
		c->portions = 0;
		c->budget = (rt_s64)rt_min(rt_script.limits->action, whole_budget(c));
	}
	c->error = RT_OK;
	if (!text)
		return 1;
	*text = RT_EMPTY;
	n = rt_min(rt_cstr_len(c->message), rt_script.limits->string_max);
	if (!room)
		return 1;
	n = rt_min(n, room - 1);
	memcpy(c->arena_pos, c->message, n);
	c->arena_pos[n] = 0;
	*text = (struct rt_str){c->arena_pos, (rt_u32)n};
	c->arena_pos += n + 1;
	return 1;
}

static void put_cstr(struct rt_sink *s, const char *text)
{
	rt_sink_put(s, text, rt_cstr_len(text));
}

static void put_place(struct rt_sink *s, const char *before, const struct rt_loc *l)
{
	put_cstr(s, before);
	put_cstr(s, l->file);
	put_cstr(s, ":");
	rt_sink_long(s, l->line, 0);
	put_cstr(s, ":");
	rt_sink_long(s, l->column, 0);
}

static void put_callers(struct rt_sink *s, const struct rt_ctx *c)
{
	rt_u32 n = c->ncallers < RT_CALLERS ? c->ncallers : RT_CALLERS;

	for (rt_u32 i = 0; i < n; i++)
		put_place(s, i ? ", " : " (called from ", &rt_script.locs[c->callers[i]]);
	if (n)
		put_cstr(s, n < c->ncallers ? ", ...)" : ")");
}

rt_u32 rt_error_text(struct rt_ctx *c, char *buf, rt_u32 size)
{
	struct rt_sink s = {.buf = buf, .max = size ? size - 1 : 0};

	if (!size)
		return 0;
	if (c->error == RT_SOFT || c->error == RT_FATAL || c->error == RT_STOPPED) {
		put_cstr(&s, c->message);
		if (c->error_loc < rt_script.nlocs) {
			const struct rt_loc *l = &rt_script.locs[c->error_loc];

			if (l->token && l->token[0]) {
				put_cstr(&s, " near ");
				put_cstr(&s, l->token);
			}
			put_place(&s, " at ", l);
			put_callers(&s, c);
		}
		if (c->probe) {
			put_cstr(&s, " in probe ");
			put_cstr(&s, c->probe->point);
		}
	}
	buf[s.n] = 0;
	return s.n;
}

/* ---- calls ---- */

rt_bool rt_call_enter(struct rt_ctx *c)
{
	if (RT_UNLIKELY(c->nesting >= rt_script.limits->nesting)) {
		rt_error(c, "MAXNESTING exceeded");
		return 1;
	}
	if (RT_UNLIKELY(rt_port_stack_pointer() < c->stack_limit)) {
		rt_error(c, "too little kernel stack left for a call, check MINSTACKSPACE");
		return 1;
	}
	c->nesting++;
	return 0;
}

void rt_call_leave(struct rt_ctx *c)
{
	c->nesting--;
}

/* ---- string space ---- */

char *rt_space(struct rt_ctx *c, rt_size n)
{
	char *p = c->arena_pos;

	if (RT_UNLIKELY(n > (rt_size)(c->arena_end - p))) {
		rt_error(c, "string space exhausted");
		return 0;
	}
	c->arena_pos = p + n;
	return p;
}

char *rt_alloc(struct rt_ctx *c, rt_u32 n)
{
	char *mark = c->arena_pos, *p;

	if (!rt_space(c, -(rt_size)mark & 7))
		return 0;
	p = rt_space(c, n);
	if (!p)
		c->arena_pos = mark;
	return p;
}

struct rt_str rt_keep(struct rt_ctx *c, char *mark, struct rt_str s)
{
	unsigned long at = (unsigned long)s.p;

	if (at >= (unsigned long)mark && at < (unsigned long)c->arena_pos) {
		memmove(mark, s.p, s.n);
		s.p = mark;
		mark += s.n;
	}
	c->arena_pos = mark;
	return s;
}

char *rt_local_alloc(struct rt_ctx *c)
{
	return rt_space(c, rt_script.limits->string_max + 1ULL);
}

struct rt_str rt_local_set(struct rt_ctx *c, char *local, struct rt_str s)
{
	rt_u32 n = (rt_u32)rt_min(s.n, rt_script.limits->string_max);

	(void)c;
	if (!local)
		return RT_EMPTY;
	memmove(local, s.p, n); /* s may be a part of local */
	local[n] = 0;
	return (struct rt_str){local, n};
}
