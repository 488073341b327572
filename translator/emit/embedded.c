/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Embedded C.  Spile's own tapset is written against rt.h and compiled with the script: its strings are struct rt_str.  All other
 * embedded C has the interface of SystemTap (rt/body.h): a body is a C function of its own, which gets its arguments and leaves
 * its result in a struct, with strings in buffers of MAXSTRINGLEN bytes; a function of the script calls it.  If any such text needs
 * the kernel's headers, all of them become a second C text, which is compiled separately with the kernel's flags.  Globals that a
 * body uses are locked while it runs.
 */
#include <ctype.h>
#include <string.h>

#include "translator/call_args.h"
#include "translator/debuginfo/kernel.h"
#include "translator/emit/emit.h"
#include "translator/resolve/embedded.h"

/* ---- Spile's own ---- */

static void call_names(struct emit *e, const char *macro, bool compat)
{
	const struct kernel_calls *all = e->s->kernel ? kernel_calls(e->s->kernel, NULL) : NULL;

	sb_printf(e->out, "#define %s", macro);
	for (size_t i = 0; all && i < all->v.n; i++)
		if (all->v.v[i].compat == compat)
			sb_printf(e->out, " [%u] = \"%s\",", all->v.v[i].number, all->v.v[i].name);
	sb_putc(e->out, '\n');
}

/* What each of these calls is passed and returns, as texts of enum rt_call_kind: see call_args_kinds(). */
static void call_kinds(struct emit *e, const char *macro, bool compat)
{
	const struct kernel_calls *all = e->s->kernel ? kernel_calls(e->s->kernel, NULL) : NULL;
	unsigned char kinds[RT_CALL_ARGS + 2];

	sb_printf(e->out, "#define %s", macro);
	for (size_t i = 0; all && i < all->v.n; i++) {
		if (all->v.v[i].compat != compat || !call_args_kinds(&e->s->arena, &all->v.v[i], kinds))
			continue;
		sb_printf(e->out, " [%u] = \"", all->v.v[i].number);
		const unsigned char *k = kinds;
		while (*k)
			sb_printf(e->out, "\\%o", *k++);
		sb_printf(e->out, "\\0\\%o", k[1]);
		sb_puts(e->out, "\",");
	}
	sb_putc(e->out, '\n');
}

/* What its C may name, and only the translator knows: macros that are made when the text has their names. */
static void own_macros(struct emit *e, const char *text)
{
	if (strstr(text, "RT_SYSCALL_NAMES"))
		call_names(e, "RT_SYSCALL_NAMES", false);
	if (strstr(text, "RT_SYSCALL_COMPAT_NAMES"))
		call_names(e, "RT_SYSCALL_COMPAT_NAMES", true);
	if (strstr(text, "RT_SYSCALL_KINDS"))
		call_kinds(e, "RT_SYSCALL_KINDS", false);
	if (strstr(text, "RT_SYSCALL_COMPAT_KINDS"))
		call_kinds(e, "RT_SYSCALL_COMPAT_KINDS", true);
}

