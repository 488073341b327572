// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conditionals: %( CONDITION %? TEXT %: OTHER TEXT %) leaves one of the texts.  The other is passed over
 * unread: errors in it, also missing arguments of the script, are not reported, and its @define's do not exist.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "parser/grammar.h"
#include "parser/stages.h"

void preproc_init(struct preproc *pp, struct parse_env *env, struct macros *macros)
{
	*pp = (struct preproc){.env = env, .macros = macros};
}

/* ---- conditions ---- */

enum operand_kind {
	OPERAND_VERSION,
	OPERAND_GLOB,
	OPERAND_EXACT,
	OPERAND_FLAG,
	OPERAND_CONFIG,
	OPERAND_STRING,
	OPERAND_NUMBER
};

struct operand {
	enum operand_kind kind;
	const char *s;
	int64_t num;
};

static const char *const operand_names[] = {
	"kernel_v", "kernel_vr", "systemtap_v", "arch", "runtime", "systemtap_privilege", "guru_mode",
};

static int complain(struct preproc *pp, const struct token *t, const char *what)
{
	diag_report(pp->env->diags, t->loc, E_CONDITIONAL, "%s", what);
	return -1;
}

/* Did it come from $1 or the like? */
static bool from_argument(const struct preproc *pp, const struct token *t)
{
	return t->loc.expansion && pp->env->sources->expansions[t->loc.expansion - 1].macro[0] == '$';
}

static int unknown_operand(struct preproc *pp, const struct token *t)
{
	struct diag *d;
	struct nearest near;

	if (t->kind == '(') {
		d = diag_report(pp->env->diags, t->loc, E_CONDITIONAL, "a condition has no parentheses");
		diag_hint(pp->env->diags, d, "\"&&\" binds tighter than \"||\"; other groups need a conditional within a conditional");
		return -1;
	}
	if (t->kind != TK_IDENT)
		return complain(pp, t, "a condition compares a fact about the target, a string or a number");
	d = diag_report(pp->env->diags, t->loc, E_CONDITIONAL,
			"\"%s\" is nothing that a conditional can compare", t->text);
	if (from_argument(pp, t)) {
		diag_hint(pp->env->diags, d, "an argument is compared as a string when it is written @1, @2 ...");
		return -1;
	}
	nearest_init(&near, t->text);
	for (size_t i = 0; i < sizeof operand_names / sizeof *operand_names; i++)
		nearest_add(&near, operand_names[i]);
	if (!diag_hint_near(pp->env->diags, d, nearest_text(&near, pp->env->arena)))
		diag_hint(pp->env->diags, d,
			  "it can ask about kernel_v, kernel_vr, systemtap_v, arch, runtime, "
			  "systemtap_privilege, guru_mode, CONFIG_...");
	return -1;
}

static int number_operand(struct preproc *pp, const struct token *t, struct operand *out)
{
	char *end;

	errno = 0;
	*out = (struct operand){OPERAND_NUMBER, "", (int64_t)strtoull(t->text, &end, 0)};
	if (strchr(t->text, '.')) {
		struct diag *d = diag_report(pp->env->diags, t->loc, E_CONDITIONAL, "there are no numbers with fractions");

		diag_hint(pp->env->diags, d, "versions are compared as strings: \"%s\"", t->text);
		return -1;
	}
	return *end || errno ? complain(pp, t, "this is not a number") : 0;
}

static int named_operand(struct preproc *pp, const struct token *t, struct operand *out)
{
	const struct parse_env *env = pp->env;
	const char *release = env->kernel_release ? env->kernel_release : "", *value;

	if (!strncmp(t->text, "CONFIG_", 7)) {
		value = env->config ? env->config(env->config_data, t->text) : NULL;
		*out = (struct operand){OPERAND_CONFIG, value ? value : "", 0};
	} else if (!strcmp(t->text, "kernel_v")) {
		*out = (struct operand){OPERAND_VERSION,
					arena_strndup(env->arena, release, strcspn(release, "-")), 0};
	} else if (!strcmp(t->text, "kernel_vr")) {
		*out = (struct operand){OPERAND_VERSION, release, 0};
	} else if (!strcmp(t->text, "systemtap_v")) {
		*out = (struct operand){OPERAND_VERSION, env->compatible ? env->compatible : "", 0};
	} else if (!strcmp(t->text, "arch")) {
		*out = (struct operand){OPERAND_GLOB, env->arch ? env->arch : "", 0};
	} else if (!strcmp(t->text, "runtime")) {
		*out = (struct operand){OPERAND_GLOB, env->runtime ? env->runtime : "", 0};
	} else if (!strcmp(t->text, "systemtap_privilege")) {
		*out = (struct operand){OPERAND_EXACT, env->privilege ? env->privilege : "", 0};
	} else if (!strcmp(t->text, "guru_mode")) {
		*out = (struct operand){OPERAND_FLAG, "", env->guru};
	} else {
		return unknown_operand(pp, t);
	}
	return 0;
}

