/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar.  Actions only call constructors (make*.c).  Tokens are pushed by parse.c, which first asks
 * grammar_accepts() and words all messages; so the rules with "error" only serve to find the end of a broken
 * statement.
 */
%code requires {
#include "parser/stages.h"
}
%code {
#include <stdlib.h>

#include "base/mem.h"

#define YYMALLOC(size) mem_calloc(size, 1)
#define YYFREE free
#define YYMAXDEPTH 100000

static void grammar_error(struct parser *p, const char *message);
}
%define api.pure full
%define api.push-pull push
%define api.prefix {grammar_}
%define api.token.prefix {TK_}
%define parse.error detailed
%parse-param {struct parser *p}
%expect 0

%union {
	struct token token;
	struct node *node;
	bool flag;
}

/* ---- never given to the grammar: the stages before it take them ---- */
%token PP_OPEN "%(" PP_THEN "%?" PP_ELSE "%:" PP_CLOSE "%)"
%token <token> AT "an @ word" JUNK "a stray character"

/* ---- what to parse ---- */
%token WHOLE_FILE WHOLE_POINT

%token <token> IDENT "a name" TARGET "a $ variable" NUMBER "a number" STRING "a string" EMBEDDED "\"%{\""
%token <token> WORD "a probe point name" PRETTY "\"$\""
%token <token> STAT "a statistics operator" HIST "a histogram operator" AT_OPERATOR "an @ operator"

%token <token> PROBE "probe" GLOBAL "global" PRIVATE "private" FUNCTION "function"
%token <token> IF "if" ELSE "else" FOR "for" FOREACH "foreach" WHILE "while" IN "in" LIMIT "limit"
%token <token> RETURN "return" RETURN_NOTHING "return without value" DELETE "delete" BREAK "break"
%token <token> CONTINUE "continue" NEXT "next" TRY "try" CATCH "catch"

%token <token> SHL_SET "<<=" SHR_SET ">>=" ADD_SET "+=" SUB_SET "-=" MUL_SET "*=" DIV_SET "/=" MOD_SET "%="
%token <token> AND_SET "&=" XOR_SET "^=" OR_SET "|=" CAT_SET ".=" STAT_ADD "<<<"
%token <token> LAND "&&" LOR "||" EQ "==" NE "!=" LE "<=" GE ">=" MATCH "=~" NOMATCH "!~"
%token <token> SHL "<<" SHR ">>" USHR ">>>" INC "++" DEC "--" ARROW "->"
%token <token> '=' '?' ':' '|' '^' '&' '<' '>' '.' '+' '-' '*' '/' '%' '!' '~' '[' '(' '{' ';' ',' ']' ')' '}'

/* ---- from loose to tight ---- */
%precedence END_OF_STATEMENT
%precedence ELSE ';'
%right '=' SHL_SET SHR_SET ADD_SET SUB_SET MUL_SET DIV_SET MOD_SET AND_SET XOR_SET OR_SET CAT_SET STAT_ADD
%right '?' ':'
%left LOR
%left LAND
%left '|'
%left '^'
%left '&'
%precedence IN
%left '<' '>' LE GE EQ NE MATCH NOMATCH
%left SHL SHR USHR
%left '.'
%left '+' '-'
%left '*' '/' '%'
%precedence SIGN '!' '~'
%precedence INC DEC
%precedence ADDRESS
%precedence ARROW '[' '(' PRETTY

%type <node> global globals global_list size init literal function function_decl params param_list param
%type <node> type priority
%type <node> body probe alias_names points point components component alternatives alternative private_decl
%type <node> block statements statement simple foreach_keys foreach_key_list foreach_key foreach_array
%type <node> order limit
%type <node> array histogram value expr opt_expr args arg_list subscripts subscript catch_name
%type <flag> wrap
%type <token> sign

%%

start
	: WHOLE_FILE declarations
	| WHOLE_POINT point			{ p->point = $2; }
	;

declarations
	: %empty
	| declarations declaration
	;

declaration
	: globals				{ make_declared(p, $1); }
	| function_decl				{ make_declared(p, $1); }
	| probe					{ make_declared(p, $1); }
	| PRIVATE private_decl			{ make_private($2); make_declared(p, $2); }
	| EMBEDDED				{ make_declared(p, make_embedded(p, $1)); }
	;

private_decl
	: globals
	| function_decl
	| probe
	| global_list
	| global_list ';'
	;

