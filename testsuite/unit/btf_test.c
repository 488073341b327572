// SPDX-License-Identifier: GPL-2.0-or-later
/* Types, paths and prototypes from BTF that libbpf wrote: an independent implementation of the format. */
#include <bpf/btf.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/unit/show.h"
#include "testsuite/unit/unit.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/types.h"

static struct arena arena;
static struct btf *made;
static struct dtypes *types;
static struct btf_image *image;

static struct {
	int u8, s8, u16, s32, u32, u64, s128, boolean, dbl, chr, inner, outer, color, fn, cycle, self, onion;
} id;

static void make_scalars(void)
{
	id.u8 = btf__add_int(made, "unsigned char", 1, 0);
	id.s8 = btf__add_int(made, "signed char", 1, BTF_INT_SIGNED);
	id.u16 = btf__add_int(made, "short unsigned int", 2, 0);
	id.s32 = btf__add_int(made, "int", 4, BTF_INT_SIGNED);
	id.u32 = btf__add_int(made, "unsigned int", 4, 0);
	id.u64 = btf__add_int(made, "long unsigned int", 8, 0);
	id.s128 = btf__add_int(made, "__int128", 16, BTF_INT_SIGNED);
	id.boolean = btf__add_int(made, "_Bool", 1, BTF_INT_BOOL);
	id.dbl = btf__add_float(made, "double", 8);
	id.chr = btf__add_int(made, "char", 1, 0);
}

/* struct inner { int a; unsigned char text[12]; };
 * struct outer { unsigned long id; union { int left; struct { unsigned short deep; }; }; unsigned b1:3, b2:7;
 * int b3:22; struct inner in; struct inner *next; struct inner many[4]; enum color c; struct outer *self;
 * unsigned long wide:33; void *any; }; */
static void make_structs(void)
{
	int text, many, anon_struct, anon_union, ptr_inner, ptr_outer, ptr_void;

	text = btf__add_array(made, id.u32, id.u8, 12);
	id.inner = btf__add_struct(made, "inner", 16);
	btf__add_field(made, "a", id.s32, 0, 0);
	btf__add_field(made, "text", text, 32, 0);
	many = btf__add_array(made, id.u32, id.inner, 4);
	id.color = btf__add_enum(made, "color", 4);
	btf__add_enum_value(made, "RED", 1);
	btf__add_enum_value(made, "BLUE", -5);
	anon_struct = btf__add_struct(made, NULL, 2);
	btf__add_field(made, "deep", id.u16, 0, 0);
	anon_union = btf__add_union(made, NULL, 4);
	btf__add_field(made, "left", id.s32, 0, 0);
	btf__add_field(made, NULL, anon_struct, 0, 0);
	ptr_inner = btf__add_ptr(made, id.inner);
	ptr_void = btf__add_ptr(made, 0);
	ptr_outer = btf__add_ptr(made, ptr_void + 2);
	id.outer = btf__add_struct(made, "outer", 136);
	CHECK_EQ(id.outer, ptr_void + 2);
	btf__add_field(made, "id", id.u64, 0, 0);
	btf__add_field(made, NULL, anon_union, 64, 0);
	btf__add_field(made, "b1", id.u32, 96, 3);
	btf__add_field(made, "b2", id.u32, 99, 7);
	btf__add_field(made, "b3", id.s32, 106, 22);
	btf__add_field(made, "in", id.inner, 128, 0);
	btf__add_field(made, "next", ptr_inner, 256, 0);
	btf__add_field(made, "many", many, 320, 0);
	btf__add_field(made, "c", id.color, 832, 0);
	btf__add_field(made, "self", ptr_outer, 896, 0);
	btf__add_field(made, "wide", id.u64, 963, 33);
	btf__add_field(made, "any", ptr_void, 1024, 0);
}

