// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of Java, runtime/rt/java.c, of a virtual machine that this test makes up: a frame of the interpreter, one of a compiled method with
 * another that is inlined in it, and that of the call into Java.  Then with wrong values, of which no more than the end of the stack may come.
 * Nothing but the made-up memory can be read.  The real machine is in spile.run/stacks-of-java.sh.
 */
#include "rt/java.h"
#include "rt/embed.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct rt_script rt_script = {.abi = RT_ABI,
				    .name = "test",
				    .limits = &native_limits,
				    .probes = &(const struct rt_probe){.point = "begin"},
				    .nprobes = 1};

static struct rt_ctx *c;

static rt_s64 pid = 1;

/* ---- memory ---- */

enum { OBJECT = 2048, MEMORY = 65536 };
static rt_u64 memory[MEMORY / 8], used;

static rt_u64 make(rt_u64 size)
{
	rt_u64 at = (rt_u64)(uintptr_t)memory + used;

	used += (size + 7) / 8 * 8;
	if (used > sizeof memory)
		abort();
	return at;
}

static void set(rt_u64 at, rt_u64 value, unsigned size)
{
	memcpy((void *)(uintptr_t)at, &value, size);
}

static void word(rt_u64 at, rt_u64 value)
{
	set(at, value, 8);
}

static rt_u64 text(const char *s)
{
	rt_u64 at = make(strlen(s) + 1);

	strcpy((char *)(uintptr_t)at, s);
	return at;
}

/* ---- the tables ---- */

enum kind { IS_FIELD, IS_SIZE, IS_NUMBER };
static const struct entry {
	const char *id, *type, *field;
	enum kind kind;
} entries[] = {
#define FIELD(id, type, field) {#id, type, field, IS_FIELD},
#define MAYBE_FIELD(id, type, field) {#id, type, field, IS_FIELD},
#define SIZE(id, type) {#id, type, 0, IS_SIZE},
#define NUMBER(id, name) {#id, name, 0, IS_NUMBER},
#define MAYBE_NUMBER(id, name) {#id, name, 0, IS_NUMBER},
#include "rt/java_fields.def"
};

static rt_u64 of[RT_JAVA_FIELDS]; /* offsets, sizes, numbers, and addresses of what is static */
#define OF(id) of[RT_JAVA_##id]

static int is_static(int f)
{
	return f == RT_JAVA_VERSION || f == RT_JAVA_ALL_THREADS || f == RT_JAVA_CALL_STUB || f == RT_JAVA_HEAPS || f == RT_JAVA_LOW ||
	       f == RT_JAVA_HIGH;
}

/* Of 17: what has another name later is not there. */
static int is_there(int f)
{
	static const char later[] = " OS_THREAD BLOB_CODE COMPILED_METHOD DEOPT DEOPT_MH SCOPES MUTABLE MUTABLE_SIZE RELOCATIONS_SIZE IMMUTABLE "
				    "CONST_FLAGS HAS_LINES ";
	char id[64];

	snprintf(id, sizeof id, " %s ", entries[f].id);
	return !strstr(later, id);
}

static void choose_places(void)
{
	for (int f = 0; f < RT_JAVA_FIELDS; f++)
		of[f] = is_static(f) ? make(8) : (rt_u64)f * 8;
	OF(BLOCK_HEADER) = OF(PC_OFFSET) = 0;
	OF(BLOCK_USED) = 8;
	OF(PC_SCOPE) = 4;
	OF(BLOCK) = OF(PC_DESC) = 16;
	OF(POOL) = OF(CONST_METHOD) = (rt_u64)RT_JAVA_FIELDS * 8;
	OF(UTF8) = OF(HAS_LINES_17) = 1;
	OF(BCI_OF_ENTRY) = OF(FRAME_SENDER_SP) = ~0ULL;
	OF(FRAME_LAST_SP) = ~0ULL - 1;
	OF(FRAME_WRAPPER) = ~0ULL - 5;
	OF(IN_NATIVE) = 4;
	OF(IN_VM) = 6;
	OF(BLOCKED) = 10;
}

/* Six words for each entry: name, field, is it static, offset, address, value. */
static rt_u64 make_table(enum kind kind)
{
	rt_u64 at = make((RT_JAVA_FIELDS + 1) * 48), table = at;

	for (int f = 0; f < RT_JAVA_FIELDS; f++) {
		if (entries[f].kind != kind || !is_there(f))
			continue;
		word(at, text(entries[f].type));
		word(at + 8, entries[f].field ? text(entries[f].field) : 0);
		word(at + 16, (rt_u64)is_static(f));
		word(at + (is_static(f) ? 32 : 24), of[f]);
		word(at + 40, of[f]);
		at += 48;
	}
	return table;
}

