/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads call_args.def: which kinds of arguments a call has, and which variables they make. */
#include "translator/call_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

static const struct description {
	const char *call, *args;
} descriptions[] = {
#define ARGS(call, args) {call, args},
#include "translator/call_args.def"
#undef ARGS
};

static const struct kind {
	const char *name;
	unsigned char class;
	bool is_text;
} kinds_known[] = {
	[RT_CALL_END] = {"", 0, false},
#define KIND(kind, class, text) [RT_CALL_##kind] = {#kind, RT_CALL_##class, text},
	RT_CALL_KINDS(KIND)
#undef KIND
};

/* Its arguments; NULL: the table does not have it. */
static const char *by_name(const char *call)
{
	for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
		if (!strcmp(descriptions[i].call, call))
			return descriptions[i].args;
	return NULL;
}

static const char *described(struct arena *a, const struct kernel_call *call)
{
	const char *args = call->compat ? by_name(arena_printf(a, "compat_%s", call->name)) : NULL;

	args = args ? args : by_name(call->name);
	return args ? args : by_name(call->common);
}

/* ---- arguments ---- */

/* One argument: names and kind, and what is before it. */
struct argument {
	const char *numbers, *texts; /* comma-separated names, with lengths; texts: NULL if they are made from the numbers */
	size_t nnumbers, ntexts;
	enum rt_call_kind kind;      /* RT_CALL_END: it is no argument */
	const char *made;            /* what more variables are made of it: "NAME=WORD@N+NAME=WORD", or, of no argument, "WORD" */
	size_t nmade;
	unsigned at;                 /* which it is, 0 .. */
	bool moves;                  /* it, or one before it, may take two registers */
};

static enum rt_call_kind kind_of(const char *word, size_t n)
{
	unsigned k = 1;

	while (k < RT_CALL_NKINDS && (strncmp(kinds_known[k].name, word, n) || kinds_known[k].name[n]))
		k++;
	return k < RT_CALL_NKINDS ? k : RT_CALL_END;
}

/* Takes the argument that *p begins with; false: there is no other, but maybe "=" and what is returned. */
static bool next_argument(const char **p, struct argument *x)
{
	size_t n = strcspn(*p, " "), names = strcspn(*p, ":"), kind;
	const char *slash = memchr(*p, '/', names);

	if (!n || **p == '=')
		return false;
	kind = strcspn(*p + names + 1, " +=");
	x->numbers = *p;
	x->nnumbers = slash ? (size_t)(slash - *p) : names;
	x->texts = slash ? slash + 1 : NULL;
	x->ntexts = slash ? names - x->nnumbers - 1 : 0;
	x->kind = kind ? kind_of(*p + names + 1, kind) : RT_CALL_END;
	x->nmade = n - names - 1 - kind;
	x->made = x->nmade ? *p + names + 1 + kind + 1 : NULL;
	x->nmade -= x->nmade != 0;
	x->moves |= x->kind && kinds_known[x->kind].class >= RT_CALL_PAIR;
	*p += n + ((*p)[n] == ' ');
	return true;
}

bool call_args_kinds(struct arena *a, const struct kernel_call *call, unsigned char kinds[RT_CALL_ARGS + 2])
{
	const char *p = described(a, call);
	struct argument x = {0};
	unsigned n = 0;

	kinds[0] = kinds[1] = RT_CALL_END;
	if (!p)
		return false;
	while (n < RT_CALL_ARGS && next_argument(&p, &x))
		if (x.kind)
			kinds[n++] = (unsigned char)x.kind;
	kinds[n] = RT_CALL_END;
	kinds[n + 1] = *p == '=' ? (unsigned char)kind_of(p + 1, strlen(p + 1)) : RT_CALL_END;
	return true;
}

/* ---- variables ---- */

struct making {
	struct arena *a;
	VEC(struct probe_local) v;
	bool same; /* all calls pass the same */
	bool is_return;
};

static void add(struct making *m, const struct probe_local *l)
{
	for (size_t i = 0; i < m->v.n; i++)
		if (m->v.v[i].name == l->name)
			return;
	vec_push(m->a, &m->v, *l);
}

/* A text that is made at the return, of what was there at the entry: __call_past(0 .. 7), and, if it may have been readable then, saved. */
static void add_later(struct making *m, const char *name, const char *function, const char *saved, unsigned at)
{
	add(m, &(struct probe_local){
			.name = intern(name), .function = function, .saved = saved, .past = "__call_past", .npast = RT_CALL_ARGS + 2, .argument = at,
			.is_text = true,
		});
}

static void add_text_of(struct making *m, const char *name, const char *function, unsigned at)
{
	add(m, &(struct probe_local){.name = intern(name), .function = function, .argument = at, .is_text = true});
}

/* Each name of a list. */
#define EACH_NAME(p, n, list, length)                                                        \
	for (const char *p = list; p < list + length && (n = strcspn(p, ",/:")); p += n + 1)

#define OR_KIND(k, class, text) || kind == RT_CALL_##k

/* Is it passed only with some values of other arguments? */
static bool is_sometimes(enum rt_call_kind kind)
{
	return false RT_CALL_SOMETIMES(OR_KIND);
}

static const char *function_of(const struct making *m, const struct argument *x)
{
	static const char *const functions[] = {
		[RT_CALL_INT] = "__call_int", [RT_CALL_UINT] = "__call_uint", [RT_CALL_WORD] = "__call_word", [RT_CALL_LONG] = "__call_long",
		[RT_CALL_PAIR] = "__call_number", [RT_CALL_POS] = "__call_number",
	};

	return m->same && !x->moves && !is_sometimes(x->kind) ? functions[kinds_known[x->kind].class] : "__call_number";
}

