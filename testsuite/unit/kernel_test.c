// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernels: places and errors in made-up trees; functions, types and paths of the oldest and the newest kernel that is installed here. */
#include <bpf/btf.h>
#include <elf.h>
#include <lzma.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <zlib.h>
#include <zstd.h>

#include "testsuite/unit/kernels.h"
#include "testsuite/unit/show.h"
#include "testsuite/unit/unit.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/kernel_module.h"
#include "translator/debuginfo/kernel_private.h"
#include "translator/debuginfo/unpack.h"

static struct arena arena;
static char dir[] = "/tmp/spile-kernel-XXXXXX";

static const char *in_dir(const char *name)
{
	return arena_printf(&arena, "%s/%s", dir, name);
}

/* Makes the directories above, too. */
static void make_file(const char *name, const void *data, size_t n)
{
	char *path = arena_strdup(&arena, in_dir(name)), *s;
	FILE *f;

	for (s = path + 1; (s = strchr(s, '/')) != NULL; s++) {
		*s = 0;
		mkdir(path, 0755);
		*s = '/';
	}
	f = fopen(path, "w");
	CHECK(f && fwrite(data, 1, n, f) == n);
	if (f)
		fclose(f);
}

/* --- installed kernels --- */

static void each_kernel(void (*test)(struct kernel_info *k))
{
	const char *all[16];
	size_t n = test_kernels(all, 16), i;
	struct problem why = {0};

	mkdir(in_dir("cache"), 0755);
	for (i = 0; i < n; i++) {
		struct kernel_where where = {.release = all[i], .cache_dir = in_dir("cache")};
		struct kernel_info *k = kernel_open(&arena, &where, &why);

		if (!CHECK(k != NULL)) {
			printf("#   %s: %s\n", all[i], why.text);
			continue;
		}
		if (kernel_types(k, NULL, &why))
			test(k);
		else
			printf("# %s: %s\n", all[i], why.text);
		kernel_close(k);
	}
	if (!n)
		printf("# no kernel is installed here: nothing was tested\n");
}

static const struct proto_value *param(struct proto *p, const char *name)
{
	const struct proto_value *v = show_param(p, name);

	if (!CHECK(v && v->placed))
		printf("#   %s\n", v ? v->why.text : "no such parameter");
	return v;
}

/* Type of what the members lead to, and the fetch program. */
static const char *walk(const struct proto_value *v, const char *const *members, struct sb *dump)
{
	struct dtype_step steps[8];
	struct problem why = {0};
	struct fetch f, end;
	size_t n = 0;

	for (; members[n]; n++)
		steps[n] = (struct dtype_step){.kind = DTYPE_STEP_MEMBER, .name = members[n]};
	if (dtype_path(&arena, &v->fetch, steps, n, &end, &why) < 0 ||
	    fetch_value(&arena, &end, &f, &why) < 0)
		return why.text;
	CHECK(fetch_ok(&f));
	sb_reset(dump);
	show_fetch(&f, dump);
	return dtype_text(&arena, f.type);
}

static void vfs_read(struct kernel_info *k)
{
	struct sb dump = {0};
	struct problem why;
	struct proto p;

	CHECK_EQ(kernel_function(k, NULL, "vfs_read", &p, &why), 0);
	CHECK_STR(show_proto(&arena, &p, "vfs_read"),
		  "ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)");
	CHECK_STR(
		walk(param(&p, "file"), (const char *[]){"f_path", "dentry", "d_name", "name", NULL}, &dump),
		"const unsigned char *");
	CHECK_HAS(dump.s, "arg 0; add ");
	CHECK_STR(walk(param(&p, "count"), (const char *[]){NULL}, &dump), "size_t");
	CHECK_STR(dump.s, "arg 2");
	/* hash is inside two nested anonymous ones */
	CHECK_STR(
		walk(param(&p, "file"), (const char *[]){"f_path", "dentry", "d_name", "hash", NULL}, &dump),
		"u32");
	CHECK(p.returns && p.ret.placed && dtype_is_signed(p.ret.type));
	sb_free(&dump);
}

