/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mutator for libFuzzer that knows the language: besides changing bytes it replaces words, or the text within brackets, by random
 * expressions, statements and declarations, so that inputs get past the parser.  There are few names, so that they occur again as
 * globals, functions, parameters and keys of different types.
 */
#ifndef TESTSUITE_FUZZ_GRAMMAR_MUTATOR_H
#define TESTSUITE_FUZZ_GRAMMAR_MUTATOR_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/*
 * The grammar: each rule has alternatives, one a string.  In it, %E is an expression, %L what can be assigned to, %S a
 * statement, %D a declaration, %P a probe point, %N a name, %K a literal, %O an operator, %A an extractor.
 */
struct mutator_rule {
	char letter;
	const char *alternatives[26]; /* the first three end the recursion */
};

static const struct mutator_rule mutator_rules[] = {
	{'E', {"%N", "%K", "%N", "%E %O %E", "(%E)", "%L", "%N(%E)", "%N(%E, %E)", "!%E", "-%E", "%E ? %E : %E", "%L = %E",
	       "%L .= %E", "%L += %E", "%L++", "--%L", "%E in %N", "[%E, *] in %N", "%A(%L)", "sprintf(\"%%d %%s\", %E, %E)",
	       "%E =~ \"a(b|c)*\"", "strlen(%E)", "@defined(%E)", "@hist_log(%L)[%E]", "%L <<< %E"}},
	{'L', {"%N", "%N", "%N[%E]", "%N[%E, %E]", "$%N", "$%N->%N", "@cast(%E, \"task_struct\")->%N", "@entry(%E)", "@var(\"%N\")",
	       "$%N[%E]", "&$%N->%N", "$%N$"}},
	{'S', {";", "%L = %E;", "println(%E);", "%E;", "if (%E) %S", "if (%E) %S else %S", "while (%E) { %S break }",
	       "for (%L = 0; %E; %L++) %S", "foreach (%N in %N) %S", "foreach ([%N, %N] in %N-) %S",
	       "foreach (%N = %N+ in %N limit %E) %S", "{ %S %S }", "delete %N[%E]", "delete %N;", "%L <<< %E;", "return %E;",
	       "next;", "try { %S } catch (%N) { %S }", "print(@hist_linear(%L, 0, 10, 1));", "break;",
	       "printf(\"%%5d %%s\\n\", %E, %E);", "foreach (%N in %N @sum-) %S", "foreach ([%N, %N] in %N[*, %E]) %S", "continue;"}},
	{'D', {"global %N", "global %N = %K", "probe %P { %S }", "function %N(%N) { %S return %E }",
	       "function %N:string (%N:long, %N) { %S }", "probe %N = %P { %S }", "probe %P, %P { %S %S }", "global %N%%[5], %N",
	       "@define %N(a) %( %E + @a %)", "%( kernel_v > \"4\" %? %D %: %D %)", "private global %N",
	       "probe %N += %P { %S }, { %S }", "function %N(%N):2 { next }"}},
	{'P', {"begin", "end", "timer.s(1)", "%N", "timer.ms(%K)", "begin if (%N)", "never ?", "%N.{begin, end}", "timer.{s(1), hz(10)}!",
	       "error", "begin(-1)", "kernel.function(\"vfs_read\")", "process(\"/bin/true\").function(\"main\")"}},
	{'N', {"a", "b", "s", "f", "g", "x", "arr", "i"}},
	{'K', {"0", "1", "\"text\"", "-1", "9223372036854775807", "0xff", "\"\"", "\"a\\nb\"", "12345"}},
	{'O', {"+", "==", ".", "-", "*", "/", "%%", "<<", ">>>", "&&", "||", "<", "&", "^", "|", "!="}},
	{'A', {"@count", "@sum", "@avg", "@min", "@max", "@variance", "@p50", "@p99"}},
};

struct mutator {
	unsigned seed, depth;
	char *out;
	size_t n, max;
};

static unsigned mutator_random(struct mutator *m, unsigned below)
{
	return (unsigned)rand_r(&m->seed) % below;
}

static void mutator_put(struct mutator *m, char letter)
{
	const struct mutator_rule *r = mutator_rules;
	unsigned count = 0;

	while (r->letter != letter)
		r++;
	while (count < 26 && r->alternatives[count])
		count++;
	if (++m->depth > 5 && count > 3)
		count = 3;
	for (const char *s = r->alternatives[mutator_random(m, count)]; *s && m->n < m->max; s++) {
		if (*s == '%' && isupper((unsigned char)s[1]))
			mutator_put(m, *++s);
		else if (*s == '%' && s[1] == '%')
			m->out[m->n++] = *s++;
		else
			m->out[m->n++] = *s;
	}
	m->depth--;
}

static bool mutator_is_word(uint8_t c)
{
	return isalnum(c) || c == '_' || c == '$' || c == '@' || c == '"';
}

/* The end of the piece of text that begins at i: a word, the text within brackets, or one byte. */
static size_t mutator_piece(const uint8_t *data, size_t size, size_t i)
{
	static const char open[] = "([{", close[] = ")]}";
	const char *bracket = i < size && data[i] ? strchr(open, data[i]) : NULL;
	unsigned depth = 0;

	if (bracket) {
		for (size_t k = i; k < size; k++) {
			depth += data[k] == *bracket;
			depth -= data[k] == close[bracket - open];
			if (!depth)
				return k + 1;
		}
	}
	if (i < size && mutator_is_word(data[i]))
		while (i < size && mutator_is_word(data[i]))
			i++;
	else if (i < size)
		i++;
	return i;
}

/* Half of the time changes bytes; otherwise replaces a piece by something of the grammar, or inserts something. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	static const char kinds[] = "EEEESSSSLLDDPNKO";
	char text[1024];
	struct mutator m = {.seed = seed, .out = text, .max = sizeof text};
	size_t from = size ? mutator_random(&m, (unsigned)size) : 0, to;

	if (mutator_random(&m, 4) == 0)
		return LLVMFuzzerMutate(data, size, max);
	while (from && mutator_is_word(data[from]) && mutator_is_word(data[from - 1]))
		from--;
	to = mutator_random(&m, 3) ? mutator_piece(data, size, from) : from;
	text[m.n++] = ' ';
	mutator_put(&m, kinds[mutator_random(&m, sizeof kinds - 1)]);
	if (m.n < m.max)
		text[m.n++] = ' ';
	if (size - (to - from) + m.n > max)
		return LLVMFuzzerMutate(data, size, max);
	memmove(data + from + m.n, data + to, size - to);
	memcpy(data + from, text, m.n);
	return size - (to - from) + m.n;
}

#endif
