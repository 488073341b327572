/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text -> tree: lexer -> macros -> conditionals -> grammar (push parser). */
#ifndef PARSER_PARSE_H
#define PARSER_PARSE_H

#include "base/map.h"
#include "parser/ast.h"

/* What the text may ask about its surroundings; all strings borrowed. */
struct parse_env {
	struct arena *arena;
	struct diags *diags;
	struct sources *sources;
	const char *const *args; /* script arguments $1 .. */
	unsigned nargs;
	const char *call;        /* how a script with arguments is called; NULL: as any is */
	bool call_shown;         /* set when a message has said so: once is enough */
	bool *args_used;         /* set for each that a script asks for; NULL: not wanted */
	const char *kernel_release; /* kernel_vr; kernel_v is its part before the first '-' */
	const char *arch;           /* "x86_64" */
	const char *runtime;        /* "kernel" */
	const char *privilege;      /* "stapdev" */
	const char *compatible;     /* systemtap_v, e.g. "5.6" */
	bool guru;
	/* Value of CONFIG_X of the target kernel ("y", "m", "1000", ""); NULL function = none are set. */
	const char *(*config)(void *data, const char *name);
	void *config_data;
	struct map library_macros; /* filled by parse_macros() */
	/* When a macro is not among these: adds others of the library, at most once.  NULL: there are no others. */
	void (*more_macros)(void *data, struct parse_env *env);
	void *more_macros_data;
};

/* Parses one script or tapset file to an N_FILE; NULL only when nothing could be made of it.  Errors are in env->diags. */
struct node *parse_source(struct parse_env *env, struct source *src);
/* Reads the @define's of a .stpm file into env->library_macros. */
void parse_macros(struct parse_env *env, struct source *src);
/* Adds macros read by parse_macros() into another environment; a name that is there already is an error. */
void parse_add_macros(struct parse_env *env, const struct map *macros);
/* Parses one probe point, as -l and -L take it; NULL after an error. */
struct node *parse_point(struct parse_env *env, struct source *src);

#endif
