/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * translator/build/: modules are really built for the kernels whose headers are installed.  That they load is
 * tested in guests; the cache in build_cache_test.c.
 */
#include <glob.h>

#include "testsuite/unit/build_fixture.h"

/* --- building a module --- */

/* Is the name of the module's folder in the cache its build-id? */
static bool has_key_as_build_id(const char *path, const char *ko, size_t len)
{
	static const unsigned char head[] = {4, 0, 0, 0, 16, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
	unsigned char note[sizeof head + 16];
	const char *key = strrchr(path, '/') - 32;

	memcpy(note, head, sizeof head);
	for (int i = 0; i < 16; i++)
		CHECK_EQ(sscanf(key + 2 * i, "%2hhx", &note[sizeof head + (size_t)i]), 1);
	return memmem(ko, len, note, sizeof note) != NULL;
}

static void test_builds_a_module_for_each_installed_kernel(void)
{
	for (size_t i = 0; i < nreleases; i++) {
		struct fixture f;
		size_t len, at[4];
		char *ko, *log;

		fixture_init(&f, releases[i]);
		CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "a_name", &f.ko), 0);
		check_no_message(&f);
		CHECK(!f.b.runtime_was_cached && !f.b.module_was_cached && !f.b.module_is_temporary);
		ko = f.ko ? file_read(&f.a, f.ko, &len) : NULL;
		CHECK(ko != NULL);
		if (ko) {
			CHECK_EQ(object_find_name(ko, len, "a_name", at, 4), 2);
			CHECK_EQ(object_find_name(ko, len, "spile_template", at, 4), 0);
			CHECK(!memmem(ko, len, ".ibt_endbr_seal", 15));
			CHECK(!memmem(ko, len, ".debug_info", 11));
			CHECK(has_key_as_build_id(f.ko, ko, len));
		}
		log = f.b.kit ? file_read(&f.a, arena_printf(&f.a, "%s/runtime.log", f.b.kit->dir), NULL)
			      : NULL;
		CHECK_STR(log, "");
		fixture_end(&f);
	}
}

static void test_a_second_build_comes_from_the_cache(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "twice", &f.ko), 0);
	CHECK(f.b.runtime_was_cached);
	fixture_end(&f);
	fixture_init(&f, newest);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "twice", &f.ko), 0);
	CHECK(f.b.module_was_cached);
	CHECK_EQ(f.b.nsteps, 0);
	CHECK_EQ(access(f.ko, R_OK), 0);
	fixture_end(&f);
}

static void test_name_and_text_and_extra_are_part_of_the_key(void)
{
	static const char *const extra[] = {"int nothing_much;\n", NULL};
	const char *texts[2];
	struct fixture f;

	fixture_init(&f, newest);
	texts[0] = script_text(&f);
	texts[1] = arena_printf(&f.a, "%s/* */\n", texts[0]);
	CHECK_EQ(build_module(&f.b, texts[0], NULL, "key_a", &f.ko), 0);
	CHECK_EQ(build_module(&f.b, texts[0], NULL, "key_b", &f.ko), 0);
	CHECK(!f.b.module_was_cached);
	CHECK_EQ(build_module(&f.b, texts[1], NULL, "key_a", &f.ko), 0);
	CHECK(!f.b.module_was_cached);
	CHECK_EQ(build_module(&f.b, texts[0], extra, "key_a", &f.ko), 0);
	CHECK(!f.b.module_was_cached);
	CHECK(strcmp(build_module_name(&f.a, &f.b, texts[0], NULL),
		     build_module_name(&f.a, &f.b, texts[1], NULL)));
	CHECK(strcmp(build_module_name(&f.a, &f.b, texts[0], NULL),
		     build_module_name(&f.a, &f.b, texts[0], extra)));
	fixture_end(&f);
}

static void test_disable_cache_builds_again_and_cleans_up(void)
{
	char *work;
	struct fixture f;

	fixture_init(&f, newest);
	f.b.disable_cache = true;
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "no_cache", &f.ko), 0);
		CHECK(!f.b.module_was_cached && f.b.module_is_temporary);
		CHECK_EQ(access(f.ko, R_OK), 0);
	}
	work = strdup(f.b.work_dir ? f.b.work_dir : "");
	CHECK_EQ(access(work, F_OK), 0);
	build_end(&f.b);
	build_end(&f.b);
	CHECK(access(work, F_OK) != 0);
	free(work);
	fixture_end(&f);
}

