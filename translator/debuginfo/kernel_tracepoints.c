/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints of a kernel and its modules.  For each the kernel has a function "__traceiter_NAME", which calls what is registered: BTF
 * has its parameters, with names.  An event of the tracepoint, if it has one, has a struct trace_event_call "event_NAME" in the image,
 * which leads to the name of its system.
 */
#include <dirent.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/kernel_private.h"

static const char function_head[] = "__traceiter_", variable_head[] = "__tracepoint_", event_head[] = "event_";

/* What follows the head of a name; NULL: the name does not begin with it. */
static const char *after(const char *name, const char *head)
{
	size_t n = strlen(head);

	return strncmp(name, head, n) == 0 ? name + n : NULL;
}

/* ---- by name ---- */

struct shortened {
	bool (*found)(void *ctx, const char *module, const char *name);
	void *ctx;
	const char *module;
};

static bool found_in_module(void *ctx, const char *module, const char *function)
{
	const struct shortened *x = ctx;

	return x->found(x->ctx, module, after(function, function_head));
}

static bool found(void *ctx, const char *function)
{
	return found_in_module(ctx, ((const struct shortened *)ctx)->module, function);
}

static bool is_near(void *ctx, const char *function)
{
	nearest_add(ctx, after(function, function_head));
	return true;
}

/* Sets why when a name or pattern is none of the kernel's, or of the module. */
static int no_tracepoint(struct kernel_info *k, const char *module, const char *name, struct problem *why)
{
	bool is_wild = str_has_glob(name);
	struct nearest near;

	problem_set(why, k->arena, PROBLEM_NO_FUNCTION, is_wild ? "no tracepoint of %s%s matches \"%s\"" : "%s%s has no tracepoint \"%s\"",
		    kernel_is_module(module) ? "module " : "kernel ", kernel_is_module(module) ? module : k->places.release, name);
	if (!why || is_wild)
		return -1;
	nearest_init(&near, name);
	kernel_functions(k, module, arena_printf(k->arena, "%s*", function_head), is_near, &near, NULL);
	why->near = nearest_text(&near, k->arena);
	return -1;
}

long kernel_tracepoints(struct kernel_info *k, struct kernel_search *search, struct problem *why)
{
	struct shortened x = {search->found, search->ctx, search->modules};
	const char *functions = arena_printf(k->arena, "%s%s", function_head, search->functions);
	struct kernel_search inner = {.modules = search->modules, .functions = functions, .found = found_in_module, .ctx = &x};
	long n;

	if (!kernel_is_module(search->modules) || !str_has_glob(search->modules)) {
		n = kernel_functions(k, search->modules, functions, found, &x, why);
		if (n == 0)
			no_tracepoint(k, search->modules, search->functions, why);
		return n;
	}
	n = kernel_search(k, &inner, why);
	search->nmodules = inner.nmodules;
	search->nunknown = inner.nunknown;
	search->unknown = inner.unknown;
	search->unknown_why = inner.unknown_why;
	if (n == 0)
		problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "no tracepoint of the modules that match \"%s\" is \"%s\"", search->modules,
			    search->functions);
	return n;
}

int kernel_tracepoint(struct kernel_info *k, const char *module, const char *name, struct proto *p, struct problem *why)
{
	struct proto_value *params;

	if (kernel_function(k, module, arena_printf(k->arena, "%s%s", function_head, name), p, why) < 0)
		return -1;
	if (!p->nparams)
		return problem_set(why, k->arena, PROBLEM_NO_DEBUGINFO, "the BTF of kernel %s does not describe the values of tracepoint \"%s\"",
				   k->places.release, name);
	p->nparams--; /* the first is what belongs to the registered function */
	params = arena_memdup(k->arena, p->params + 1, p->nparams * sizeof *params);
	abi_place_given(k->arena, params, p->nparams, FETCH_KERNEL);
	p->params = params;
	p->returns = false;
	return 0;
}

void kernel_place_given(struct kernel_info *k, struct proto_value *values, size_t n)
{
	abi_place_given(k->arena, values, n, FETCH_KERNEL);
}

/* ---- the system ---- */