static void own_function(struct emit *e, struct function *f)
{
	bool is_void = f->sym->type == T_VOID, is_string = f->sym->type == T_STRING;

	emit_open(e);
	emit_line(e, "struct rt_ctx *const stap_ctx = c;");
	if (!is_void)
		emit_line(e, "%s ret = %s;", emit_ctype(f->sym->type), is_string ? "RT_EMPTY" : "0");
	for (size_t i = 0; i < f->params.n; i++)
		sb_printf(e->out, "#define STAP_ARG_%s %s\n", f->params.v[i]->name,
			  emit_local(e, f->params.v[i]));
	if (f->first->gives_way)
		sb_puts(e->out, "#define STAP_NEXT do { *next = 1; goto stap_out; } while (0)\n");
	sb_puts(e->out, is_void ? "#define STAP_RETURN() goto stap_out\n"
				: "#define STAP_RETVALUE ret\n#define STAP_RETURN(v) do { ret = (v); goto "
				  "stap_out; } while (0)\n");
	emit_line(e, "(void)stap_ctx;");
	own_macros(e, f->body->text);
	emit_open(e);
	if (f->embedded->is_expression)
		sb_printf(e->out, "ret = (%s\n);\n", f->body->text);
	else
		sb_printf(e->out, "%s\n", f->body->text);
	emit_close(e);
	sb_puts(e->out, "stap_out: __attribute__((unused));\n");
	for (size_t i = 0; i < f->params.n; i++)
		sb_printf(e->out, "#undef STAP_ARG_%s\n", f->params.v[i]->name);
	if (f->first->gives_way)
		sb_puts(e->out, "#undef STAP_NEXT\n");
	if (strstr(f->body->text, "RT_SYSCALL_"))
		sb_puts(e->out, "#undef RT_SYSCALL_NAMES\n#undef RT_SYSCALL_COMPAT_NAMES\n#undef RT_SYSCALL_KINDS\n#undef RT_SYSCALL_COMPAT_KINDS\n");
	sb_puts(e->out, is_void ? "#undef STAP_RETURN\n" : "#undef STAP_RETVALUE\n#undef STAP_RETURN\n");
	emit_line(e, is_void ? "return;" : "return ret;");
	emit_close(e);
}

/* ---- others': the function of the script ---- */

static const char *body_name(struct emit *e, const struct function *f)
{
	return emit_text(e, "c%s", emit_overload_name(e, f));
}

/* The locks of what the body uses: true if there are any. */
static bool lock_uses(struct emit *e, const struct embedded *c)
{
	size_t nglobals = e->s->prog.global_list.n;
	bool *set = arena_array(&e->s->arena, bool, nglobals + 1);
	struct sb list = {0};
	unsigned count = 0;

	for (size_t i = 0; i < c->uses.n; i++)
		set[c->uses.v[i].global->index] = true;
	for (size_t i = 0; i < nglobals; i++)
		if (set[i])
			sb_printf(&list, "%s%zu", count++ ? ", " : "", i);
	if (count) {
		emit_line(e, "if (!rt_lock(c, %s, %u))",
			  emit_table(e, "locks", "rt_u32", "[]", emit_text(e, "{%s}", list.s)), count);
		emit_line(e, "\tgoto out;");
	}
	sb_free(&list);
	return count;
}

static void calling_function(struct emit *e, struct function *f)
{
	enum type t = f->sym->type;
	unsigned strings = t == T_STRING;

	emit_open(e);
	emit_line(e, "struct %s_args a = {0};", body_name(e, f));
	emit_line(e, "char *mark = rt_mark(c);");
	if (t != T_VOID)
		emit_line(e, "%s ret = %s;", emit_ctype(t), t == T_STRING ? "RT_EMPTY" : "0");
	for (size_t i = 0; i < f->params.n; i++) {
		const struct symbol *p = f->params.v[i];
		bool string = p->type == T_STRING;
		strings += string;
		emit_line(e, string ? "a.l_%s = rt_body_string(c, %s);" : "a.l_%s = %s;", p->name,
			  emit_local(e, p));
	}
	if (t == T_STRING)
		emit_line(e, "a.__retvalue = rt_body_string(c, RT_EMPTY);");
	emit_line(e, "if (RT_FAILED(c))");
	emit_line(e, "\tgoto out;");
	bool locked = lock_uses(e, f->embedded);
	emit_line(e, "%s(c, &a);", body_name(e, f));
	if (locked)
		emit_line(e, "rt_unlock(c);");
	if (t != T_VOID)
		emit_line(e, t == T_STRING ? "ret = rt_body_result(a.__retvalue);" : "ret = a.__retvalue;");
	sb_puts(e->out, "out:\n");
	if (f->first->gives_way)
		emit_line(e, "*next = a.next;");
	emit_line(e, t == T_STRING ? "ret = rt_keep(c, mark, ret);" : "rt_release(c, mark);");
	emit_line(e, t == T_VOID ? "return;" : "return ret;");
	emit_close(e);
	e->s->prog.needs.strings += strings;
}

void emit_embedded_function(struct emit *e, struct function *f)
{
	if (f->embedded->is_own)
		own_function(e, f);
	else
		calling_function(e, f);
}