/* On a busy machine, other jobs of kbuild last longer than the first compile. */
static void test_jobs_of_kbuild_that_take_long_do_no_harm(void)
{
	char *saved = strdup(getenv("PATH"));
	struct fixture f;
	char *dir;

	fixture_init(&f, newest);
	own_cache(&f);
	dir = arena_printf(&f.a, "%s/slow", tmp);
	CHECK_EQ(shell("mkdir '%s' && printf '#!/bin/sh\\ncase $(readlink /proc/$$/fd/1) in *.mod) sleep 5 ;; esac\\nexec /usr/bin/awk \"$@\"\\n' "
		       ">'%s/awk' && chmod +x '%s/awk'",
		       dir, dir, dir),
		 0);
	setenv("PATH", arena_printf(&f.a, "%s:%s", dir, saved), 1);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "slow", &f.ko), 0);
	setenv("PATH", saved, 1);
	free(saved);
	check_no_message(&f);
	fixture_end(&f);
}

static void test_bad_module_names_are_refused(void)
{
	static const char *const bad[] = {"", "a-b", "a/b", "a b",
					  "a123456789b123456789c123456789d123456789e123456789f12345"};
	struct fixture f;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		fixture_init(&f, newest);
		CHECK_EQ(build_module(&f.b, "", NULL, bad[i], &f.ko), -1);
		CHECK_HAS(message(&f, E_USAGE), "is not a module name");
		fixture_end(&f);
	}
	fixture_init(&f, newest);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL,
			      "a123456789b123456789c123456789d123456789e123456789f1234", &f.ko),
		 0);
	check_no_message(&f);
	fixture_end(&f);
}

/* --- without gcc between us and what it starts --- */

static void test_what_gcc_starts_makes_what_gcc_makes(void)
{
	for (size_t i = 0; i < nreleases; i++) {
		struct run runs[2], whole;
		const char *in, *out, *ours, *gccs;
		size_t nours, ngccs;
		struct fixture f;

		fixture_init(&f, releases[i]);
		CHECK_EQ(kit_get(&f.b), 0);
		put(&f, f.b.work_dir, "script.c", script_text(&f));
		in = arena_printf(&f.a, "%s/script.c", f.b.work_dir);
		out = arena_printf(&f.a, "%s/script0.o", f.b.work_dir);
		whole = driver_run(&f.b, &f.b.kit->cc, in, out);
		CHECK_EQ(run_all(&f.b, &whole, 1), 0);
		gccs = file_read(&f.a, out, &ngccs);
		CHECK_EQ(unlink(out), 0);
		CHECK_EQ(driver_runs(&f.b, runs), 0);
		CHECK_EQ(run_pipe(&f.b, runs), 0);
		ours = file_read(&f.a, out, &nours);
		CHECK(ours && gccs);
		if (ours && gccs)
			CHECK_MEM(ours, nours, gccs, ngccs);
		CHECK_EQ(access(arena_printf(&f.a, "%s/script0.su", f.b.work_dir), R_OK), 0);
		fixture_end(&f);
	}
}

/* A kit may outlive them. */
static void test_gcc_is_asked_if_what_it_starts_has_gone(void)
{
	for (int which = 0; which < 2; which++) {
		struct fixture f;

		fixture_init(&f, newest);
		CHECK_EQ(kit_get(&f.b), 0);
		(which ? f.b.kit->as : f.b.kit->cc1).v[0] = "/no/such/program";
		CHECK_EQ(build_module(&f.b, script_text(&f), NULL, which ? "no_as" : "no_cc1", &f.ko), 0);
		check_no_message(&f);
		fixture_end(&f);
	}
}

static void test_another_way_to_compile_is_left_to_the_compiler(void)
{
	static const char *const ways[] = {
		"exit 1",
		"echo ' /lib/cc1 -o - |' >&2",
		"echo ' /lib/cc1 -o /tmp/x.s' >&2; echo ' as -o x.o /tmp/x.s' >&2",
		"echo ' /lib/cc1 -o - |' >&2; echo ' /lib/lto |' >&2; echo ' as -o x.o' >&2",
		"echo ' /lib/other -o - |' >&2; echo ' as -o x.o' >&2",
		"echo ' /lib/cc1 -o - |' >&2; echo ' \"/lib/llvm as\" -o x.o' >&2",
		"echo 'some version' >&2; echo ' /lib/cc1 \"-D a\\\"b\" -o - |' >&2; echo ' as -o x.o' >&2",
	};
	enum { NWAYS = sizeof ways / sizeof ways[0] };

	for (size_t i = 0; i < NWAYS; i++) {
		build_argv cc = {0}, cc1 = {0}, as = {0};
		struct fixture f;
		char *path;

		fixture_init(&f, newest);
		CHECK_EQ(kit_get(&f.b), 0);
		path = arena_printf(&f.a, "%s/cc", f.b.work_dir);
		put(&f, f.b.work_dir, "cc", arena_printf(&f.a, "#!/bin/sh\n%s\n", ways[i]));
		CHECK_EQ(chmod(path, 0700), 0);
		vec_push(&f.a, &cc, path);
		driver_learn(&f.b, &cc, f.b.work_dir, &cc1, &as);
		CHECK_EQ(cc1.n, i + 1 < NWAYS ? 0 : 4);
		CHECK_EQ(as.n, i + 1 < NWAYS ? 0 : 3);
		if (cc1.n == 4)
			CHECK_STR(cc1.v[1], "-D a\"b");
		fixture_end(&f);
	}
}