/* Where in struct trace_event_call and struct trace_event_class the pointers are. */
struct offsets {
	uint64_t class, tp, system;
};

static bool offset_of(struct kernel_info *k, const char *type, const char *member, uint64_t *offset)
{
	struct dtypes *types = kernel_types(k, NULL, NULL);
	const struct dtype *t = types ? dtypes_find(types, type, NULL) : NULL;
	const struct dtype_member *m;
	size_t n = t ? dtype_members_flat(k->arena, t, &m) : 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(m[i].name, member) == 0) {
			*offset = m[i].bit_off / 8;
			return true;
		}
	return false;
}

static bool find_offsets(struct kernel_info *k, struct offsets *o)
{
	return offset_of(k, "struct trace_event_call", "class", &o->class) && offset_of(k, "struct trace_event_call", "tp", &o->tp) &&
	       offset_of(k, "struct trace_event_class", "system", &o->system);
}

/* A line of the list of systems. */
static void add_system(struct sb *out, const char *tracepoint, const char *system)
{
	if (system[0] && !strpbrk(system, " \n"))
		sb_printf(out, "%s %s\n", tracepoint, system);
}

static const char *system_in(struct kernel_info *k, const char *list, const char *tracepoint)
{
	size_t n = strlen(tracepoint);

	for (const char *p = list; *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (strncmp(p, tracepoint, n) == 0 && p[n] == ' ')
			return arena_strndup(k->arena, p + n + 1, strcspn(p + n + 1, "\n"));
	return NULL;
}

/* ---- of the kernel itself: pointers in its image ---- */

static uint64_t pointer_at(const struct bytes *elf, uint64_t address)
{
	const unsigned char *p = unpack_at(elf, address, sizeof address);

	if (!p)
		return 0;
	memcpy(&address, p, sizeof address);
	return address;
}

static int by_address(const void *x, const void *y)
{
	uint64_t a = ((const struct kallsyms_symbol *)x)->address, b = ((const struct kallsyms_symbol *)y)->address;

	return a < b ? -1 : a > b;
}

/* The name of the tracepoint at an address, or NULL. */
static const char *tracepoint_at(const struct kernel_image_symbols *in, uint64_t address)
{
	const struct kallsyms_symbol key = {.address = address}, *v = bsearch(&key, in->v, in->n, sizeof key, by_address);
	const char *name = NULL;

	while (v && v > in->v && v[-1].address == address)
		v--;
	for (; v && !name && v < in->v + in->n && v->address == address; v++)
		name = after(v->name, variable_head);
	return name;
}

/* Of the running kernel: the folder of events, which root alone can read, has a folder for each system. */
static void list_running(const char *events, struct sb *out)
{
	DIR *systems = opendir(events), *one;
	const struct dirent *system, *event;

	while (systems && (system = readdir(systems))) {
		int fd = system->d_name[0] == '.' ? -1 : openat(dirfd(systems), system->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		one = fd < 0 ? NULL : fdopendir(fd);
		while (one && (event = readdir(one)))
			if (event->d_name[0] != '.')
				add_system(out, event->d_name, system->d_name);
		if (one)
			closedir(one);
	}
	if (systems)
		closedir(systems);
}

void kernel_list_systems(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out)
{
	enum { LONGEST = 64 };
	struct offsets o;

	if (!in->elf) {
		list_running("/sys/kernel/tracing/events", out);
		return;
	}
	if (!find_offsets(k, &o))
		return;
	for (size_t i = 0; i < in->n; i++) {
		const char *name = after(in->v[i].name, event_head) ? tracepoint_at(in, pointer_at(in->elf, in->v[i].address + o.tp)) : NULL;
		uint64_t class = name ? pointer_at(in->elf, in->v[i].address + o.class) : 0;
		uint64_t system = class ? pointer_at(in->elf, class + o.system) : 0;
		const unsigned char *text = system ? unpack_at(in->elf, system, LONGEST) : NULL;

		if (text && memchr(text, 0, LONGEST))
			add_system(out, name, (const char *)text);
	}
}

/* ---- of a module: its file has relocations where pointers will be ---- */

/* A place in a section. */
struct where {
	size_t section;
	uint64_t offset;
	const char *symbol; /* that the relocation names, "" if it has no name */
};

struct module_file {
	Elf *elf;
	Elf_Data *symbols;
	GElf_Shdr symtab;
};

static const char *name_of(const struct module_file *f, const GElf_Sym *s)
{
	const char *name = elf_strptr(f->elf, f->symtab.sh_link, s->st_name);

	return name ? name : "";
}

/* Where the relocation at *from leads to. */
static bool follow(const struct module_file *f, const struct where *from, uint64_t more, struct where *to)
{
	for (Elf_Scn *scn = elf_nextscn(f->elf, NULL); scn; scn = elf_nextscn(f->elf, scn)) {
		GElf_Shdr h;
		GElf_Rela r;
		GElf_Sym s;
		Elf_Data *d;

		if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_RELA || h.sh_info != from->section || !(d = elf_getdata(scn, NULL)))
			continue;
		for (int i = 0; gelf_getrela(d, i, &r); i++)
			if (r.r_offset == from->offset + more && gelf_getsym(f->symbols, (int)GELF_R_SYM(r.r_info), &s)) {
				*to = (struct where){s.st_shndx, s.st_value + (uint64_t)r.r_addend, name_of(f, &s)};
				return true;
			}
	}
	return false;
}

/* The text at a place, or NULL. */
static const char *text_at(const struct module_file *f, const struct where *at)
{
	Elf_Scn *scn = elf_getscn(f->elf, at->section);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;

	if (!d || !d->d_buf || at->offset >= d->d_size || !memchr((const char *)d->d_buf + at->offset, 0, d->d_size - at->offset))
		return NULL;
	return (const char *)d->d_buf + at->offset;
}

static void list_events(const struct module_file *f, const struct offsets *o, struct sb *out)
{
	GElf_Sym s;

	for (int i = 0; gelf_getsym(f->symbols, i, &s); i++) {
		struct where event = {s.st_shndx, s.st_value, ""}, tp, class, system;
		const char *name, *text;

		if (!after(name_of(f, &s), event_head) || GELF_ST_TYPE(s.st_info) != STT_OBJECT || !follow(f, &event, o->tp, &tp) ||
		    !(name = after(tp.symbol, variable_head)))
			continue;
		if (!follow(f, &event, o->class, &class) || !follow(f, &class, o->system, &system))
			continue;
		text = text_at(f, &system);
		if (text)
			add_system(out, name, text);
	}
}

static void list_module(struct kernel_info *k, const struct bytes *file, struct sb *out)
{
	struct module_file f = {0};
	struct offsets o;

	if (!find_offsets(k, &o) || elf_version(EV_CURRENT) == EV_NONE)
		return;
	f.elf = elf_memory((char *)(uintptr_t)file->p, file->n);
	for (Elf_Scn *scn = f.elf ? elf_nextscn(f.elf, NULL) : NULL; scn && !f.symbols; scn = elf_nextscn(f.elf, scn))
		if (gelf_getshdr(scn, &f.symtab) && f.symtab.sh_type == SHT_SYMTAB)
			f.symbols = elf_getdata(scn, NULL);
	if (f.symbols)
		list_events(&f, &o, out);
	elf_end(f.elf);
}

static const char *systems_of_module(struct kernel_info *k, const char *module)
{
	struct kernel_systems *known;
	struct sb text = {0};
	struct bytes file;

	for (known = k->systems; known; known = known->next)
		if (strcmp(known->module, module) == 0)
			return known->list;
	if (kernel_module_bytes(k->arena, &k->places, module, &file, NULL) == 0) {
		list_module(k, &file, &text);
		bytes_free(&file);
	}
	known = arena_new(k->arena, struct kernel_systems);
	*known = (struct kernel_systems){arena_strdup(k->arena, module), arena_strdup(k->arena, text.s ? text.s : ""), k->systems};
	k->systems = known;
	sb_free(&text);
	return known->list;
}

const char *kernel_tracepoint_system(struct kernel_info *k, const char *module, const char *name)
{
	return system_in(k, kernel_is_module(module) ? systems_of_module(k, module) : kernel_systems_text(k), name);
}

bool kernel_knows_systems(struct kernel_info *k)
{
	return *kernel_systems_text(k);
}