static void make_odd(void)
{
	int t, next;

	/* a typedef of itself, a struct that contains itself without a name, a chain of 100 qualifiers */
	next = (int)btf__type_cnt(made);
	id.cycle = btf__add_typedef(made, "cycle", next);
	next = (int)btf__type_cnt(made);
	id.self = btf__add_struct(made, "self", 8);
	btf__add_field(made, NULL, next, 0, 0);
	btf__add_field(made, NULL, next, 0, 0);
	btf__add_field(made, "end", id.u64, 0, 0);
	t = id.u8;
	for (int i = 0; i < 100; i++)
		t = btf__add_const(made, t);
	id.onion = t;
}

/* long fn(struct outer *o, int n, const char *name, ...) */
static void make_function(void)
{
	int proto, o = btf__add_ptr(made, id.outer), name, constant;

	constant = btf__add_const(made, id.chr);
	name = btf__add_ptr(made, constant);
	proto = btf__add_func_proto(made, id.u64);
	btf__add_func_param(made, "o", o);
	btf__add_func_param(made, "n", id.s32);
	btf__add_func_param(made, "name", name);
	btf__add_func_param(made, NULL, 0);
	id.fn = btf__add_func(made, "fn", BTF_FUNC_GLOBAL, proto);
}

static void setup(void)
{
	struct problem why;
	const void *raw;
	__u32 size;

	made = btf__new_empty();
	make_scalars();
	make_structs();
	make_odd();
	make_function();
	raw = btf__raw_data(made, &size);
	image = btf_open(&arena, raw, size, NULL, &why);
	if (!image) {
		printf("Bail out! %s\n", why.text);
		exit(1);
	}
	types = btf_dtypes(image);
}

static const struct dtype *type(const char *name)
{
	struct problem why = {0};
	const struct dtype *t = dtypes_find(types, name, &why);

	if (!t)
		printf("# %s\n", why.text);
	return t;
}

/* Dump of what "a.b.3.?0.*" leads to from the object "struct outer" at input 0; the problem's text when it fails. */
static const char *path(const char *text)
{
	struct dtype_step steps[16];
	struct fetch f = fetch_object_at_input(&arena, 0, type("struct outer"), FETCH_KERNEL), g;
	struct problem why = {0};
	char *copy = arena_strdup(&arena, text), *s;
	struct sb out = {0};
	size_t n = 0;

	while ((s = strsep(&copy, ".")) != NULL) {
		struct dtype_step step = {.kind = DTYPE_STEP_MEMBER, .name = s};

		if (*s >= '0' && *s <= '9')
			step = (struct dtype_step){.kind = DTYPE_STEP_INDEX, .index = atoi(s)};
		else if (*s == '?')
			step = (struct dtype_step){.kind = DTYPE_STEP_INPUT, .index = atoi(s + 1)};
		else if (*s == '*')
			step = (struct dtype_step){.kind = DTYPE_STEP_DEREF};
		steps[n++] = step;
	}
	if (dtype_path(&arena, &f, steps, n, &g, &why) < 0 || fetch_value(&arena, &g, &f, &why) < 0)
		return arena_printf(&arena, "%u: %s%s%s", why.step, why.text, why.near ? "; near " : "",
				    why.near ? why.near : "");
	CHECK(fetch_ok(&f));
	show_fetch(&f, &out);
	s = arena_strdup(&arena, out.s);
	sb_free(&out);
	return s;
}

static void test_members_lead_to_loads(void)
{
	CHECK_STR(path("id"), "input 0; deref 8 kernel");
	CHECK_STR(path("in.a"), "input 0; add 16; deref 4 signed kernel");
	CHECK_STR(path("next.a"), "input 0; add 32; deref 8 kernel; deref 4 signed kernel");
	CHECK_STR(path("self.self.self.id"), "input 0; add 112; deref 8 kernel; add 112; deref 8 kernel; add "
					     "112; deref 8 kernel; deref 8 kernel");
	CHECK_STR(path("c"), "input 0; add 104; deref 4 signed kernel");
	CHECK_STR(path("in"), "input 0; add 16");
	CHECK_STR(path("in.text"), "input 0; add 20");
}

static void test_anonymous_members_are_searched(void)
{
	CHECK_STR(path("left"), "input 0; add 8; deref 4 signed kernel");
	CHECK_STR(path("deep"), "input 0; add 8; deref 2 kernel");
}