/* ---- others': what both texts must know ---- */

static const char *c_type(enum type t)
{
	return t == T_STRING ? "char *" : "rt_s64 ";
}

/* Arguments are called l_NAME, in case a macro of a header has the name; before 1.8 they were THIS->NAME. */
static void declare_body(struct emit *e, const struct function *f)
{
	const char *name = body_name(e, f);
	bool plain = (f->embedded->tags & EMBEDDED_UNMANGLED) || strstr(f->body->text, "THIS");

	emit_line(e, "struct %s_args {", name);
	for (size_t i = 0; i < f->params.n; i++) {
		const struct symbol *p = f->params.v[i];
		if (plain)
			emit_line(e, "\tunion { %sl_%s; %s%s; };", c_type(p->type), p->name, c_type(p->type),
				  p->name);
		else
			emit_line(e, "\t%sl_%s;", c_type(p->type), p->name);
	}
	if (f->sym->type != T_VOID)
		emit_line(e, "\t%s__retvalue;", c_type(f->sym->type));
	emit_line(e, "\trt_bool next;");
	emit_line(e, "};");
	emit_line(e, "void %s(struct rt_ctx *stap_ctx, struct %s_args *stap_this);", name, name);
}

static const char *access_signature(struct emit *e, const struct symbol *v, bool write)
{
	struct sb b = {0};

	sb_printf(&b, "%srt_global_%s_%s(struct rt_ctx *c",
		  write                 ? "void "
		  : v->type == T_STRING ? "const char *"
					: "rt_s64 ",
		  write ? "set" : "get", emit_variable(e, v));
	for (unsigned i = 0; i < v->nkeys; i++)
		sb_printf(&b, v->key[i] == T_STRING ? ", const char *k%u" : ", rt_s64 k%u", i);
	if (write)
		sb_puts(&b, v->type == T_STRING ? ", const char *value)" : ", rt_s64 value)");
	else
		sb_putc(&b, ')');
	const char *text = arena_strdup(&e->s->arena, b.s);
	sb_free(&b);
	return text;
}

/* STAP_GLOBAL_GET_x(keys), STAP_GLOBAL_SET_x(keys, value). */
static void declare_access(struct emit *e, const struct symbol *v)
{
	const char *name = emit_variable(e, v), *comma = v->nkeys ? ", ##__VA_ARGS__" : "";

	emit_line(e, "%s;", access_signature(e, v, false));
	emit_line(e, "%s;", access_signature(e, v, true));
	emit_line(e, "#define STAP_GLOBAL_GET_%s(%s) rt_global_get_%s(stap_ctx%s)", v->name,
		  v->nkeys ? "..." : "", name, comma);
	emit_line(e, "#define STAP_GLOBAL_SET_%s(...) \\", v->name);
	emit_line(e,
		  "\tdo { rt_global_set_%s(stap_ctx, __VA_ARGS__); if (RT_FAILED(stap_ctx)) goto stap_out; } "
		  "while (0)",
		  name);
}

static void access_functions(struct emit *e, const struct symbol *v)
{
	const char *global = emit_global(e, v), *keys = "",
		   *str = emit_text(e, "(struct rt_strvar *)&%s", global);
	bool string = v->type == T_STRING;

	for (int write = 0; write < 2; write++) {
		emit_line(e, "%s", access_signature(e, v, write));
		emit_open(e);
		if (v->nkeys) {
			emit_line(e, "union rt_val k[%u];", v->nkeys);
			for (unsigned i = 0; i < v->nkeys; i++)
				emit_line(e,
					  v->key[i] == T_STRING ? "k[%u].s = rt_body_slice(k%u);"
								: "k[%u].l = k%u;",
					  i, i);
			keys = ", k";
		}
		if (v->is_array && write)
			emit_line(e, "rt_map_set_%s(c, %s%s, %s);", string ? "str" : "long", global, keys,
				  string ? "rt_body_slice(value)" : "value");
		else if (v->is_array && string)
			emit_line(e, "return rt_body_string(c, rt_map_get_str(c, %s%s));", global, keys);
		else if (v->is_array)
			emit_line(e, "return rt_map_get_long(c, %s%s);", global, keys);
		else if (string)
			emit_line(e,
				  write ? "rt_strvar_set(c, %s, rt_body_slice(value));"
					: "return rt_body_string(c, rt_strvar_get(c, %s));",
				  str);
		else
			emit_line(e,
				  write ? "__atomic_store_n(&%s, value, __ATOMIC_RELAXED); (void)c;"
					: "(void)c; return __atomic_load_n(&%s, __ATOMIC_RELAXED);",
				  global);
		emit_close(e);
	}
	e->s->prog.needs.strings += string * 2;
}

