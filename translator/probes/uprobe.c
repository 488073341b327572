/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mechanism "uprobe", for families of points in programs and libraries.  It adds the places where a program begins to unwind its
 * stack: returns must be unhooked there.
 */
#include "runtime/sites/uprobe.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"

/* They walk up the stack and do not know the kernel's address there; elf_returns.c refuses their returns. */
static const char *const unwinder_functions[] = {
	"_Unwind_RaiseException", "_Unwind_Resume_or_Rethrow", "_Unwind_Resume", "_Unwind_ForcedUnwind", "_Unwind_Backtrace",
};
/* Where they are, if not in the program itself. */
static const char *const unwinder_libraries[] = {"libgcc_s.so.1", "libunwind.so.1"};

struct unwinders {
	struct session *s;
	const struct site *whose;
	struct site_helpers *out;
	int64_t processes; /* n[3] of its sites */
	VEC(struct done {
		const struct elf_image *image; /* NULL: the libraries */
		int64_t processes;             /* n[3] of a site */
		int64_t pid;                   /* 0: any */
	}) done;
};

static bool is_done(struct unwinders *u, const struct elf_image *image)
{
	int64_t pid = u->processes & SITE_UPROBE_PID ? u->whose->own[SITE_UPROBE_OWN_PID] : 0;

	for (size_t i = u->done.n; i-- > 0;)
		if (u->done.v[i].image == image && u->done.v[i].processes == u->processes && u->done.v[i].pid == pid)
			return true;
	vec_push(&u->s->arena, &u->done, ((struct done){image, u->processes, pid}));
	return false;
}

static void add_unwinder(struct unwinders *u, struct elf_image *image)
{
	const struct elf_facts *facts = elf_facts(image);
	struct problem ignored = {0};

	if (is_done(u, image))
		return;
	for (size_t i = 0; i < sizeof unwinder_functions / sizeof *unwinder_functions; i++) {
		const struct elf_function *f = elf_function(image, unwinder_functions[i], &ignored);
		if (f)
			vec_push(&u->s->arena, &u->out->v, ((struct site_helper){u->whose, {.kind = SITE_UPROBE_UNWIND, .optional = true,
				.s = {facts->path, facts->build_id}, .n = {(int64_t)f->file_off, (int64_t)f->entry, 0, u->processes},
				.own = u->whose->own, .nown = u->whose->nown}}));
		else if (i == 0)
			return; /* not here */
	}
}

static void add_unwinder_libraries(struct unwinders *u)
{
	struct problem ignored = {0};
	struct elf_image *image;

	if (is_done(u, NULL))
		return;
	for (size_t i = 0; i < sizeof unwinder_libraries / sizeof *unwinder_libraries; i++)
		if ((image = image_open(u->s, unwinder_libraries[i], &ignored)))
			add_unwinder(u, image);
}

static void helpers(struct session *s, struct site_helpers *out)
{
	struct unwinders u = {.s = s, .out = out};

	for (size_t i = 0; i < s->prog.probes.n; i++)
		for (size_t k = 0; k < s->prog.probes.v[i]->sites.n; k++) {
			struct site *t = s->prog.probes.v[i]->sites.v[k];
			if (t->mechanism != &mechanism_uprobe || !t->is_return || t->is_never)
				continue;
			struct elf_image *image = place_home(s, t)->image;
			u.whose = t;
			u.processes = t->n[3] | (elf_facts(image)->executable ? SITE_UPROBE_PROGRAM : 0);
			add_unwinder(&u, image);
			add_unwinder_libraries(&u);
		}
}

const struct probe_mechanism mechanism_uprobe = {
	.name = "uprobe",
	.disarms = true,
	.helpers = helpers,
};
