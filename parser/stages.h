/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the stages of the parser pass to each other; private to parser/.
 *
 *   lexer.l    bytes -> array of tokens, $1 and @1 replaced
 *   macro.c    pulls from the array: @define's are taken out, calls replaced
 *   preproc.c  pulls from macro.c: one arm of each %( %) is left
 *   feed.c     pulls from preproc.c: keywords, @operators, pasted strings, glued names
 *   parse.c    pushes to grammar.y, and deals with what the grammar does not accept
 *   complain.c, unexpected.c: the words for that, and what to do about it
 *   make.c, make_expr.c, make_print.c, make_point.c: called by the actions, make nodes and check what can be seen at once
 *   shape.c    rules about where things may be, on the finished declaration
 */
#ifndef PARSER_STAGES_H
#define PARSER_STAGES_H

#include "base/vec.h"
#include "parser/parse.h"

/* Levels of nesting (expressions, statements, blocks) that a script may have: the passes recurse. */
#define PARSE_MAX_DEPTH 1000
/* Tokens after macro expansion. */
#define PARSE_MAX_TOKENS 1000000u

struct token {
	int kind;       /* TK_... of grammar.h; a character for itself; 0 at the end */
	bool glued;     /* nothing between the token before and this one */
	uint16_t error; /* enum diag_id to report if the token is used, or 0 (E_INTERNAL is never one) */
	struct loc loc;
	const char *text; /* interned: name with its $ or @, digits, bytes of a string, embedded C */
};

struct tokens {
	struct token *v;
	size_t n, cap;
};

/* ---- lexer.l ---- */
/* Appends the tokens of a source and one of kind 0. */
void lex_source(struct parse_env *env, struct source *src, struct tokens *out);
/* The byte meant by the escape at s[i], after its backslash; returns where the escape ends. */
size_t lex_escape(const struct parse_env *env, const char *s, size_t len, size_t i, char *byte);

/* ---- macro.c ---- */
struct macro;
struct macro_frame;
struct macros {
	struct parse_env *env;
	struct map local;        /* name -> struct macro: of this file */
	struct map broken;       /* names whose definitions have errors: using them is no further error */
	struct macro_frame *top; /* where the next token comes from */
	unsigned produced;       /* tokens given out */
	bool run_away;           /* expansion does not end; it was reported */
	bool library;            /* a .stpm: definitions go to env->library_macros */
};
void macro_init(struct macros *m, struct parse_env *env, struct tokens *tokens);
/* The next token, macros expanded. */
struct token macro_next(struct macros *m);
/* The next token without expansion: for what is skipped. */
struct token macro_next_raw(struct macros *m);
/* Is there an "@define" of the name (with its @) in the rest of the file? */
bool macro_comes_later(const struct macros *m, const char *name);
/* Considers the names of all macros that the file sees. */
void macro_nearest(struct macros *m, struct nearest *near);

/* ---- preproc.c ---- */
struct preproc {
	struct parse_env *env;
	struct macros *macros;
	VEC(struct token) opened; /* the "%(" of the arms that are being passed through, innermost last */
	struct token look;
	bool have_look;
};
void preproc_init(struct preproc *pp, struct parse_env *env, struct macros *macros);
struct token preproc_next(struct preproc *pp);

/* ---- feed.c ---- */
struct feed {
	struct parse_env *env;
	struct preproc *pp;
	struct macros *macros;
	struct token look;  /* one token ahead, from preproc.c */
	struct token split; /* the $ cut from the end of a name, to come next */
	int prev;           /* kind given out last */
	bool header;        /* between "probe" and its body: names are glued from words and stars */
	unsigned parens;    /* open in the header */
	unsigned braces;    /* open in the header: of {a,b} */
	bool unclosed_string; /* one was reported in this declaration: what its line was meant to be is not known */
	struct loc comma_brace; /* such a brace after a comma, which may be the body's */
};
void feed_init(struct feed *f, struct parse_env *env, struct preproc *pp, struct macros *macros);
struct token feed_next(struct feed *f);
/* Reports token.error. */
void feed_report(struct parse_env *env, const struct token *t);
bool feed_is_at_word(const char *name);
bool feed_is_keyword(const char *name);
/* The kind of "probe", "function" ..., or 0. */
int feed_declaration_kind(const char *name);
/* A declaration keyword that is accepted nowhere else? */
bool feed_is_declaration(int kind);
/* Makes the token given out last count as another one; TK_WHOLE_POINT begins a lone probe point, TK_WORD goes on with one. */
void feed_correct(struct feed *f, int kind);
/* "probe", "function" ...: the words that begin declarations. */
void feed_nearest_declaration(struct nearest *near);
/* At least the version that --compatible asks for? */
bool feed_compatible(const struct parse_env *env, const char *version);

/* ---- grammar.y ---- */
struct parser {
	struct parse_env *env;
	struct arena *arena;
	struct feed feed;
	struct node *file;      /* declarations are added as they end */
	struct node *point;     /* parse_point() */
	VEC(struct token) open; /* brackets that are open, innermost last */
	struct node *closed;    /* what is within the last ( ) */
	struct token declaration;         /* the keyword of the present one */
	struct token odd_open, odd_close; /* the first braces in it that are partners and indented differently */
	bool reported_switch;   /* a switch was reported: a "break" in it is not reported as outside of a loop */
	bool mending;           /* brackets are put in: what they close may make no sense, which is not reported */
};