/* ---- others': what there is ---- */

typedef VEC(const struct function *) function_list;
typedef VEC(const struct node *) text_list;

struct c_texts {
	function_list functions;
	text_list top;   /* outside of functions */
	bool is_apart;   /* compiled with the kernel's headers */
};

static function_list foreign(struct emit *e)
{
	function_list list = {0};

	for (size_t i = 0; i < e->s->prog.function_list.n; i++) {
		const struct function *f = e->s->prog.function_list.v[i];
		if (f->embedded && !f->embedded->is_own)
			vec_push(&e->s->arena, &list, f);
	}
	return list;
}

static bool from_file(const function_list *list, const struct node *file)
{
	for (size_t i = 0; i < list->n; i++)
		for (unsigned k = 0; k < FILE_DECLARATIONS(file); k++)
			if (list->v[i]->decl->loc.source == FILE_DECLARATION(file, k)->loc.source)
				return true;
	return false;
}

static void add_texts(struct emit *e, const struct node *file, text_list *out)
{
	for (unsigned i = 0; file && i < FILE_DECLARATIONS(file); i++)
		if (FILE_DECLARATION(file, i)->kind == N_EMBEDDED)
			vec_push(&e->s->arena, out, FILE_DECLARATION(file, i));
}

/* C outside of functions: the script's, and that of files of the tapset from which a function is used. */
static text_list top_level(struct emit *e, const function_list *list)
{
	text_list out = {0};

	for (size_t i = 0; i < e->s->tapset.n; i++)
		if (from_file(list, e->s->tapset.v[i]))
			add_texts(e, e->s->tapset.v[i], &out);
	add_texts(e, e->s->script, &out);
	return out;
}

static bool needs_kernel(struct emit *e, const function_list *list, const text_list *texts)
{
	struct map known = {0};

	for (size_t i = 0; i < texts->n; i++)
		if (!embedded_is_freestanding(&e->s->arena, texts->v[i]->text, &known, true))
			return true;
	for (size_t i = 0; i < list->n; i++)
		if (!embedded_is_freestanding(&e->s->arena, list->v[i]->body->text, &known, false))
			return true;
	return false;
}

static bool mentions(const struct c_texts *all, const char *name)
{
	for (size_t i = 0; i < all->top.n; i++)
		if (strstr(all->top.v[i]->text, name))
			return true;
	for (size_t i = 0; i < all->functions.n; i++)
		if (strstr(all->functions.v[i]->body->text, name))
			return true;
	return false;
}

static struct c_texts all_texts(struct emit *e)
{
	struct c_texts all = {.functions = foreign(e)};

	all.top = top_level(e, &all.functions);
	all.is_apart = needs_kernel(e, &all.functions, &all.top);
	return all;
}

/* ---- others': the bodies ---- */

/* As written in the script, with its place for the compiler, column included. */
static void script_text(struct emit *e, const struct node *n)
{
	struct source *src = source_by_id(&e->s->sources, n->loc.source);
	unsigned line = 1, column = 1;

	if (src) {
		source_position(src, n->loc.off, &line, &column);
		sb_printf(e->out, "#line %u ", line);
		sb_put_c_string(e->out, src->name, strlen(src->name));
		sb_putc(e->out, '\n');
	}
	for (unsigned i = 1; i < column + 2; i++)
		sb_putc(e->out, ' ');
	sb_putn(e->out, n->text, strlen(n->text));
	sb_puts(e->out, "\n#line 1 \"generated C\"\n");
}

