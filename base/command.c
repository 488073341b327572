// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of -c: see command.h. */
#include "base/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/str.h"
#include "base/vec.h"

/* What runs a command line; each also does for those before it. */
enum need {
	PLAIN,    /* no shell: only words, quoted or not */
	SHELL,    /* a shell, for expansions and redirections; the program replaces it by `exec' */
	COMPOUND, /* a shell that stays: several commands, or something that `exec' does not accept */
};

/* A command line that is taken apart. */
struct scan {
	struct arena *arena;
	const char *at;
	enum need need;
	struct sb word;
	bool in_word, is_quoted; /* is_quoted: a part of the word is */
	VEC(const char *) words;
	unsigned assignments; /* words before the program's name */
};

static void needs(struct scan *s, enum need need)
{
	if (s->need < need)
		s->need = need;
}

/* A name and "=": a variable for the program. */
static bool is_assignment(const char *word)
{
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n && word[n] == '=' && (word[0] < '0' || word[0] > '9');
}

/* Words that only a shell knows: builtins, of which there is no program, so `exec' would fail, and words that begin a compound command. */
static bool is_of_shell(const char *word)
{
	static const char *const words[] = { ".",   ":",    "alias", "cd",   "command", "eval",	 "exec",  "exit",   "export", "getopts", "hash",
					     "read", "readonly", "set",	 "shift", "times", "trap", "type",  "ulimit", "umask",  "unalias", "unset",
					     "wait", "!",   "{",     "if",   "for",	"while", "until", "case" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

static void end_word(struct scan *s)
{
	const char *word = arena_strdup(s->arena, s->word.s ? s->word.s : "");

	if (!s->in_word)
		return;
	if (s->words.n == s->assignments && !s->is_quoted && is_of_shell(word))
		needs(s, COMPOUND);
	if (s->words.n == s->assignments && is_assignment(word)) {
		s->assignments++;
		needs(s, SHELL);
	}
	vec_push(s->arena, &s->words, word);
	sb_free(&s->word);
	s->word = (struct sb){0};
	s->in_word = s->is_quoted = false;
}

/* At "$(" or "`": after the end of what a shell replaces by the output of a command. */
static void skip_command(struct scan *s)
{
	char open = s->at[0] == '$' ? '(' : 0, close = open ? ')' : '`';
	unsigned depth = 0;

	needs(s, SHELL);
	for (s->at += open ? 1 : 0; *s->at; s->at++) {
		if (*s->at == '\\' && s->at[1])
			s->at++;
		else if (*s->at == open || !depth)
			depth++;
		else if (*s->at == close && !--depth)
			break;
	}
	needs(s, *s->at ? SHELL : COMPOUND);
}

/* At a "$" or "`". */
static void replaced(struct scan *s)
{
	needs(s, SHELL);
	if (s->at[0] == '`' || s->at[1] == '(')
		skip_command(s);
}

/* At the quote that opens; leaves it at the one that closes. */
static void quoted(struct scan *s)
{
	char quote = *s->at++;

	s->in_word = s->is_quoted = true;
	for (; *s->at && *s->at != quote; s->at++) {
		if (quote == '"' && strchr("$`", *s->at)) {
			replaced(s);
		} else {
			if (quote == '"' && *s->at == '\\' && s->at[1] && strchr("$`\"\\\n", s->at[1]))
				s->at++;
			sb_putc(&s->word, *s->at);
		}
		if (!*s->at)
			break;
	}
	if (!*s->at)
		needs(s, COMPOUND);
}

/* An operator of the shell, which ends a word. */
static void end_by_operator(struct scan *s, const char *begin)
{
	bool joined = *s->at == '&' && s->at > begin && strchr("<>", s->at[-1]); /* >&2 */

	end_word(s);
	needs(s, joined || (strchr("<>", *s->at) && s->at[1] != '<') ? SHELL : COMPOUND);
}

/* Another character outside of quotes. */
static void unquoted(struct scan *s)
{
	bool begins = !s->in_word;
	char c = *s->at;

	s->in_word = true;

	if (c == '\\' && s->at[1]) {
		s->is_quoted = true;
		sb_putc(&s->word, *++s->at);
		return;
	}
	if (strchr("*?[{", c) || (strchr("~#", c) && begins))
		needs(s, SHELL);
	else if (strchr("$`", c))
		replaced(s);
	sb_putc(&s->word, c);
}

static void scan(struct scan *s, struct arena *a, const char *command)
{
	*s = (struct scan){ .arena = a, .at = command };
	for (; *s->at; s->at++) {
		if (strchr(" \t", *s->at) || !s->at[strspn(s->at, " \t\n")])
			end_word(s);
		else if (strchr("|&;<>()\n", *s->at))
			end_by_operator(s, command);
		else if (strchr("'\"", *s->at))
			quoted(s);
		else
			unquoted(s);
		if (!*s->at)
			break;
	}
	end_word(s);
	if (s->assignments && s->assignments == s->words.n)
		needs(s, COMPOUND);
}

const char *const *command_argv(struct arena *a, const char *command)
{
	VEC(const char *) argv = {0};
	struct scan s;

	scan(&s, a, command);
	if (s.need == PLAIN) {
		vec_push(a, &s.words, (const char *)NULL);
		return s.words.v;
	}
	vec_push(a, &argv, "/bin/sh");
	vec_push(a, &argv, "-c");
	if (s.need == SHELL) /* not every shell gives variables to what `exec' runs */
		command = arena_printf(a, "exec %s%s", s.assignments ? "env " : "", command);
	vec_push(a, &argv, command);
	vec_push(a, &argv, (const char *)NULL);
	return argv.v;
}

const char *command_first(struct arena *a, const char *command)
{
	struct scan s;

	scan(&s, a, command);
	return s.words.n > s.assignments ? s.words.v[s.assignments] : "";
}

const char *command_program(struct arena *a, const char *name, const char **why)
{
	const char *path = child_find_program(a, name);

	if (path)
		return path;
	if (!strchr(name, '/'))
		*why = getenv("PATH") ? "there is no such program in the folders of PATH" :
					"there is no such program in /bin and /usr/bin, and no PATH";
	else
		*why = access(name, X_OK) ? strerror(errno) : "it is not a program";
	return NULL;
}
