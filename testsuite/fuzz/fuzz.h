/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzzers of debuginfo/ ask about any type and prototype. */
#ifndef TESTSUITE_FUZZ_H
#define TESTSUITE_FUZZ_H

#include <stdint.h>
#include <stdlib.h>

#include "testsuite/unit/show.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/dtype.h"

enum { FUZZ_MEMBERS = 16 };

/* A finished program must keep its rules, whatever the debug information was. */
static inline void fuzz_fetch(struct arena *a, const struct fetch *f)
{
	struct problem why;
	struct sb text = {0};
	struct fetch value;

	if (fetch_value(a, f, &value, &why) == 0) {
		if (!fetch_ok(&value))
			abort();
		show_fetch(&value, &text);
	}
	if (fetch_address(a, f, &value, &why) == 0 && !fetch_ok(&value))
		abort();
	sb_free(&text);
}

static inline void fuzz_type(struct arena *a, const struct dtype *t)
{
	struct fetch object = fetch_object_at_input(a, 0, t, FETCH_USER),
		     value = fetch_input(a, 0, t, FETCH_USER), end;
	struct dtype_step index = {DTYPE_STEP_INPUT, NULL, 1}, deref = {DTYPE_STEP_DEREF, NULL, 0};
	struct proto_value params[2] = {{.name = "a", .type = t}, {.name = "b", .type = t}},
			   ret = {.name = "", .type = t};
	const struct dtype_enumerator *e;
	const struct dtype_member *m;
	struct problem why;
	size_t n, i;

	dtype_text(a, t);
	dtype_text_short(a, t);
	dtype_declaration(a, t, "name");
	dtype_is_string(t);
	dtype_enumerators(a, t, &e);
	fuzz_fetch(a, &object);
	fuzz_fetch(a, &value);
	abi_place(&target_x86_64, a, params, 2, &ret, true, FETCH_USER);
	for (i = 0; i < 2; i++)
		if (params[i].placed)
			fuzz_fetch(a, &params[i].fetch);
	if (dtype_path(a, &object, &index, 1, &end, &why) == 0)
		fuzz_fetch(a, &end);
	if (dtype_path(a, &object, &deref, 1, &end, &why) == 0)
		fuzz_fetch(a, &end);
	n = dtype_members_flat(a, t, &m);
	for (i = 0; i < n && i < FUZZ_MEMBERS; i++) {
		struct dtype_step steps[2] = {{DTYPE_STEP_MEMBER, m[i].name, 0},
					      {DTYPE_STEP_MEMBER, "next", 0}};

		if (dtype_path(a, &object, steps, 1, &end, &why) == 0)
			fuzz_fetch(a, &end);
		if (dtype_path(a, &value, steps, 2, &end, &why) == 0)
			fuzz_fetch(a, &end);
	}
}

static inline void fuzz_proto(struct arena *a, const struct proto *p)
{
	size_t i;

	show_proto(a, p, "function");
	for (i = 0; i < p->nparams; i++) {
		fuzz_type(a, p->params[i].type);
		if (p->params[i].placed)
			fuzz_fetch(a, &p->params[i].fetch);
	}
	if (p->ret.type) /* a marker has none */
		fuzz_type(a, p->ret.type);
	if (p->ret.placed)
		fuzz_fetch(a, &p->ret.fetch);
}

#endif
