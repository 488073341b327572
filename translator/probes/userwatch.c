/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process.data: accesses to memory of processes, at an address or a variable of the program, which the machine watches. */
#include "runtime/sites/userwatch.h"

#include <string.h>

#include "runtime/sites/task.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"
#include "translator/probes/watched.h"

static const struct probe_form forms[] = {
	WATCHED_FORMS("process(s).data(s)", 0, "a variable of the program"),
	WATCHED_FORMS("process(s).data(n)", 0, "the byte at an address of its memory"),
	WATCHED_FORMS("process(n).data(s)", 0, "a variable of its program"),
	WATCHED_FORMS("process(n).data(n)", 0, "the byte at an address of its memory"),
	WATCHED_FORMS("process.data(s)", 0, "a variable of the target's program"),
	WATCHED_FORMS("process.data(n)", 0, "the byte at an address of the target's memory"),
	{0},
};

/* What is watched. */
struct user_watched {
	struct session *s;
	const struct point *p;
	const struct component *data, *length; /* length: NULL if the point does not have it */
	struct elf_image *image; /* NULL: any program */
	int64_t pid;
	bool target, rw;
	struct sites *out;
};

/* What is known of it in a handler. */
struct known {
	struct elf_image *image;
	const struct dtype *type; /* NULL: it is a number of so many bytes */
};

static const char *point_text(const struct user_watched *w)
{
	struct arena *a = &w->s->arena;
	const char *of = w->pid   ? arena_printf(a, "(%lld)", (long long)w->pid) :
			 w->image ? arena_printf(a, "(%s)", probe_quoted(w->s, elf_facts(w->image)->path)) :
				    "";

	return watched_text(w->s, arena_printf(a, "process%s", of), w->data, w->length, w->rw);
}

static struct site *add(const struct user_watched *w, uint64_t address, int64_t length, const struct dtype *type)
{
	struct site *t = probe_site(w->s, &probe_userwatch, w->p, w->out);

	t->kind = w->rw ? SITE_USERWATCH_RW : SITE_USERWATCH_WRITE;
	t->point = point_text(w);
	t->s[0] = w->image && !w->pid ? elf_facts(w->image)->path : NULL;
	t->n[0] = w->pid;
	t->n[1] = w->target ? SITE_TASK_TARGET : 0;
	t->n[2] = length;
	t->n[3] = (int64_t)address;
	t->data = arena_memdup(&w->s->arena, &(struct known){w->image, type}, sizeof(struct known));
	return t;
}

static bool is_number(const struct dtype *t)
{
	switch (dtype_kind(t)) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
		return true;
	default:
		return false;
	}
}

static int add_variable(const struct user_watched *w)
{
	const char *text = w->data->arg->text, *at = strchr(text, '@');
	const char *name = at ? arena_strndup(&w->s->arena, text, (size_t)(at - text)) : text;
	struct problem why = {0};
	const struct dtype *type;
	uint64_t address;
	int64_t length;
	struct site *t;

	if (watched_is_pattern(w->s, w->data))
		return -1;
	if (elf_object(w->image, name, at ? at + 1 : "", &address, &type, &why)) {
		why.code = PROBLEM_NONE; /* no-match */
		if (!w->p->optional)
			session_problem(w->s, w->data->arg->loc, &why, "%s", "");
		return w->p->optional ? 0 : -1;
	}
	length = w->length ? w->length->arg->num : watched_length_of(w->s, w->data, type);
	if (length < 0)
		return -1;
	if (!length || address % (uint64_t)length) {
		struct diag *d = s_error(w->s, w->data->arg->loc, E_POINT_VALUE, "\"%s\" is not at a multiple of %lld", name, (long long)length);
		diag_hint(&w->s->diags, d, "data(%s).length(1) watches its first byte", probe_quoted(w->s, text));
		return -1;
	}
	t = add(w, address, length, dtype_size(type) == (uint64_t)length && is_number(type) ? type : NULL);
	if (elf_facts(w->image)->pie) {
		t->own = arena_memdup(&w->s->arena, &(int64_t[SITE_USERWATCH_OWN]){[SITE_USERWATCH_CODE] = (int64_t)elf_code_start(w->image)},
				      sizeof(int64_t[SITE_USERWATCH_OWN]));
		t->nown = SITE_USERWATCH_OWN;
	}
	return 0;
}

static int add_address(const struct user_watched *w)
{
	int64_t length = w->length ? w->length->arg->num : 1;
	struct diag *d;

	if ((uint64_t)w->data->arg->num >= w->s->target->kernel_memory) {
		d = s_error(w->s, w->data->arg->loc, E_POINT_VALUE, "0x%llx is no address of a program's memory",
			    (unsigned long long)w->data->arg->num);
		diag_hint(&w->s->diags, d, "the kernel's memory is kernel.data(ADDRESS)");
		return -1;
	}
	if (watched_check_multiple(w->s, w->data, "process(...)", length))
		return -1;
	add(w, (uint64_t)w->data->arg->num, length, NULL);
	return 0;
}

static int add_in(struct user_watched *w, const char *path)
{
	const struct component *process = &w->p->c[0];
	struct problem why = {0};

	w->image = image_open(w->s, path, &why);
	if (!w->image) {
		if (!w->p->optional)
			session_problem(w->s, process->arg ? process->arg->loc : process->loc, &why, "%s", "");
		return w->p->optional ? 0 : -1;
	}
	return w->data->arg->kind == N_STRING ? add_variable(w) : add_address(w);
}

/* A bare process is that of the target, and of its descendants. */
static int add_of_target(struct user_watched *w)
{
	struct session *s = w->s;
	struct diag *d;

	if (!s->opt.cmd && !s->opt.target_pid) {
		d = s_error(s, w->p->c[0].loc, E_NO_TARGET_PROGRAM, "a bare process means the target of -c or -x, and there is none");
		diag_hint(&s->diags, d, "name the program: process(\"/bin/ls\").data(...)");
		return -1;
	}
	w->target = true;
	return add_address(w);
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *length = form->variant & WATCHED_LENGTH ? &p->c[2] : NULL;
	struct user_watched w = {.s = s, .p = p, .data = &p->c[1], .length = length, .rw = form->variant & WATCHED_RW, .out = out};
	const char *const *paths;
	bool ignored;
	int rc = 0;

	if (p->one) /* there is no example that can be typed */
		return -1;
	if (watched_check_length(s, w.length))
		return -1;
	if (!p->c[0].arg && w.data->arg->kind == N_NUMBER)
		return add_of_target(&w);
	paths = image_paths(s, &p->c[0], false, &w.pid, &ignored);
	w.target = s->opt.cmd || s->opt.target_pid;
	for (; paths && *paths && !rc; paths++)
		rc = add_in(&w, *paths);
	return paths ? rc : p->optional ? 0 : -1;
}

static struct place *place(struct session *s, const struct site *t)
{
	const struct known *known = t->data;

	return watched_place(s, (struct place_home){.image = known->image}, known->type, t->n[2]);
}

const struct probe_mechanism mechanism_userwatch = {.name = "userwatch"};

const struct probe_family probe_userwatch = {
	.mechanism = &mechanism_userwatch,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
