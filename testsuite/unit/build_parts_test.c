/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the runtime that are compiled when a script needs them. */
#include "testsuite/unit/build_fixture.h"

static void put_parts(struct fixture *f)
{
	const char *dir = own_runtime(f);

	put(f, dir, "kernel/parts.def", "PART(odd, \"odd even\")\nPART(none, \"none\")\n");
	put(f, dir, "kernel/odd.c", "#include <linux/sched.h>\nint rt_odd(int n);\nint rt_even(int n);\nint rt_seldom(int n);\n"
				    "int rt_odd(int n)\n{\n\tyield();\n\treturn rt_even(n) + rt_seldom(n);\n}\n");
	put(f, dir, "kernel/even.c", "int rt_even(int n);\nint rt_even(int n)\n{\n\treturn n & 1;\n}\n");
	put(f, dir, "kernel/none.c", "int rt_none(int n);\nint rt_none(int n)\n{\n\treturn n;\n}\n");
}

static bool has_part(struct fixture *f, const char *name)
{
	return access(arena_printf(&f->a, "%s/runtime/%s.%s/seal", f->b.cache_dir, f->b.kit->key, name), R_OK) == 0;
}

static void test_a_part_is_compiled_when_a_script_needs_it(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	own_cache(&f);
	put_parts(&f);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "plain", &f.ko), 0);
	CHECK(!has_part(&f, "odd") && !has_part(&f, "none") && !has_part(&f, "rt-seldom"));
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_odd"), NULL, "odd", &f.ko), 0);
	check_no_message(&f);
	CHECK(has_part(&f, "odd") && has_part(&f, "rt-seldom") && has_part(&f, "rt-seldom_too") && !has_part(&f, "none"));
	for (unsigned i = 0, templates = 0; i < f.b.nsteps; i++) {
		templates += !strcmp(f.b.steps[i].name, "kbuild: template");
		CHECK(templates <= 1); /* the version of yield() was recorded before the part was compiled */
	}
	fixture_end(&f);
}

/* The module is the same whether its parts were compiled with the runtime, later, or for another script. */
static void test_a_module_does_not_depend_on_when_its_parts_were_compiled(void)
{
	char *images[3];
	size_t sizes[3];
	struct fixture f;

	fixture_init(&f, newest);
	put_parts(&f);
	for (int i = 0; i < 3; i++) {
		own_cache(&f);
		if (i)
			CHECK_EQ(build_module(&f.b, i == 1 ? script_text(&f) : script_that_calls(&f, "rt_seldom"), NULL, "before", &f.ko), 0);
		CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_odd"), NULL, "odd", &f.ko), 0);
		images[i] = f.ko ? file_read(&f.a, f.ko, &sizes[i]) : NULL;
		CHECK(images[i] && images[0] && sizes[i] == sizes[0] && !memcmp(images[i], images[0], sizes[0]));
		build_end(&f.b);
	}
	check_no_message(&f);
	fixture_end(&f);
}

static void test_a_damaged_part_is_compiled_again(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	own_cache(&f);
	put_parts(&f);
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_odd"), NULL, "odd", &f.ko), 0);
	CHECK_EQ(truncate(arena_printf(&f.a, "%s/runtime/%s.odd/part.o", f.b.cache_dir, f.b.kit->key), 100), 0);
	build_end(&f.b);
	f.b.nsteps = 0;
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_even"), NULL, "even", &f.ko), 0);
	CHECK(f.b.runtime_was_cached && has_part(&f, "odd") && ran(&f, "cc kernel, odd") && !ran(&f, "cc rt/seldom.c"));
	check_no_message(&f);
	fixture_end(&f);
}

/* A macro may make a function: then its name is only in the object. */
static void test_a_symbol_that_no_source_seems_to_define_is_found(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "rt/hidden.c", "#define MAKE(name) int rt_##name(int n); int rt_##name(int n) { return n; }\nMAKE(hidden)\n");
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_hidden"), NULL, "hidden", &f.ko), 0);
	check_no_message(&f);
	fixture_end(&f);
}

/* Without its version in the kit, it takes a template of the script's own. */
static void test_a_part_may_use_what_no_source_names(void)
{
	struct map undefined = {0};
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "kernel/parts.def", "PART(pasted, \"pasted\")\n");
	put(&f, f.b.runtime_dir, "kernel/pasted.c", "#define PASTE(a, b) a##b\nint rt_pasted(int n);\nvoid PASTE(yi, eld)(void);\n"
						    "int rt_pasted(int n)\n{\n\tPASTE(yi, eld)();\n\treturn n;\n}\n");
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_pasted"), NULL, "pasted", &f.ko), 0);
	check_no_message(&f);
	CHECK_EQ(object_symbols(&f.b, f.ko ? f.ko : "", true, &undefined), 0);
	CHECK(map_get(&undefined, intern("yield")) != NULL);
	fixture_end(&f);
}

static void test_an_error_in_a_part_is_reported_for_its_file(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put_parts(&f);
	put(&f, f.b.runtime_dir, "kernel/even.c", "int rt_even(int n);\nint rt_even(int n)\n{\n\treturn such_is_life;\n}\n");
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "plain", &f.ko), 0);
	check_no_message(&f);
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_odd"), NULL, "odd", &f.ko), -1);
	CHECK_HAS(message(&f, E_RUNTIME), "even.c:4");
	CHECK_HAS(message(&f, E_RUNTIME), "'such_is_life' undeclared");
	CHECK_EQ(f.ds.errors, 1);
	fixture_end(&f);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (fixture_begin())
		return 1;
	UNIT_RUN(test_a_part_is_compiled_when_a_script_needs_it);
	UNIT_RUN(test_a_module_does_not_depend_on_when_its_parts_were_compiled);
	UNIT_RUN(test_a_damaged_part_is_compiled_again);
	UNIT_RUN(test_a_symbol_that_no_source_seems_to_define_is_found);
	UNIT_RUN(test_a_part_may_use_what_no_source_names);
	UNIT_RUN(test_an_error_in_a_part_is_reported_for_its_file);
	return fixture_done();
}