/* --- errors in what is compiled --- */

static void test_compile_error_is_placed_in_the_script(void)
{
	static const char script[] = "probe begin {\n  x = nonsense\n}\n";
	struct fixture f;
	struct diag *d;

	fixture_init(&f, newest);
	source_add(&f.ss, "my.stp", script, sizeof script - 1);
	CHECK_EQ(build_module(&f.b, "#include \"rt/rt.h\"\n#line 2 \"my.stp\"\nint x = nonsense;\n", NULL,
			      "broken", &f.ko),
		 -1);
	CHECK_HAS(message(&f, E_EMBEDDED_C), "'nonsense' undeclared");
	d = f.ds.first;
	CHECK_EQ(d ? d->loc.source : 0, 1);
	CHECK_EQ(d ? d->loc.off : 0, 22);
	CHECK_EQ(f.ds.errors, 1);
	fixture_end(&f);
}

static void test_symbol_that_the_runtime_lacks_is_named(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	CHECK_EQ(build_module(
			 &f.b,
			 "#include \"rt/rt.h\"\nint rt_missing(void);\nstatic int h(int (*f)(int), int n)\n"
			 "{ return rt_missing() + f(n); }\nconst struct rt_script rt_script = {1, 0, \"x\", h};\n",
			 NULL, "lacks", &f.ko),
		 -1);
	CHECK_HAS(message(&f, E_INTERNAL), "rt_missing");
	fixture_end(&f);
}

/* A file of rt/ is in the module if the script needs it, or what the script needs does. */
static void test_what_a_script_does_not_need_is_not_linked(void)
{
	static const struct {
		const char *calls;
		bool seldom, too;
	} scripts[] = {{"rt_twice", false, false}, {"rt_seldom", true, true}, {"rt_seldom_too", false, true}};

	for (size_t i = 0; i < nreleases * 3; i++) {
		const char *calls = scripts[i % 3].calls;
		struct map defined = {0};
		struct fixture f;

		fixture_init(&f, releases[i / 3]);
		CHECK_EQ(build_module(&f.b,
				      arena_printf(&f.a,
						   "#include \"rt/rt.h\"\nstatic int h(int (*f)(int), int n) { return %s(f(n)); }\n"
						   "const struct rt_script rt_script = {1, 0, \"x\", h};\n",
						   calls),
				      NULL, calls, &f.ko),
			 0);
		check_no_message(&f);
		CHECK_EQ(object_symbols(&f.b, f.ko ? f.ko : "", false, &defined), 0);
		CHECK_EQ(map_get(&defined, intern("rt_seldom")) != NULL, scripts[i % 3].seldom);
		CHECK_EQ(map_get(&defined, intern("rt_seldom_left")) != NULL, scripts[i % 3].seldom);
		CHECK_EQ(map_get(&defined, intern("rt_seldom_too")) != NULL, scripts[i % 3].too);
		CHECK(map_get(&defined, intern("rt_print")) != NULL);
		fixture_end(&f);
	}
}

static void test_embedded_code_may_use_the_kernel(void)
{
	static const char *const extra[] = {
		"#include <linux/jiffies.h>\n#include <linux/kthread.h>\nint ext(void);\n"
		"int ext(void) { return kthread_should_stop() + (int)jiffies; }\n",
		NULL};
	static const char script[] =
		"#include \"rt/rt.h\"\nint ext(void);\nstatic int h(int (*f)(int), int n)\n"
		"{ return ext() + f(n); }\nconst struct rt_script rt_script = {1, 0, \"x\", h};\n";

	for (size_t i = 0; i < nreleases; i++) {
		struct map undefined = {0};
		struct fixture f;
		size_t len;
		char *ko;

		fixture_init(&f, releases[i]);
		CHECK_EQ(build_module(&f.b, script, extra, "guru", &f.ko), 0);
		check_no_message(&f);
		CHECK(ran(&f, "kbuild: template"));
		/* The function that it uses is undefined in the module, and its version is recorded. */
		CHECK_EQ(object_symbols(&f.b, f.ko ? f.ko : "", true, &undefined), 0);
		CHECK(map_get(&undefined, intern("kthread_should_stop")) != NULL);
		ko = f.ko ? file_read(&f.a, f.ko, &len) : NULL;
		CHECK(ko && memmem(ko, len, "\0kthread_should_stop", 20));
		fixture_end(&f);
	}
}

