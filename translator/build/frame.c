/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the kernel's stack functions take, as the compiler reports it (-fstack-usage).  For functions of the runtime the
 * build enforces a limit.  The largest of a script is written to its object; with it the runtime checks whether a hit has room.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "runtime/rt/script.h"
#include "translator/build/private.h"

enum {
	RUNTIME_FRAME = 384,  /* the largest are 224 */
	SCRIPT_FRAME = 3072,  /* a printf of 32 strings takes 2,600; an NMI's stack has 8,192 */
};

static const struct loc nowhere;

const char *frame_usage_flag(void)
{
	return "-fstack-usage";
}

/* Sanitizers put room between variables; such kernels have larger stacks. */
void frame_bound_runtime(struct build *b, build_argv *cc)
{
	unsigned bytes = RUNTIME_FRAME;

	for (size_t i = 0; i < cc->n; i++)
		if (!strncmp(cc->v[i], "-fsanitize=", 11))
			bytes = 4 * RUNTIME_FRAME;
	vec_push(b->arena, cc, arena_printf(b->arena, "-Wframe-larger-than=%u", bytes));
	vec_push(b->arena, cc, arena_printf(b->arena, "-Werror=frame-larger-than=%u", bytes));
}

struct frame {
	unsigned bytes;
	const char *function;
};

/* The largest in OBJECT's file of lines "FILE:LINE:COLUMN:FUNCTION\tBYTES\tKIND", which is beside it. */
static void largest(struct build *b, const char *object, struct frame *f)
{
	const char *text = file_read(b->arena, arena_printf(b->arena, "%.*s.su", (int)strlen(object) - 2, object), NULL);

	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		const char *tab = strchr(line, '\t'), *name = tab;
		unsigned long bytes = tab ? strtoul(tab + 1, NULL, 10) : 0;

		if (!tab)
			break;
		while (name > line && name[-1] != ':')
			name--;
		if (bytes > f->bytes)
			*f = (struct frame){(unsigned)bytes, intern_n(name, strcspn(name, ".\t"))};
	}
}

static int too_large(struct build *b, const struct frame *f)
{
	const struct loc *at = b->places ? map_get(b->places, f->function) : NULL;
	struct diag *d = diag_report(b->diags, at ? *at : nowhere, E_STACK_FRAME, "%s needs %u bytes of the kernel's stack, and may have %u",
				     at ? "this" : f->function, f->bytes, SCRIPT_FRAME);

	diag_hint(b->diags, d, "parts of it as functions, fewer parameters and values in one expression, and less foreach within foreach need less");
	return -1;
}

int frame_measure(struct build *b, const build_argv *objects)
{
	const char *first = objects->v[0];
	struct frame f = {0};
	size_t len, at;
	char *image;

	for (size_t i = 0; i < objects->n; i++)
		largest(b, objects->v[i], &f);
	if (f.bytes > SCRIPT_FRAME)
		return too_large(b, &f);
	image = file_read(b->arena, first, &len);
	if (!image || object_find_script(image, len, &at)) {
		diag_report(b->diags, nowhere, E_INTERNAL, "cannot find the script's table in %s", first);
		return -1;
	}
	memcpy(image + at + offsetof(struct rt_script, frame), &f.bytes, sizeof f.bytes);
	if (file_write(first, image, len) == 0)
		return 0;
	diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", first, strerror(errno));
	return -1;
}