/* Is it what the kernel writes? */
static bool is_output(enum rt_call_kind kind)
{
	return false RT_CALL_OUTPUTS(OR_KIND);
}

/* Is it shown by what is in memory, which may not be there at the entry? */
static bool is_in_memory(enum rt_call_kind kind)
{
	return false RT_CALL_MEMORY(OR_KIND) RT_CALL_STRUCTS(OR_KIND) RT_CALL_LISTS(OR_KIND) RT_CALL_BOTH(OR_KIND) || kind == RT_CALL_fcntl_arg;
}

static void add_text(struct making *m, const struct argument *x, const char *name)
{
	const char *unquoted = x->kind == RT_CALL_str ? arena_printf(m->a, "%s_unquoted", name) : NULL;

	if (is_output(x->kind)) {
		if (m->is_return)
			add_later(m, name, "__call_result", NULL, x->at);
	} else if (m->is_return && is_in_memory(x->kind)) {
		add_later(m, name, "__call_later", "__call_save", x->at);
		if (unquoted)
			add_later(m, unquoted, "__call_later_unquoted", "__call_save_unquoted", x->at);
	} else {
		add_text_of(m, name, "__call_text", x->at);
		if (unquoted)
			add_text_of(m, unquoted, "__call_unquoted", x->at);
	}
}

/* The name without an "_uaddr" at its end. */
static const char *stem(struct arena *a, const char *name, size_t n)
{
	static const char end[] = "_uaddr";
	size_t m = sizeof end - 1;

	return arena_strndup(a, name, n > m && !memcmp(name + n - m, end, m) ? n - m : n);
}

/* What is made by functions of the tapset. */
static const struct made {
	const char *word, *function;
	bool is_text;
	enum { EVER, AT_ENTRY, AT_RETURN } when; /* AT_RETURN: with __call_past(0 ..) too */
} mades[] = {
	{"zero", "__call_made_zero", false, EVER},
	{"no_flags", "__call_made_no_flags", true, EVER},
	{"sigchld", "__call_made_sigchld", false, EVER},
	{"address", "__call_made_address", true, AT_ENTRY},
	{"bdflush_data", "__call_made_bdflush_data", true, EVER},
	{"family", "__call_made_family", true, EVER},
	{"int", "__call_made_int", false, EVER},
	{"int_written", "__call_made_int_written", false, AT_RETURN},
	{"uint", "__call_made_uint", false, EVER},
	{"time", "__call_made_time", false, EVER},
};

/* name: of n bytes; word: "WORD" or "WORD@N", of length bytes.  The function is given the argument's number and, above 8 bits, N. */
static void add_made(struct making *m, const char *name, size_t n, const char *word, size_t length, unsigned at)
{
	const char *after = memchr(word, '@', length);
	size_t nword = after ? (size_t)(after - word) : length;

	for (size_t i = 0; i < sizeof mades / sizeof *mades; i++) {
		const struct made *made = &mades[i];

		if (strncmp(made->word, word, nword) || made->word[nword] || made->when == (m->is_return ? AT_ENTRY : AT_RETURN))
			continue;
		add(m, &(struct probe_local){
				.name = intern_n(name, n),
				.function = made->function,
				.past = made->when == AT_RETURN ? "__call_past" : NULL,
				.npast = made->when == AT_RETURN ? RT_CALL_ARGS + 2 : 0,
				.argument = at | (after ? (unsigned)strtoul(after + 1, NULL, 10) : 0) << 8,
				.is_text = made->is_text,
			});
	}
}

static void add_mades(struct making *m, const struct argument *x)
{
	const char *p = x->made, *end = x->made + x->nmade;

	for (size_t n; p && p < end; p += n + 1) {
		size_t name = strcspn(p, "=");

		n = strcspn(p, "+ ");
		if (p + n > end)
			n = (size_t)(end - p);
		add_made(m, p, name, p + name + 1, n - name - 1, x->at);
	}
}

static void add_argument(struct making *m, const struct argument *x)
{
	bool is_str = x->kind == RT_CALL_str && !x->texts;
	size_t n;

	if (!x->kind) {
		add_made(m, x->numbers, x->nnumbers, x->made, x->nmade, 0);
		return;
	}
	EACH_NAME(p, n, x->numbers, x->nnumbers) {
		const char *name = arena_strndup(m->a, p, n);

		add(m, &(struct probe_local){
				.name = intern(is_str ? arena_printf(m->a, "%s_uaddr", name) : name),
				.function = function_of(m, x),
				.argument = x->at,
			});
		if (is_str)
			add_text(m, x, name);
		else if (kinds_known[x->kind].is_text && !x->texts)
			add_text(m, x, arena_printf(m->a, "%s_str", stem(m->a, p, n)));
	}
	if (x->texts)
		EACH_NAME(p, n, x->texts, x->ntexts)
			add_text(m, x, arena_strndup(m->a, p, n));
	add_mades(m, x);
}

const struct probe_local *call_args_locals(struct arena *a, const struct kernel_call *calls, size_t n, bool is_return)
{
	struct making m = {.a = a, .same = true, .is_return = is_return};
	struct probe_local last = {0};

	for (size_t i = 1; i < n; i++)
		m.same &= described(a, &calls[i]) == described(a, &calls[0]);
	for (size_t i = 0; i < (m.same ? n && 1 : n); i++) {
		const char *p = described(a, &calls[i]);
		struct argument x = {0};

		for (; p && next_argument(&p, &x); x.at += x.kind != RT_CALL_END)
			add_argument(&m, &x);
	}
	vec_push(a, &m.v, last);
	return m.v.v;
}