static void test_error_in_embedded_code_is_told(void)
{
	static const char *const extra[] = {
		"#include <linux/jiffies.h>\nint ext(void) { return no_such_thing; }\n", NULL};
	struct fixture f;

	fixture_init(&f, newest);
	CHECK_EQ(build_module(&f.b, script_text(&f), extra, "guru_bad", &f.ko), -1);
	CHECK_HAS(message(&f, E_EMBEDDED_C), "'no_such_thing' undeclared");
	fixture_end(&f);
}

static void test_embedded_code_cannot_use_what_is_not_exported(void)
{
	static const char *const extra[] = {"int kallsyms_lookup_name(void);\nint ext(void);\nint ext(void)\n"
					    "{ return kallsyms_lookup_name(); }\n",
					    NULL};
	struct fixture f;

	fixture_init(&f, newest);
	CHECK_EQ(build_module(&f.b, script_text(&f), extra, "guru_hidden", &f.ko), -1);
	CHECK_HAS(message(&f, E_EMBEDDED_C), "does not export \"kallsyms_lookup_name\"");
	fixture_end(&f);
}

/* --- the runtime and the kernel --- */

static void test_runtime_that_does_not_compile_is_told(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "kernel/bad.c", "int bad(void);\nint bad(void) { return such_is_life; }\n");
	CHECK_EQ(kit_get(&f.b), -1);
	CHECK_HAS(message(&f, E_RUNTIME), "bad.c:2");
	CHECK_HAS(message(&f, E_RUNTIME), "'such_is_life' undeclared");
	fixture_end(&f);
}

static void test_freestanding_part_cannot_include_kernel_headers(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "rt/bad.c", "#include <linux/types.h>\nint rt_bad(int n)\n{\n}\n");
	CHECK_EQ(build_module(&f.b, script_that_calls(&f, "rt_bad"), NULL, "bad", &f.ko), -1);
	CHECK_HAS(message(&f, E_RUNTIME), "linux/types.h: No such file");
	fixture_end(&f);
}

static void test_missing_export_is_told_with_its_purpose(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "kernel/exports.def",
	    "/* EXPORT(comment_only, \"x\") is not one */\nEXPORT(_printk, "
	    "\"messages\")\nEXPORT(no_such_export, \"mind reading\")\n");
	CHECK_EQ(kit_get(&f.b), -1);
	CHECK_HAS(message(&f, E_NOT_EXPORTED),
		  "does not export no_such_export to modules, which is needed for mind reading");
	CHECK_EQ(f.ds.errors, 1);
	fixture_end(&f);
}

/* As a build does it when nothing else is to be compiled. */
static int choose_with(struct build *b, const struct kbuild_commands *cmd, const char *dir, const char *config)
{
	struct compat *c = compat_begin(b, &cmd->cc, cmd->cwd, dir);
	struct run r;

	if (!c || compat_try(b, c, &r))
		return -1;
	run_all(b, &r, 1);
	return compat_finish(b, c, &r, config) || compat_check(b, c) ? -1 : 0;
}

/* What comes out for the runtime in the fixture; NULL on failure. */
static char *choose(struct fixture *f)
{
	static struct {
		const char *release;
		struct kbuild_commands cmd;
	} learned[16]; /* of each kernel; lives in the arena "keep" */
	static struct arena keep;
	static int n;
	struct kbuild_commands *cmd = NULL;
	struct headers h = {0};
	char *dir = arena_printf(&f->a, "%s/choose%d", tmp, n++);
	const char *config = arena_printf(&f->a, "%s/config.h", dir);
	struct build b = f->b;

	b.arena = &keep;
	if (file_make_folder(dir, 0700))
		return NULL;
	for (size_t i = 0; i < nreleases && !cmd; i++) {
		if (learned[i].release && learned[i].release != b.release)
			continue;
		cmd = &learned[i].cmd;
		if (!learned[i].release) {
			if (headers_find(&b, &h) || kbuild_learn(&b, &h, dir, "choice", cmd))
				return NULL;
			kbuild_give_up(&b, cmd);
		}
		learned[i].release = b.release;
	}
	if (!cmd || choose_with(&f->b, cmd, dir, config))
		return NULL;
	return file_read(&f->a, config, NULL);
}