static void test_arrays_and_pointers_are_indexed(void)
{
	CHECK_STR(path("many.2.a"), "input 0; add 72; deref 4 signed kernel");
	CHECK_STR(path("many.?1.text.3"), "input 0; add 40; index 1 size 16; add 7; deref 1 kernel");
	CHECK_STR(path("next.5.a"), "input 0; add 32; deref 8 kernel; add 80; deref 4 signed kernel");
	CHECK_STR(path("next.*.a"), "input 0; add 32; deref 8 kernel; deref 4 signed kernel");
	CHECK_STR(path("many.a"), "input 0; add 40; deref 4 signed kernel");
}

static void test_bit_fields_are_cut_out(void)
{
	CHECK_STR(path("b1"), "input 0; add 12; deref 1 kernel; bits 0..2");
	CHECK_STR(path("b2"), "input 0; add 12; deref 2 kernel; bits 3..9");
	/* 22 bits in bytes 13..15: read as 2 + 1 bytes, none after them */
	CHECK_STR(path("b3"), "input 0; add 13; const 0; over; deref 2 kernel; const 2; shr; or; over; add "
			      "2; deref 1 kernel; "
			      "const 14; shl; or; swap; drop; bits 0..21 signed");
	CHECK_HAS(path("wide"), "bits 0..32");
}

static void test_wrong_paths_say_what_and_where(void)
{
	CHECK_STR(path("in.txt"), "1: \"struct inner\" has no member \"txt\"; near \"text\"");
	CHECK_STR(path("dep"), "0: \"struct outer\" has no member \"dep\"; near \"deep\"");
	CHECK_STR(path("id.x"), "1: \"long unsigned int\" has no members, so no \"x\"");
	CHECK_STR(path("id.3"),
		  "1: \"long unsigned int\" is neither array nor pointer, so it cannot be indexed");
	CHECK_STR(path("any.3"), "1: elements of \"void *\" have no known size");
	CHECK_STR(path("any.*"), "0: void has no value");
	CHECK_STR(path(""), "0: \"struct outer\" has no member \"\"");
}

static void test_addresses_are_of_objects_only(void)
{
	struct fetch f = fetch_object_at_input(&arena, 0, type("outer"), FETCH_USER), g, h;
	struct dtype_step bits = {DTYPE_STEP_MEMBER, "b2", 0}, in = {DTYPE_STEP_MEMBER, "in", 0};
	struct problem why;

	CHECK_EQ(dtype_path(&arena, &f, &bits, 1, &g, &why), 0);
	CHECK_EQ(fetch_address(&arena, &g, &h, &why), -1);
	CHECK_EQ(why.code, PROBLEM_NO_ADDRESS);
	CHECK_EQ(dtype_path(&arena, &f, &in, 1, &g, &why), 0);
	CHECK_EQ(fetch_address(&arena, &g, &h, &why), 0);
	CHECK(h.is_pointer && h.nops == 2);
	CHECK_EQ(fetch_value(&arena, &g, &h, &why), 0);
	CHECK(h.is_object && h.space == FETCH_USER);
}

static void test_types_are_found_as_c_spells_them(void)
{
	CHECK_STR(dtype_text(&arena, type("struct inner")), "struct inner");
	CHECK_STR(dtype_text(&arena, type("inner")), "struct inner");
	CHECK_STR(dtype_text(&arena, type(" const  struct inner  * *")), "struct inner **");
	CHECK_STR(dtype_text(&arena, type("unsigned long")), "long unsigned int");
	CHECK_STR(dtype_text(&arena, type("unsigned")), "unsigned int");
	CHECK_STR(dtype_text(&arena, type("void*")), "void *");
	CHECK_STR(dtype_text(&arena, type("enum color")), "enum color");
	CHECK(dtype_is_string(type("char *")) && !dtype_is_string(type("int *")));
	CHECK_EQ(dtype_size(type("outer")), 136);
	CHECK(dtype_is_signed(type("color")));
}

