/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points where memory is watched: their lengths, and the values of a hit. */
#include "translator/probes/watched.h"

#include <string.h>

#include "base/str.h"
#include "runtime/sites/watched.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/kernel.h"
#include "translator/session.h"

static bool is_length(int64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

const char *watched_text(struct session *s, const char *head, const struct component *data, const struct component *length, bool rw)
{
	struct arena *a = &s->arena;
	const char *of = data->arg->kind == N_STRING ? probe_quoted(s, data->arg->text) :
						       arena_printf(a, "0x%llx", (unsigned long long)data->arg->num);
	const char *n = length ? arena_printf(a, ".length(%lld)", (long long)length->arg->num) : "";

	return arena_printf(a, "%s.data(%s)%s.%s", head, of, n, rw ? "rw" : "write");
}

int watched_check_length(struct session *s, const struct component *length)
{
	struct diag *d;

	if (!length || is_length(length->arg->num))
		return 0;
	d = s_error(s, length->arg->loc, E_POINT_VALUE, "1, 2, 4 or 8 bytes can be watched together");
	diag_hint(&s->diags, d, "more bytes need several points");
	return -1;
}

int watched_check_multiple(struct session *s, const struct component *data, const char *of, int64_t length)
{
	uint64_t at = (uint64_t)data->arg->num;
	struct diag *d;

	if (at % (uint64_t)length == 0)
		return 0;
	d = s_error(s, data->arg->loc, E_POINT_VALUE, "%lld bytes can be watched only at an address that is a multiple of %lld", (long long)length,
		    (long long)length);
	diag_hint(&s->diags, d, "%s.data(0x%llx).length(%lld) has them in it, or watch fewer bytes", of,
		  (unsigned long long)(at - at % (uint64_t)length), (long long)length);
	return -1;
}

int64_t watched_length_of(struct session *s, const struct component *data, const struct dtype *type)
{
	uint64_t size = type ? dtype_size(type) : 0;
	struct diag *d;

	if (!size || is_length((int64_t)size))
		return (int64_t)size;
	d = s_error(s, data->arg->loc, E_POINT_VALUE, "\"%s\" has %llu bytes: 1, 2, 4 or 8 can be watched together", data->arg->text,
		    (unsigned long long)size);
	diag_hint(&s->diags, d, "data(%s).length(8) watches the first ones", probe_quoted(s, data->arg->text));
	return -1;
}

/* ---- what has a name there ---- */

struct in_watched {
	struct place place;
	struct proto_value values[SITE_WATCHED_VALUES];
	size_t n;
	struct problem why; /* there are none */
};

static struct place_variable variable_of(const struct proto_value *v)
{
	return (struct place_variable){v->name, PLACE_PARAMETER, MOMENT_HERE, v};
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	const struct in_watched *x = (const struct in_watched *)place;

	(void)s;
	(void)moment;
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(x->values[i].name, name)) {
			*out = variable_of(&x->values[i]);
			return PLACE_HAS;
		}
	if (x->n)
		return PLACE_HAS_NOT;
	problem_copy(why, &x->why);
	return PLACE_UNKNOWN;
}

static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct in_watched *x = (const struct in_watched *)place;

	(void)moment;
	for (size_t i = 0; i < x->n; i++)
		vec_push(&s->arena, &out->v, variable_of(&x->values[i]));
	if (!x->n)
		problem_copy(why, &x->why);
	return x->n;
}

static const struct dtype *number_of(struct session *s, int64_t length, struct problem *why)
{
	static const char *const unsigned_of[] = {[1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int", [8] = "unsigned long"};
	struct dtypes *types;

	if (!s->kernel) {
		problem_copy(why, &s->no_kernel);
		return NULL;
	}
	types = kernel_types(s->kernel, NULL, why);
	return types ? dtypes_find(types, unsigned_of[is_length(length) ? length : 8], why) : NULL;
}

struct place *watched_place(struct session *s, struct place_home home, const struct dtype *type, int64_t length)
{
	static const struct place_kind kind = {variable, variables};
	struct in_watched *x = arena_new(&s->arena, struct in_watched);

	x->place = (struct place){.kind = &kind, .home = home};
	if (!type)
		type = number_of(s, length, &x->why);
	if (!type)
		return &x->place;
	x->values[SITE_WATCHED_BEFORE] = (struct proto_value){.name = "before", .type = type};
	x->values[SITE_WATCHED_AFTER] = (struct proto_value){.name = "after", .type = type};
	x->n = SITE_WATCHED_VALUES;
	if (home.image)
		elf_place_given(home.image, x->values, x->n);
	else
		kernel_place_given(s->kernel, x->values, x->n);
	return &x->place;
}

bool watched_is_pattern(struct session *s, const struct component *data)
{
	struct diag *d;

	if (!str_has_glob(data->arg->text))
		return false;
	d = s_error(s, data->arg->loc, E_NO_MATCH, "a point watches one variable, so its name is no pattern");
	diag_hint(&s->diags, d, "machines have few watchpoints, mostly four");
	return true;
}
