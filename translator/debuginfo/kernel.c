/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel's types and functions, from BTF wherever that kernel has it. */
#include "translator/debuginfo/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/store.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/kernel_module.h"
#include "translator/debuginfo/kernel_private.h"
#include "translator/debuginfo/unpack.h"

#define CACHE_BYTES (256ull << 20)
#define RUNNING_BTF "/sys/kernel/btf/vmlinux"

struct kernel_info *kernel_open(struct arena *a, const struct kernel_where *where, struct problem *why)
{
	struct kernel_info *k = arena_new(a, struct kernel_info);

	k->arena = a;
	k->target = where->target ? where->target : target_native();
	k->cache_dir = where->cache_dir;
	k->make_cache = where->make_cache;
	return kernel_find(a, where, &k->places, why) < 0 ? NULL : k;
}

void kernel_close(struct kernel_info *k)
{
	struct module *m;

	for (m = k->modules; m; m = m->next)
		btf_close(m->btf);
	btf_close(k->btf);
	kernel_dwarf_close(k);
	k->modules = NULL;
	k->btf = NULL;
}

const char *kernel_release(const struct kernel_info *k)
{
	return k->places.release;
}

const char *kernel_build_dir(struct kernel_info *k, struct problem *why)
{
	const char *release = k->places.release;

	if (k->places.build && access(arena_printf(k->arena, "%s/Makefile", k->places.build), R_OK) == 0)
		return k->places.build;
	problem_set(why, k->arena, PROBLEM_NO_HEADERS, "the headers of kernel %s are not installed", release);
	if (why)
		why->hint = arena_printf(k->arena,
					 "install the package linux-headers-%s (Fedora: kernel-devel-%s)",
					 release, release);
	return NULL;
}

bool kernel_runs_here(const struct kernel_info *k)
{
	return k->places.loaded != NULL;
}

/* --- where BTF is --- */

/* Opens the bytes, which are BTF or contain it, and frees them. */
static bool try_bytes(struct kernel_info *k, struct bytes *file, const char *source)
{
	const unsigned char *data = file->p;
	size_t len = file->n;

	if (unpack_machine(file) && unpack_machine(file) != k->target->elf_machine) {
		problem_set(&k->btf_problem, k->arena, PROBLEM_BAD_FORMAT, "%s is for another machine", source);
		bytes_free(file);
		return false;
	}
	unpack_btf(file, &data, &len);
	k->btf = file->n ? btf_open(k->arena, data, len, NULL, &k->btf_problem) : NULL;
	bytes_free(file);
	if (k->btf)
		k->btf_source = source;
	return k->btf != NULL;
}

static bool try_file(struct kernel_info *k, const char *path)
{
	struct bytes file;

	return path && bytes_of_file(k->arena, path, &file, NULL) == 0 && try_bytes(k, &file, path);
}

void kernel_cache_save(struct kernel_info *k, const void *data, size_t len, const char *path)
{
	if (k->make_cache)
		file_make_folder(k->cache_dir, 0700);
	if (!file_replace(path, data, len, 0600) && k->make_cache)
		store_trim((const struct store_part[]){{k->cache_dir, 0}, {0}}, CACHE_BYTES, NULL);
}

const char *kernel_cache_path(struct kernel_info *k, const char *what, const char *file)
{
	struct stat st;
	const char *path;

	if (!k->cache_dir || stat(file, &st) < 0)
		return NULL;
	path = arena_printf(k->arena, "%s/%s-%s-%s-%llx-%llx", k->cache_dir, what, k->target->name, k->places.release,
			    (unsigned long long)st.st_size, (unsigned long long)st.st_mtim.tv_sec);
	store_use(path);
	return path;
}

static const char *cache_path(struct kernel_info *k, const char *what)
{
	return kernel_cache_path(k, what, k->places.image);
}

/* If not, its bytes are freed. */
static bool is_of_target(struct kernel_info *k, struct bytes *kernel, struct problem *why)
{
	const char *mark = k->target->image_mark;
	unsigned at = k->target->image_mark_at;

	if (!mark || (kernel->n >= at + strlen(mark) && memcmp(kernel->p + at, mark, strlen(mark)) == 0))
		return true;
	problem_set(why, k->arena, PROBLEM_BAD_FORMAT, "%s is for another machine", k->places.image);
	bytes_free(kernel);
	return false;
}