static const char *value_of(const char *config, const char *macro)
{
	const char *p = config ? strstr(config, macro) : NULL;

	return p ? p + strlen(macro) : "";
}

static void test_variants_are_chosen_for_the_kernel(void)
{
	for (size_t i = 0; i < nreleases; i++) {
		struct fixture f;
		char *config;
		bool old = !strncmp(releases[i], "6.1.", 4);

		/* The choice is known for two kernels; for others, something must be chosen. */
		fixture_init(&f, releases[i]);
		config = choose(&f);
		check_no_message(&f);
		CHECK_HAS(config, "COMPAT_UPROBES ");
		CHECK_HAS(config, "COMPAT_UNALIGNED ");
		if (old || !strncmp(releases[i], "6.12.", 5)) {
			CHECK_EQ(*value_of(config, "COMPAT_UPROBES "), old ? '1' : '2');
			CHECK_EQ(*value_of(config, "COMPAT_UNALIGNED "), old ? '1' : '2');
		}
		fixture_end(&f);
	}
}

/*
 * All wrappers are tried in one file: the choice for each must be the same as when tried alone.  Each is tried alone for one of the kernels, in
 * turn: another header that it relies on would be missing in any.
 */
static void check_together_is_as_alone(const char *runtime)
{
	for (size_t i = 0; i < nreleases; i++) {
		glob_t g = {0};
		struct fixture f;
		const char *dir;
		char *together;

		fixture_init(&f, releases[i]);
		f.b.runtime_dir = runtime;
		together = choose(&f);
		CHECK(together != NULL);
		dir = arena_printf(&f.a, "%s/alone", tmp);
		CHECK_EQ(shell("rm -rf '%s' && cp -r '%s' '%s'", dir, runtime, dir), 0);
		glob(arena_printf(&f.a, "%s/kernel/compat/*.h", runtime), 0, NULL, &g);
		CHECK(g.gl_pathc > 0);
		for (size_t k = 0; k < g.gl_pathc; k++) {
			const char *all = getenv("SPILE_ALL_KERNELS");
			char *alone, *line;

			if (g.gl_pathc > nreleases && k % nreleases != i && !(all && !strcmp(all, "1")))
				continue;
			f.b.runtime_dir = dir;
			CHECK_EQ(shell("rm '%s'/kernel/compat/*.h && cp '%s' '%s/kernel/compat/'", dir, g.gl_pathv[k], dir), 0);
			alone = choose(&f);
			line = alone ? strstr(alone, "#define ") : NULL;
			if (line)
				CHECK_HAS(together, line);
		}
		globfree(&g);
		check_no_message(&f);
		fixture_end(&f);
	}
}

static void test_variants_chosen_together_are_those_chosen_alone(void)
{
	check_together_is_as_alone(mini);
}

static void test_only_the_folder_of_the_target_is_compiled(void)
{
	build_argv files = {0};
	bool ours = false;
	struct fixture f;
	const char *dir;

	fixture_init(&f, newest);
	dir = own_runtime(&f);
	CHECK_EQ(shell("mkdir -p '%s/kernel/arch/x86' '%s/kernel/arch/arm64'", dir, dir), 0);
	put(&f, dir, "kernel/arch/x86/ours.c", "");
	put(&f, dir, "kernel/arch/arm64/theirs.c", "#error\n");
	CHECK_EQ(sources_of_runtime(&f.b, &files), 0);
	for (size_t i = 0; i < files.n; i++) {
		ours |= !strcmp(files.v[i], "kernel/arch/x86/ours.c");
		CHECK(!strstr(files.v[i], "theirs"));
	}
	CHECK(ours);
	fixture_end(&f);
}

