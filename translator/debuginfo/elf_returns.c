/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the return of a function can be probed.  The kernel replaces the return address by an address of its own: at the function's first
 * instruction that is the word at the stack pointer, or a register.  This must be the return address, the function must return through
 * it, and no other code may look at it.
 */
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/elf_image.h"

static const char no_address[] = "it is entered without a return address on the stack";
static const char keeps_address[] = "it keeps its return address, to return there a second time";
static const char looks_at_callers[] = "it looks at the return addresses on the stack";

/*
 * Runtimes that look up return addresses to find the frame above, for garbage collection or to walk up the stack.  They end the program
 * if an address is the kernel's.  Their files are recognised by a symbol that each defines.  used: a file that only refers to
 * such a symbol counts too, since code that the runtime generates calls its functions.
 */
static const struct {
	const char *name;
	bool used;
	const char *runtime;
} runtimes[] = {
	{"_ZN2v8*", true, "V8"},
	{"caml*frametable", false, "OCaml"},
	{"coreclr_initialize", false, ".NET"},
	{"RhpNewFast", false, ".NET"},
	{"mono_jit_init", false, "Mono"},
	{"JNI_CreateJavaVM", false, "Java"},
	{"graal_create_isolate", false, "GraalVM"},
	{"__svm_*", false, "GraalVM"},
	{"stg_upd_frame_info", true, "GHC"},
	{"jl_gc_collect", false, "Julia"},
	{"ijl_gc_collect", false, "Julia"},
	{"jl_sysimg_*", false, "Julia"},
	{"jl_image_*", false, "Julia"},
	{"call_into_lisp", false, "SBCL"},
};

/* What call frame information does not say.  A name also means those with leading underscores. */
static const struct {
	const char *name, *why;
} special[] = {
	{"start", no_address},
	{"restore", no_address},
	{"restore_rt", no_address},
	{"dl_runtime_resolve*", no_address},
	{"dl_runtime_profile*", no_address},
	{"dl_start_user", no_address},
	{"setjmp*", keeps_address},
	{"sigsetjmp*", keeps_address},
	{"getcontext", keeps_address},
	{"swapcontext", keeps_address},
	{"savectx", keeps_address},
	{"vfork", keeps_address},
	{"libc_vfork", keeps_address},
	{"morestack*", "it returns on another stack"},
	{"Unwind_RaiseException*", looks_at_callers},
	{"Unwind_Resume*", looks_at_callers},
	{"Unwind_ForcedUnwind*", looks_at_callers},
	{"Unwind_Backtrace*", looks_at_callers},
	{"uw_init_context*", looks_at_callers},
	{"uw_install_context*", looks_at_callers},
	{"cxa_throw", looks_at_callers},
	{"cxa_rethrow", looks_at_callers},
	{"dlopen", looks_at_callers},
	{"dlmopen", looks_at_callers},
	{"dlsym", looks_at_callers},
	{"dlvsym", looks_at_callers},
	{"libc_dlopen_mode", looks_at_callers},
	{"libc_dlsym", looks_at_callers},
	{"mcount", looks_at_callers},
	{"fentry__", looks_at_callers},
	{"cyg_profile_func_*", looks_at_callers},
};

static const char *special_name(const char *name)
{
	size_t i;

	name += strspn(name, "_");
	for (i = 0; i < sizeof special / sizeof *special; i++)
		if (str_glob(special[i].name, name))
			return special[i].why;
	return NULL;
}

/* Go moves stacks, and its runtime checks what is on them (elf_go.c). */
static bool is_go(const struct elf_image *e)
{
	const unsigned char *data;
	size_t n;

	return unpack_section(&e->file, ".gopclntab", &data, &n) || unpack_section(&e->file, ".data.rel.ro.gopclntab", &data, &n) ||
	       unpack_section(&e->file, ".go.buildinfo", &data, &n);
}

struct Dwarf_CFI_s *elf_frames(struct elf_image *e)
{
	if (e->frames_tried)
		return e->frames;
	e->frames_tried = true;
	e->is_go = is_go(e);
	elf_version(EV_CURRENT);
	e->elf = elf_memory((char *)(uintptr_t)e->file.p, e->file.n);
	e->frames = e->elf ? dwarf_getcfi_elf(e->elf) : NULL;
	return e->frames;
}

/* Does the call frame information say that there is no return address at addr, or none that a call put there? */
static const char *frame_says(struct elf_image *e, uint64_t addr)
{
	unsigned column = e->target->return_address;
	Dwarf_Frame *frame = NULL;
	Dwarf_Op memory[3], *ops = NULL;
	size_t n = 0;
	bool is_signal = false;
	const char *why = NULL;

	if (!elf_frames(e) || dwarf_cfi_addrframe(e->frames, addr, &frame) != 0)
		return NULL;
	if (dwarf_frame_info(frame, NULL, NULL, &is_signal) == (int)column && is_signal)
		why = no_address;
	if (!why && dwarf_frame_register(frame, (int)column, memory, &ops, &n) == 0 && n == 0 && ops == memory)
		why = no_address;
	free(frame);
	return why;
}

/* 1 + the entry of the table that the symbol is of, or 0. */
static size_t runtime_of(const char *name, bool defined)
{
	for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
		if (runtimes[i].name[0] == name[0] && (defined || runtimes[i].used) && str_glob(runtimes[i].name, name))
			return i + 1;
	return 0;
}

const char *elf_runtime(struct elf_image *e)
{
	unsigned by = e->index || e->debug.n ? RUNTIME_BY_ALL : RUNTIME_BY_FILE;
	size_t n;

	if (e->runtime || e->runtime_known == by)
		return e->runtime;
	e->runtime_known = by;
	elf_frames(e);
	n = e->is_go ? 0 : elf_any_symbol(e, runtime_of);
	e->runtime = e->is_go ? "Go" : n ? runtimes[n - 1].runtime : NULL;
	return e->runtime;
}

const char *elf_no_return(struct elf_image *e, const struct elf_function *f)
{
	const char *why = special_name(f->name);
	size_t i;

	if (elf_runtime(e))
		return arena_printf(e->arena, "it is part of a program of %s, which checks the return addresses on its stacks", e->runtime);
	if (f->entry == e->entry)
		why = no_address;
	for (i = 0; !why && i < f->naliases; i++)
		why = special_name(f->aliases[i]);
	if (!why)
		why = frame_says(e, f->entry);
	return why == no_address && !e->target->return_on_stack ? "it is entered without a return address" : why;
}

void elf_returns_close(struct elf_image *e)
{
	if (e->frames)
		dwarf_cfi_end(e->frames);
	if (e->elf)
		elf_end(e->elf);
	e->frames = NULL;
	e->elf = NULL;
}