static void test_parameters_of_vfs_read(void)
{
	each_kernel(vfs_read);
}

static void bit_fields(struct kernel_info *k)
{
	struct sb dump = {0};
	struct problem why;
	struct proto p;

	CHECK_EQ(kernel_function(k, NULL, "wake_up_new_task", &p, &why), 0);
	CHECK(!p.returns && !p.ret.placed);
	CHECK_STR(walk(param(&p, "p"), (const char *[]){"comm", NULL}, &dump), "char [16]");
	CHECK_STR(walk(param(&p, "p"), (const char *[]){"in_execve", NULL}, &dump), "unsigned int");
	CHECK_HAS(dump.s, "deref 1 kernel; bits ");
	CHECK_STR(walk(param(&p, "p"), (const char *[]){"cred", "uid", "val", NULL}, &dump), "uid_t");
	CHECK_STR(walk(param(&p, "p"), (const char *[]){"commm", NULL}, &dump),
		  "\"struct task_struct\" has no member \"commm\"");
	sb_free(&dump);
}

static void test_arrays_and_bit_fields_of_tasks(void)
{
	each_kernel(bit_fields);
}

static void small_types(struct kernel_info *k)
{
	struct sb dump = {0};
	struct problem why;
	struct proto p;

	/* int dfd; a kuid_t of 4 bytes is a struct in a register */
	CHECK_EQ(kernel_function(k, NULL, "do_sys_openat2", &p, &why), 0);
	walk(param(&p, "dfd"), (const char *[]){NULL}, &dump);
	CHECK_STR(dump.s, "arg 0; ext 4 signed");
	CHECK_EQ(kernel_function(k, NULL, "from_kuid", &p, &why), 0);
	walk(param(&p, "kuid"), (const char *[]){"val", NULL}, &dump);
	CHECK_STR(dump.s, "arg 1; bits 0..31");
	sb_free(&dump);
}

static void test_small_parameters(void)
{
	each_kernel(small_types);
}

static bool count_sorted(void *ctx, const char *name)
{
	static const char *last = "";

	if (*(size_t *)ctx == 0)
		last = "";
	CHECK(strcmp(last, name) < 0);
	last = name;
	++*(size_t *)ctx;
	return true;
}

static void globs(struct kernel_info *k)
{
	struct problem why;
	struct proto p;
	size_t n = 0;
	long r;

	r = kernel_functions(k, NULL, "vfs_*", count_sorted, &n, &why);
	CHECK(r > 40 && (size_t)r == n);
	n = 0;
	CHECK_EQ(kernel_functions(k, NULL, "vfs_read", count_sorted, &n, &why), 1);
	n = 0;
	CHECK_EQ(kernel_functions(k, NULL, "vfs_raed", count_sorted, &n, &why), 0);
	n = 0;
	CHECK(kernel_functions(k, NULL, "*", count_sorted, &n, &why) > 30000);
	CHECK_EQ(kernel_function(k, NULL, "vfs_raed", &p, &why), -1);
	CHECK_EQ(why.code, PROBLEM_NO_FUNCTION);
	CHECK_HAS(why.near, "\"vfs_read\"");
	CHECK_EQ(kernel_function(k, NULL, "", &p, &why), -1);
	CHECK(kernel_has_function(k, NULL, "vfs_read") && !kernel_has_function(k, NULL, "vfs_raed"));
}

