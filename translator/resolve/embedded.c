/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part of pass "bind": embedded C.  Only its comments and names are looked at here; the rest is for the compiler. */
#include "translator/resolve/embedded.h"

#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "parser/ast.h"
#include "translator/resolve/resolve.h"

static const char *const tag_texts[] = {
#define TAG(id, text) text,
#include "translator/resolve/embedded.def"
#undef TAG
};

bool embedded_is_own(const struct session *s, struct loc loc)
{
	const struct source *src = source_by_id(&s->sources, loc.source);

	return src && src->is_own;
}

/* ---- lexing C, as far as it matters ---- */

enum c_kind { C_END, C_NAME, C_COMMENT, C_DIRECTIVE, C_OTHER };

struct c_token {
	enum c_kind kind;
	const char *s;
	size_t n;
};

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

static size_t quoted(const char *s)
{
	size_t n = 1;

	while (s[n] && s[n] != s[0] && s[n] != '\n')
		n += s[n] == '\\' && s[n + 1] ? 2 : 1;
	return n + (s[n] == s[0]);
}

static size_t comment(const char *s)
{
	const char *end = s[1] == '*' ? strstr(s + 2, "*/") : strchr(s, '\n');

	if (!end)
		return strlen(s);
	return (size_t)(end - s) + (s[1] == '*' ? 2 : 0);
}

/* The token at *p, which is moved to after it. */
static struct c_token next_token(const char **p)
{
	struct c_token t = {C_OTHER, *p, 1};

	while (isspace((unsigned char)*t.s))
		t.s++;
	if (!*t.s) {
		t.kind = C_END;
		t.n = 0;
	} else if (t.s[0] == '/' && (t.s[1] == '*' || t.s[1] == '/')) {
		t.kind = C_COMMENT;
		t.n = comment(t.s);
	} else if (*t.s == '"' || *t.s == '\'') {
		t.n = quoted(t.s);
	} else if (*t.s == '#') {
		t.kind = C_DIRECTIVE;
	} else if (is_word(*t.s)) {
		t.kind = isdigit((unsigned char)*t.s) ? C_OTHER : C_NAME;
		while (is_word(t.s[t.n]))
			t.n++;
	}
	*p = t.s + t.n;
	return t;
}

static bool is_one_of(const struct c_token *t, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == t->n && !memcmp(*words, t->s, t->n))
			return true;
	return false;
}

static bool begins(const struct c_token *t, const char *prefix)
{
	return t->n > strlen(prefix) && !strncmp(t->s, prefix, strlen(prefix));
}

static const char *const c_types[] = {"void",   "char",   "short",  "int",      "long",    "unsigned",
				      "signed", "_Bool",  "const",  "volatile", "static",  "rt_s64",
				      "rt_u64", "rt_u32", "rt_u16", "rt_u8",    "rt_bool", "rt_size",
				      "rt_str", "rt_ctx", "rt_val", NULL};
static const char *const c_words[] = {"if",
				      "else",
				      "for",
				      "while",
				      "do",
				      "switch",
				      "case",
				      "default",
				      "break",
				      "continue",
				      "return",
				      "goto",
				      "sizeof",
				      "struct",
				      "union",
				      "enum",
				      "inline",
				      "THIS",
				      "__retvalue",
				      "MAXSTRINGLEN",
				      "CATCH_DEREF_FAULT",
				      "deref_fault",
				      "kread",
				      "uread",
				      "kderef",
				      "uderef",
				      "kwrite",
				      "store_kderef",
				      "deref",
				      "store_deref",
				      "_stp_printf",
				      "_stp_print",
				      "_stp_print_char",
				      "_stp_print_flush",
				      "_stp_warn",
				      "_stp_error",
				      "_stp_exit",
				      "_stp_target",
				      "_stp_gettimeofday_ns",
				      NULL};