/* The part that defines a symbol is known without looking into all, and the kit has the versions of what parts use of the kernel. */
static void check_part(struct fixture *f, const char *name, const char *dir, const struct map *defined)
{
	const struct build_kit *k = f->b.kit;
	const char *object = arena_printf(&f->a, "%s/part.o", dir);
	struct map offered = {0}, own = {0}, undefined = {0}; /* offered: symbol -> name of the part */

	CHECK_STR(file_read(&f->a, arena_printf(&f->a, "%s/log", dir), NULL), "");
	CHECK_EQ(access(object, R_OK), 0);
	if (!strcmp(name, "calls"))
		return;
	for (size_t i = 0; i < k->offers.n; i++)
		map_set(&f->a, &offered, intern_n(k->offers.v[i], strcspn(k->offers.v[i], " ")), strchr(k->offers.v[i], ' ') + 1);
	CHECK_EQ(object_symbols(&f->b, object, false, &own), 0);
	for (size_t i = 0; i < own.n; i++)
		if (!strncmp(own.entries[i].key, "rt_", 3))
			CHECK_STR(map_get(&offered, own.entries[i].key), name);
	CHECK_EQ(object_symbols(&f->b, object, true, &undefined), 0);
	for (size_t i = 0; i < undefined.n; i++) {
		const char *symbol = undefined.entries[i].key, *part = map_get(defined, symbol);

		if (!part || (*part && !map_get(&offered, symbol)))
			CHECK_STR(symbol, NULL);
	}
}

static void check_all_parts(struct fixture *f)
{
	const struct build_kit *k = f->b.kit;
	struct map defined = {0};
	build_argv dirs = {0};

	CHECK_EQ(parts_get(&f->b, &k->parts, &dirs), 0);
	check_no_message(f);
	CHECK(k->parts.n > 20 && dirs.n == k->parts.n);
	for (size_t i = 0; i < k->symbols.n; i++)
		map_set(&f->a, &defined, intern(k->symbols.v[i]), (void *)"");
	for (size_t i = 0; i < dirs.n; i++)
		if (strcmp(k->parts.v[i], "calls"))
			CHECK_EQ(object_symbols(&f->b, arena_printf(&f->a, "%s/part.o", dirs.v[i]), false, &defined), 0);
	for (size_t i = 0; i < dirs.n; i++)
		check_part(f, k->parts.v[i], dirs.v[i], &defined);
}

/* Its runtime is the real one, as the program compiled it, once for all tests, which also find the parts that are compiled here. */
static void give_real_runtime(struct fixture *f)
{
	const char *kits = getenv("kits");

	own_cache(f);
	CHECK_EQ(shell(". '%s' && kits_cache '%s'", unit_source_path("testsuite/lib/kits.sh"), f->b.cache_dir), 0);
	if (kits)
		f->b.cache_dir = kits;
	f->b.runtime_dir = arena_strdup(&f->a, unit_source_path("runtime"));
	CHECK_EQ(kit_get(&f->b), 0);
	check_no_message(f);
}

static void test_the_real_runtime_compiles_without_warnings(void)
{
	for (size_t i = 0; i < nreleases; i++) {
		struct fixture f;
		char *config;

		fixture_init(&f, releases[i]);
		give_real_runtime(&f);
		if (f.b.kit) {
			CHECK_STR(file_read(&f.a, arena_printf(&f.a, "%s/runtime.log", f.b.kit->dir), NULL),
				  "");
			check_all_parts(&f);
			config =
				file_read(&f.a, arena_printf(&f.a, "%s/compat_config.h", f.b.kit->dir), NULL);
			CHECK_STR(config, choose(&f));
		}
		fixture_end(&f);
	}
}

/* Nobody relies on an #include of another file.  One kernel will do to see that, and to read each file is enough. */
static void test_the_real_runtime_compiles_file_by_file(void)
{
	build_argv files = {0}, cc = {0};
	VEC(struct run) runs = {0};
	struct fixture f;

	fixture_init(&f, newest);
	give_real_runtime(&f);
	CHECK_EQ(sources_of_runtime(&f.b, &files), 0);
	if (f.b.kit) {
		argv_append(&f.b, &cc, &f.b.kit->kernel_cc);
		vec_push(&f.a, &cc, "-fsyntax-only");
	}
	for (size_t i = 0; f.b.kit && i < files.n; i++) {
		const char *file = files.v[i], *end = strrchr(file, '.');

		if (strncmp(file, "kernel/", 7) || !end || strcmp(end, ".c"))
			continue;
		vec_push(&f.a, &runs,
			 run_compile(&f.b, &cc, f.b.kit->cwd.v[0], arena_printf(&f.a, "%s/%s", f.b.runtime_dir, file),
				     arena_printf(&f.a, "%s/file%zu", tmp, i), file));
	}
	CHECK(runs.n > 50);
	run_all(&f.b, runs.v, runs.n);
	for (size_t i = 0; i < runs.n; i++) {
		CHECK_EQ(runs.v[i].status, 0);
		CHECK_STR(run_log(&f.b, &runs.v[i]), "");
	}
	fixture_end(&f);
}