static void test_missing_types_have_near_ones(void)
{
	struct problem why;

	CHECK(!dtypes_find(types, "struct iner", &why));
	CHECK_EQ(why.code, PROBLEM_NO_TYPE);
	CHECK_STR(why.near, "\"inner\"");
	CHECK(!dtypes_find(types, "union inner", &why));
	CHECK(!dtypes_find(types, "", &why));
	CHECK(!dtypes_find(types, "struct", &why));
	CHECK(!dtypes_find(types, "*", &why));
}

static void test_enum_constants(void)
{
	const struct dtype_enumerator *e;
	int64_t value = 0;

	CHECK(dtypes_enumerator(types, "BLUE", &value));
	CHECK_EQ(value, -5);
	CHECK(!dtypes_enumerator(types, "GREEN", &value));
	CHECK_EQ(dtype_enumerators(&arena, type("enum color"), &e), 2);
	CHECK_STR(e[0].name, "RED");
}

static void test_cycles_and_depth_end(void)
{
	struct fetch f = fetch_object_at_input(&arena, 0, type("self"), FETCH_KERNEL), g;
	struct dtype_step step = {DTYPE_STEP_MEMBER, "nowhere", 0};
	const struct dtype_member *m;
	size_t before = arena.used;
	struct problem why;

	CHECK_EQ(dtype_kind(type("cycle")), DTYPE_INCOMPLETE);
	CHECK_STR(dtype_text(&arena, type("cycle")), "cycle");
	CHECK_EQ(dtype_path(&arena, &f, &step, 1, &g, &why), -1);
	CHECK_EQ(why.code, PROBLEM_NO_MEMBER);
	CHECK(dtype_members_flat(&arena, type("self"), &m) > 1);
	CHECK(arena.used - before < 8 << 20); /* two searches and a list of a struct that contains itself twice */
	CHECK_EQ(dtype_kind(dtype_new(types, (uint64_t)id.onion)), DTYPE_INCOMPLETE);
	CHECK_HAS(dtype_text(&arena, dtype_new(types, (uint64_t)id.onion)), "const");
	CHECK_EQ(dtype_kind(dtype_new(types, 1000000)), DTYPE_INCOMPLETE);
}

static void test_function_prototype(void)
{
	uint64_t proto;
	bool variadic;
	struct dtype_param *v;

	CHECK_EQ(btf_function(image, "fn", &proto, 1), 1);
	CHECK_EQ(types->ops->params(types, &arena, proto, &v, &variadic), 3);
	CHECK(variadic);
	CHECK_STR(v[2].name, "name");
	CHECK_STR(dtype_text(&arena, dtype_new(types, v[2].type)), "const char *");
	CHECK_STR(dtype_text_short(&arena, dtype_new(types, v[2].type)), "char const*");
	for (int i = 0; i < 20; i++) { /* the first by a walk, later ones by the index */
		CHECK_EQ(btf_function(image, "fnord", &proto, 1), 0);
		CHECK_EQ(btf_function(image, "fn", &proto, 1), 1);
	}
}

static const struct target *target = &target_x86_64;

/* Places parameters of these types; where each went, in one line. */
static const char *placed(const int *ids, size_t n, int ret)
{
	struct proto_value v[12] = {0}, r = {.name = "", .type = dtype_new(types, (uint64_t)ret)};
	struct sb out = {0};
	const char *text;

	for (size_t i = 0; i < n; i++)
		v[i] = (struct proto_value){.name = "p", .type = dtype_new(types, (uint64_t)ids[i])};
	abi_place(target, &arena, v, n, &r, ret != 0, FETCH_USER);
	for (size_t i = 0; i <= n; i++) {
		struct proto_value *one = i < n ? &v[i] : &r;

		sb_puts(&out, i ? " | " : "");
		if (one->placed)
			show_fetch(&one->fetch, &out);
		else
			sb_puts(&out, one->why.text);
	}
	text = arena_strdup(&arena, out.s);
	sb_free(&out);
	return text;
}