bool embedded_is_freestanding(struct arena *a, const char *text, struct map *known, bool top)
{
	struct map own = {0}, *names = top ? known : &own;
	bool declaring = false, member = false, good = true;

	for (struct c_token t = next_token(&text); good && t.kind != C_END; t = next_token(&text)) {
		if (t.kind == C_COMMENT)
			continue;
		if (t.kind == C_NAME && is_one_of(&t, c_types)) {
			declaring = true;
		} else if (t.kind == C_NAME) {
			const char *name = intern_n(t.s, t.n);
			if (declaring)
				map_set(a, names, name, names);
			else if (top && (begins(&t, "_stp_") || begins(&t, "STAP_"))) /* kernel/body.h finds the context */
				good = false;
			else if (!member && !is_one_of(&t, c_words) && !begins(&t, "STAP_") &&
				 !begins(&t, "rt_") && !begins(&t, "RT_") && !map_get(names, name) &&
				 !map_get(known, name))
				good = false;
			declaring = false;
		} else {
			good = t.kind != C_DIRECTIVE;
			declaring &= *t.s == '*';
		}
		member = t.kind == C_OTHER && (*t.s == '.' || (*t.s == '>' && t.s[-1] == '-'));
	}
	return good;
}

static bool is_word_of(const struct c_token *t, const char *words)
{
	for (const char *p = words; (p = strstr(p, intern_n(t->s, t->n))); p += t->n)
		if ((p == words || p[-1] == ' ') && (!p[t->n] || p[t->n] == ' '))
			return true;
	return false;
}

bool embedded_names_struct(const char *text, const char *names)
{
	bool after_keyword = false, used = false;

	for (struct c_token t = next_token(&text); t.kind != C_END; t = next_token(&text)) {
		if (after_keyword && t.kind == C_NAME && is_word_of(&t, names)) {
			const char *p = text;
			struct c_token after = next_token(&p);

			if (after.kind == C_OTHER && *after.s == '{')
				return false;
			used = true;
		}
		after_keyword = t.kind == C_NAME && is_word_of(&t, "struct union enum");
	}
	return used;
}

static bool has_name(const char *text, const char *name)
{
	for (struct c_token t = next_token(&text); t.kind != C_END; t = next_token(&text))
		if (t.kind == C_NAME && t.n == strlen(name) && !memcmp(t.s, name, t.n))
			return true;
	return false;
}

static bool file_mentions(const struct node *file, const char *name)
{
	for (unsigned i = 0; file && i < FILE_DECLARATIONS(file); i++)
		if (FILE_DECLARATION(file, i)->kind == N_EMBEDDED && has_name(FILE_DECLARATION(file, i)->text, name))
			return true;
	return false;
}

bool embedded_mentions(const struct session *s, const char *name)
{
	bool found = file_mentions(s->script, name);

	for (size_t i = 0; i < s->tapset.n; i++)
		found |= file_mentions(s->tapset.v[i], name);
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct function *f = s->prog.function_list.v[i];

		found |= f->embedded && !f->embedded->is_own && has_name(f->body->text, name);
	}
	return found;
}

/* ---- comments ---- */

struct binding {
	struct session *s;
	struct embedded *e;
	const struct node *n; /* N_EMBEDDED */
};

/* The place in the script of a part of the text. */
static struct loc place(const struct binding *b, const char *at, size_t len)
{
	struct loc loc = b->n->loc;

	loc.off += 2 + (uint32_t)(at - b->n->text); /* after %{ */
	loc.len = (uint16_t)(len ? len : 1);
	return loc.expansion ? b->n->loc : loc;
}

static void use(struct binding *b, const char *name, size_t len, bool write)
{
	const char *word = intern_n(name, len);
	struct symbol *v = declare_find_global(b->s, word, b->n->loc);
	struct embedded_use *u = NULL;

	if (!v) {
		struct nearest near;
		struct diag *d = s_error(b->s, place(b, name, len), E_EMBEDDED_GLOBAL,
					 "there is no global \"%s\"", word);
		nearest_init(&near, word);
		for (size_t i = 0; i < b->s->prog.globals.n; i++)
			nearest_add(&near,
				    ((const struct symbol *)b->s->prog.globals.entries[i].value)->name);
		diag_hint_near(&b->s->diags, d, nearest_text(&near, &b->s->arena));
		return;
	}
	for (size_t i = 0; i < b->e->uses.n; i++)
		if (b->e->uses.v[i].global == v)
			u = &b->e->uses.v[i];
	if (!u) {
		vec_push(&b->s->arena, &b->e->uses, ((struct embedded_use){.global = v}));
		u = &b->e->uses.v[b->e->uses.n - 1];
	}
	u->read |= !write;
	u->written |= write;
	v->read |= !write;
	v->written |= write;
}

