/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traced programs must not control the terminal, but their strings may have escape sequences in them.  So if the output goes to a
 * terminal, the loader masks control characters.  If the script itself has some, it draws, or prints bytes: then nothing is masked.
 * Output to files and pipes is never changed.
 */
#include <unistd.h>

#include "base/intern.h"
#include "parser/format.h"
#include "translator/pipeline.h"

static bool has_control(const char *text)
{
	for (; text && *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') || *text == 127)
			return true;
	return false;
}

/* %c, %b and %m print bytes as they are. */
static bool has_bytes(struct session *s, const struct node *n)
{
	return (n->flags & NF_FMT_FORMAT) && format_has(&s->arena, n->text, intern_len(n->text), "cbm");
}

static bool draws(struct session *s, const struct node *n)
{
	if (n->kind == N_EMBEDDED)
		return !session_in_tapset(s, n->loc);
	if ((n->kind == N_STRING || n->kind == N_PRINT) && has_control(n->text))
		return true;
	if (n->kind == N_PRINT && has_bytes(s, n))
		return true;
	AST_EACH(child, n)
		if (draws(s, *child))
			return true;
	return false;
}

bool terminal_is_drawn_on(struct session *s)
{
	const struct program *prog = &s->prog;

	for (size_t i = 0; i < prog->function_list.n; i++)
		if (draws(s, prog->function_list.v[i]->body))
			return true;
	for (size_t i = 0; i < prog->probes.n; i++)
		if (draws(s, prog->probes.v[i]->body))
			return true;
	return false;
}

bool terminal_is_text(struct session *s)
{
	return !s->opt.output && isatty(STDOUT_FILENO) && !terminal_is_drawn_on(s);
}