/* ---- globals ---- */

globals
	: GLOBAL global_list			{ $$ = $2; }
	| GLOBAL global_list ';'		{ $$ = $2; }
	;

global_list
	: global				{ $$ = make_list(p, NULL, $1); }
	| global_list ',' global		{ $$ = make_list(p, $1, $3); }
	;

global	: IDENT wrap size init			{ $$ = make_global(p, $1, $2, $3, $4); }
	;

wrap	: %empty				{ $$ = false; }
	| '%'					{ $$ = true; }
	;

size	: %empty				{ $$ = NULL; }
	| '[' NUMBER ']'			{ $$ = make_number(p, $2, false); }
	;

init	: %empty				{ $$ = NULL; }
	| '=' literal				{ $$ = $2; }
	;

literal	: STRING				{ $$ = make_string(p, $1); }
	| NUMBER				{ $$ = make_number(p, $1, false); }
	| '-' NUMBER				{ $$ = make_number(p, $2, true); }
	| '+' NUMBER				{ $$ = make_number(p, $2, false); }
	;

/* ---- functions ---- */

function_decl
	: FUNCTION function			{ $$ = $2; }
	;

function
	: IDENT type '(' params ')' priority body	{ $$ = make_function(p, $1, $2, $4, $6, $7); }
	;

body	: block
	| EMBEDDED				{ $$ = make_embedded(p, $1); }
	;

params	: %empty				{ $$ = NULL; }
	| param_list
	;

param_list
	: param					{ $$ = make_list(p, NULL, $1); }
	| param_list ',' param			{ $$ = make_list(p, $1, $3); }
	;

param	: IDENT type				{ $$ = make_param(p, $1, $2); }
	;

type	: %empty				{ $$ = NULL; }
	| ':' IDENT				{ $$ = make_type(p, $2); }
	;

priority
	: %empty				{ $$ = NULL; }
	| ':' NUMBER				{ $$ = make_number(p, $2, false); }
	;

/* ---- probes ---- */

probe	: PROBE points block			{ $$ = make_probe(p, $1, $2, $3); }
	| PROBE alias_names points block	{ $$ = make_alias(p, $1, $2, $3, $4, NULL); }
	| PROBE alias_names points block ',' block	{ $$ = make_alias(p, $1, $2, $3, $4, $6); }
	;

alias_names
	: point '='				{ $$ = make_list(p, NULL, make_alias_name(p, $1, $2)); }
	| point ADD_SET				{ $$ = make_list(p, NULL, make_alias_name(p, $1, $2)); }
	| alias_names point '='			{ $$ = make_list(p, $1, make_alias_name(p, $2, $3)); }
	| alias_names point ADD_SET		{ $$ = make_list(p, $1, make_alias_name(p, $2, $3)); }
	;

points	: point					{ $$ = make_list(p, NULL, $1); }
	| points ',' point			{ $$ = make_list(p, $1, $3); }
	;

point	: components				{ $$ = make_point(p, $1); }
	| point '?'				{ $$ = make_point_suffix(p, $1, $2, NULL); }
	| point '!'				{ $$ = make_point_suffix(p, $1, $2, NULL); }
	| point IF '(' expr ')'			{ $$ = make_point_suffix(p, $1, $2, $4); }
	;

components
	: component				{ $$ = make_list(p, NULL, $1); }
	| components '.' component		{ $$ = make_list(p, $1, $3); }
	;

component
	: WORD					{ $$ = make_component(p, $1, NULL); }
	| WORD '(' literal ')'			{ $$ = make_component(p, $1, $3); }
	| '{' alternatives '}'			{ $$ = make_alternatives(p, $1, $2); }
	;

alternatives
	: alternative				{ $$ = make_list(p, NULL, $1); }
	| alternatives ',' alternative		{ $$ = make_list(p, $1, $3); }
	;

alternative
	: components				{ $$ = make_point(p, $1); }
	| alternative '?'			{ $$ = make_point_suffix(p, $1, $2, NULL); }
	| alternative '!'			{ $$ = make_point_suffix(p, $1, $2, NULL); }
	;

/* ---- statements ---- */

block	: '{' statements '}'			{ $$ = make_list_node(p, N_BLOCK, $1.loc, $2); }
	| '{' statements error '}'		{ $$ = make_list_node(p, N_BLOCK, $1.loc, $2); }
	;