static void test_calling_convention(void)
{
	CHECK_STR(placed((int[]){id.s32, id.u8, id.u64, id.boolean}, 4, id.s32),
		  "arg 0; ext 4 signed | arg 1; ext 1 | arg 2 | arg 3; ext 1 | retval; ext 4 signed");
	CHECK_STR(placed((int[]){id.u64, id.u64, id.u64, id.u64, id.u64, id.u64, id.s32, id.u64}, 8, 0),
		  "arg 0 | arg 1 | arg 2 | arg 3 | arg 4 | arg 5 | cfa; -> object | cfa; add 8; -> object | "
		  "the function returns void");
	/* a double takes no general register; the struct of 16 bytes takes two; one of 136 is copied to the stack */
	CHECK_STR(placed((int[]){id.dbl, id.s32, id.inner, id.u64, id.outer, id.u64}, 6, id.u64),
		  "\"p\" of type \"double\" is passed in vector registers, which a probe cannot read | arg "
		  "0; ext 4 signed | "
		  "arg 1 / arg 2 | arg 3 | cfa; -> "
		  "object | arg 4 | retval");
	CHECK_STR(placed((int[]){id.inner}, 1, id.inner), "arg 0 / arg 1 | retval / reg 1");
	/* the address of a large result comes first */
	CHECK_STR(placed((int[]){id.u64}, 1, id.outer), "arg 1 | retval; -> object");
	/* no two registers left: the whole goes to the stack, and a later one still finds the sixth */
	CHECK_STR(
		placed((int[]){id.u64, id.u64, id.u64, id.u64, id.u64, id.inner, id.u64}, 7, 0),
		"arg 0 | arg 1 | arg 2 | arg 3 | arg 4 | cfa; -> object | arg 5 | the function returns void");
	/* 16-byte alignment on the stack */
	CHECK_STR(placed((int[]){id.s128, id.s128, id.s128, id.u64, id.s128}, 5, 0),
		  "\"p\" of type \"__int128\" is 16 bytes wide, and at most 8 can be read | "
		  "\"p\" of type \"__int128\" is 16 bytes wide, and at most 8 can be read | "
		  "\"p\" of type \"__int128\" is 16 bytes wide, and at most 8 can be read | cfa; -> object | "
		  "cfa; add "
		  "16; -> object | "
		  "the function returns void");
	CHECK_HAS(placed((int[]){id.u64, id.cycle, id.u64}, 3, 0),
		  "arg 0 | \"p\" of type \"cycle\" cannot be placed");
}

static void test_calling_convention_of_arm64(void)
{
	target = &target_arm64;
	CHECK_STR(placed((int[]){id.u64, id.u64, id.u64, id.u64, id.u64, id.u64, id.s32, id.u8, id.s32, id.u64}, 10, id.s32),
		  "arg 0 | arg 1 | arg 2 | arg 3 | arg 4 | arg 5 | arg 6; ext 4 signed | arg 7; ext 1 | cfa; -> object | "
		  "cfa; add 8; -> object | retval; ext 4 signed");
	/* a struct of 16 bytes takes two registers, the address of one of 136 one */
	CHECK_STR(placed((int[]){id.inner, id.outer, id.u64}, 3, id.inner), "arg 0 / arg 1 | arg 2; -> object | arg 3 | retval / reg 1");
	/* the address of a large result is in a register of its own, and not kept */
	CHECK_STR(placed((int[]){id.u64}, 1, id.outer),
		  "arg 0 | \"$return\" of type \"struct outer\" is returned in memory, whose address only the caller keeps");
	/* no two registers are left: then the last one stays unused */
	CHECK_STR(placed((int[]){id.u64, id.u64, id.u64, id.u64, id.u64, id.u64, id.u64, id.inner, id.u64}, 9, 0),
		  "arg 0 | arg 1 | arg 2 | arg 3 | arg 4 | arg 5 | arg 6 | cfa; -> object | cfa; add 16; -> object | "
		  "the function returns void");
	/* vector registers are counted separately, and 16 bytes begin in an even one */
	CHECK_STR(placed((int[]){id.dbl, id.u64, id.s128, id.u64}, 4, 0),
		  "\"p\" of type \"double\" is passed in vector registers, which a probe cannot read | arg 0 | "
		  "\"p\" of type \"__int128\" is 16 bytes wide, and at most 8 can be read | arg 4 | the function returns void");
	CHECK_HAS(placed((int[]){id.u64, id.cycle, id.u64}, 3, 0), "arg 0 | \"p\" of type \"cycle\" cannot be placed");
	target = &target_x86_64;
}

