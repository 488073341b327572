/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles by libstdc++, the library that programs of C++ are linked with: where there are such programs it is installed.  It is loaded at the first
 * mangled symbol, so that other scripts do not pay for it, and Spile needs no package more.
 */
#include "translator/debuginfo/demangle.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *symbol, char *buffer, size_t *size, int *status);

static demangler *library(void)
{
	static demangler *function;
	static bool tried;
	void *handle;

	if (tried)
		return function;
	tried = true;
	handle = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	function = handle ? (demangler *)dlsym(handle, "__cxa_demangle") : NULL;
	return function;
}

bool demangle_works(void)
{
	return library();
}

/* The bracket at text[end - 1] is closed; where its partner is.  0: it has none. */
static size_t partner(const char *text, size_t end)
{
	size_t depth = 0;

	for (size_t i = end; i--;) {
		depth += text[i] == ')';
		depth -= text[i] == '(';
		if (!depth)
			return i;
	}
	return 0;
}

/* Where the name begins after the type of a result, which the symbols of templates have: "int space::f<int>(int)". */
static size_t name_at(const char *text, size_t end)
{
	size_t depth = 0, at = 0;

	for (size_t i = 0; i < end; i++) {
		if (!depth && !strncmp(text + i, "operator", 8) && (!i || strchr(": ", text[i - 1])))
			break;
		depth += strchr("(<[{", text[i]) != NULL;
		depth -= depth && strchr(")>]}", text[i]);
		if (!depth && text[i] == ' ')
			at = i + 1;
	}
	return at;
}

/* "::h0123456789abcdef" at the end is a hash, which Rust adds. */
static size_t without_hash(const char *text, size_t n)
{
	enum { LENGTH = 19, DIGITS = 16 };

	if (n <= LENGTH || strncmp(text + n - LENGTH, "::h", 3) != 0)
		return n;
	for (size_t i = n - DIGITS; i < n; i++)
		if (!isxdigit((unsigned char)text[i]))
			return n;
	return n - LENGTH;
}

/* Functions that the compiler made, and data. */
static bool is_made(const char *text)
{
	static const char *const heads[] = {"non-virtual thunk", "virtual thunk", "covariant return thunk", "vtable for ", "VTT for ", "typeinfo ",
					    "guard variable ", "construction vtable", "reference temporary", "TLS "};

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!strncmp(text, heads[i], strlen(heads[i])))
			return true;
	return false;
}

static const char *split(struct arena *a, const char *text, const char **arguments)
{
	const char *tag, *last = strrchr(text, ')');
	size_t end = last ? (size_t)(last + 1 - text) : strlen(text), open = last ? partner(text, end) : 0, from;

	if (last && strchr(last, ':')) /* "(anonymous namespace)::x", of Rust or without parameters */
		open = 0;
	if (open) {
		*arguments = arena_strndup(a, text + open + 1, end - open - 2);
		end = open;
	} else {
		end = without_hash(text, strlen(text));
	}
	tag = memmem(text, end, "[abi:", 5);
	if (tag && memchr(tag, ']', (size_t)(text + end - tag)) == text + end - 1)
		end = (size_t)(tag - text);
	from = name_at(text, end);
	return arena_strndup(a, text + from, end - from);
}

/*
 * Symbols refer to parts of themselves, "S1_" and "T_", so that 300 bytes can stand for more than any memory holds.  With so few of these, what is
 * written out is 2000 times as long at most; of the functions in real libraries one in a thousand has more.
 */
static bool is_bounded(const char *symbol)
{
	enum { MOST = 20 };
	unsigned n = 0;

	for (const char *p = symbol; *p && n <= MOST; p++)
		n += (*p == 'S' || *p == 'T') && p[1 + strspn(p + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_';
	return n <= MOST;
}

const char *demangle(struct arena *a, const char *symbol, const char **arguments, size_t *budget)
{
	enum { LONGEST = 4096 };
	int status = -1;
	bool is_mangled = !strncmp(symbol, "_Z", 2) && strlen(symbol) <= LONGEST && *budget && is_bounded(symbol);
	char *text = is_mangled && library() ? library()(symbol, NULL, NULL, &status) : NULL;
	size_t n = text && !status ? strlen(text) : 0;
	const char *name;

	*arguments = NULL;
	*budget -= n < *budget ? n : *budget;
	name = n && n <= LONGEST && !is_made(text) ? split(a, text, arguments) : NULL;
	free(text);
	return name && *name ? name : NULL;
}
