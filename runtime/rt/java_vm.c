// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of a HotSpot virtual machine: see java.h.  Some thousand entries are searched once for each: what was found is kept for the
 * next stacks.
 */
#include "rt/java.h"
#include "rt/embed.h"

enum { ENTRIES_MOST = 8192, NAME_MOST = 64 };

/* What is looked for: a field of a type, the size of a type, or a number. */
enum kind { IS_FIELD, IS_SIZE, IS_NUMBER };
static const struct wanted {
	const char *name, *field;
	rt_u8 name_n, field_n;
	enum kind kind;
	rt_bool needed;
} wanted[] = {
#define FIELD(id, type, field) {type, field, sizeof type - 1, sizeof field - 1, IS_FIELD, 1},
#define SIZE(id, type) {type, 0, sizeof type - 1, 0, IS_SIZE, 1},
#define NUMBER(id, name) {name, 0, sizeof name - 1, 0, IS_NUMBER, 1},
#define MAYBE_FIELD(id, type, field) {type, field, sizeof type - 1, sizeof field - 1, IS_FIELD, 0},
#define MAYBE_NUMBER(id, name) {name, 0, sizeof name - 1, 0, IS_NUMBER, 0},
#include "rt/java_fields.def"
};

rt_bool rt_java_has_all(const struct rt_java_vm *vm)
{
	for (rt_u32 f = 0; f < RT_JAVA_FIELDS; f++)
		if (wanted[f].needed && !rt_java_has(vm, f))
			return 0;
	return 1;
}

/* ---- those that are known ---- */

/* Readers copy an entry and look whether it was written meanwhile; a reader that meets a writer reads the tables again.  A process has one entry. */
#define KNOWN 8
static struct known {
	rt_u32 changes; /* odd: it is being written */
	struct rt_java_vm vm;
} known[KNOWN];
static rt_u32 newest;

static rt_bool is_same(const struct rt_java_vm *a, const struct rt_java_vm *b)
{
	return a->pid == b->pid && a->base == b->base && a->structs == b->structs && a->types == b->types && a->numbers == b->numbers;
}

static rt_bool recall(struct rt_java_vm *vm)
{
	for (rt_u32 i = 0; i < KNOWN; i++) {
		struct rt_java_vm *of = &known[i].vm;
		rt_u32 before = RT_LOAD_ACQUIRE(&known[i].changes);

		if (before & 1 || !before || !is_same(of, vm))
			continue;
		memcpy(vm->of, of->of, sizeof vm->of);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (RT_LOAD(&known[i].changes) == before && is_same(of, vm))
			return 1;
	}
	return 0;
}

static struct known *entry_for(rt_s64 pid)
{
	for (rt_u32 i = 0; i < KNOWN; i++)
		if (RT_LOAD(&known[i].vm.pid) == pid)
			return &known[i];
	return &known[__atomic_fetch_add(&newest, 1, __ATOMIC_RELAXED) % KNOWN];
}

