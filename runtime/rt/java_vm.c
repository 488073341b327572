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

/* The value of an exported variable; 0: there is none. */
static rt_u64 variable(struct rt_ctx *c, rt_u64 image, const char *prefix, const char *name)
{
	char text[NAME_MOST];
	struct rt_sink s = {.buf = text, .max = sizeof text};
	rt_u64 at;

	rt_sink_put(&s, prefix, rt_cstr_len(prefix));
	rt_sink_put(&s, name, rt_cstr_len(name));
	at = RT_FAILED(c) ? 0 : rt_elf_symbol(c, image, (struct rt_str){text, s.n});
	return at ? rt_read(c, RT_USER, at, 8) : 0;
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
static rt_u64 read_name(struct rt_ctx *c, rt_u64 at, char *to)
{
	rt_s64 n = at ? rt_port_read_str(c, RT_USER, at, to, NAME_MOST) : 0;

	if (n < 0)
		rt_error(c, "user read fault at 0x%llx%s", at, rt_access_why(n));
	return n < 0 ? 0 : (rt_u64)n;
}

struct table {
	rt_u64 at, stride, name; /* name: where in an entry */
};

static struct table find_table(struct rt_ctx *c, rt_u64 image, rt_u64 at, const char *prefix, const char *name)
{
	struct table t = {.at = at};

	t.stride = variable(c, image, prefix, "ArrayStride");
	t.name = variable(c, image, prefix, name);
	return t;
}

/* The next entry's name is read to text, and its length given; 0: there is none. */
static rt_u64 next_name(struct rt_ctx *c, const struct table *t, rt_u32 i, char *text)
{
	rt_u64 name;

	if (i == ENTRIES_MOST || rt_charge(c, 1))
		return 0;
	name = rt_read(c, RT_USER, t->at + t->name, 8);
	return name ? read_name(c, name, text) : 0;
}

/* Sizes, or numbers: the value has so many bytes and is at an offset in each entry. */
static void read_values(struct rt_ctx *c, struct table t, rt_u64 value, rt_u32 size, enum kind kind, struct rt_java_vm *vm)
{
	char text[NAME_MOST];
	rt_u64 n, v;

	for (rt_u32 i = 0; !RT_FAILED(c) && (n = next_name(c, &t, i, text)) != 0; i++, t.at += t.stride)
		for (rt_u32 f = 0; f < RT_JAVA_FIELDS; f++)
			if (wanted[f].kind == kind && is_name(text, n, &wanted[f])) {
				if (rt_charge(c, 1))
					return;
				v = rt_read(c, RT_USER, t.at + value, size);
				vm->of[f] = size == 4 ? (rt_u64)(rt_s64)(int)v : v;
			}
}

struct place {
	rt_u64 field, is_static, offset, address; /* in an entry */
};

static void read_field(struct rt_ctx *c, rt_u64 at, const struct place *p, const char *type, rt_u64 n, struct rt_java_vm *vm)
{
	char text[NAME_MOST];
	rt_u64 length = rt_charge(c, 1) ? 0 : read_name(c, rt_read(c, RT_USER, at + p->field, 8), text);

	for (rt_u32 f = 0; f < RT_JAVA_FIELDS && !RT_FAILED(c); f++)
		if (wanted[f].kind == IS_FIELD && is_text(text, length, wanted[f].field, wanted[f].field_n) && is_name(type, n, &wanted[f]) &&
		    !rt_charge(c, 1))
			vm->of[f] = rt_read(c, RT_USER, at + ((rt_u32)rt_read(c, RT_USER, at + p->is_static, 4) ? p->address : p->offset), 8);
}

/* All fields of a type have the same text, mostly: it is compared once. */
static void read_fields(struct rt_ctx *c, struct table t, const struct place *p, struct rt_java_vm *vm)
{
	rt_u64 last = 0, name, n = 0;
	rt_bool is_wanted = 0;
	char text[NAME_MOST];

	for (rt_u32 i = 0; i < ENTRIES_MOST && !RT_FAILED(c); i++, t.at += t.stride) {
		if ((i % 2 && rt_charge(c, 1)) || !(name = rt_read(c, RT_USER, t.at + t.name, 8)))
			break;
		if (name != last) {
			if (rt_charge(c, 1))
				break;
			n = read_name(c, name, text);
			is_wanted = 0;
			for (rt_u32 f = 0; f < RT_JAVA_FIELDS && !is_wanted; f++)
				is_wanted = wanted[f].kind == IS_FIELD && is_name(text, n, &wanted[f]);
			last = name;
		}
		if (is_wanted)
			read_field(c, t.at, p, text, n, vm);
	}
}

#define STRUCTS "gHotSpotVMStructEntry"
#define TYPES "gHotSpotVMTypeEntry"
#define NUMBERS "gHotSpotVMIntConstantEntry"

const char *rt_java_vm_read(struct rt_ctx *c, rt_u64 image, struct rt_java_vm *vm)
{
	struct table structs, types, numbers;
	struct place p;
	rt_u64 size, value;

	vm->pid = rt_pid();
	vm->base = rt_read(c, RT_USER, image, 8);
	vm->structs = variable(c, image, "gHotSpotVM", "Structs");
	vm->types = variable(c, image, "gHotSpotVM", "Types");
	vm->numbers = variable(c, image, "gHotSpotVM", "IntConstants");
	if (RT_FAILED(c) || !vm->structs || !vm->types || !vm->numbers)
		return "libjvm.so has no gHotSpotVMStructs that can be read";
	if (recall(vm))
		return 0;
	for (rt_u32 i = 0; i < RT_JAVA_FIELDS; i++)
		vm->of[i] = RT_JAVA_UNKNOWN;
	structs = find_table(c, image, vm->structs, STRUCTS, "TypeNameOffset");
	p.field = variable(c, image, STRUCTS, "FieldNameOffset");
	p.is_static = variable(c, image, STRUCTS, "IsStaticOffset");
	p.offset = variable(c, image, STRUCTS, "OffsetOffset");
	p.address = variable(c, image, STRUCTS, "AddressOffset");
	types = find_table(c, image, vm->types, TYPES, "TypeNameOffset");
	size = variable(c, image, TYPES, "SizeOffset");
	numbers = find_table(c, image, vm->numbers, NUMBERS, "NameOffset");
	value = variable(c, image, NUMBERS, "ValueOffset");
	if (RT_FAILED(c) || !structs.stride || !types.stride || !numbers.stride)
		return "libjvm.so has no gHotSpotVMStructs that can be read";
	read_fields(c, structs, &p, vm);
	read_values(c, types, size, 8, IS_SIZE, vm);
	read_values(c, numbers, value, 4, IS_NUMBER, vm);
	if (!RT_FAILED(c) && rt_java_has_all(vm))
		remember(vm);
	return 0;
}