static void test_files_that_do_not_go_together_are_no_failure(void)
{
	struct fixture f;
	const char *dir;

	fixture_init(&f, newest);
	dir = own_runtime(&f);
	for (int i = 0; i < 3; i++)
		put(&f, dir, arena_printf(&f.a, "kernel/same%d.c", i),
		    arena_printf(&f.a, "int f%d(void);\nstatic int same(void) { return %d; }\nint f%d(void) { return same(); }\n", i, i, i));
	CHECK_EQ(kit_get(&f.b), 0);
	check_no_message(&f);
	CHECK_HAS(f.b.kit ? file_read(&f.a, arena_printf(&f.a, "%s/runtime.log", f.b.kit->dir), NULL) : NULL, "redefinition of 'same'");
	fixture_end(&f);
}

/* The oldest form of a wrapper is not tried before the runtime is compiled. */
static void test_oldest_form_that_does_not_compile_is_the_wrappers(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "kernel/compat/magic.h",
	    "/* compat: magic 1..2: reading minds */\n#if COMPAT_MAGIC == 2\n#error no minds\n#elif COMPAT_MAGIC == 1\n"
	    "static inline int compat_magic(void) { return no_mind; }\n#endif\n");
	CHECK_EQ(kit_get(&f.b), -1);
	CHECK_HAS(message(&f, E_COMPAT), "magic (reading minds); the compiler says: #error no minds");
	CHECK_EQ(f.ds.errors, 1);
	fixture_end(&f);
}

static void test_variants_of_the_real_runtime_are_those_chosen_alone(void)
{
	struct arena a = {0};

	check_together_is_as_alone(arena_strdup(&a, unit_source_path("runtime")));
	arena_free(&a);
}

static void test_no_variant_that_compiles_is_told_with_the_interface(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "kernel/compat/magic.h",
	    "/* compat: magic 1..3: reading minds */\n#include <linux/types.h>\n"
	    "static inline int compat_magic(void) { return kernel_reads_minds(COMPAT_MAGIC); }\n");
	CHECK_EQ(kit_get(&f.b), -1);
	CHECK_HAS(message(&f, E_COMPAT), "magic (reading minds)");
	CHECK_HAS(message(&f, E_COMPAT), "implicit declaration of function 'kernel_reads_minds'");
	CHECK_EQ(f.ds.errors, 1);
	fixture_end(&f);
}

static void test_error_inside_an_included_file_is_the_wrappers(void)
{
	const char *dir;
	struct fixture f;
	char *config;

	fixture_init(&f, newest);
	dir = own_runtime(&f);
	put(&f, dir, "kernel/inner.h", "static inline int inner(void) { return not_there; }\n");
	put(&f, dir, "kernel/compat/outer.h",
	    "/* compat: outer 1..2: a header in a header */\n#if COMPAT_OUTER == 2\n#include "
	    "\"kernel/inner.h\"\n#endif\n");
	config = choose(&f);
	check_no_message(&f);
	CHECK_EQ(*value_of(config, "COMPAT_OUTER "), '1');
	if (!strncmp(newest, "6.12.", 5))
		CHECK_EQ(*value_of(config, "COMPAT_UPROBES "), '2');
	fixture_end(&f);
}

static void test_malformed_wrapper_line_is_refused(void)
{
	struct fixture f;

	fixture_init(&f, newest);
	put(&f, own_runtime(&f), "kernel/compat/odd.h",
	    "/* compat: even 1..2: the name is not the file's */\n");
	CHECK_EQ(kit_get(&f.b), -1);
	CHECK_HAS(message(&f, E_INTERNAL), "odd.h");
	fixture_end(&f);
}

/* --- what is missing --- */

static void test_missing_headers_are_told_with_the_package(void)
{
	struct fixture f;

	fixture_init(&f, "9.9.9-none");
	CHECK_EQ(kit_get(&f.b), -1);
	CHECK_HAS(message(&f, E_NO_HEADERS), "kernel headers for 9.9.9-none are not installed");
	fixture_end(&f);
}

/* PATH with all programs but some; the caller restores it. */
static char *path_without(struct fixture *f, const char *const *gone)
{
	static int n;
	char *dir = arena_printf(&f->a, "%s/bin%d", tmp, n++);

	CHECK_EQ(shell("mkdir '%s' && ln -s /usr/bin/* '%s'/", dir, dir), 0);
	for (; *gone; gone++)
		shell("rm -f '%s'/%s", dir, *gone);
	return dir;
}