static void remember(const struct rt_java_vm *vm)
{
	struct known *k = entry_for(vm->pid);
	rt_u32 before = RT_LOAD(&k->changes);

	if (before & 1 || !__atomic_compare_exchange_n(&k->changes, &before, before + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	k->vm = *vm;
	RT_STORE_RELEASE(&k->changes, before + 2);
}

/* ---- a table ---- */

struct table {
	rt_u64 at, stride, name; /* name: where in an entry */
};

/* All that a search needs.  It is in the context's string space: these functions are called where little is left of the kernel's stack. */
struct search {
	struct rt_ctx *c;
	rt_u64 image;
	struct rt_java_vm *vm;
	struct table structs, types, numbers;
	rt_u64 field, is_static, offset, address; /* where in an entry of structs */
	rt_u64 size, value;                       /* the same of types and of numbers */
	char type[NAME_MOST], text[NAME_MOST];
};

static rt_u64 get(struct search *s, rt_u64 at, rt_u32 size)
{
	return RT_FAILED(s->c) ? 0 : rt_read(s->c, RT_USER, at, size);
}

/* The value of an exported variable; 0: there is none. */
static __attribute__((noinline)) rt_u64 variable(struct search *s, const char *prefix, const char *name)
{
	rt_u32 n = rt_cstr_len(prefix), more = rt_cstr_len(name);
	rt_u64 at;

	if (RT_FAILED(s->c) || n + more > NAME_MOST)
		return 0;
	memcpy(s->text, prefix, n);
	memcpy(s->text + n, name, more);
	at = rt_elf_symbol(s->c, s->image, (struct rt_str){s->text, n + more});
	return at ? get(s, at, 8) : 0;
}

static rt_bool is_text(const char *p, rt_u64 n, const char *text, rt_u64 length)
{
	return n == length && rt_bytes_equal(p, text, (rt_u32)n);
}

static rt_bool is_name(const char *p, rt_u64 n, const struct wanted *f)
{
	return is_text(p, n, f->name, f->name_n);
}

/* The name at an address, or a part of a longer one: its length. */
static __attribute__((noinline)) rt_u64 read_name(struct rt_ctx *c, rt_u64 at, char *to)
{
	rt_s64 n = at ? rt_port_read_str(c, RT_USER, at, to, NAME_MOST) : 0;

	if (n < 0)
		rt_error(c, "user read fault at 0x%llx%s", at, rt_access_why(n));
	return n < 0 ? 0 : (rt_u64)n;
}

static struct table find_table(struct search *s, rt_u64 at, const char *prefix, const char *name)
{
	struct table t = {.at = at};

	t.stride = variable(s, prefix, "ArrayStride");
	t.name = variable(s, prefix, name);
	return t;
}

/* The next entry's name is read to s->type, and its length given; 0: there is none. */
static rt_u64 next_name(struct search *s, const struct table *t, rt_u32 i)
{
	rt_u64 name;

	if (i == ENTRIES_MOST || rt_charge(s->c, 1))
		return 0;
	name = get(s, t->at + t->name, 8);
	return name ? read_name(s->c, name, s->type) : 0;
}

/* Sizes, or numbers: the value has so many bytes and is at an offset in each entry. */
static __attribute__((noinline)) void read_values(struct search *s, struct table *t, rt_u64 value, rt_u32 size, enum kind kind)
{
	rt_u64 n, v;

	for (rt_u32 i = 0; !RT_FAILED(s->c) && (n = next_name(s, t, i)) != 0; i++, t->at += t->stride)
		for (rt_u32 f = 0; f < RT_JAVA_FIELDS; f++)
			if (wanted[f].kind == kind && is_name(s->type, n, &wanted[f])) {
				if (rt_charge(s->c, 1))
					return;
				v = get(s, t->at + value, size);
				s->vm->of[f] = size == 4 ? (rt_u64)(rt_s64)(int)v : v;
			}
}

/* The entry at an address, of the type in s->type. */
static __attribute__((noinline)) void read_field(struct search *s, rt_u64 at, rt_u64 n)
{
	rt_u64 length = rt_charge(s->c, 1) ? 0 : read_name(s->c, get(s, at + s->field, 8), s->text);

	for (rt_u32 f = 0; f < RT_JAVA_FIELDS && !RT_FAILED(s->c); f++)
		if (wanted[f].kind == IS_FIELD && is_text(s->text, length, wanted[f].field, wanted[f].field_n) && is_name(s->type, n, &wanted[f]) &&
		    !rt_charge(s->c, 1))
			s->vm->of[f] = get(s, at + (get(s, at + s->is_static, 4) ? s->address : s->offset), 8);
}

static rt_bool is_wanted(const char *type, rt_u64 n)
{
	for (rt_u32 f = 0; f < RT_JAVA_FIELDS; f++)
		if (wanted[f].kind == IS_FIELD && is_name(type, n, &wanted[f]))
			return 1;
	return 0;
}

/* All fields of a type have the same text, mostly: it is compared once. */
static __attribute__((noinline)) void read_fields(struct search *s)
{
	rt_u64 last = 0, name, n = 0, at = s->structs.at;
	rt_bool of_wanted = 0;

	for (rt_u32 i = 0; i < ENTRIES_MOST && !RT_FAILED(s->c); i++, at += s->structs.stride) {
		if ((i % 2 && rt_charge(s->c, 1)) || !(name = get(s, at + s->structs.name, 8)))
			break;
		if (name != last) {
			if (rt_charge(s->c, 1))
				break;
			n = read_name(s->c, name, s->type);
			of_wanted = is_wanted(s->type, n);
			last = name;
		}
		if (of_wanted)
			read_field(s, at, n);
	}
}

#define STRUCTS "gHotSpotVMStructEntry"
#define TYPES "gHotSpotVMTypeEntry"
#define NUMBERS "gHotSpotVMIntConstantEntry"

static rt_bool find_which(struct search *s)
{
	struct rt_java_vm *vm = s->vm;

	vm->base = get(s, s->image, 8);
	vm->structs = variable(s, "gHotSpotVM", "Structs");
	vm->types = variable(s, "gHotSpotVM", "Types");
	vm->numbers = variable(s, "gHotSpotVM", "IntConstants");
	return !RT_FAILED(s->c) && vm->structs && vm->types && vm->numbers;
}

static rt_bool find_layout(struct search *s)
{
	s->structs = find_table(s, s->vm->structs, STRUCTS, "TypeNameOffset");
	s->field = variable(s, STRUCTS, "FieldNameOffset");
	s->is_static = variable(s, STRUCTS, "IsStaticOffset");
	s->offset = variable(s, STRUCTS, "OffsetOffset");
	s->address = variable(s, STRUCTS, "AddressOffset");
	s->types = find_table(s, s->vm->types, TYPES, "TypeNameOffset");
	s->size = variable(s, TYPES, "SizeOffset");
	s->numbers = find_table(s, s->vm->numbers, NUMBERS, "NameOffset");
	s->value = variable(s, NUMBERS, "ValueOffset");
	return !RT_FAILED(s->c) && s->structs.stride && s->types.stride && s->numbers.stride;
}

static const char *search(struct search *s)
{
	if (!find_which(s))
		return "libjvm.so has no gHotSpotVMStructs that can be read";
	if (recall(s->vm))
		return 0;
	for (rt_u32 i = 0; i < RT_JAVA_FIELDS; i++)
		s->vm->of[i] = RT_JAVA_UNKNOWN;
	if (!find_layout(s))
		return "libjvm.so has no gHotSpotVMStructs that can be read";
	read_fields(s);
	read_values(s, &s->types, s->size, 8, IS_SIZE);
	read_values(s, &s->numbers, s->value, 4, IS_NUMBER);
	if (!RT_FAILED(s->c) && rt_java_has_all(s->vm))
		remember(s->vm);
	return 0;
}

const char *rt_java_vm_read(struct rt_ctx *c, rt_u64 image, struct rt_java_vm *vm)
{
	char *mark = rt_mark(c);
	struct search *s = (struct search *)rt_alloc(c, sizeof *s);
	const char *why = 0;

	if (s) {
		*s = (struct search){.c = c, .image = image, .vm = vm};
		why = search(s);
	}
	rt_release(c, mark);
	return why;
}