static int read_operand(struct preproc *pp, const struct token *t, struct operand *out)
{
	if (t->error) {
		feed_report(pp->env, t);
		if (t->kind == TK_JUNK)
			return -1;
	}
	if (t->kind == TK_IDENT)
		return named_operand(pp, t, out);
	if (t->kind == TK_NUMBER)
		return number_operand(pp, t, out);
	if (t->kind != TK_STRING)
		return unknown_operand(pp, t);
	*out = (struct operand){OPERAND_STRING, t->text, 0};
	return 0;
}

static bool holds(int kind, int order)
{
	switch (kind) {
	case '<':
		return order < 0;
	case '>':
		return order > 0;
	case TK_LE:
		return order <= 0;
	case TK_GE:
		return order >= 0;
	case TK_EQ:
		return order == 0;
	}
	return order != 0;
}

static bool is_comparison(int kind)
{
	return kind == '<' || kind == '>' || kind == TK_LE || kind == TK_GE || kind == TK_EQ || kind == TK_NE;
}

static bool is_equality(int kind)
{
	return kind == TK_EQ || kind == TK_NE;
}

static int compare_numbers(int kind, int64_t l, int64_t r)
{
	return holds(kind, l < r ? -1 : l > r);
}

static bool config_number(const char *s, int64_t *num)
{
	char *end;

	errno = 0;
	*num = strtoll(s, &end, 0);
	return !*end && !errno;
}

static int compare_config(struct preproc *pp, const struct token *t, const struct operand *l,
			  const struct operand *r)
{
	int64_t a, b = r->num;
	bool number = config_number(l->s, &a);

	if (r->kind == OPERAND_STRING) {
		if (!is_equality(t[1].kind))
			return complain(pp, &t[1], "an option is compared with a string by \"==\" or \"!=\"");
		return holds(t[1].kind, !str_glob(r->s, l->s));
	}
	if (r->kind == OPERAND_CONFIG) {
		if (number && config_number(r->s, &b))
			return compare_numbers(t[1].kind, a, b);
		return holds(t[1].kind, strcmp(l->s, r->s));
	}
	if (r->kind != OPERAND_NUMBER)
		return complain(pp, &t[2], "an option is compared with a string, a number or another option");
	if (!number)
		return complain(pp, &t[0], "the value of this option is not a number on the target kernel");
	return compare_numbers(t[1].kind, a, b);
}

/* The right side is of another kind than the left one. */
static int not_comparable(struct preproc *pp, const struct token *t, const struct operand *r, const char *what)
{
	struct diag *d = diag_report(pp->env->diags, t[2].loc, E_CONDITIONAL, "%s", what);

	if (t[2].kind == TK_IDENT && (t[0].kind == TK_STRING || t[0].kind == TK_NUMBER))
		diag_hint(pp->env->diags, d, "the value to compare is written on the left: %s %s ...", t[2].text,
			  t[1].kind == TK_NE ? "!=" : "==");
	else if (r->kind == OPERAND_NUMBER)
		diag_hint(pp->env->diags, d, "write it in quotes: \"%s\"", t[2].text);
	return -1;
}

static int compare_texts(struct preproc *pp, const struct token *t, const struct operand *l,
			 const struct operand *r)
{
	bool glob = str_has_glob(r->s), equality = is_equality(t[1].kind);

	if (r->kind != OPERAND_STRING)
		return not_comparable(pp, t, r, "expected a string to compare with");
	if (l->kind == OPERAND_STRING)
		return holds(t[1].kind, strcmp(l->s, r->s));
	if (l->kind != OPERAND_VERSION && !equality)
		return complain(pp, &t[1], "this can only be compared by \"==\" or \"!=\"");
	if (l->kind == OPERAND_EXACT)
		return holds(t[1].kind, strcmp(l->s, r->s));
	if (l->kind == OPERAND_GLOB || (glob && equality))
		return holds(t[1].kind, !str_glob(r->s, l->s));
	if (glob)
		return complain(pp, &t[2], "wildcards can only be compared by \"==\" or \"!=\"");
	return holds(t[1].kind, strverscmp(l->s, r->s));
}