static void test_globs_of_functions(void)
{
	each_kernel(globs);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void test_a_pattern_means_the_loaded_modules_where_the_kernel_runs(void)
{
	struct arena a = {0};
	char folder[] = "/tmp/spile-modules.XXXXXX";
	const struct kernel_module *m = NULL;
	struct kernel_places k = {.release = "1.2.3", .modules = mkdtemp(folder)};
	struct problem why = {0};

	write_file(arena_printf(&a, "%s/modules.dep", folder),
		   "kernel/snd-pcm.ko.xz: kernel/snd.ko\nkernel/snd.ko:\n/abs/snd_usb.ko:\nno module\nlast.ko");
	write_file(arena_printf(&a, "%s/modules.builtin", folder), "kernel/snd-core.ko\n");
	write_file(arena_printf(&a, "%s/loaded", folder), "snd_usb 1 0 - Live 0x0\nsnd_pcm 1 0\nsndbare\n\n x\nother 1");
	CHECK_EQ(kernel_module_matching(&a, &k, "snd-*", &m, &why), 2);
	CHECK_STR(m[0].name, "snd_pcm");
	CHECK_STR(m[0].path, arena_printf(&a, "%s/kernel/snd-pcm.ko.xz", folder));
	CHECK_STR(m[1].path, "/abs/snd_usb.ko");
	CHECK_EQ(kernel_module_matching(&a, &k, "[a-m]*", &m, &why), 1);
	CHECK_STR(m[0].name, "last");
	CHECK_EQ(kernel_module_matching(&a, &k, "snd_c*", &m, &why), 0);
	CHECK_HAS(why.hint, "snd_core is built into the kernel");
	CHECK_EQ(kernel_module_matching(&a, &k, "snd-psm*", &m, &why), 0);
	CHECK_HAS(why.near, "\"snd_pcm\"");

	k.loaded = arena_printf(&a, "%s/loaded", folder);
	CHECK_EQ(kernel_module_matching(&a, &k, "snd*", &m, &why), 3);
	CHECK_STR(m[2].name, "sndbare");
	CHECK(m[0].path && m[1].path && !m[2].path);
	CHECK_EQ(kernel_module_matching(&a, &k, "las?", &m, &why), 0);
	CHECK_STR(why.text, "no loaded module of kernel 1.2.3 matches \"las?\"");
	CHECK_STR(why.hint, "load it first: modprobe last");
	unlink(arena_printf(&a, "%s/modules.dep", folder));
	unlink(arena_printf(&a, "%s/modules.builtin", folder));
	unlink(k.loaded);
	rmdir(folder);
	arena_free(&a);
}

static bool is_found(void *ctx, const char *module, const char *function)
{
	(void)module;
	(void)function;
	++*(int *)ctx;
	return true;
}

/* What a caller does not want to know; of few modules, as where a kernel runs, nearest names are looked for. */
static void without_reasons(struct kernel_info *k)
{
	int n = 0;
	struct kernel_search s = {.modules = "ext*", .functions = "ext4_file_opne", .found = is_found, .ctx = &n};
	struct kernel_calls calls = {0};
	struct problem why = {0};
	struct proto p;

	if (!k->places.modules)
		return;
	CHECK_EQ(kernel_search(k, &s, NULL), 0);
	CHECK_EQ(kernel_search(k, &s, &why), 0);
	CHECK_HAS(why.near, "ext4_file_open");
	CHECK_EQ(kernel_tracepoints(k, &s, NULL), 0);
	CHECK_EQ(kernel_tracepoints(k, &s, &why), 0);
	s.modules = "nosuch*";
	CHECK_EQ(kernel_search(k, &s, NULL), -1);
	CHECK_EQ(kernel_search(k, &s, &why), -1);
	CHECK_EQ(why.code, PROBLEM_NO_MODULE);
	CHECK_EQ(kernel_tracepoints(k, &s, NULL), -1);
	CHECK_EQ(kernel_tracepoint(k, NULL, "nosuch", &p, NULL), -1);
	CHECK_EQ(kernel_function(k, "nosuch", "x", &p, NULL), -1);
	CHECK_EQ(kernel_calls_named(k, "nosuch", &calls, NULL), -1);
	CHECK(!kernel_has_module(k, "nosuch", NULL));
	CHECK(!kernel_variable(k, NULL, "nosuch", NULL));
	CHECK(!kernel_types(k, "nosuch", NULL));
	CHECK_EQ(n, 0);
}

static void test_nobody_needs_to_know_why(void)
{
	each_kernel(without_reasons);
}

static void casts(struct kernel_info *k)
{
	struct dtypes *types = kernel_types(k, NULL, NULL);
	struct problem why;
	int64_t value = 0;
	const struct dtype *t = dtypes_find(types, "task_struct", &why);

	CHECK(t && dtype_kind(t) == DTYPE_STRUCT && dtype_size(t) > 1000);
	t = dtypes_find(types, "pid_t", &why);
	CHECK(t && dtype_size(t) == 4 && dtype_is_signed(t));
	t = dtypes_find(types, "char *", &why);
	CHECK(t && dtype_is_string(t));
	CHECK(!dtypes_find(types, "struct task_strct", &why));
	CHECK_STR(why.near, "\"task_struct\"");
	CHECK(dtypes_enumerator(types, "PIDTYPE_TGID", &value));
	CHECK_EQ(value, 1);
}

static void test_types_by_name(void)
{
	each_kernel(casts);
}

static void variables(struct kernel_info *k)
{
	struct dtypes *types = kernel_types(k, NULL, NULL);
	const struct dtype *t, *task = dtypes_find(types, "task_struct", NULL);
	struct problem why;
	struct nearest near;

	t = kernel_variable(k, NULL, "runqueues", &why);
	CHECK(t && dtype_kind(t) == DTYPE_STRUCT);
	CHECK(!kernel_variable(k, NULL, "runqueue", &why));
	CHECK_HAS(why.near, "\"runqueues\"");
	CHECK(!kernel_variable(k, NULL, "init_task", &why));
	CHECK_HAS(why.hint, "@cast(&@var(\"init_task\"");
	CHECK_EQ(kernel_has_symbol(k, NULL, "init_task", &why), 1);
	CHECK_EQ(kernel_has_symbol(k, NULL, "vfs_read", &why), 1);
	CHECK_EQ(kernel_has_symbol(k, NULL, "init_tusk", &why), 0);
	CHECK_HAS(why.near, "\"init_task\"");
	CHECK_EQ(kernel_has_symbol(k, "ext4", "ext4_iget_no_such_thing", &why), 0);
	CHECK_EQ(kernel_has_symbol(k, "no_such_module", "x", &why), -1);
	t = dtype_pointer(task);
	CHECK(t && dtype_same(&arena, t, dtypes_find(types, "struct task_struct *", NULL)) && !dtype_same(&arena, t, task));
	CHECK(dtype_same(&arena, dtype_target(t), task));
	nearest_init(&near, "PIDTYPE_TGIDS");
	dtypes_nearest_enumerators(types, &near);
	CHECK_HAS(nearest_text(&near, &arena), "\"PIDTYPE_TGID\"");
}

static void test_variables_of_each_cpu(void)
{
	each_kernel(variables);
}

static void one_module(struct kernel_info *k)
{
	struct sb dump = {0};
	struct problem why = {0};
	struct proto p;

	if (!k->places.modules)
		return;
	if (!CHECK(kernel_function(k, "ext4", "ext4_file_open", &p, &why) == 0)) {
		printf("#   %s: %s\n", kernel_release(k), why.text);
		return;
	}
	CHECK_STR(show_proto(&arena, &p, "ext4_file_open"),
		  "int ext4_file_open(struct inode *inode, struct file *filp)");
	CHECK_STR(walk(param(&p, "filp"), (const char *[]){"f_path", "dentry", NULL}, &dump),
		  "struct dentry *");
	CHECK(kernel_has_function(k, "dm-crypt", "crypt_map") ==
	      kernel_has_function(k, "dm_crypt", "crypt_map"));
	CHECK(!kernel_has_function(k, "ext4", "vfs_read"));
	CHECK(dtypes_find(kernel_types(k, "ext4", &why), "struct ext4_inode_info", &why) != NULL);
	CHECK_EQ(kernel_function(k, "ext5", "x", &p, &why), -1);
	CHECK_EQ(why.code, PROBLEM_NO_MODULE);
	CHECK_HAS(why.near, "\"ext4\"");
	sb_free(&dump);
}

static void test_modules_add_to_the_kernel(void)
{
	each_kernel(one_module);
}

static void by_build_dir(struct kernel_info *k)
{
	struct kernel_where where = {.cache_dir = in_dir("cache")};
	struct problem why = {0};
	struct kernel_info *same;

	where.release = kernel_build_dir(k, NULL);
	if (!where.release)
		return;
	same = kernel_open(&arena, &where, &why);
	CHECK_STR(same ? kernel_release(same) : why.text, kernel_release(k));
	CHECK(same && kernel_has_function(same, NULL, "vfs_read"));
	CHECK_STR(same ? same->places.modules : NULL, k->places.modules);
	if (same)
		kernel_close(same);
}

static void test_build_directories_name_their_kernel(void)
{
	each_kernel(by_build_dir);
}

/* --- made-up trees --- */

static void test_missing_kernels_name_the_packages(void)
{
	struct kernel_where where = {.release = "0.1-none", .root = dir};
	struct problem why;

	CHECK(!kernel_open(&arena, &where, &why));
	CHECK_EQ(why.code, PROBLEM_NO_KERNEL);
	CHECK_HAS(why.text, "0.1-none");
	CHECK_HAS(why.hint, "linux-headers-0.1-none");
	make_file("part/lib/modules/9.9.1-test/modules.dep", "", 0);
	CHECK(!kernel_open(&arena, &(struct kernel_where){.release = "9.9", .root = in_dir("part")}, &why));
	CHECK_STR(why.near, "\"9.9.1-test\"");
	make_file("part/lib/modules/9.12.3-test/modules.dep", "", 0);
	CHECK(!kernel_open(&arena, &(struct kernel_where){.release = "9.9.10", .root = in_dir("part")}, &why));
	CHECK_STR(why.near, "\"9.9.1-test\"");
	where.release = in_dir("no-such-directory");
	CHECK(!kernel_open(&arena, &where, &why));
	mkdir(in_dir("plain"), 0755);
	where.release = in_dir("plain");
	CHECK(!kernel_open(&arena, &where, &why));
	CHECK_HAS(why.text, "kernel.release");
	where.release = "..";
	CHECK(!kernel_open(&arena, &where, &why));
}

static void test_other_roots_and_build_directories(void)
{
	struct kernel_where where = {.release = "9.9-test", .root = in_dir("root")};
	struct kernel_info *k;
	struct problem why;

	make_file("root/lib/modules/9.9-test/modules.dep", "", 0);
	make_file("root/boot/vmlinuz-9.9-test", "MZ", 2);
	make_file("root/usr/src/linux-headers-9.9-test/Makefile", "", 0);
	make_file("root/usr/src/linux-headers-9.9-test/include/config/kernel.release", "9.9-test\n", 9);
	CHECK_EQ(symlink("/usr/src/linux-headers-9.9-test", in_dir("root/lib/modules/9.9-test/build")), 0);
	k = kernel_open(&arena, &where, &why);
	CHECK(k != NULL);
	if (!k)
		return;
	CHECK_STR(kernel_build_dir(k, &why), in_dir("root/usr/src/linux-headers-9.9-test"));
	CHECK_STR(k->places.image, in_dir("root/boot/vmlinuz-9.9-test"));
	CHECK(!kernel_types(k, NULL, &why));
	CHECK_EQ(why.code, PROBLEM_NO_BTF);
	CHECK_HAS(why.hint, "CONFIG_DEBUG_INFO_BTF");
	kernel_close(k);
	where.release = in_dir("root/usr/src/linux-headers-9.9-test");
	k = kernel_open(&arena, &where, &why);
	CHECK_STR(k ? kernel_release(k) : NULL, "9.9-test");
	CHECK_STR(k ? k->places.image : NULL, in_dir("root/boot/vmlinuz-9.9-test"));
	where.release = "8.8-headerless";
	make_file("root/boot/vmlinuz-8.8-headerless", "MZ", 2);
	k = kernel_open(&arena, &where, &why);
	CHECK(k && !kernel_build_dir(k, &why));
	CHECK_EQ(why.code, PROBLEM_NO_HEADERS);
	CHECK_HAS(why.hint, "linux-headers-8.8-headerless");
}

static void test_running_kernel_is_the_default(void)
{
	struct kernel_where where = {0};
	struct kernel_info *k = kernel_open(&arena, &where, NULL);
	struct utsname u;

	uname(&u);
	CHECK_STR(k ? kernel_release(k) : NULL, u.release);
}

static void test_entry_code_is_known_to_be_unprobeable(void)
{
	struct kernel_where where = {0};
	struct kernel_info *k = kernel_open(&arena, &where, NULL);

	CHECK_HAS(kernel_function_unprobeable(k, NULL, "exc_page_fault"), "exception");
	CHECK_HAS(kernel_function_unprobeable(k, NULL, "__pfx_vfs_read"), "padding");
	CHECK(!kernel_function_unprobeable(k, NULL, "vfs_read"));
}

/* --- packed images --- */

enum { SIZE = 700000 };
static unsigned char plain[SIZE], packed[SIZE + 100000];

static void check_unpacks(const unsigned char *p, size_t n, const char *what)
{
	struct problem why = {0};
	struct bytes out;
	size_t cut;

	if (!CHECK(unpack_is_packed(p, n) && unpack(&arena, p, n, what, &out, &why) == 0)) {
		printf("#   %s: %s\n", what, why.text);
		return;
	}
	CHECK(out.n == SIZE && memcmp(out.p, plain, SIZE) == 0);
	bytes_free(&out);
	/* cut short: never a crash, never the whole */
	for (cut = 6; cut < n - 16; cut += n / 7) {
		unsigned char *copy = malloc(cut);

		memcpy(copy, p, cut);
		if (unpack(&arena, copy, cut, what, &out, &why) == 0) {
			CHECK(out.n < SIZE);
			bytes_free(&out);
		}
		free(copy);
	}
}

static size_t pack_xz(void)
{
	size_t n = 0;

	CHECK_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, plain, SIZE, packed, &n, sizeof packed),
		 LZMA_OK);
	return n;
}