static void body_macros(struct emit *e, const struct function *f, bool define)
{
	const char *what = define ? "define" : "undef";
	enum type t = f->sym->type;

	for (size_t i = 0; i < f->params.n; i++) {
		const struct symbol *p = f->params.v[i];
		sb_printf(e->out, "#%s STAP_ARG_%s", what, p->name);
		if (define)
			sb_printf(e->out,
				  p->type == T_STRING ? " (*(char (*)[MAXSTRINGLEN])stap_this->l_%s)"
						      : " (stap_this->l_%s)",
				  p->name);
		sb_putc(e->out, '\n');
	}
	sb_printf(e->out, "#%s STAP_NEXT%s\n", what,
		  define ? " do { stap_this->next = 1; goto stap_out; } while (0)" : "");
	if (!define)
		sb_puts(e->out,
			t == T_VOID ? "#undef STAP_RETURN\n" : "#undef STAP_RETURN\n#undef STAP_RETVALUE\n");
	else if (t == T_VOID)
		sb_puts(e->out, "#define STAP_RETURN() goto stap_out\n");
	else if (t == T_STRING)
		sb_puts(e->out, "#define STAP_RETVALUE (*(char (*)[MAXSTRINGLEN])stap_this->__retvalue)\n"
				"#define STAP_RETURN(v) do { rt_body_copy(stap_this->__retvalue, (v)); goto "
				"stap_out; } while (0)\n");
	else
		sb_puts(e->out, "#define STAP_RETVALUE (stap_this->__retvalue)\n"
				"#define STAP_RETURN(v) do { stap_this->__retvalue = (rt_s64)(v); goto "
				"stap_out; } while (0)\n");
}

/* Does the text have c->member?  SystemTap's name of the context in embedded C is c. */
static bool uses_short_context(const char *text)
{
	for (const char *p = text; (p = strstr(p, "->")); p += 2) {
		const char *end = p;

		while (end > text && isspace((unsigned char)end[-1]))
			end--;
		if (end > text && end[-1] == 'c' && (end - 1 == text || (!isalnum((unsigned char)end[-2]) && end[-2] != '_')))
			return true;
	}
	return false;
}

/* struct context of kernel/body.h for the body, if it needs it. */
static void open_context(struct emit *e, const struct function *f, const struct c_texts *all)
{
	bool is_short = uses_short_context(f->body->text);

	if (!is_short && !strstr(f->body->text, "CONTEXT"))
		return;
	emit_line(e, "struct context stap_view __attribute__((cleanup(rt_body_context_end))) = rt_body_context(stap_ctx);");
	if (is_short)
		emit_line(e, "struct context *c __attribute__((unused)) = &stap_view;");
	if (mentions(all, "probe_point")) {
		emit_line(e, "stap_view.probe_point = rt_body_string(stap_ctx, rt_pp(stap_ctx));");
		e->s->prog.needs.strings++;
	}
	if (mentions(all, "error_buffer")) {
		emit_line(e, "stap_view.error_buffer = rt_body_string(stap_ctx, RT_EMPTY);");
		e->s->prog.needs.strings++;
	}
	emit_line(e, "if (RT_FAILED(stap_ctx))");
	emit_line(e, "\treturn;");
}

static void body(struct emit *e, const struct function *f, const struct c_texts *all)
{
	const char *name = body_name(e, f);
	bool own_label = strstr(f->body->text, "deref_fault:");

	emit_line(e, "void %s(struct rt_ctx *stap_ctx, struct %s_args *stap_this)", name, name);
	emit_open(e);
	emit_line(e, "(void)stap_ctx, (void)stap_this;");
	if (all->is_apart)
		open_context(e, f, all);
	body_macros(e, f, true);
	if (f->embedded->is_expression)
		emit_line(e, f->sym->type == T_STRING ? "rt_body_copy(stap_this->__retvalue, ("
						      : "stap_this->__retvalue = (rt_s64)(");
	else
		emit_open(e);
	script_text(e, f->body);
	if (f->embedded->is_expression)
		emit_line(e, f->sym->type == T_STRING ? "));" : ");");
	else
		emit_close(e);
	emit_line(e, "goto stap_out;");
	if (!own_label) {
		sb_puts(e->out, "deref_fault: __attribute__((unused));\n");
		emit_line(e, "rt_body_fault(stap_ctx);");
	}
	sb_puts(e->out, "stap_out: __attribute__((unused));\n");
	emit_line(e, "return;");
	body_macros(e, f, false);
	emit_close(e);
}