static void unknown_tag(struct binding *b, const char *s, size_t n)
{
	struct nearest near;
	struct diag *d = s_error(b->s, place(b, s, n), W_EMBEDDED_TAG,
				 "\"%.*s\" says nothing about embedded C", (int)n, s);

	nearest_init(&near, arena_strndup(&b->s->arena, s, n));
	for (size_t i = 0; i < EMBEDDED_TAGS; i++)
		nearest_add(&near, tag_texts[i]);
	diag_hint_near(&b->s->diags, d, nearest_text(&near, &b->s->arena));
}

/* One word, perhaps with "pragma:" before it, is a tag.  Other comments are ignored.  first: the comment is before all code. */
static void tag(struct binding *b, const char *s, size_t n, bool first)
{
	bool pragma = n > 7 && !strncmp(s, "pragma:", 7);

	if (pragma) {
		s += 7;
		n -= 7;
	}
	if (n > 5 && !strncmp(s, "read:", 5)) {
		use(b, s + 5, n - 5, false);
		return;
	}
	if (n > 6 && !strncmp(s, "write:", 6)) {
		use(b, s + 6, n - 6, true);
		return;
	}
	for (unsigned i = 0; i < EMBEDDED_TAGS; i++)
		if (strlen(tag_texts[i]) == n && !memcmp(tag_texts[i], s, n)) {
			b->e->tags |= 1u << i;
			return;
		}
	if (pragma || first)
		unknown_tag(b, s, n);
}

static void comment_tag(struct binding *b, const struct c_token *t, bool first)
{
	const char *s = t->s + 2, *end = t->s + t->n - 2;
	size_t n = 0;

	if (t->s[1] != '*' || t->n < 5 || *end != '*' || end[1] != '/')
		return;
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (s + n < end && (is_word(s[n]) || s[n] == '-' || s[n] == ':'))
		n++;
	for (const char *rest = s + n; rest < end; rest++)
		if (!isspace((unsigned char)*rest))
			return;
	if (n && islower((unsigned char)*s))
		tag(b, s, n, first);
}

/*
 * Reports brackets that do not match here, since the compiler would report them in generated code around the text.  With
 * directives, which may choose among halves, only the compiler can check.
 */
static void check_brackets(struct binding *b)
{
	static const char opening[] = "([{", closing[] = ")]}";
	const char *p = b->n->text, *open[64];
	unsigned depth = 0;

	for (struct c_token t = next_token(&p); t.kind != C_END; t = next_token(&p)) {
		const char *in = t.kind == C_OTHER ? strchr(opening, *t.s) : NULL;
		const char *out = t.kind == C_OTHER ? strchr(closing, *t.s) : NULL;

		if (t.kind == C_DIRECTIVE || (in && depth == 64))
			return;
		if (in) {
			open[depth++] = t.s;
		} else if (out && depth && *open[depth - 1] == opening[out - closing]) {
			depth--;
		} else if (out) {
			s_error(b->s, place(b, t.s, 1), E_EMBEDDED_C, "this \"%c\" closes nothing", *t.s);
			return;
		}
	}
	if (depth)
		s_error(b->s, place(b, open[depth - 1], 1), E_EMBEDDED_C, "this \"%c\" is never closed",
			*open[depth - 1]);
}

static bool has_code(const char *text)
{
	struct c_token t;

	while ((t = next_token(&text)).kind == C_COMMENT)
		;
	return t.kind != C_END;
}

static void read_text(struct binding *b)
{
	static const char get[] = "STAP_GLOBAL_GET_", set[] = "STAP_GLOBAL_SET_";
	const char *p = b->n->text;
	bool first = true;

	for (struct c_token t = next_token(&p); t.kind != C_END; t = next_token(&p)) {
		if (t.kind == C_COMMENT) {
			comment_tag(b, &t, first);
			continue;
		}
		first = false;
		if (t.kind == C_NAME && (begins(&t, get) || begins(&t, set)))
			use(b, t.s + sizeof get - 1, t.n - (sizeof get - 1), begins(&t, set));
	}
}