static size_t pack_gzip(void)
{
	z_stream z = {.next_in = plain, .avail_in = SIZE, .next_out = packed, .avail_out = sizeof packed};

	deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	CHECK_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

/* A legacy frame of literals, then one match of 600000 bytes: made by hand from the format's description. */
static size_t pack_lz4(void)
{
	static const unsigned char head[] = {0x02, 0x21, 0x4c, 0x18};
	size_t at = 8, left, literals = 100000, n;

	memcpy(packed, head, 4);
	memset(plain + 99999, plain[99999], SIZE - 99999);
	packed[at++] = 0xff;
	for (left = literals - 15; left >= 255; left -= 255)
		packed[at++] = 255;
	packed[at++] = (unsigned char)left;
	memcpy(packed + at, plain, literals);
	at += literals;
	packed[at++] = 1; /* offset 1: the last byte again */
	packed[at++] = 0;
	for (left = SIZE - 1 - literals - 4 - 15; left >= 255; left -= 255)
		packed[at++] = 255;
	packed[at++] = (unsigned char)left;
	packed[at++] = 0x10; /* one last literal */
	packed[at++] = plain[SIZE - 1];
	n = at - 8;
	memcpy(packed + 4, &(uint32_t){(uint32_t)n}, 4);
	return at;
}

static void symbols(struct kernel_info *k)
{
	struct problem why;
	struct proto p;

	CHECK(kernel_has_function(k, NULL, "__x64_sys_getppid"));
	CHECK(!kernel_function_unprobeable(k, NULL, "__x64_sys_getppid"));
	CHECK_EQ(kernel_function(k, NULL, "__x64_sys_getppid", &p, &why), -1);
	CHECK_EQ(why.code, PROBLEM_NO_DEBUGINFO);
	CHECK_HAS(kernel_function_unprobeable(k, NULL, "do_int3"), "list");
	CHECK_HAS(kernel_function_unprobeable(k, NULL, "error_entry"), "entry");
	CHECK_HAS(kernel_function_unprobeable(k, NULL, "vfs_caches_init"), "gone");
	CHECK(!kernel_function_unprobeable(k, NULL, "vfs_read"));
	CHECK(kernel_function_traced(k, NULL, "vfs_read"));
	CHECK(kernel_function_traced(k, NULL, "__x64_sys_getppid"));
	CHECK(!kernel_function_traced(k, NULL, "__switch_to_asm"));
	CHECK(!kernel_function_traced(k, NULL, "native_sched_clock"));
}

static void test_symbols_tell_what_btf_does_not(void)
{
	each_kernel(symbols);
}

static bool count(void *ctx, const struct elf_function *f)
{
	*(size_t *)ctx += f->size > 0;
	return true;
}

/* A library with code of which stacks can be walked up, and with the names of the functions that the kernel has there. */
static void has_vdso(struct kernel_info *k)
{
	const char *path = kernel_vdso(k);
	struct problem why = {0};
	struct elf_image *e = path ? elf_open(&arena, target_native(), path, &why) : NULL;
	size_t n = 0;

	if (!CHECK(e))
		return;
	CHECK(elf_facts(e)->build_id);
	CHECK(!elf_facts(e)->executable);
	CHECK(elf_functions(e, "__vdso_clock_gettime", count, &n, &why) == 1 && n == 1);
	CHECK(elf_unwind(e));
	CHECK_STR(kernel_vdso(k), path);
	elf_close(e);
}

static void test_images_have_the_code_that_is_mapped_into_programs(void)
{
	each_kernel(has_vdso);
}

/* Headers that say more than there is, and one that is whole. */
static void test_what_only_begins_like_a_vdso(void)
{
	static unsigned char image[3 * 4096];
	static const char name[] = "linux-vdso.so.1";
	const struct bytes elf = {.p = image, .n = sizeof image};
	const struct kernel_image_symbols in = {.elf = &elf};
	Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64}, .e_type = ET_DYN, .e_shoff = UINT64_MAX - 10, .e_shnum = 2, .e_shentsize = 64};
	struct sb out = {0};

	memcpy(image + 2 * 4096, &h, sizeof h);
	memcpy(image + 2 * 4096 + 100, name, sizeof name);
	kernel_list_vdso(NULL, &in, &out);
	CHECK_EQ(out.n, 0);
	h.e_shoff = 4090;
	memcpy(image + 2 * 4096, &h, sizeof h);
	kernel_list_vdso(NULL, &in, &out);
	CHECK_EQ(out.n, 0);
	h.e_shoff = 300;
	memcpy(image + 4096, &h, sizeof h); /* without the name */
	memcpy(image + 2 * 4096, &h, sizeof h);
	kernel_list_vdso(NULL, &in, &out);
	CHECK_EQ(out.n, 428);
	CHECK(out.n == 428 && memcmp(out.s + 100, name, sizeof name) == 0);
	sb_free(&out);
}