statements
	: %empty				{ $$ = NULL; }
	| statements statement			{ $$ = make_list(p, $1, $2); }
	;

statement
	: ';'					{ $$ = make_bare(p, N_EMPTY, $1.loc); }
	| block
	| simple %prec END_OF_STATEMENT
	| simple ';'
	| IF '(' expr ')' statement %prec END_OF_STATEMENT
						{ $$ = make_if(p, $1.loc, $3, $5, NULL); }
	| IF '(' expr ')' statement ELSE statement
						{ $$ = make_if(p, $1.loc, $3, $5, $7); }
	| WHILE '(' expr ')' statement		{ $$ = make_while(p, $1.loc, $3, $5); }
	| FOR '(' opt_expr ';' opt_expr ';' opt_expr ')' statement
						{ $$ = make_for(p, $1.loc, $3, $5, $7, $9); }
	| FOREACH '(' foreach_keys IN foreach_array limit ')' statement
						{ $$ = make_foreach(p, $1, NULL, $3, $5, $6, $8); }
	| FOREACH '(' foreach_key '=' foreach_keys IN foreach_array limit ')' statement
						{ $$ = make_foreach(p, $1, $3, $5, $7, $8, $10); }
	| TRY block CATCH catch_name block	{ $$ = make_try(p, $1.loc, $2, $4, $5); }
	| error ';'				{ yyerrok; $$ = make_bare(p, N_EMPTY, $2.loc); }
	;

simple	: expr %prec END_OF_STATEMENT		{ $$ = make_expression(p, $1); }
	| RETURN expr %prec END_OF_STATEMENT	{ $$ = make_return(p, $1.loc, $2); }
	| RETURN_NOTHING			{ $$ = make_return(p, $1.loc, NULL); }
	| DELETE expr %prec END_OF_STATEMENT	{ $$ = make_delete(p, $1, $2); }
	| BREAK					{ $$ = make_bare(p, N_BREAK, $1.loc); }
	| CONTINUE				{ $$ = make_bare(p, N_CONTINUE, $1.loc); }
	| NEXT					{ $$ = make_bare(p, N_NEXT, $1.loc); }
	;

catch_name
	: %empty				{ $$ = NULL; }
	| '(' IDENT ')'				{ $$ = make_name(p, $2); }
	;

foreach_keys
	: foreach_key				{ $$ = make_list(p, NULL, $1); }
	| '[' foreach_key_list ']'		{ $$ = $2; }
	;

foreach_key_list
	: foreach_key				{ $$ = make_list(p, NULL, $1); }
	| foreach_key_list ',' foreach_key	{ $$ = make_list(p, $1, $3); }
	;

foreach_key
	: IDENT order				{ $$ = make_sorted(p, make_name(p, $1), NULL, $2); }
	;

foreach_array
	: array order				{ $$ = make_sorted(p, $1, NULL, $2); }
	| array STAT sign			{ $$ = make_sorted(p, $1, &$2, make_order(p, $3)); }
	;

array	: IDENT					{ $$ = make_name(p, $1); }
	| IDENT '[' subscripts ']'		{ $$ = make_index(p, $2, make_name(p, $1), $3); }
	| histogram
	;

order	: %empty				{ $$ = NULL; }
	| sign					{ $$ = make_order(p, $1); }
	;

sign	: '+'
	| '-'
	;

limit	: %empty				{ $$ = NULL; }
	| LIMIT expr				{ $$ = $2; }
	;

/* ---- expressions ---- */

opt_expr
	: %empty				{ $$ = NULL; }
	| expr
	;

args	: %empty				{ $$ = NULL; }
	| arg_list
	;

arg_list
	: expr					{ $$ = make_list(p, NULL, $1); }
	| arg_list ',' expr			{ $$ = make_list(p, $1, $3); }
	;

subscripts
	: subscript				{ $$ = make_list(p, NULL, $1); }
	| subscripts ',' subscript		{ $$ = make_list(p, $1, $3); }
	;

subscript
	: expr
	| '*'					{ $$ = make_star(p, $1); }
	;

histogram
	: HIST '(' args ')'			{ $$ = make_stat(p, $1, $3); }
	;

