/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @enum, @kderef, @uderef, @kregister, @uregister: each becomes a number or a fetch program. */
#include <string.h>

#include "translator/resolve/home.h"
#include "translator/resolve/resolve.h"

static struct node *enumerator(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	struct home_search x = home_begin(s, p, ATOP_ARGS(n) > 1 ? ATOP_ARG(n, 1) : NULL);
	const struct node *name = ATOP_ARG(n, 0);
	struct nearest near;
	struct home home;
	bool looked = false;
	int64_t value;

	nearest_init(&near, name->text);
	while (home_next(&x, &home)) {
		if (dtypes_enumerator(home.types, name->text, &value))
			return ast_number(&s->arena, n->loc, value);
		dtypes_nearest_enumerators(home.types, &near);
		looked = true;
	}
	if (!looked) {
		target_problem(ds, n->loc, E_NO_ENUMERATOR, &x.why);
		return NULL;
	}
	struct diag *d = diag_report(ds, name->loc, E_NO_ENUMERATOR, "there is no enum constant \"%s\"", name->text);
	diag_hint_near(ds, d, nearest_text(&near, &s->arena));
	return NULL;
}

/* Operators that see all of the kernel are for the tapset and for guru mode. */
static bool allowed(struct session *s, struct diags *ds, const struct node *n)
{
	if (n->name[0] != 'k' || session_is_trusted(s, n->loc))
		return true;
	struct diag *d = diag_report(ds, n->loc, E_GURU, "@%s needs the option -g", n->name);
	diag_hint(ds, d, n->name[1] == 'd' ? "kernel_long(), kernel_int(), kernel_short() and kernel_char() read kernel memory without it" :
		  "int_arg(), pointer_arg() and the like give arguments without it");
	return false;
}

static bool literal(struct diags *ds, const struct node *n, const struct node *arg, const char *what)
{
	if (arg->kind == N_NUMBER)
		return true;
	diag_report(ds, arg->loc, E_LITERAL, "@%s needs %s as a plain number", n->name, what);
	return false;
}

static struct node *finished(struct session *s, struct node *n, struct fetch *f, struct node *input)
{
	struct node *out = ast_new(&s->arena, N_FETCH, n->loc, 0);

	f->size = 8;
	out->fetch = arena_memdup(&s->arena, f, sizeof *f);
	out->type = T_LONG;
	if (input)
		ast_add(&s->arena, out, input);
	return out;
}

static struct node *deref(struct session *s, struct diags *ds, struct node *n)
{
	enum fetch_space space = n->name[0] == 'k' ? FETCH_KERNEL : FETCH_USER;
	struct fetch f = fetch_input(&s->arena, 0, NULL, space);
	const struct node *bytes = ATOP_ARG(n, 0);
	int64_t size = bytes->num;

	if (!literal(ds, n, bytes, "the number of bytes"))
		return NULL;
	if (size != 1 && size != 2 && size != 4 && size != 8) {
		diag_report(ds, bytes->loc, E_LITERAL, "@%s reads 1, 2, 4 or 8 bytes", n->name);
		return NULL;
	}
	f = fetch_append(&s->arena, &f, (struct fetch_op){.code = FETCH_DEREF, .size = (uint64_t)size, .space = space});
	return finished(s, n, &f, ATOP_ARG(n, 1));
}

static struct node *reg(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	bool user = n->name[0] == 'u', user_probe = p && p->sites.v[0]->is_user;
	const struct node *number = ATOP_ARG(n, 0);
	struct fetch f = {0};

	if (!literal(ds, n, number, "the DWARF number of the register"))
		return NULL;
	if (number->num < 0 || number->num >= s->target->nregisters) {
		struct diag *d = diag_report(ds, number->loc, E_LITERAL, "there is no register %lld", (long long)number->num);
		diag_hint(ds, d, "%s", target_registers(s->target, &s->arena));
		return NULL;
	}
	if (!user && user_probe) {
		diag_report(ds, n->loc, E_NO_TARGET_VARIABLES, "there are no kernel registers in a probe of user code: use @uregister");
		return NULL;
	}
	f = fetch_append(&s->arena, &f, (struct fetch_op){.code = user ? FETCH_UREG : FETCH_REG, .n = number->num});
	return finished(s, n, &f, NULL);
}

struct node *atop_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	if (!strcmp(n->name, "enum"))
		return enumerator(s, ds, p, n);
	if (!strcmp(n->name, "enumname"))
		return enumname_bind(s, ds, p, n);
	if (!allowed(s, ds, n))
		return NULL;
	return strstr(n->name, "deref") ? deref(s, ds, n) : reg(s, ds, p, n);
}