static void test_packed_kernels_are_unpacked(void)
{
	unsigned seed = 7;
	size_t i, n;

	for (i = 0; i < SIZE; i++)
		plain[i] = (unsigned char)(rand_r(&seed) % 20);
	n = pack_xz();
	check_unpacks(packed, n, "xz");
	n = pack_gzip();
	check_unpacks(packed, n, "gzip");
	n = ZSTD_compress(packed, sizeof packed, plain, SIZE, 1);
	check_unpacks(packed, n, "zstd");
	n = pack_lz4();
	check_unpacks(packed, n, "lz4");
	CHECK(!unpack_is_packed((const unsigned char *)"hello, world", 12));
}

/* An arm64 kernel: no sections, and packed as a whole or not at all. */
static void test_btf_in_an_image_without_sections(void)
{
	static const unsigned char decoy[] = {0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f};
	struct kernel_where where = {.release = "9.9-flat", .root = in_dir("flat"), .target = &target_arm64};
	struct btf *b = btf__new_empty();
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), proto = btf__add_func_proto(b, s32);
	struct problem why = {0};
	struct kernel_info *k;
	const void *raw;
	struct proto p;
	__u32 size;

	btf__add_func_param(b, "fd", s32);
	btf__add_func(b, "flat_function", BTF_FUNC_STATIC, proto);
	memset(plain, 0, SIZE);
	memcpy(plain + 56, "ARM\144", 4);
	memcpy(plain + 1000, decoy, sizeof decoy);
	raw = btf__raw_data(b, &size);
	memcpy(plain + 8192, raw, size);
	btf__free(b);
	for (int gzip = 0; gzip < 2; gzip++) {
		size_t n = gzip ? pack_gzip() : SIZE;

		make_file("flat/boot/vmlinuz-9.9-flat", gzip ? packed : plain, n);
		k = kernel_open(&arena, &where, &why);
		if (!CHECK(k && kernel_function(k, NULL, "flat_function", &p, &why) == 0))
			printf("#   %s\n", why.text ? why.text : "no kernel");
		CHECK_STR(show_proto(&arena, &p, "flat_function"), "int flat_function(int fd)");
		if (k)
			kernel_close(k);
	}
	memset(plain + 56, 0, 4);
	make_file("flat/boot/vmlinuz-9.9-flat", plain, SIZE);
	k = kernel_open(&arena, &where, &why);
	CHECK(k && !kernel_types(k, NULL, &why));
	CHECK_HAS(why.text, "is for another machine");
	if (k)
		kernel_close(k);
	where.target = &target_x86_64;
	k = kernel_open(&arena, &where, &why);
	CHECK(k && !kernel_types(k, NULL, &why)); /* the target has another form of image */
	if (k)
		kernel_close(k);
	where.release = NULL;
	where.target = &target_arm64;
	CHECK(!kernel_open(&arena, &where, &why));
	CHECK_EQ(why.code, PROBLEM_NO_KERNEL);
}