static struct symbol {
	const char *name;
	rt_u64 value;
} symbols[] = {{"gHotSpotVMStructs", 0},
	       {"gHotSpotVMTypes", 0},
	       {"gHotSpotVMIntConstants", 0},
	       {"gHotSpotVMStructEntryArrayStride", 48},
	       {"gHotSpotVMStructEntryTypeNameOffset", 0},
	       {"gHotSpotVMStructEntryFieldNameOffset", 8},
	       {"gHotSpotVMStructEntryIsStaticOffset", 16},
	       {"gHotSpotVMStructEntryOffsetOffset", 24},
	       {"gHotSpotVMStructEntryAddressOffset", 32},
	       {"gHotSpotVMTypeEntryArrayStride", 48},
	       {"gHotSpotVMTypeEntryTypeNameOffset", 0},
	       {"gHotSpotVMTypeEntrySizeOffset", 40},
	       {"gHotSpotVMIntConstantEntryArrayStride", 48},
	       {"gHotSpotVMIntConstantEntryNameOffset", 0},
	       {"gHotSpotVMIntConstantEntryValueOffset", 40}};
enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

static rt_u32 hash_of(const char *s)
{
	rt_u32 h = 5381;

	for (; *s; s++)
		h = h * 33 + (unsigned char)*s;
	return h;
}

static rt_u64 structs_at; /* gHotSpotVMStructs */

/* A library in the dynamic linker's list: its dynamic section, and symbols in one chain of hashes. */
static rt_u64 make_image(void)
{
	rt_u64 image = make(40), dynamic = make(64), table = make(24 * (SYMBOLS + 1)), strings = make(1024), hashes = make(32 + 4 * SYMBOLS);
	rt_u64 name = strings + 1;
	const rt_u64 tags[] = {5, strings, 6, table, 0x6ffffef5, hashes, 0, 0};
	const rt_u32 head[] = {1, 1, 1, 6, ~0u, ~0u, 1};

	word(image + 16, dynamic);
	memcpy((void *)(uintptr_t)dynamic, tags, sizeof tags);
	memcpy((void *)(uintptr_t)hashes, head, sizeof head);
	for (rt_u32 i = 0; i < SYMBOLS; i++) {
		rt_u64 value = make(8);

		word(value, symbols[i].value);
		structs_at = i ? structs_at : value;
		set(table + 24 * (i + 1), name - strings, 4);
		word(table + 24 * (i + 1) + 8, value);
		strcpy((char *)(uintptr_t)name, symbols[i].name);
		name += strlen(symbols[i].name) + 1;
		set(hashes + 28 + 4 * i, (hash_of(symbols[i].name) & ~1u) | (i == SYMBOLS - 1), 4);
	}
	return image;
}

/* ---- classes and methods ---- */

static rt_u64 make_symbol(const char *s)
{
	rt_u64 at = make(OF(SYMBOL_TEXT) + strlen(s) + OF(SYMBOL_LENGTH) + 8);

	set(at + OF(SYMBOL_LENGTH), strlen(s), 2);
	memcpy((void *)(uintptr_t)(at + OF(SYMBOL_TEXT)), s, strlen(s));
	return at;
}

/* With constants: 1 the file, 2 and 3 names of methods. */
static rt_u64 make_pool(const char *class, const char *file, const char *one, const char *other)
{
	rt_u64 pool = make(OF(POOL) + 32), holder = make(OBJECT / 2), tags = make(OF(BYTES) + 8);
	const char *names[] = {file, one, other};

	word(pool + OF(POOL_HOLDER), holder);
	word(pool + OF(POOL_TAGS), tags);
	set(pool + OF(POOL_LENGTH), 4, 4);
	set(pool + OF(POOL_FILE), 1, 2);
	word(holder + OF(CLASS_POOL), pool);
	word(holder + OF(CLASS_NAME), make_symbol(class));
	for (rt_u64 i = 0; i < 3; i++) {
		set(tags + OF(BYTES) + i + 1, 1, 1);
		word(pool + OF(POOL) + 8 * (i + 1), make_symbol(names[i]));
	}
	return pool;
}