struct grammar_pstate;
/* Would the tokens be accepted, one after the other? */
bool grammar_accepts(struct grammar_pstate *ps, const int *kinds, unsigned n);
/* 0: no error lately; 3: looking for the end of a broken statement. */
int grammar_error_status(struct grammar_pstate *ps);
/* A new declaration begins: its errors do not follow from earlier ones. */
void grammar_forget_error(struct grammar_pstate *ps);
/* "\"probe\"", "a name": for messages. */
const char *grammar_token_name(int kind);

/* ---- make*.c: nodes from what the grammar found ---- */
struct node *make_list(struct parser *p, struct node *list, struct node *item); /* list may be NULL */
struct node *make_list_node(struct parser *p, enum node_kind kind, struct loc loc, struct node *list);
/* ";", "break" and the like. */
struct node *make_bare(struct parser *p, enum node_kind kind, struct loc loc);
struct node *make_expression(struct parser *p, struct node *value); /* as a statement */
struct node *make_return(struct parser *p, struct loc loc, struct node *value);
struct node *make_if(struct parser *p, struct loc loc, struct node *cond, struct node *then, struct node *otherwise);
struct node *make_try(struct parser *p, struct loc loc, struct node *body, struct node *variable, struct node *handler);
struct node *make_for(struct parser *p, struct loc loc, struct node *init, struct node *cond,
		      struct node *step, struct node *body);
struct node *make_while(struct parser *p, struct loc loc, struct node *cond, struct node *body);
struct node *make_foreach(struct parser *p, struct token keyword, struct node *value, struct node *keys,
			  struct node *array, struct node *limit, struct node *body);
struct node *make_sorted(struct parser *p, struct node *n, const struct token *stat, struct node *order);
struct node *make_order(struct parser *p, struct token sign);
struct node *make_embedded(struct parser *p, struct token code);

struct node *make_global(struct parser *p, struct token name, bool wrap, struct node *size,
			 struct node *init);
struct node *make_function(struct parser *p, struct token name, struct node *type, struct node *params,
			   struct node *priority, struct node *body);
struct node *make_param(struct parser *p, struct token name, struct node *type);
struct node *make_type(struct parser *p, struct token name);
void make_private(struct node *declarations);
void make_declared(struct parser *p,
		   struct node *declaration); /* a declaration, or a list of them, is complete */
struct node *make_probe(struct parser *p, struct token keyword, struct node *points, struct node *body);
struct node *make_alias(struct parser *p, struct token keyword, struct node *names, struct node *points,
			struct node *body, struct node *epilogue);
struct node *make_alias_name(struct parser *p, struct node *point, struct token op);
struct node *make_point(struct parser *p, struct node *components);
struct node *make_point_suffix(struct parser *p, struct node *point, struct token suffix,
			       struct node *condition);
struct node *make_component(struct parser *p, struct token word, struct node *argument);
struct node *make_alternatives(struct parser *p, struct token brace, struct node *points);

struct node *make_number(struct parser *p, struct token digits, bool negative);
struct node *make_string(struct parser *p, struct token t);
struct node *make_name(struct parser *p, struct token t);
struct node *make_target(struct parser *p, struct token t);
struct node *make_star(struct parser *p, struct token t);
struct node *make_unary(struct parser *p, enum op op, struct token t, struct node *operand);
struct node *make_binary(struct parser *p, enum op op, struct token t, struct node *left, struct node *right);
struct node *make_regex(struct parser *p, enum op op, struct token t, struct node *subject, struct node *pattern);
struct node *make_assign(struct parser *p, enum op op, struct token t, struct node *to, struct node *value);
struct node *make_incdec(struct parser *p, enum op op, struct token t, struct node *of, bool prefix);
struct node *make_delete(struct parser *p, struct token t, struct node *what);
struct node *make_ternary(struct parser *p, struct token t, struct node *cond, struct node *then,
			  struct node *otherwise);
/* The list of one key before an "in" without brackets. */
struct node *make_key(struct parser *p, struct token in, struct node *key);
struct node *make_in(struct parser *p, struct token t, struct node *keys, struct node *array);
struct node *make_index(struct parser *p, struct token t, struct node *base, struct node *subscripts);
struct node *make_member(struct parser *p, struct token name, struct node *base);
struct node *make_pretty(struct parser *p, struct token t, struct node *of);
struct node *make_call(struct parser *p, struct token name, struct node *args);
struct node *make_stat(struct parser *p, struct token t, struct node *args);
struct node *make_at(struct parser *p, struct token t, struct node *args); /* @cast(..) and its like */
struct node *make_print(struct parser *p, struct token name, struct node *args);
bool make_is_print(const char *name);
/* "int", "char" ..: a sign of C code. */
bool make_is_c_type(const char *name);

/* ---- shape.c ---- */
/* Rules about places; false when the declaration nests too deeply for any further pass. */
bool shape_check(struct parser *p, struct node *declaration);

#endif