static void remove_all(void)
{
	pid_t pid = fork();

	if (pid == 0)
		execlp("rm", "rm", "-r", dir, (char *)NULL);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	unsetenv("SPILE_KERNELS");
	if (!mkdtemp(dir))
		return 1;
	UNIT_RUN(test_parameters_of_vfs_read);
	UNIT_RUN(test_arrays_and_bit_fields_of_tasks);
	UNIT_RUN(test_small_parameters);
	UNIT_RUN(test_globs_of_functions);
	UNIT_RUN(test_a_pattern_means_the_loaded_modules_where_the_kernel_runs);
	UNIT_RUN(test_nobody_needs_to_know_why);
	UNIT_RUN(test_types_by_name);
	UNIT_RUN(test_variables_of_each_cpu);
	UNIT_RUN(test_modules_add_to_the_kernel);
	UNIT_RUN(test_build_directories_name_their_kernel);
	UNIT_RUN(test_missing_kernels_name_the_packages);
	UNIT_RUN(test_other_roots_and_build_directories);
	UNIT_RUN(test_running_kernel_is_the_default);
	UNIT_RUN(test_entry_code_is_known_to_be_unprobeable);
	UNIT_RUN(test_symbols_tell_what_btf_does_not);
	UNIT_RUN(test_images_have_the_code_that_is_mapped_into_programs);
	UNIT_RUN(test_what_only_begins_like_a_vdso);
	UNIT_RUN(test_packed_kernels_are_unpacked);
	UNIT_RUN(test_btf_in_an_image_without_sections);
	remove_all();
	arena_free(&arena);
	return unit_done();
}