/* Of 16 bytes, with lines: 10 from its beginning on, 12 from byte 4, 1012 from byte 6 (packed: zigzag, then 6 bits each), 1011 from byte 9. */
static rt_u64 make_method(rt_u64 pool, rt_u64 name)
{
	static const unsigned char lines[] = {0 << 3 | 7, 0 << 3 | 3, 4 << 3 | 2, 0xff, 4, 2000 - 29 * 64 + 64, 28, 0xff, 6, 1, 0};
	rt_u64 at = make(OF(METHOD_ACCESS) + 8), rest = make(OF(CONST_METHOD) + 16 + sizeof lines);

	word(at + OF(METHOD_CONST), rest);
	word(rest + OF(CONST_POOL), pool);
	set(rest + OF(CONST_FLAGS_17), 1, 2);
	set(rest + OF(CONST_CODE_SIZE), 16, 2);
	set(rest + OF(CONST_NAME), name, 2);
	memcpy((void *)(uintptr_t)(rest + OF(CONST_METHOD) + 16), lines, sizeof lines);
	return at;
}

/* ---- the process ---- */

static struct {
	rt_u64 image, stack, blob[3], a, b, d, thread, code; /* code: of a, what it runs */
} vm;
enum { PC = 1500, TID = 42, STACK_WORDS = 64 };

static void make_code(void)
{
	static const char *names[] = {"Interpreter", "nmethod", "StubRoutines (1)"};
	rt_u64 heap = make(OBJECT), blocks = make(3 * OBJECT), map = make(48), heaps = make(OBJECT), list = make(8);

	word(OF(HEAPS), heaps);
	set(heaps + OF(ARRAY_LENGTH), 1, 4);
	word(heaps + OF(ARRAY_LIST), list);
	word(list, heap);
	word(OF(LOW), blocks);
	word(OF(HIGH), blocks + 3 * OBJECT);
	word(heap + OF(HEAP_MEMORY) + OF(SPACE_LOW), blocks);
	word(heap + OF(HEAP_MEMORY) + OF(SPACE_HIGH), blocks + 3 * OBJECT);
	word(heap + OF(HEAP_MAP) + OF(SPACE_LOW), map);
	set(heap + OF(HEAP_SHIFT), 7, 4);
	for (rt_u64 i = 0; i < 48; i++)
		set(map + i, i % 16, 1);
	for (rt_u64 i = 0; i < 3; i++) {
		vm.blob[i] = blocks + i * OBJECT + OF(BLOCK);
		set(blocks + i * OBJECT + OF(BLOCK_USED), 1, 1);
		word(vm.blob[i] + OF(BLOB_NAME), text(names[i]));
		set(vm.blob[i] + OF(BLOB_SIZE), OBJECT - 16, 4);
	}
	word(OF(CALL_STUB), vm.blob[2] + PC);
}

/* The compiled method d has b inlined at byte 5 of it; b is at byte 9. */
static void make_compiled(void)
{
	static const unsigned char scopes[] = {0, 0, 1, 6, 1, 2, 10}; /* caller, method, place + 1: at 1 and at 4 */
	rt_u64 blob = vm.blob[1], pcs = make(48), metadata = make(16), data = make(8);

	set(blob + OF(BLOB_FRAME_SIZE), 8, 4);
	word(blob + OF(BLOB_CODE_17), blob + 1000);
	word(blob + OF(COMPILED_METHOD_17), vm.d);
	set(blob + OF(SCOPES_PCS), pcs - blob, 4);
	set(blob + OF(SCOPES_PCS_END_17), pcs + 48 - blob, 4);
	set(pcs, ~0u, 4);
	set(pcs + 16, PC - 1000, 4);
	set(pcs + 20, 4, 4);
	set(pcs + 32, 1 << 20, 4);
	set(blob + OF(METADATA_17), metadata - blob, 4);
	word(blob + OF(SCOPES_17), data);
	word(metadata, vm.d);
	word(metadata + 8, vm.b);
	memcpy((void *)(uintptr_t)data, scopes, sizeof scopes);
}

static void make_stack(void)
{
	rt_u64 s = vm.stack, wrapper = make(OBJECT);

	word(vm.thread + OF(ANCHOR) + OF(ANCHOR_SP), s + 10 * 8);
	word(vm.thread + OF(ANCHOR) + OF(ANCHOR_PC), vm.blob[0] + PC);
	word(vm.thread + OF(ANCHOR) + OF(ANCHOR_FP), s + 30 * 8);
	word(s + 22 * 8, vm.code + 3);
	word(s + 27 * 8, vm.a);
	word(s + 29 * 8, s + 32 * 8);
	word(s + 31 * 8, vm.blob[1] + PC);
	word(s + 38 * 8, s + 50 * 8);
	word(s + 39 * 8, vm.blob[2] + PC);
	word(s + 44 * 8, wrapper);
}