static void test_registers_by_name(void)
{
	CHECK_STR(target_registers(&target_arm64, &arena), "0 to 30 x0 to x30, 31 sp, 32 pc");
	CHECK_HAS(target_registers(&target_x86_64, &arena), "6 rbp, 7 rsp, 8 to 15 r8 to r15, 16 rip");
	for (unsigned i = 0; i < target_arm64.narguments; i++)
		CHECK_STR(target_arm64.registers[target_arm64.arguments[i]], arena_printf(&arena, "x%u", i));
	CHECK_EQ(target_argument(&target_x86_64, 5), 0);
	CHECK_EQ(target_argument(&target_x86_64, 7), -1);
}

static void test_damaged_bytes_are_refused(void)
{
	struct problem why;
	const void *raw;
	unsigned char *copy;
	__u32 size, i;

	raw = btf__raw_data(made, &size);
	for (i = 0; i < size; i += i < 64 ? 1 : 37) {
		copy = malloc(i ? i : 1); /* exactly as long: ASan reports every byte too much */
		memcpy(copy, raw, i);
		CHECK(!btf_open(&arena, copy, i, NULL, &why));
		CHECK_EQ(why.code, PROBLEM_BAD_FORMAT);
		free(copy);
	}
}

/* Opens good BTF with one byte of the header changed: it must be refused with the text, or accepted. */
static void refused(size_t at, unsigned char byte, const char *text)
{
	struct problem why = {0};
	unsigned char *copy;
	const void *raw;
	__u32 size;

	raw = btf__raw_data(made, &size);
	copy = arena_memdup(&arena, raw, size);
	copy[at] = byte;
	CHECK(!btf_open(&arena, copy, size, NULL, &why));
	CHECK_EQ(why.code, PROBLEM_BAD_FORMAT);
	CHECK_HAS(why.text, text);
}

static void test_other_headers_are_refused(void)
{
	struct problem why = {0};
	const void *raw;
	__u32 size;

	refused(offsetof(struct btf_header, magic), 0, "byte order");
	refused(offsetof(struct btf_header, version), 2, "version 2");
	refused(offsetof(struct btf_header, hdr_len), 25, "header");
	refused(offsetof(struct btf_header, hdr_len), 20, "header");
	refused(offsetof(struct btf_header, type_off), 2, "damaged");
	refused(offsetof(struct btf_header, str_len) + 3, 0x7f, "damaged");

	btf__set_endianness(made, BTF_BIG_ENDIAN);
	raw = btf__raw_data(made, &size);
	CHECK(!btf_open(&arena, raw, size, NULL, &why));
	CHECK_HAS(why.text, "byte order");
	btf__set_endianness(made, BTF_LITTLE_ENDIAN);
}

/* libbpf would write to stderr about a type that is longer than the section. */
static void test_refusal_is_silent(void)
{
	int saved = dup(STDERR_FILENO);
	unsigned char *copy;
	FILE *f = tmpfile();
	const void *raw;
	__u32 size;

	raw = btf__raw_data(made, &size);
	copy = arena_memdup(&arena, raw, size);
	((struct btf_header *)copy)->type_len -= 4;
	fflush(stderr);
	dup2(fileno(f), STDERR_FILENO);
	CHECK(!btf_open(&arena, copy, size, NULL, NULL));
	dup2(saved, STDERR_FILENO);
	close(saved);
	CHECK_EQ(lseek(fileno(f), 0, SEEK_END), 0);
	fclose(f);
}

