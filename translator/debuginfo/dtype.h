/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside debuginfo/ only: what a source of types (btf.c, dwarf.c) gives to types.c.  A type is a reference,
 * private to its source, and describes itself one node at a time: a typedef, a qualifier and a pointer are
 * nodes of their own.  Sources never follow references; types.c does, with limits, so that damaged or cyclic
 * information ends.
 */
#ifndef DEBUGINFO_DTYPE_H
#define DEBUGINFO_DTYPE_H

#include "translator/debuginfo/types.h"

enum node_kind {
	NODE_VOID,
	NODE_INT,
	NODE_BOOL,
	NODE_ENUM,
	NODE_FLOAT,
	NODE_POINTER,
	NODE_REFERENCE, /* C++ & and && */
	NODE_ARRAY,
	NODE_STRUCT,
	NODE_UNION,
	NODE_FUNCTION,
	NODE_INCOMPLETE, /* with a keyword: "struct", "union", "enum" or "class" */
	NODE_TYPEDEF,    /* this and the following ones: look through to target */
	NODE_CONST,
	NODE_VOLATILE,
	NODE_RESTRICT,
	NODE_ATOMIC,
	NODE_TRANSPARENT, /* attributes that have no text */
};

struct dtype_node {
	enum node_kind kind;
	const char *name;    /* "" when anonymous; never NULL */
	const char *keyword; /* "struct ", "union ", "enum ", "" */
	uint64_t target;     /* reference, 0 = void */
	uint64_t size;
	uint64_t count; /* elements of an array */
	bool is_signed;
	bool is_char;      /* an integer type for characters */
	bool by_reference; /* C++: passed by invisible reference */
	bool user;         /* NODE_TRANSPARENT: what is below is in user space (BTF type tag) */
};

struct dtype_param {
	const char *name;
	uint64_t type;
};

struct dtypes_ops {
	/* Describes one node; NODE_INCOMPLETE when the reference, or the data it leads to, is damaged. */
	void (*node)(const struct dtypes *ts, uint64_t ref, struct dtype_node *out);
	size_t (*members)(const struct dtypes *ts, struct arena *a, uint64_t ref, const struct dtype_member **out);
	size_t (*enumerators)(const struct dtypes *ts, struct arena *a, uint64_t ref,
			      const struct dtype_enumerator **out);
	size_t (*params)(const struct dtypes *ts, struct arena *a, uint64_t ref, struct dtype_param **out,
			 bool *variadic);
	/* First definition of the name; keyword "" finds typedefs and base types, then anything.  False: none. */
	bool (*find)(const struct dtypes *ts, const char *keyword, const char *name, uint64_t *ref);
	bool (*find_enumerator)(const struct dtypes *ts, const char *name, int64_t *value);
	/* C++: passed and returned by invisible reference, whatever its size. May be NULL. */
	bool (*by_reference)(const struct dtypes *ts, uint64_t ref);
	/* Adds all names that find() with the keyword knows. */
	void (*nearest)(const struct dtypes *ts, const char *keyword, struct nearest *near);
	/* Adds all names that find_enumerator() knows. */
	void (*nearest_enumerators)(const struct dtypes *ts, struct nearest *near);
};

/* First member of a source. */
struct dtypes {
	const struct dtypes_ops *ops;
	struct arena *arena;
};

/*
 * Sources use references below this.  The bits above count pointers that dtypes_find() added to a type, since the source itself may
 * have no pointer to it; types.c removes them again.
 */
#define DTYPE_STAR ((uint64_t)1 << 56)

struct dtype {
	const struct dtypes *source;
	uint64_t ref;
};

/* A handle of a reference. */
const struct dtype *dtype_new(const struct dtypes *source, uint64_t ref);
/* The node below typedefs and qualifiers; *at is its reference if not NULL; *user is set below a "user" tag if not NULL. */
void dtype_strip(const struct dtype *t, struct dtype_node *out, uint64_t *at, bool *user);
/* "struct file *file": the C declaration of a name. */
const char *dtype_declaration(struct arena *a, const struct dtype *t, const char *name);
/* Words of a C integer type in any order -> the name that gcc writes; NULL: it is none. */
const char *dtypes_integer_name(const char *name);

#endif