/* One comparison: 1, 0, or -1 after an error. */
static int evaluate(struct preproc *pp, const struct token t[3])
{
	struct operand l, r;

	if (read_operand(pp, &t[0], &l))
		return -1;
	if (!is_comparison(t[1].kind))
		return complain(pp, &t[1], "expected a comparison: < <= > >= == !=");
	if (l.kind == OPERAND_FLAG && t[2].kind == TK_IDENT)
		return complain(pp, &t[2], "\"guru_mode\" is 0 or 1");
	if (read_operand(pp, &t[2], &r))
		return -1;

	switch (l.kind) {
	case OPERAND_CONFIG:
		return compare_config(pp, t, &l, &r);
	case OPERAND_FLAG:
		if (!is_equality(t[1].kind))
			return complain(pp, &t[1], "\"guru_mode\" can only be compared by \"==\" or \"!=\"");
		if (r.kind != OPERAND_NUMBER || r.num < 0 || r.num > 1)
			return complain(pp, &t[2], "\"guru_mode\" is 0 or 1");
		return compare_numbers(t[1].kind, l.num, r.num);
	case OPERAND_NUMBER:
		if (r.kind != OPERAND_NUMBER)
			return not_comparable(pp, t, &r, "expected a number to compare with");
		return compare_numbers(t[1].kind, l.num, r.num);
	case OPERAND_VERSION:
	case OPERAND_GLOB:
	case OPERAND_EXACT:
	case OPERAND_STRING:
		break;
	}
	return compare_texts(pp, t, &l, &r);
}

/* After three words of a comparison, only these go on with a condition. */
static bool goes_on(int kind)
{
	return kind == TK_LAND || kind == TK_LOR || kind == TK_PP_THEN;
}

/* "2.6" without quotes is one word to its writer. */
static bool is_fraction(const struct tokens *c, const struct token *t)
{
	const struct token *last = c->n ? &c->v[c->n - 1] : NULL;

	return last && t->glued && ((last->kind == TK_NUMBER && t->kind == '.') || (last->kind == '.' && t->kind == TK_NUMBER));
}

/* Could another comparison begin with it? */
static bool is_operand(const struct token *t)
{
	if (t->kind == TK_NUMBER || t->kind == TK_STRING)
		return true;
	for (size_t i = 0; t->kind == TK_IDENT && i < sizeof operand_names / sizeof *operand_names; i++)
		if (!strcmp(t->text, operand_names[i]))
			return true;
	return t->kind == TK_IDENT && !strncmp(t->text, "CONFIG_", 7);
}

/* The comparison is complete, and t is not "%?": what follows is taken for the text that it should introduce. */
static void forgotten_then(struct preproc *pp, struct token t)
{
	if (t.kind == '?') {
		complain(pp, &t, "the question mark of a conditional is written \"%?\"");
		return;
	}
	complain(pp, &t, "expected \"&&\", \"||\" or \"%?\" after the comparison");
	if (is_operand(&t))
		while (t.kind && t.kind != TK_PP_OPEN && t.kind != TK_PP_THEN && t.kind != TK_PP_ELSE && t.kind != TK_PP_CLOSE)
			t = macro_next(pp->macros);
	pp->look = t;
	pp->have_look = t.kind != TK_PP_THEN;
}

/* There is no "%?" before something that cannot be in a condition. */
static void no_then(struct preproc *pp, struct token open, struct token t)
{
	struct diag *d = diag_report(pp->env->diags, t.kind ? t.loc : open.loc, E_CONDITIONAL,
				     "there is no \"%%?\" after the condition");

	if (!t.kind)
		diag_hint(pp->env->diags, d, "a remainder by something in parentheses is written with a blank: a %% (b)");
	open.kind = TK_PP_ELSE;
	if (t.kind == TK_PP_ELSE)
		vec_push(pp->env->arena, &pp->opened, open);
	if (t.kind == TK_PP_OPEN) {
		pp->look = t;
		pp->have_look = true;
	}
}

/* The tokens between "%(" and "%?". */
static bool read_condition(struct preproc *pp, struct token open, struct tokens *out)
{
	for (;;) {
		struct token t = macro_next(pp->macros);

		if (t.kind == TK_PP_THEN)
			return true;
		if (!t.kind || t.kind == TK_PP_OPEN || t.kind == TK_PP_ELSE || t.kind == TK_PP_CLOSE) {
			no_then(pp, open, t);
			return false;
		}
		if (is_fraction(out, &t)) {
			struct token *last = &out->v[out->n - 1];

			last->text = intern(arena_printf(pp->env->arena, "%s%s", last->text, t.text ? t.text : "."));
			last->loc = loc_span(last->loc, t.loc);
			last->kind = t.kind == '.' ? '.' : TK_NUMBER;
			continue;
		}
		if (out->n % 4 == 3 && is_comparison(out->v[out->n - 2].kind) && out->v[out->n - 1].kind != '-' &&
		    !goes_on(t.kind)) {
			forgotten_then(pp, t);
			return true;
		}
		vec_push(pp->env->arena, out, t);
	}
}