/* The kernel in the bootable image: ELF, or as it is in memory. */
static bool unpack_image(struct kernel_info *k, struct bytes *elf, struct problem *why)
{
	const unsigned char *payload;
	struct bytes packed;
	size_t n;
	bool ok;

	if (bytes_of_file(k->arena, k->places.image, &packed, NULL) < 0)
		return false;
	if (!k->target->payload && !unpack_is_packed(packed.p, packed.n)) {
		*elf = packed;
		return is_of_target(k, elf, why);
	}
	if (!k->target->payload || !k->target->payload(packed.p, packed.n, &payload, &n)) {
		payload = packed.p;
		n = packed.n;
	}
	ok = unpack_is_packed(payload, n) && unpack(k->arena, payload, n, k->places.image, elf, why) == 0;
	bytes_free(&packed);
	return ok && is_of_target(k, elf, why);
}

/* The lists of symbols: each is a file in the cache. */
struct list {
	const char *name;
	void (*text)(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out);
};

static int by_address(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* Where the function tracer has its calls: the image has a list for when the tracer starts. */
static struct ksyms_places places_of_image(struct arena *a, const struct kernel_image_symbols *in)
{
	const unsigned char *bytes = NULL;
	uint64_t start, end, *copy;
	size_t n;

	if (in->elf && ksyms_places_bounds(in->v, in->n, &start, &end))
		bytes = unpack_at(in->elf, start, end - start);
	if (!bytes)
		return (struct ksyms_places){0};
	n = (size_t)(end - start) / sizeof *copy;
	copy = arena_array(a, uint64_t, n);
	memcpy(copy, bytes, n * sizeof *copy);
	qsort(copy, n, sizeof *copy, by_address);
	return (struct ksyms_places){.v = copy, .n = copy[n - 1] ? n : 0};
}

static void list_functions(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out)
{
	struct arena scratch = {0};
	struct ksyms_places places = places_of_image(&scratch, in);

	(void)k;
	ksyms_text(in->v, in->n, &places, out);
	arena_free(&scratch);
}

static void list_build_id(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out)
{
	const unsigned char *notes;
	size_t n;

	(void)k;
	if (in->elf && unpack_section(in->elf, ".notes", &notes, &n))
		unpack_build_id(notes, n, out);
}

static void list_objects(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out)
{
	(void)k;
	ksyms_objects_text(in->v, in->n, &(struct ksyms_places){0}, out);
}

static const struct list functions = {"functions-traced", list_functions}, objects = {"objects", list_objects},
			 systems = {"tracepoint-systems", kernel_list_systems}, code = {"code", kernel_list_code},
			 build_id = {"build-id", list_build_id}, vdso = {"vdso", kernel_list_vdso};

/* The list, from the symbols in the unpacked image; kept in the cache. */
static void list_image(struct kernel_info *k, const struct bytes *elf, const struct list *list, struct sb *text)
{
	const char *cached = cache_path(k, list->name);
	struct kernel_image_symbols in = {.elf = elf};
	const unsigned char *data;
	struct arena scratch = {0};
	uint64_t place;
	size_t len;

	if (unpack_section(elf, ".rodata", &data, &len) && unpack_section_address(elf, ".rodata", &place)) {
		in.n = kallsyms_read(&scratch, data, len, place, &in.v);
		list->text(k, &in, text);
	}
	if (cached && text->n)
		kernel_cache_save(k, (const unsigned char *)text->s, text->n, cached);
	arena_free(&scratch);
}

static struct ksyms *ksyms_of_image(struct kernel_info *k, const struct bytes *elf, const struct list *list)
{
	struct sb text = {0};
	struct ksyms *out;

	list_image(k, elf, list, &text);
	out = ksyms_parse(k->arena, text.n ? text.s : "", text.n);
	sb_free(&text);
	return out;
}

/* Needs the kernel's types.  elf: NULL if there is no image of the running kernel. */
static void keep_systems(struct kernel_info *k, const struct bytes *elf)
{
	struct sb text = {0};

	if (elf)
		list_image(k, elf, &systems, &text);
	else
		kernel_list_systems(k, &(struct kernel_image_symbols){0}, &text);
	k->own_systems = arena_strndup(k->arena, text.n ? text.s : "", text.n);
	sb_free(&text);
}

static bool try_image(struct kernel_info *k)
{
	const unsigned char *data;
	const char *cached;
	struct bytes elf;
	size_t len;

	if (!k->places.image)
		return false;
	cached = cache_path(k, "btf");
	if (cached && try_file(k, cached))
		return true;
	if (!unpack_image(k, &elf, &k->btf_problem))
		return false;
	k->ksyms = ksyms_of_image(k, &elf, &functions); /* now that it is unpacked */
	if (cached && unpack_btf(&elf, &data, &len)) {
		kernel_cache_save(k, data, len, cached);
		if (try_file(k, cached)) {
			keep_systems(k, &elf);
			bytes_free(&elf);
			return true;
		}
	}
	return try_bytes(k, &elf, k->places.image);
}

static struct ksyms *ksyms_of_text(struct kernel_info *k, const char *path)
{
	struct ksyms *out = NULL;
	struct bytes text;

	if (path && bytes_of_file(k->arena, path, &text, NULL) == 0) {
		if (text.n)
			out = ksyms_parse(k->arena, (const char *)text.p, text.n);
		bytes_free(&text);
	}
	return out;
}

static struct ksyms *ksyms_of_running_kernel(struct kernel_info *k, const struct list *list)
{
	struct kernel_image_symbols in = {0};
	struct arena scratch = {0};
	struct sb text = {0};
	struct ksyms *out;

	in.n = ksyms_of_running(&scratch, "/proc/kallsyms", &in.v);
	list->text(k, &in, &text);
	out = text.n ? ksyms_parse(k->arena, text.s, text.n) : NULL;
	sb_free(&text);
	arena_free(&scratch);
	return out;
}

/* The kernel's symbols; the list is empty if there are none.  The image is used first: only it has the tracer's places. */
static struct ksyms *symbols(struct kernel_info *k, const struct list *list)
{
	struct ksyms *out = NULL;
	struct bytes elf;

	if (k->places.image) {
		out = ksyms_of_text(k, cache_path(k, list->name));
		if (!out && unpack_image(k, &elf, NULL)) {
			out = ksyms_of_image(k, &elf, list);
			bytes_free(&elf);
		}
	}
	if (k->places.running && (!out || ksyms_is_empty(out)))
		out = ksyms_of_running_kernel(k, list);
	return out ? out : ksyms_parse(k->arena, "", 0);
}

const struct ksyms *kernel_ksyms(struct kernel_info *k)
{
	if (!k->ksyms)
		k->ksyms = symbols(k, &functions);
	return k->ksyms;
}

const char *kernel_systems_text(struct kernel_info *k)
{
	const char *cached = k->places.image ? cache_path(k, systems.name) : NULL;
	struct bytes file;

	if (k->own_systems)
		return k->own_systems;
	k->own_systems = "";
	if (cached && bytes_of_file(k->arena, cached, &file, NULL) == 0) {
		k->own_systems = arena_strndup(k->arena, (const char *)file.p, file.n);
		bytes_free(&file);
	} else if (k->places.image && unpack_image(k, &file, NULL)) {
		keep_systems(k, &file);
		bytes_free(&file);
	} else if (k->places.running) {
		keep_systems(k, NULL);
	}
	return k->own_systems;
}

/* The list, from the cache or the image; "" if there is no image. */
static const char *text_of_image(struct kernel_info *k, const struct list *list)
{
	const char *cached = k->places.image ? cache_path(k, list->name) : NULL, *out = "";
	struct sb text = {0};
	struct bytes file;

	if (cached && bytes_of_file(k->arena, cached, &file, NULL) == 0) {
		out = arena_strndup(k->arena, (const char *)file.p, file.n);
		bytes_free(&file);
	} else if (k->places.image && unpack_image(k, &file, NULL)) {
		list_image(k, &file, list, &text);
		out = arena_strndup(k->arena, text.n ? text.s : "", text.n);
		bytes_free(&file);
		sb_free(&text);
	}
	return out;
}

const char *kernel_code_text(struct kernel_info *k)
{
	if (!k->code)
		k->code = text_of_image(k, &code);
	return k->code;
}

const char *kernel_image_build_id(struct kernel_info *k)
{
	return text_of_image(k, &build_id);
}

const char *kernel_vdso(struct kernel_info *k)
{
	const char *cached;
	struct bytes file;

	if (k->vdso_tried)
		return k->vdso;
	k->vdso_tried = true;
	cached = k->places.image ? cache_path(k, vdso.name) : NULL;
	if (!cached)
		return NULL;
	if (access(cached, R_OK) != 0 && unpack_image(k, &file, NULL)) {
		struct sb ignored = {0};

		list_image(k, &file, &vdso, &ignored);
		bytes_free(&file);
		sb_free(&ignored);
	}
	k->vdso = access(cached, R_OK) == 0 ? cached : NULL;
	return k->vdso;
}

static int need_btf(struct kernel_info *k, struct problem *why)
{
	struct problem *p = &k->btf_problem;

	if (k->btf)
		return 0;
	if (p->code != PROBLEM_NO_BTF) {
		if ((k->places.build && try_file(k, arena_printf(k->arena, "%s/vmlinux", k->places.build))) ||
		    (k->places.running && try_file(k, RUNNING_BTF)) ||
		    try_file(k, k->places.debug_vmlinux) || try_image(k))
			return 0;
		problem_set(p, k->arena, PROBLEM_NO_BTF,
			    "no BTF of kernel %s was found in its build directory, image%s%s",
			    k->places.release, k->places.running ? ", nor in /sys/kernel/btf/vmlinux" : "",
			    p->code == PROBLEM_BAD_FORMAT ? arena_printf(k->arena, " (%s)", p->text) : "");
		p->hint = k->places.image ? "this kernel must be built with CONFIG_DEBUG_INFO_BTF=y"
					  : arena_printf(k->arena, "install the package linux-image-%s",
							 k->places.release);
	}
	if (why)
		*why = *p;
	return -1;
}

/* --- modules --- */

static struct btf_image *open_module(const struct kernel_info *k, const char *name)
{
	const struct module *m;

	for (m = k->modules; m; m = m->next)
		if (strcmp(m->name, name) == 0)
			return m->btf;
	return NULL;
}

/* The BTF of a loaded module, as the running kernel shows it, if the kernel's own comes from there too. */
static bool running_btf(struct kernel_info *k, const char *name, struct bytes *file)
{
	return k->places.loaded && strcmp(k->btf_source, RUNNING_BTF) == 0 && !strchr(name, '/') &&
	       bytes_of_file(k->arena, arena_printf(k->arena, "/sys/kernel/btf/%s", name), file, NULL) == 0;
}

static const struct module_build *find_build(const struct kernel_info *k, const char *name)
{
	const struct module_build *b = k->builds;

	while (b && strcmp(b->name, name) != 0)
		b = b->next;
	return b;
}

static void keep_build(struct kernel_info *k, const char *name, const struct bytes *file)
{
	struct module_build *b;

	name = kernel_module_name(k->arena, name);
	if (find_build(k, name))
		return;
	b = arena_new(k->arena, struct module_build);
	*b = (struct module_build){.name = name, .id = kernel_module_id(k->arena, file), .next = k->builds};
	k->builds = b;
}

/* Of the module that is loaded. */
static void keep_running_build(struct kernel_info *k, const char *name)
{
	struct bytes note = {0};

	bytes_of_file(k->arena, arena_printf(k->arena, "/sys/module/%s/notes/.note.gnu.build-id", name), &note, NULL);
	keep_build(k, name, &note);
	bytes_free(&note);
}

bool kernel_has_module(struct kernel_info *k, const char *name, struct problem *why)
{
	return kernel_module_exists(k->arena, &k->places, name, why);
}

const char *kernel_module_build_id(struct kernel_info *k, const char *module)
{
	const struct module_build *b = find_build(k, module);

	return b ? b->id : NULL;
}

/* The BTF in a module's file; the caller frees file.  path: NULL if it is not known. */
static int module_bytes(struct kernel_info *k, const char *name, const char *path, struct bytes *file, const unsigned char **data, size_t *len,
			struct problem *why)
{
	if (running_btf(k, name, file)) {
		keep_running_build(k, name);
		*data = file->p;
		*len = file->n;
		return 0;
	}
	if (path ? kernel_module_read(k->arena, path, file, why) : kernel_module_bytes(k->arena, &k->places, name, file, why))
		return -1;
	keep_build(k, name, file);
	if (!unpack_section(file, ".BTF", data, len))
		problem_set(why, k->arena, PROBLEM_NO_BTF, "module \"%s\" of kernel %s has no BTF", name,
			    k->places.release);
	else if (unpack_section(file, ".BTF.base", &(const unsigned char *){0}, &(size_t){0}))
		problem_set(why, k->arena, PROBLEM_NO_BTF,
			    "the BTF of module \"%s\" is against a base of its own, which is not supported",
			    name);
	else
		return 0;
	bytes_free(file);
	return -1;
}

static struct btf_image *module_btf(struct kernel_info *k, const char *name, struct problem *why)
{
	struct btf_image *b = open_module(k, name);
	const unsigned char *data;
	struct bytes file;
	struct module *m;
	size_t len;

	if (b || module_bytes(k, name, NULL, &file, &data, &len, why) < 0)
		return b;
	b = btf_open(k->arena, data, len, k->btf, why);
	bytes_free(&file);
	if (!b)
		return NULL;
	m = arena_new(k->arena, struct module);
	m->name = arena_strdup(k->arena, name);
	m->btf = b;
	m->next = k->modules;
	k->modules = m;
	return b;
}

int kernel_visit_module(struct kernel_info *k, const struct kernel_module *m, const char *word, void (*visit)(void *ctx, struct btf_image *b),
			void *ctx, struct problem *why)
{
	struct btf_image *b = open_module(k, m->name);
	const unsigned char *data;
	struct bytes file;
	size_t len;

	if (b) {
		visit(ctx, b);
		return 0;
	}
	if (module_bytes(k, m->name, m->path, &file, &data, &len, why) < 0)
		return -1;
	if (word && !memmem(data, len, word, strlen(word) + 1)) {
		bytes_free(&file);
		return 0;
	}
	b = btf_open(k->arena, data, len, k->btf, why);
	bytes_free(&file);
	if (!b)
		return -1;
	visit(ctx, b);
	btf_close(b);
	return 0;
}

struct btf_image *kernel_btf_of(struct kernel_info *k, const char *module, struct problem *why)
{
	if (need_btf(k, why) < 0)
		return NULL;
	return kernel_is_module(module) ? module_btf(k, module, why) : k->btf;
}

struct dtypes *kernel_types(struct kernel_info *k, const char *module, struct problem *why)
{
	struct btf_image *b = kernel_btf_of(k, module, why);
	struct kernel_dwarf *d;

	if (b)
		return btf_dtypes(b);
	/* A module that was built without the kernel's image has no BTF. */
	d = kernel_is_module(module) ? kernel_dwarf_of(k, module, NULL) : NULL;
	return d ? dwarf_file_types(d->file) : NULL;
}

/* --- variables --- */

void kernel_add_nearest(void *ctx, const char *name)
{
	if (name[0])
		nearest_add(ctx, name);
}

const struct dtype *kernel_variable(struct kernel_info *k, const char *module, const char *name, struct problem *why)
{
	struct btf_image *b = kernel_btf_of(k, module, why);
	struct nearest near;
	uint64_t ref;

	if (!b)
		return NULL;
	if (btf_variable(b, name, &ref))
		return dtype_new(btf_dtypes(b), ref);
	problem_set(why, k->arena, PROBLEM_NO_MEMBER,
		    "the type of the kernel's variable \"%s\" is not known: BTF has the types of per-CPU variables only", name);
	if (!why)
		return NULL;
	nearest_init(&near, name);
	btf_variables(b, kernel_add_nearest, &near);
	why->near = nearest_text(&near, k->arena);
	why->hint = arena_printf(k->arena, "say the type: @cast(&@var(\"%s\", \"%s\"), \"unsigned long\")[0], or \"struct NAME\")->member", name,
				 module ? module : "kernel");
	return NULL;
}

static int no_symbol(struct kernel_info *k, const char *module, const char *name, const struct nearest *near, struct problem *why)
{
	problem_set(why, k->arena, PROBLEM_NO_MEMBER, "%s%s has no variable \"%s\"", module ? "module " : "kernel ",
		    module ? module : k->places.release, name);
	if (why)
		why->near = nearest_text(near, k->arena);
	return 0;
}

int kernel_has_object(struct kernel_info *k, const char *name)
{
	const char *ignored;

	if (!k->objects)
		k->objects = symbols(k, &objects);
	return ksyms_is_empty(k->objects) ? -1 : ksyms_find(k->objects, name, &ignored);
}

int kernel_has_symbol(struct kernel_info *k, const char *module, const char *name, struct problem *why)
{
	struct nearest near;
	const char *unprobeable;
	int found;

	nearest_init(&near, name);
	if (kernel_is_module(module)) {
		found = kernel_module_has_symbol(k->arena, &k->places, module, name, &near);
		return found ? found : no_symbol(k, module, name, &near, why);
	}
	found = ksyms_find(kernel_ksyms(k), name, &unprobeable) ? 1 : kernel_has_object(k, name);
	if (found)
		return found;
	if (why)
		ksyms_each(k->objects, kernel_add_nearest, &near);
	return no_symbol(k, NULL, name, &near, why);
}