void embedded_declarations(struct session *s, const struct node *n)
{
	static const char hook[] = "STAP_MODULE_INIT_HOOK";
	const char *at = strstr(n->text, hook);
	struct binding b = {s, NULL, n};
	struct diag *d;

	if (!at)
		return;
	d = s_error(s, place(&b, at, sizeof hook - 1), E_NOT_SUPPORTED, "no code of the script runs while the module is loaded, before its probes");
	diag_hint(&s->diags, d, "the first probe can call it: probe begin(-9999) { %%{ ... %%} }");
}

void embedded_bind(struct session *s, struct function *f)
{
	struct embedded *e = arena_new(&s->arena, struct embedded);
	struct binding b = {s, e, f->body};

	if (f->embedded)
		return;
	e->is_own = embedded_is_own(s, f->body->loc);
	read_text(&b);
	check_brackets(&b);
	if ((e->tags & EMBEDDED_STABLE) && (!(e->tags & EMBEDDED_PURE) || f->params.n)) {
		struct diag *d = s_error(s, f->decl->loc, W_EMBEDDED_TAG,
					 "\"stable\" is for functions that are pure and take no arguments");
		diag_hint(&s->diags, d, "it is left aside");
		e->tags &= ~(unsigned)EMBEDDED_STABLE;
	}
	f->embedded = e;
}

/* ---- expressions ---- */

static struct node *body_of(struct session *s, const struct node *n)
{
	struct node *body;

	if (n->kind == N_EMBEDDED)
		return ast_copy(&s->arena, n);
	body = ast_new(&s->arena, N_EMBEDDED, n->loc, 0);
	body->text = intern(arena_printf(&s->arena, "/* pure */ %s", ATOP_ARG(n, 0)->text));
	return body;
}

struct function *embedded_expression(struct session *s, const struct node *n)
{
	const uint64_t at[] = {(uint64_t)n->loc.source << 32 | n->loc.off, n->loc.expansion};
	const char *key = intern_n((const char *)at, sizeof at);
	struct symbol *v = map_get(&s->prog.embedded, key);
	struct function *f;

	if (v)
		return v->function;
	f = arena_new(&s->arena, struct function);
	v = arena_new(&s->arena, struct symbol);
	v->kind = SYM_FUNCTION;
	v->name = intern(arena_printf(&s->arena, "__embedded_%zu", s->prog.embedded.n));
	v->decl = ast_new(&s->arena, N_FUNCTION, n->loc, 1);
	v->decl->name = v->name;
	f->body = FUNCTION_BODY(v->decl) = body_of(s, n);
	v->decl->sym = v;
	v->function = f;
	f->sym = v;
	f->decl = v->decl;
	f->first = f;
	if (!has_code(f->body->text))
		s_error(s, n->loc, E_EMBEDDED_C, "there is no code in this expression");
	embedded_bind(s, f);
	f->embedded->is_expression = true;
	f->embedded->is_own &=
		n->kind == N_EMBEDDED; /* constants of headers come from the kernel's headers, also in our tapset */
	v->type = v->decl->type = f->embedded->tags & EMBEDDED_STRING ? T_STRING : T_LONG;
	v->type_origin = v->decl;
	map_set(&s->arena, &s->prog.embedded, key, v);
	return f;
}

bool embedded_can_fail(const struct function *f)
{
	const char *text = f->body->text;

	if (!f->embedded->is_own || strstr(text, "CONTEXT") || strstr(text, "stap_ctx"))
		return true;
	for (const char *p = text; (p = strstr(p, "STAP_")); p++)
		if (strncmp(p, "STAP_RET", 8) && strncmp(p, "STAP_ARG_", 9))
			return true;
	return false;
}

bool embedded_is_quick(const struct function *f)
{
	return !f->first->gives_way && f->embedded && f->embedded->is_own && (f->embedded->tags & EMBEDDED_QUICK);
}

bool embedded_returns_value(const char *text)
{
	if (strstr(text, "STAP_RETVALUE") || strstr(text, "__retvalue"))
		return true;
	for (const char *p = text; (p = strstr(p, "STAP_RETURN")); ) {
		p += strlen("STAP_RETURN");
		p += strspn(p, " \t");
		if (*p != '(')
			continue;
		p += 1 + strspn(p + 1, " \t\n");
		if (*p != ')')
			return true;
	}
	return false;
}
