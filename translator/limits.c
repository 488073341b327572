/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -D means: see limits.def. */
#include "translator/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "translator/resolve/embedded.h"
#include "translator/session.h"

static const struct limit default_limits[] = {
#define LIMIT(name, value, smallest, greatest) {name, value, false},
#define SWITCH(name, value) {name, value, false},
#define NO_LIMIT(name, why)
#include "translator/limits.def"
#undef LIMIT
#undef SWITCH
#undef NO_LIMIT
	{NULL, 0, false},
};

/* The range of each limit; a switch has none. */
static const struct range {
	int64_t smallest, greatest;
	bool is_switch;
} ranges[] = {
#define LIMIT(name, value, smallest, greatest) {smallest, greatest, false},
#define SWITCH(name, value) {0, 1, true},
#define NO_LIMIT(name, why)
#include "translator/limits.def"
#undef LIMIT
#undef SWITCH
#undef NO_LIMIT
};

static const char *const no_limits[] = {
#define LIMIT(name, value, smallest, greatest)
#define SWITCH(name, value)
#define NO_LIMIT(name, why) name,
#include "translator/limits.def"
#undef LIMIT
#undef SWITCH
#undef NO_LIMIT
};

/* A number as C has it, with its suffix. */
static bool number(const char *text, int64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 0);
	return !errno && end != text && strspn(end, "uUlL") <= 3 && !end[strspn(end, "uUlL")];
}

static void set(struct session *s, struct limit *l, const char *given, const char *value)
{
	const struct range *r = &ranges[l - s->limits];
	int64_t v = 1;

	if (value ? !number(value, &v) || v < r->smallest || v > r->greatest : !r->is_switch) {
		s_error(s, (struct loc){0}, E_LIMIT, "-D %s: the value must be a number from %lld to %lld", given,
			(long long)r->smallest, (long long)r->greatest);
		return;
	}
	l->value = v;
	l->given = true;
}

static bool is_no_limit(const char *name)
{
	for (size_t i = 0; i < sizeof no_limits / sizeof *no_limits; i++) {
		size_t n = strcspn(no_limits[i], "*");

		if (no_limits[i][n] ? !strncmp(no_limits[i], name, n) : !strcmp(no_limits[i], name))
			return true;
	}
	return false;
}

static void unknown(struct session *s, const char *name)
{
	struct diag *d = s_error(s, (struct loc){0}, E_LIMIT, "there is no limit \"%s\"", name);
	struct nearest near;

	nearest_init(&near, name);
	for (const struct limit *l = s->limits; l->name; l++)
		nearest_add(&near, l->name);
	if (!diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena)))
		diag_hint(&s->diags, d, "spile(1) lists them: MAXACTION, MAXMAPENTRIES, MAXSTRINGLEN ...");
}

static bool is_c_name(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return n && !name[n] && !strchr("0123456789", *name);
}

/* NAME=VALUE or NAME. */
static void define(struct session *s, const char *given)
{
	const char *eq = strchr(given, '='), *name = given;

	if (eq)
		name = arena_strndup(&s->arena, given, (size_t)(eq - given));
	for (struct limit *l = s->limits; l->name; l++) {
		if (!strcmp(l->name, name)) {
			set(s, l, given, eq ? eq + 1 : NULL);
			return;
		}
	}
	if (is_no_limit(name))
		return;
	if (s->opt.guru && is_c_name(name))
		vec_push(&s->arena, &s->c_defines, ((struct c_define){name, eq ? eq + 1 : "1"}));
	else
		unknown(s, name);
}

void limits_check_defines(struct session *s)
{
	for (size_t i = 0; i < s->c_defines.n; i++)
		if (!embedded_mentions(s, s->c_defines.v[i].name))
			unknown(s, s->c_defines.v[i].name);
}

/* A limit that limits.def has. */
static struct limit *find(struct session *s, const char *name)
{
	for (struct limit *l = s->limits; l->name; l++)
		if (!strcmp(l->name, name))
			return l;
	abort();
}

/* Makes MAXACTION the budget of each handler (see limits.def). */
static void settle_budget(struct session *s)
{
	struct limit *action = find(s, "MAXACTION");
	const struct limit *most = find(s, "MAXACTION_INTERRUPTIBLE");

	if (!find(s, "INTERRUPTIBLE")->value)
		return;
	if (most->given || !action->given)
		action->value = most->value;
	else if (action->value < limits_greatest("MAXACTION") / 10)
		action->value *= 10;
	else
		action->value = limits_greatest("MAXACTION");
}

void limits_init(struct session *s)
{
	s->limits = arena_memdup(&s->arena, default_limits, sizeof default_limits);
	if (s->opt.no_time_limits) {
		define(s, arena_printf(&s->arena, "MAXACTION=%lld", (long long)limits_greatest("MAXACTION")));
		define(s, "STP_NO_OVERLOAD");
	}
	if (s->opt.no_error_limit)
		define(s, arena_printf(&s->arena, "MAXERRORS=%lld", (long long)limits_greatest("MAXERRORS")));
	for (size_t i = 0; i < s->opt.macros.n; i++)
		define(s, s->opt.macros.v[i]);
	settle_budget(s);
}

int64_t limits_greatest(const char *name)
{
	for (size_t i = 0; default_limits[i].name; i++)
		if (!strcmp(default_limits[i].name, name))
			return ranges[i].greatest;
	return 0;
}

int64_t session_limit(const struct session *s, const char *name)
{
	for (const struct limit *l = s->limits; l->name; l++)
		if (!strcmp(l->name, name))
			return l->value;
	return 0;
}