/* What binds tighter than any operator with two sides; only this can be counted up or down, once. */
value	: NUMBER				{ $$ = make_number(p, $1, false); }
	| STRING				{ $$ = make_string(p, $1); }
	| EMBEDDED				{ $$ = make_embedded(p, $1); }
	| TARGET				{ $$ = make_target(p, $1); }
	| IDENT %prec END_OF_STATEMENT		{ $$ = make_name(p, $1); }
	| IDENT '(' args ')'			{ $$ = make_call(p, $1, $3); }
	| STAT '(' args ')'			{ $$ = make_stat(p, $1, $3); }
	| AT_OPERATOR '(' args ')'		{ $$ = make_at(p, $1, $3); }
	| histogram
	| '(' expr ')'				{ $$ = p->closed = $2; }
	| value ARROW IDENT			{ $$ = make_member(p, $3, $1); }
	| value '[' subscripts ']'		{ $$ = make_index(p, $2, $1, $3); }
	| value PRETTY				{ $$ = make_pretty(p, $2, $1); }
	| '&' value %prec ADDRESS		{ $$ = make_unary(p, OP_NONE, $1, $2); }
	;

expr	: value %prec END_OF_STATEMENT
	| value INC				{ $$ = make_incdec(p, OP_ADD, $2, $1, false); }
	| value DEC				{ $$ = make_incdec(p, OP_SUB, $2, $1, false); }
	| INC value %prec END_OF_STATEMENT	{ $$ = make_incdec(p, OP_ADD, $1, $2, true); }
	| DEC value %prec END_OF_STATEMENT	{ $$ = make_incdec(p, OP_SUB, $1, $2, true); }
	| '+' expr %prec SIGN			{ $$ = make_unary(p, OP_PLUS, $1, $2); }
	| '-' expr %prec SIGN			{ $$ = make_unary(p, OP_NEG, $1, $2); }
	| '!' expr				{ $$ = make_unary(p, OP_NOT, $1, $2); }
	| '~' expr				{ $$ = make_unary(p, OP_BNOT, $1, $2); }

	| expr '*' expr				{ $$ = make_binary(p, OP_MUL, $2, $1, $3); }
	| expr '/' expr				{ $$ = make_binary(p, OP_DIV, $2, $1, $3); }
	| expr '%' expr				{ $$ = make_binary(p, OP_MOD, $2, $1, $3); }
	| expr '+' expr				{ $$ = make_binary(p, OP_ADD, $2, $1, $3); }
	| expr '-' expr				{ $$ = make_binary(p, OP_SUB, $2, $1, $3); }
	| expr '.' expr				{ $$ = make_binary(p, OP_CAT, $2, $1, $3); }
	| expr SHL expr				{ $$ = make_binary(p, OP_SHL, $2, $1, $3); }
	| expr SHR expr				{ $$ = make_binary(p, OP_SHR, $2, $1, $3); }
	| expr USHR expr			{ $$ = make_binary(p, OP_USHR, $2, $1, $3); }
	| expr '<' expr				{ $$ = make_binary(p, OP_LT, $2, $1, $3); }
	| expr '>' expr				{ $$ = make_binary(p, OP_GT, $2, $1, $3); }
	| expr LE expr				{ $$ = make_binary(p, OP_LE, $2, $1, $3); }
	| expr GE expr				{ $$ = make_binary(p, OP_GE, $2, $1, $3); }
	| expr EQ expr				{ $$ = make_binary(p, OP_EQ, $2, $1, $3); }
	| expr NE expr				{ $$ = make_binary(p, OP_NE, $2, $1, $3); }
	| expr MATCH expr			{ $$ = make_regex(p, OP_MATCH, $2, $1, $3); }
	| expr NOMATCH expr			{ $$ = make_regex(p, OP_NOMATCH, $2, $1, $3); }
	| expr IN IDENT				{ $$ = make_in(p, $2, make_key(p, $2, $1), make_name(p, $3)); }
	| expr IN histogram			{ $$ = make_in(p, $2, make_key(p, $2, $1), $3); }
	| '[' subscripts ']' IN IDENT		{ $$ = make_in(p, $4, $2, make_name(p, $5)); }
	| '[' subscripts ']' IN histogram	{ $$ = make_in(p, $4, $2, $5); }
	| expr '&' expr				{ $$ = make_binary(p, OP_AND, $2, $1, $3); }
	| expr '^' expr				{ $$ = make_binary(p, OP_XOR, $2, $1, $3); }
	| expr '|' expr				{ $$ = make_binary(p, OP_OR, $2, $1, $3); }
	| expr LAND expr			{ $$ = make_binary(p, OP_LAND, $2, $1, $3); }
	| expr LOR expr				{ $$ = make_binary(p, OP_LOR, $2, $1, $3); }
	| expr '?' expr ':' expr		{ $$ = make_ternary(p, $2, $1, $3, $5); }
	| expr '=' expr				{ $$ = make_assign(p, OP_SET, $2, $1, $3); }
	| expr STAT_ADD expr			{ $$ = make_assign(p, OP_STAT_ADD, $2, $1, $3); }
	| expr ADD_SET expr			{ $$ = make_assign(p, OP_ADD, $2, $1, $3); }
	| expr SUB_SET expr			{ $$ = make_assign(p, OP_SUB, $2, $1, $3); }
	| expr MUL_SET expr			{ $$ = make_assign(p, OP_MUL, $2, $1, $3); }
	| expr DIV_SET expr			{ $$ = make_assign(p, OP_DIV, $2, $1, $3); }
	| expr MOD_SET expr			{ $$ = make_assign(p, OP_MOD, $2, $1, $3); }
	| expr SHL_SET expr			{ $$ = make_assign(p, OP_SHL, $2, $1, $3); }
	| expr SHR_SET expr			{ $$ = make_assign(p, OP_SHR, $2, $1, $3); }
	| expr AND_SET expr			{ $$ = make_assign(p, OP_AND, $2, $1, $3); }
	| expr XOR_SET expr			{ $$ = make_assign(p, OP_XOR, $2, $1, $3); }
	| expr OR_SET expr			{ $$ = make_assign(p, OP_OR, $2, $1, $3); }
	| expr CAT_SET expr			{ $$ = make_assign(p, OP_CAT, $2, $1, $3); }
	;