static void make_process(void)
{
	rt_u64 pool, other, threads, list, os;

	memset(memory, 0, sizeof memory);
	used = 64 + native_below(100) * 8; /* what is known of the last one is not used: it is another machine */
	choose_places();
	symbols[0].value = make_table(IS_FIELD);
	symbols[1].value = make_table(IS_SIZE);
	symbols[2].value = make_table(IS_NUMBER);
	vm.image = make_image();
	pool = make_pool("Shop", "Shop.java", "sell", "count");
	other = make_pool("com/x+y/Till$Lambda+0x12", "Till.java", "open\n at", "none");
	vm.a = make_method(pool, 2);
	vm.b = make_method(pool, 3);
	vm.d = make_method(other, 2);
	memcpy(&vm.code, (void *)(uintptr_t)(vm.a + OF(METHOD_CONST)), 8);
	vm.code += OF(CONST_METHOD);
	vm.stack = make(STACK_WORDS * 8);
	threads = make(OBJECT / 2);
	list = make(8);
	vm.thread = make(OBJECT);
	os = make(OBJECT / 2);
	set(OF(VERSION), 17, 4);
	word(OF(ALL_THREADS), threads);
	set(threads + OF(THREADS_LENGTH), 1, 4);
	word(threads + OF(THREADS_LIST), list);
	word(list, vm.thread);
	word(vm.thread + OF(OS_THREAD_17), os);
	set(os + OF(OS_THREAD_ID), TID, 4);
	word(vm.thread + OF(STACK_BASE), vm.stack + STACK_WORDS * 8);
	word(vm.thread + OF(STACK_SIZE), STACK_WORDS * 8);
	make_code();
	make_compiled();
	make_stack();
	native_good_from = (rt_u64)(uintptr_t)memory;
	native_good_to = native_good_from + sizeof memory;
}

static const char *stack_of(rt_s64 tid)
{
	static char got[1024];
	struct rt_str s;

	native_ctx_again(c);
	s = rt_java_stack(c, vm.image, pid, tid, 0);
	snprintf(got, sizeof got, "%.*s", (int)s.n, s.p);
	return got;
}
#define STACK() stack_of(TID)

#define SELL " at Shop.sell(Shop.java:10)\n"
#define ALL SELL " at Shop.count(Shop.java:1011)\n at com.x+y.Till$Lambda/0x12.open\\n at(Till.java:12)"

static void test_a_stack_has_interpreted_compiled_and_inlined_methods(void)
{
	make_process();
	CHECK_STR(STACK(), ALL);
}

static void test_what_is_no_thread_of_Java_is_told(void)
{
	make_process();
	CHECK_STR(stack_of(TID + 1), " (this is not a Java thread)");
	word(vm.thread + OF(ANCHOR) + OF(ANCHOR_SP), 0);
	CHECK_STR(STACK(), " (this thread is in no method of Java)");
	vm.image = 0;
	CHECK_STR(STACK(), " (this process runs no Java)");
}

static void test_printed_lines_are_the_same(void)
{
	make_process();
	native_ctx_again(c);
	native_out_reset();
	rt_java_stack(c, vm.image, pid, TID, 1);
	rt_port_flush(c);
	CHECK_STR(native_out, ALL "\n");
}

/* ---- where the thread runs ---- */

static rt_u64 runs_at;

static enum rt_stack_end begin_unwinding(struct rt_unwind *u)
{
	u->at = runs_at;
	u->reg[0] = vm.stack + 32 * 8;
	return RT_END_LIMIT;
}

static struct rt_code no_tables(rt_u64 addr)
{
	return (struct rt_code){.start = addr, .end = addr + 1, .image = RT_NO_IMAGE, .why = RT_END_FOREIGN};
}

/* It has noted nothing, and runs at the address. */
static void make_running(rt_u64 at)
{
	make_process();
	word(vm.thread + OF(ANCHOR) + OF(ANCHOR_SP), 0);
	native_unwind_begin = begin_unwinding;
	native_unwind_code = no_tables;
	runs_at = at;
}