/* ---- others': all of it ---- */

static void declarations(struct emit *e, const function_list *list,
			 void (*each)(struct emit *e, const struct symbol *v))
{
	bool *seen = arena_array(&e->s->arena, bool, e->s->prog.global_list.n + 1);

	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < list->v[i]->embedded->uses.n; k++) {
			const struct symbol *v = list->v[i]->embedded->uses.v[k].global;
			if (!seen[v->index])
				each(e, v);
			seen[v->index] = true;
		}
}

static void texts_and_bodies(struct emit *e, const struct c_texts *all)
{
	for (size_t i = 0; i < all->top.n; i++)
		script_text(e, all->top.v[i]);
	for (size_t i = 0; i < all->functions.n; i++)
		body(e, all->functions.v[i], all);
}

/* MAXSTRINGLEN, which the bodies need themselves, and others that the script's C names. */
static void put_limits(struct emit *e, const struct c_texts *all)
{
	for (const struct limit *l = e->s->limits; l->name; l++)
		if (!strcmp(l->name, "MAXSTRINGLEN") || (!strncmp(l->name, "MAX", 3) && mentions(all, l->name)))
			emit_line(e, "#define %s %lld", l->name, (long long)l->value);
	for (size_t i = 0; i < e->s->c_defines.n; i++)
		emit_line(e, "#define %s %s", e->s->c_defines.v[i].name, e->s->c_defines.v[i].value);
}

/* For rt_body_symbol(), which needs the address of the kernel's kallsyms_lookup_name(). */
void emit_find_embedded_symbols(struct emit *e)
{
	struct c_texts all = all_texts(e);

	if (mentions(&all, "kallsyms_lookup_name"))
		session_ksymbol(e->s, "kallsyms_lookup_name", NULL, true);
}

/* The headers of structures that the text names: SystemTap's library includes them where it probes what they belong to. */
static void headers(const struct c_texts *all, struct sb *out)
{
	static const struct {
		const char *path, *names;
	} list[] = {
#define HEADER(path, names) {path, names},
#include "translator/emit/headers.def"
#undef HEADER
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		bool wanted = false;

		for (size_t k = 0; k < all->top.n; k++)
			wanted |= embedded_names_struct(all->top.v[k]->text, list[i].names);
		for (size_t k = 0; k < all->functions.n; k++)
			wanted |= embedded_names_struct(all->functions.v[k]->body->text, list[i].names);
		if (wanted)
			sb_printf(out, "#if __has_include(<%s>)\n#include <%s>\n#endif\n", list[i].path, list[i].path);
	}
}

void emit_embedded(struct emit *e, struct sb *extra)
{
	struct c_texts all = all_texts(e);
	struct sb *out = e->out, shared = {0};

	if (!all.functions.n && !all.top.n)
		return;
	e->out = &shared;
	put_limits(e, &all);
	for (size_t i = 0; i < all.functions.n; i++)
		declare_body(e, all.functions.v[i]);
	declarations(e, &all.functions, declare_access);
	sb_putn(out, shared.s, shared.n);
	e->out = out;
	declarations(e, &all.functions, access_functions);
	if (all.is_apart) {
		sb_puts(extra, "/* Generated by spile: embedded C that needs the kernel's headers. "
			       "*/\n#include \"kernel/body.h\"\n");
		headers(&all, extra);
		sb_putc(extra, '\n');
		sb_putn(extra, shared.s, shared.n);
		e->out = extra;
	}
	texts_and_bodies(e, &all);
	e->out = out;
	sb_free(&shared);
}