/* What decides nothing any more is not evaluated: %( $# > 1 && @2 == "x" %? .. %) is fine without a second
 * argument. */
static bool condition_holds(struct preproc *pp, struct token open, const struct tokens *c)
{
	bool any = false, all = true;

	for (size_t i = 0;; i += 4) {
		if (i + 3 > c->n) {
			complain(pp, i < c->n ? &c->v[i] : &open,
				 "expected a comparison such as kernel_v >= \"6.1\"");
			return false;
		}
		if (all && !any) {
			int is = evaluate(pp, &c->v[i]);

			if (is < 0 && i + 3 < c->n && !goes_on(c->v[i + 3].kind))
				return false; /* the words after it may belong to it */
			all = is > 0;
		}
		if (i + 3 == c->n)
			return any || all;
		if (c->v[i + 3].kind == TK_LOR) {
			any = any || all;
			all = true;
		} else if (c->v[i + 3].kind != TK_LAND) {
			complain(pp, &c->v[i + 3], "expected \"&&\", \"||\" or \"%?\" after the comparison");
			return false;
		}
	}
}

/* ---- arms ---- */

static void no_end(struct preproc *pp, struct token open, struct token swallower)
{
	struct diag *d = diag_report(pp->env->diags, open.loc, E_CONDITIONAL, "there is no \"%%)\" for this \"%%(\"");

	if (swallower.error)
		diag_note(pp->env->diags, d, swallower.loc, "what begins here is not closed, and may have swallowed it");
}

/* Passes over an arm; TK_PP_CLOSE, TK_PP_ELSE (only when wanted) or 0. */
static int skip_arm(struct preproc *pp, struct token open, bool stop_at_else)
{
	struct token swallower = {0};
	unsigned depth = 0;

	for (;;) {
		struct token t = macro_next_raw(pp->macros);

		if (!t.kind) {
			no_end(pp, open, swallower);
			return 0;
		}
		if (!swallower.error && (t.error == E_UNCLOSED_STRING || t.error == W_UNCLOSED_COMMENT ||
					 t.error == E_UNCLOSED_EMBEDDED))
			swallower = t;
		depth += t.kind == TK_PP_OPEN;
		if (t.kind == TK_PP_ELSE && !depth) {
			if (stop_at_else)
				return t.kind;
			complain(pp, &t, "there is a \"%:\" already");
		}
		if (t.kind == TK_PP_CLOSE && !depth--)
			return t.kind;
	}
}

static void begin(struct preproc *pp, struct token open)
{
	struct tokens condition = {0};
	bool well_formed = read_condition(pp, open, &condition);

	if (well_formed && condition_holds(pp, open, &condition)) {
		open.kind = TK_PP_THEN;
		vec_push(pp->env->arena, &pp->opened, open);
	} else if (well_formed && skip_arm(pp, open, true) == TK_PP_ELSE) {
		open.kind = TK_PP_ELSE;
		vec_push(pp->env->arena, &pp->opened, open);
	}
}

/* "%:" or "%)" of an arm that was left in. */
static void end(struct preproc *pp, struct token t)
{
	struct token *open = pp->opened.n ? &pp->opened.v[pp->opened.n - 1] : NULL;

	if (!open) {
		complain(pp, &t, "there is no \"%(\" for this");
		return;
	}
	if (t.kind == TK_PP_ELSE) {
		if (open->kind == TK_PP_ELSE)
			complain(pp, &t, "there is a \"%:\" already");
		skip_arm(pp, *open, false);
	}
	pp->opened.n--;
}

struct token preproc_next(struct preproc *pp)
{
	for (;;) {
		struct token t = pp->have_look ? pp->look : macro_next(pp->macros);

		pp->have_look = false;
		switch (t.kind) {
		case TK_PP_OPEN:
			begin(pp, t);
			break;
		case TK_PP_ELSE:
		case TK_PP_CLOSE:
			end(pp, t);
			break;
		case TK_PP_THEN:
			complain(pp, &t, "there is no \"%(\" for this");
			break;
		case 0:
			while (pp->opened.n)
				complain(pp, &pp->opened.v[--pp->opened.n],
					 "there is no \"%)\" for this \"%(\"");
			return t;
		default:
			return t;
		}
	}
}