static void test_a_thread_in_compiled_code_needs_no_tables(void)
{
	make_running(0);
	runs_at = vm.blob[1] + PC;
	CHECK_STR(STACK(), " at com.x+y.Till$Lambda/0x12.open\\n at(Till.java)\n"
			   " (the thread runs compiled code: what is inlined there, and what called it, is not known)");
	native_unwind_begin = 0;
}

/* A library, with code from 64 to 128, after the first one in the linker's list, or before it. */
static rt_u64 make_library(const char *path, int link)
{
	rt_u64 library = make(40), head = make(256);

	word(vm.image + (rt_u64)link, library);
	word(library, head);
	word(library + 8, text(path));
	set(head, 0x464c457f, 4);
	word(head + 32, 128);
	set(head + 56, 2, 2);
	set(head + 128 + 56, 1, 4);
	set(head + 128 + 60, 5, 4);
	word(head + 128 + 56 + 16, 64);
	word(head + 128 + 56 + 40, 64);
	return head;
}

static void test_a_file_without_tables_is_named(void)
{
	for (int link = 24; link <= 32; link += 8) {
		make_running(0);
		runs_at = make_library("/usr/lib/a\nb.so", link) + 100;
		CHECK_STR(STACK(), " (cannot unwind to the Java code: no tables of /usr/lib/a\\nb.so: name it with -d)");
		runs_at -= 50;
		CHECK_STR(STACK(), " (cannot unwind to the Java code: code in between is of no file that is known)");
	}
	make_running(0);
	runs_at = make_library("linux-vdso.so.1", 24) + 100;
	CHECK_HAS(STACK(), "of no file");
	word(vm.image + 8, text("/jvm.so"));
	CHECK_HAS(STACK(), "no tables of /jvm.so:");
	native_unwind_begin = 0;
}

static void test_outside_of_Java_a_thread_without_an_anchor_is_in_no_method(void)
{
	make_running(0);
	runs_at = make_library("/usr/lib/a.so", 24) + 100;
	set(vm.thread + OF(STATE), 6, 4);
	CHECK_STR(STACK(), " (this thread is in no method of Java)");
	set(vm.thread + OF(STATE), 8, 4);
	CHECK_HAS(STACK(), "no tables of /usr/lib/a.so:");
	native_unwind_begin = 0;
}

static void test_what_is_inlined_is_shown_only_if_it_is_certain(void)
{
	make_process();
	word(vm.blob[1] + OF(COMPILED_METHOD_17), vm.a);
	CHECK_STR(STACK(), SELL " (what is inlined in the next method is not known)\n at Shop.sell(Shop.java)");
	make_process();
	set(OF(VERSION), 21, 4);
	CHECK_HAS(STACK(), " (what is inlined in the next method is not known)\n at com.x+y.Till");
}

static void test_a_method_whose_class_has_other_constants_is_none(void)
{
	make_process();
	word(vm.stack + 27 * 8, vm.a + 8);
	CHECK_HAS(STACK(), "(");
	make_process();
	word(vm.stack + 22 * 8, vm.code + 16);
	CHECK_STR(STACK(), " (a frame of the interpreter whose place is not in its method)");
}

static void test_a_caller_below_ends_the_stack(void)
{
	make_process();
	word(vm.stack + 29 * 8, vm.stack + 8 * 8);
	CHECK_STR(STACK(), SELL " (a caller that is not above what it called)");
	make_process();
	word(vm.stack + 39 * 8, 0x123456);
	CHECK_HAS(STACK(), "\n (the caller is not in the code cache)");
	make_process();
	word(vm.stack + 39 * 8, vm.blob[2] + PC + 1);
	CHECK_HAS(STACK(), "\n (a stub without a frame)");
}

/* What a process makes a stack cost is charged: every few reads are an action. */
static void check_charges(const char *what)
{
	rt_s64 actions;

	native_reads = 0;
	STACK();
	actions = native_limits.action - c->budget;
	if ((rt_s64)native_reads > 3 * actions + 200)
		printf("%s: %llu reads, %lld actions\n", what, native_reads, actions);
	CHECK((rt_s64)native_reads <= 3 * actions + 200);
	CHECK(actions <= native_limits.action);
}

