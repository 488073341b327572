/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * @var("name@file", "module", cpu).  Variables of programs and libraries come from DWARF: of the probed one, or of others that the
 * process has; without it, symbols have their addresses.  Variables of the kernel are found by the address of a symbol, which is looked
 * up when the session starts.  BTF has the types of the per-CPU ones; such a variable means the one of the CPU that the handler runs on,
 * or of the one that a third argument names.  DWARF, if there is any, has the types of all.
 */
#include <string.h>

#include "base/intern.h"
#include "translator/debuginfo/elf.h"
#include "translator/resolve/home.h"
#include "translator/resolve/resolve.h"

struct fetch atvar_symbols(struct session *s, const struct fetch *f)
{
	struct fetch out = *f;
	struct fetch_op *ops = arena_memdup(&s->arena, f->ops, f->nops * sizeof *ops);

	for (unsigned i = 0; i < f->nops; i++)
		if (ops[i].code == FETCH_SYMBOL && ops[i].symbol)
			ops[i] = (struct fetch_op){.code = FETCH_SYMBOL, .n = session_ksymbol(s, ops[i].symbol, ops[i].module, false)};
	out.ops = ops;
	return out;
}

/* Debug information has the types of all variables; without it, file: NULL or "". */
static bool in_dwarf(struct session *s, const struct home *home, const char *name, const char *file, struct fetch *out, struct problem *why)
{
	if (kernel_variable_in_dwarf(s->kernel, home->module, name, file, out, why))
		return false;
	*out = atvar_symbols(s, out);
	return true;
}

/* guess: where the symbols are not known, leave it to the runtime to find the symbol. */
static bool of_kernel(struct session *s, const struct home *home, const char *name, const char *file, bool address, bool guess,
		      struct fetch *out, struct problem why[static 1])
{
	struct fetch f = {.where = FETCH_IN_MEMORY, .space = FETCH_KERNEL};
	struct problem none = {0}, dwarf = {0};
	const struct dtype *t;

	if (file[0])
		return in_dwarf(s, home, name, file, out, why);
	t = kernel_variable(s->kernel, home->module, name, why);
	if (!t && in_dwarf(s, home, name, file, out, &dwarf))
		return true;
	int known = t ? 1 : kernel_has_symbol(s->kernel, home->module, name, &none);

	if (known == 0)
		*why = none;
	if (known && dwarf.text && dwarf.code != PROBLEM_NO_DEBUGINFO)
		*why = dwarf;
	if (!t && known == 1)
		why->near = NULL;
	if (!t && !(address && (known == 1 || (known < 0 && guess))))
		return false;
	f.type = t ? t : dtype_target(dtypes_find(home->types, "void *", NULL));
	f = fetch_append(&s->arena, &f, (struct fetch_op){.code = FETCH_SYMBOL, .n = session_ksymbol(s, name, home->module, false)});
	if (t)
		f = fetch_append(&s->arena, &f, (struct fetch_op){.code = FETCH_PERCPU});
	*out = f;
	return true;
}

static bool is_own_image(struct session *s, struct probe *p, const struct elf_image *image)
{
	const struct place_home *at = p ? place_home(s, p->sites.v[0]) : NULL;

	return at && at->in_code && at->image && !strcmp(elf_facts(at->image)->path, elf_facts(image)->path);
}

static bool has_op(const struct fetch *f, enum fetch_opcode code)
{
	for (unsigned i = 0; i < f->nops; i++)
		if (f->ops[i].code == code)
			return true;
	return false;
}

/*
 * The variable in whatever process is there: where the image is mapped is found at the hit, instead of where the probed one is.  What needs no such
 * place, as a program's that is at fixed addresses, is only there if the process has the image.
 */
static struct fetch in_process(struct session *s, struct elf_image *image, const struct fetch *f)
{
	bool of_thread = has_op(f, FETCH_THREAD) || has_op(f, FETCH_BLOCK), has_base = has_op(f, FETCH_BIAS);
	struct fetch_op find = {.code = has_base ? FETCH_IMAGE : FETCH_IN_IMAGE, .n = session_image(s, image), .size = of_thread};
	struct fetch out = *f;

	out.nops = 0;
	for (unsigned i = 0; i < f->nops; i++) {
		out = fetch_append(&s->arena, &out, f->ops[i].code == FETCH_BIAS ? find : f->ops[i]);
		if (i == 0 && !has_base) /* the first one needs nothing of the process */
			out = fetch_append(&s->arena, &out, find);
	}
	return out;
}

static bool of_image(struct session *s, struct probe *p, const struct home *home, const char *name, const char *file, bool address,
		     struct fetch *out, struct problem *why)
{
	if (elf_variable(home->image, name, file, out, why) && !(address && !file[0] && elf_variable_symbol(home->image, name, out)))
		return false;
	if (out->where != FETCH_AS_VALUE && !is_own_image(s, p, home->image)) /* a constant is nowhere */
		*out = in_process(s, home->image, out);
	return true;
}

/* The copy of the CPU that is input 0, instead of the current one's; false if there is but one of all CPUs. */
static bool of_cpu(struct session *s, struct fetch *f)
{
	struct fetch out = *f;
	bool found = false;

	out.nops = 0;
	for (unsigned i = 0; i < f->nops; i++)
		if (f->ops[i].code == FETCH_PERCPU) {
			out = fetch_append(&s->arena, &out, (struct fetch_op){.code = FETCH_INPUT});
			out = fetch_append(&s->arena, &out, (struct fetch_op){.code = FETCH_OF_CPU});
			found = true;
		} else {
			out = fetch_append(&s->arena, &out, f->ops[i]);
		}
	*f = out;
	return found;
}

static bool find(struct session *s, struct diags *ds, struct probe *p, const struct node *n, bool address, struct fetch *out)
{
	const char *at = strchr(n->text, '@');
	const char *name = at ? arena_strndup(&s->arena, n->text, (size_t)(at - n->text)) : n->text;
	struct home_search x = home_begin(s, p, ATVAR_MODULE(n));
	struct home home;

	x.untyped = address;
	while (home_next(&x, &home)) {
		struct problem why = {0};
		bool guess = ATVAR_MODULE(n) || !x.why.text;
		if (home.image ? of_image(s, p, &home, name, at ? at + 1 : "", address, out, &why) :
				 of_kernel(s, &home, name, at ? at + 1 : "", address, guess, out, &why))
			return true;
		if (home.image || ATVAR_MODULE(n) || !x.why.text) /* a problem with the program is reported before one with the kernel */
			home_problem(&x, &why);
		if (home.image && why.code != PROBLEM_NO_MEMBER && why.code != PROBLEM_NO_DEBUGINFO)
			break;
	}
	target_problem(ds, n->loc, E_NO_VARIABLE, &x.why);
	return false;
}

bool atvar_start(struct session *s, struct diags *ds, struct probe *p, const struct node *n, bool address, struct fetch *out)
{
	if (!find(s, ds, p, n, address, out))
		return false;
	if (!ATVAR_CPU(n) || of_cpu(s, out))
		return true;
	struct diag *d = diag_report(ds, ATVAR_CPU(n)->loc, E_NO_VARIABLE, "\"%s\" is not known to be a per-CPU variable", n->text);
	diag_hint(ds, d, "leave the CPU out: @var(\"%s\", \"%s\")", n->text, ATVAR_MODULE(n)->text);
	return false;
}