%%

/* parse.c reports it. */
static void grammar_error(struct parser *p, const char *message)
{
	(void)p;
	(void)message;
}

int grammar_error_status(struct grammar_pstate *yyps)
{
	return yyps->yyerrstatus;
}

void grammar_forget_error(struct grammar_pstate *yyps)
{
	yyps->yyerrstatus = 0;
}

const char *grammar_token_name(int kind)
{
	return yysymbol_name(YYTRANSLATE(kind));
}

/* States above the parser's own stack, of which the first `below` are still in place. */
struct trial {
	struct grammar_pstate *ps;
	ptrdiff_t below;
	unsigned n;
	yy_state_t v[200]; /* only empty rules make it grow before a token is shifted: few */
};

static yy_state_t trial_top(const struct trial *t)
{
	return t->n ? t->v[t->n - 1] : t->ps->yyss[t->below - 1];
}

static bool trial_push(struct trial *t, int state)
{
	if (t->n == sizeof t->v / sizeof t->v[0])
		return false;
	t->v[t->n++] = (yy_state_t)state;
	return true;
}

static bool trial_reduce(struct trial *t, int rule)
{
	unsigned len = (unsigned)yyr2[rule];
	unsigned above = len < t->n ? len : t->n;

	t->n -= above;
	t->below -= len - above;

	int lhs = yyr1[rule] - YYNTOKENS;
	int next = yypgoto[lhs] + trial_top(t);

	if (next >= 0 && next <= YYLAST && yycheck[next] == trial_top(t))
		next = yytable[next];
	else
		next = yydefgoto[lhs];
	return trial_push(t, next);
}

/* Does what the parser would do with one token, on the states only. */
static bool trial_token(struct trial *t, int kind)
{
	int symbol = YYTRANSLATE(kind);

	for (;;) {
		int state = trial_top(t), n = yypact[state];

		if (!yypact_value_is_default(n)) {
			n += symbol;
			if (n >= 0 && n <= YYLAST && yycheck[n] == symbol) {
				n = yytable[n];
				if (n > 0)
					return trial_push(t, n);
				if (yytable_value_is_error(n))
					return false;
				if (!trial_reduce(t, -n))
					return false;
				continue;
			}
		}
		n = yydefact[state];
		if (!n || !trial_reduce(t, n))
			return false;
	}
}

bool grammar_accepts(struct grammar_pstate *yyps, const int *kinds, unsigned n)
{
	struct trial t = {.ps = yyps, .below = yyps->yyssp - yyps->yyss + 1};

	for (unsigned i = 0; i < n; i++)
		if (!trial_token(&t, kinds[i]))
			return false;
	return true;
}