static void check_missing(const char *const *gone, const char *text, const char *package)
{
	char *saved = strdup(getenv("PATH"));
	struct fixture f;
	struct sb hint = {0};
	char *out = NULL;
	size_t size;
	FILE *m;

	fixture_init(&f, newest);
	setenv("PATH", path_without(&f, gone), 1);
	CHECK_EQ(kit_get(&f.b), -1);
	setenv("PATH", saved, 1);
	free(saved);
	CHECK_HAS(message(&f, E_NO_TOOL), text);
	m = open_memstream(&out, &size);
	diag_flush(&f.ds, m, false);
	fclose(m);
	CHECK_HAS(out, package);
	free(out);
	sb_free(&hint);
	fixture_end(&f);
}

static void test_missing_tools_are_told_with_their_package(void)
{
	check_missing((const char *const[]){"make", NULL}, "make is not installed",
		      "install the package make");
	check_missing((const char *const[]){"ld", NULL}, "the linker (ld) is not installed",
		      "install the package binutils");
	check_missing((const char *const[]){"*gcc*", NULL}, "the C compiler (gcc-12) is not installed",
		      "install the package gcc-12");
}

static void test_other_compiler_version_is_used_with_a_warning(void)
{
	char *saved = strdup(getenv("PATH"));
	struct fixture f;
	char *dir;

	fixture_init(&f, newest);
	own_cache(&f);
	dir = path_without(&f, (const char *const[]){"*gcc*", NULL});
	CHECK_EQ(shell("printf '#!/bin/sh\\n[ \"$1\" = -dumpversion ] && { echo 99; exit; }\\nexec "
		       "/usr/bin/gcc \"$@\"\\n' >'%s/gcc' && "
		       "chmod +x '%s/gcc'",
		       dir, dir),
		 0);
	setenv("PATH", dir, 1);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "other_cc", &f.ko), 0);
	setenv("PATH", saved, 1);
	free(saved);
	CHECK_HAS(message(&f, W_COMPILER), "only gcc 99 is here");
	CHECK_EQ(f.ds.errors, 0);
	fixture_end(&f);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (fixture_begin())
		return 1;
	UNIT_RUN(test_builds_a_module_for_each_installed_kernel);
	UNIT_RUN(test_a_second_build_comes_from_the_cache);
	UNIT_RUN(test_name_and_text_and_extra_are_part_of_the_key);
	UNIT_RUN(test_disable_cache_builds_again_and_cleans_up);
	UNIT_RUN(test_jobs_of_kbuild_that_take_long_do_no_harm);
	UNIT_RUN(test_bad_module_names_are_refused);
	UNIT_RUN(test_what_gcc_starts_makes_what_gcc_makes);
	UNIT_RUN(test_gcc_is_asked_if_what_it_starts_has_gone);
	UNIT_RUN(test_another_way_to_compile_is_left_to_the_compiler);
	UNIT_RUN(test_compile_error_is_placed_in_the_script);
	UNIT_RUN(test_symbol_that_the_runtime_lacks_is_named);
	UNIT_RUN(test_what_a_script_does_not_need_is_not_linked);
	UNIT_RUN(test_embedded_code_may_use_the_kernel);
	UNIT_RUN(test_error_in_embedded_code_is_told);
	UNIT_RUN(test_embedded_code_cannot_use_what_is_not_exported);
	UNIT_RUN(test_runtime_that_does_not_compile_is_told);
	UNIT_RUN(test_freestanding_part_cannot_include_kernel_headers);
	UNIT_RUN(test_missing_export_is_told_with_its_purpose);
	UNIT_RUN(test_variants_are_chosen_for_the_kernel);
	UNIT_RUN(test_variants_chosen_together_are_those_chosen_alone);
	UNIT_RUN(test_only_the_folder_of_the_target_is_compiled);
	UNIT_RUN(test_the_real_runtime_compiles_without_warnings);
	UNIT_RUN(test_the_real_runtime_compiles_file_by_file);
	UNIT_RUN(test_files_that_do_not_go_together_are_no_failure);
	UNIT_RUN(test_variants_of_the_real_runtime_are_those_chosen_alone);
	UNIT_RUN(test_no_variant_that_compiles_is_told_with_the_interface);
	UNIT_RUN(test_oldest_form_that_does_not_compile_is_the_wrappers);
	UNIT_RUN(test_error_inside_an_included_file_is_the_wrappers);
	UNIT_RUN(test_malformed_wrapper_line_is_refused);
	UNIT_RUN(test_missing_headers_are_told_with_the_package);
	UNIT_RUN(test_missing_tools_are_told_with_their_package);
	UNIT_RUN(test_other_compiler_version_is_used_with_a_warning);
	return fixture_done();
}