static void test_split_image_sees_its_base(void)
{
	struct btf *module = btf__new_empty_split(made);
	struct problem why = {0};
	struct btf_image *split;
	const struct dtype *t;
	uint64_t proto, ref;
	const void *raw;
	__u32 size;
	int own;

	own = btf__add_struct(module, "inner", 8); /* a name that the base has too */
	btf__add_field(module, "outer", id.u64, 0, 0);
	btf__add_func(module, "module_fn", BTF_FUNC_STATIC, btf__add_func_proto(module, id.s32));
	raw = btf__raw_data(module, &size);
	split = btf_open(&arena, raw, size, image, &why);
	CHECK(split != NULL);
	if (!split)
		return;
	CHECK(btf_dtypes(split)->ops->find(btf_dtypes(split), "struct ", "inner", &ref) &&
	      ref == (uint64_t)own);
	t = dtypes_find(btf_dtypes(split), "struct outer *", &why);
	CHECK(t && strcmp(dtype_text(&arena, t), "struct outer *") == 0);
	CHECK_EQ(btf_function(split, "module_fn", &proto, 1), 1);
	CHECK_EQ(btf_function(split, "fn", &proto, 1), 0); /* of the image alone */
	CHECK_EQ(btf_function(image, "module_fn", &proto, 1), 0);
	CHECK_STR(dtype_text(&arena, dtype_new(btf_dtypes(split), (uint64_t)id.u64)), "long unsigned int");
	CHECK_EQ(dtype_kind(dtype_new(types, (uint64_t)own)), DTYPE_INCOMPLETE);
	CHECK(!btf_open(&arena, raw, size - 1, image, &why));
	CHECK_HAS(why.text, "damaged");
	btf_close(split);
	btf__free(module);
}

/* Whether an enum is signed is asked once, not for each of its constants. */
static void test_largest_enum_takes_no_time(void)
{
	enum { MOST = 65535 };
	struct btf *large = btf__new_empty();
	const struct dtype_enumerator *e;
	struct problem why = {0};
	struct btf_image *b;
	clock_t start;
	int64_t value;
	const void *raw;
	__u32 size;
	int t;

	t = btf__add_enum(large, "large", 4);
	for (int i = 0; i < MOST; i++)
		btf__add_enum_value(large, i == MOST - 1 ? "LAST" : "ANY", i);
	raw = btf__raw_data(large, &size);
	start = clock();
	b = btf_open(&arena, raw, size, NULL, &why);
	CHECK(b != NULL);
	if (!b)
		return;
	CHECK_EQ(dtype_enumerators(&arena, dtype_new(btf_dtypes(b), (uint64_t)t), &e), MOST);
	CHECK_EQ(e[MOST - 1].value, MOST - 1);
	CHECK(dtypes_enumerator(btf_dtypes(b), "LAST", &value));
	CHECK_EQ(value, MOST - 1);
	CHECK((clock() - start) / CLOCKS_PER_SEC < 2);
	btf_close(b);
	btf__free(large);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	setup();
	UNIT_RUN(test_members_lead_to_loads);
	UNIT_RUN(test_anonymous_members_are_searched);
	UNIT_RUN(test_arrays_and_pointers_are_indexed);
	UNIT_RUN(test_bit_fields_are_cut_out);
	UNIT_RUN(test_wrong_paths_say_what_and_where);
	UNIT_RUN(test_addresses_are_of_objects_only);
	UNIT_RUN(test_types_are_found_as_c_spells_them);
	UNIT_RUN(test_missing_types_have_near_ones);
	UNIT_RUN(test_enum_constants);
	UNIT_RUN(test_cycles_and_depth_end);
	UNIT_RUN(test_function_prototype);
	UNIT_RUN(test_calling_convention);
	UNIT_RUN(test_calling_convention_of_arm64);
	UNIT_RUN(test_registers_by_name);
	UNIT_RUN(test_damaged_bytes_are_refused);
	UNIT_RUN(test_other_headers_are_refused);
	UNIT_RUN(test_refusal_is_silent);
	UNIT_RUN(test_split_image_sees_its_base);
	UNIT_RUN(test_largest_enum_takes_no_time);
	btf_close(image);
	btf__free(made);
	arena_free(&arena);
	return unit_done();
}