static void test_what_is_read_is_charged(void)
{
	make_process();
	check_charges("a new process");
	check_charges("the same again");
	/* the first table's entry is there again and again, with other texts at the same name */
	make_process();
	for (rt_u64 at = symbols[0].value + 48; at < symbols[0].value + RT_JAVA_FIELDS * 48; at += 48)
		word(at, symbols[0].value + (at / 48 % 8));
	check_charges("tables of odd names");
	/* all methods' lines never end */
	make_process();
	memset((void *)(uintptr_t)(vm.code + 16), 1, 8);
	check_charges("lines without end");
	make_process();
	set(vm.blob[1] - OF(BLOCK), 1, 8);
	check_charges("blocks");
}

/* Another process that shows other tables each time does not make those of this one be read again. */
static void test_a_process_has_one_entry_of_those_that_are_known(void)
{
	rt_u64 size = (RT_JAVA_FIELDS + 1) * 48, copies, tables;

	make_process();
	memcpy(&tables, (void *)(uintptr_t)structs_at, 8);
	copies = make(9 * 8 + size) & ~7ULL;
	STACK();
	pid = 2;
	for (rt_u64 i = 0; i < 9; i++) {
		memcpy((void *)(uintptr_t)(copies + i * 8), (void *)(uintptr_t)tables, size);
		word(structs_at, copies + i * 8);
		CHECK_STR(STACK(), ALL);
	}
	pid = 1;
	word(structs_at, tables);
	native_reads = 0;
	CHECK_STR(STACK(), ALL);
	CHECK(native_reads < 800);
	native_reads = 0;
	word(structs_at, copies + 8 * 8);
	STACK();
	CHECK(native_reads > 800);
}

static void test_incomplete_tables_are_not_kept(void)
{
	rt_u64 entry;

	make_process();
	memcpy(&entry, (void *)(uintptr_t)symbols[1].value, 8);
	word(symbols[1].value, symbols[1].value);
	CHECK_STR(STACK(), " (a virtual machine of an unknown version)");
	word(symbols[1].value, entry);
	CHECK_STR(STACK(), ALL);
}

/* Every line is a method or a reason, whatever is in memory. */
static int is_well_formed(const char *s)
{
	for (; *s; s += strcspn(s, "\n"), s += *s == '\n')
		if (strncmp(s, " at ", 4) && strncmp(s, " (", 2))
			return 0;
	return 1;
}

static rt_u64 wrong_value(void)
{
	switch (native_below(6)) {
	case 0:
		return native_below(64);
	case 1:
		return native_good_from + native_below(MEMORY / 8) * 8;
	case 2:
		return native_good_from + native_below(MEMORY);
	case 3:
		return vm.stack + native_below(STACK_WORDS) * 8;
	case 4:
		return vm.blob[native_below(3)] + native_below(OBJECT);
	default:
		return (rt_u64)native_random_long();
	}
}

static void test_wrong_values_end_the_stack_and_nothing_else(void)
{
	int same = 0;

	for (int i = 0; i < 3000; i++) {
		make_process();
		/* in the stack and the code, mostly; else anywhere, also in the tables */
		rt_u64 first = native_below(4) ? vm.stack - native_good_from : 0;

		for (rt_u32 n = 1 + native_below(8); n; n--)
			set(native_good_from + first + native_below((rt_u32)(used - first - 8)) / 4 * 4, wrong_value(), native_below(3) ? 8 : 4);
		same += !strcmp(STACK(), ALL);
		CHECK(is_well_formed(STACK()));
		CHECK(c->error == RT_OK || c->error == RT_SOFT);
	}
	CHECK(same < 2900);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_a_stack_has_interpreted_compiled_and_inlined_methods);
	UNIT_RUN(test_what_is_no_thread_of_Java_is_told);
	UNIT_RUN(test_printed_lines_are_the_same);
	UNIT_RUN(test_a_thread_in_compiled_code_needs_no_tables);
	UNIT_RUN(test_a_file_without_tables_is_named);
	UNIT_RUN(test_outside_of_Java_a_thread_without_an_anchor_is_in_no_method);
	UNIT_RUN(test_what_is_inlined_is_shown_only_if_it_is_certain);
	UNIT_RUN(test_a_method_whose_class_has_other_constants_is_none);
	UNIT_RUN(test_a_caller_below_ends_the_stack);
	UNIT_RUN(test_what_is_read_is_charged);
	UNIT_RUN(test_a_process_has_one_entry_of_those_that_are_known);
	UNIT_RUN(test_incomplete_tables_are_not_kept);
	UNIT_RUN(test_wrong_values_end_the_stack_and_nothing_else);
	native_ctx_end(c);
	return unit_done();
}
