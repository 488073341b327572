# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check` runs what needs neither root nor a guest: the unit tests and the lint.  (./runtests does all.)
#
# Unit tests are native programs, testsuite/unit/NAME_test.c with testsuite/unit/unit.h.  They, and the library code they
# test, are built with ASan and UBSan: each library has a second, instrumented build used by tests only.  To add tests for a
# part, say parser/, whose local.mk has "parser_sources = ..." and "libparser_a_SOURCES = $(parser_sources)":
#
#	check_LIBRARIES += libparser_san.a
#	libparser_san_a_SOURCES = $(parser_sources)
#	libparser_san_a_CFLAGS = $(SAN_CFLAGS)
#
#	UNIT_TESTS += testsuite/unit/macro_test
#	testsuite_unit_macro_test_SOURCES = testsuite/unit/macro_test.c
#	testsuite_unit_macro_test_CFLAGS = $(SAN_CFLAGS)
#	testsuite_unit_macro_test_LDADD = libparser_san.a libbase_san.a
#
# (libraries in the order of use, $(LIBDW_LIBS) and the like last).  Append your own block at the end of this file.  Data
# files of a test go to EXTRA_DIST; it finds them below $abs_top_srcdir, which is in its environment (unit_source_path()).
# One test: `make check TESTS=testsuite/unit/macro_test`, or the program itself, with a part of a test's name to run less.

SAN_CFLAGS = $(AM_CFLAGS) -Og -g1 -fno-omit-frame-pointer -DAST_CHECKED -DSPILE_VERIFY $(SANITIZERS)
# The tests that take longest begin first.
UNIT_TESTS = testsuite/unit/table_test testsuite/unit/build_test
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
EXTRA_DIST += testsuite/unit/unit.h testsuite/unit/unit.sh testsuite/unit/kernels.h testsuite/timed-driver testsuite/times

# How long each takes is noted beside its result; after a whole run testsuite/times shows those that took longest.
LOG_DRIVER = $(SHELL) $(top_srcdir)/testsuite/timed-driver $(top_srcdir)/build-aux/test-driver
check-local: check-TESTS
	@set x $(TEST_LOGS); test $$# -lt 20 || $(top_srcdir)/testsuite/times . 12
CLEANFILES += testsuite/times.table

# DejaGnu's suites are run by ./runtests, which knows the guests; `make check` names them here when they need none.
DEJATOOL =

# PATH: the python3 that is probed is Debian's, whatever the user has.
AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	programs='$(MANUALS)'; export programs; \
	PATH="/usr/bin:$$PATH"; export PATH; \
	MAKE='$(MAKE)'; export MAKE; SPILE_RC=; export SPILE_RC; \
	kits='$(abs_top_builddir)/testsuite/kits/'`cksum <spile$(EXEEXT) | tr ' ' -`; export kits; \
	CC='$(CC)'; export CC; SANITIZERS='$(SANITIZERS)'; export SANITIZERS; \
	ASAN_OPTIONS="detect_stack_use_after_return=1:$${ASAN_OPTIONS}"; export ASAN_OPTIONS; \
	UBSAN_OPTIONS="print_stacktrace=1:$${UBSAN_OPTIONS}"; export UBSAN_OPTIONS;

# What testsuite/lib/kits.sh keeps.
clean-local:
	rm -rf testsuite/kits

# --- the rules of HACKING.md ---
dist_check_SCRIPTS = testsuite/lint testsuite/unit/lint_test.sh testsuite/unit/manual_test.sh \
	testsuite/unit/dist_test.sh testsuite/unit/install_test.sh testsuite/unit/run_guests_test.sh testsuite/unit/pairs_test.sh \
	testsuite/unit/check_test.sh testsuite/unit/examples_test.sh testsuite/unit/library_test.sh testsuite/unit/switches_test.sh \
	testsuite/unit/wrappers_test.sh
TESTS += $(dist_check_SCRIPTS)
# Programs whose manual must agree with their --help.
MANUALS = spile spile-vm spilerun spile-dtrace spile-merge spile-prep spile-report

# --- base/ ---
check_LIBRARIES += libbase_san.a
libbase_san_a_SOURCES = $(base_sources)
libbase_san_a_CFLAGS = $(SAN_CFLAGS)

UNIT_TESTS += testsuite/unit/arena_test
testsuite_unit_arena_test_SOURCES = testsuite/unit/arena_test.c
testsuite_unit_arena_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_arena_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/str_test
testsuite_unit_str_test_SOURCES = testsuite/unit/str_test.c
testsuite_unit_str_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_str_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/busy_test
testsuite_unit_busy_test_SOURCES = testsuite/unit/busy_test.c
testsuite_unit_busy_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_busy_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/visible_test
testsuite_unit_visible_test_SOURCES = testsuite/unit/visible_test.c
testsuite_unit_visible_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_visible_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/names_test
testsuite_unit_names_test_SOURCES = testsuite/unit/names_test.c
testsuite_unit_names_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_names_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/source_test
testsuite_unit_source_test_SOURCES = testsuite/unit/source_test.c
testsuite_unit_source_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_source_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/diag_test
testsuite_unit_diag_test_SOURCES = testsuite/unit/diag_test.c
testsuite_unit_diag_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_diag_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/paths_test
testsuite_unit_paths_test_SOURCES = testsuite/unit/paths_test.c
testsuite_unit_paths_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_paths_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/file_test
testsuite_unit_file_test_SOURCES = testsuite/unit/file_test.c
testsuite_unit_file_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_file_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/kernels_test
testsuite_unit_kernels_test_SOURCES = testsuite/unit/kernels_test.c
testsuite_unit_kernels_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_kernels_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/store_test
testsuite_unit_store_test_SOURCES = testsuite/unit/store_test.c
testsuite_unit_store_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_store_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/child_test
testsuite_unit_child_test_SOURCES = testsuite/unit/child_test.c
testsuite_unit_child_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_child_test_LDADD = libbase_san.a

UNIT_TESTS += testsuite/unit/deep_test
testsuite_unit_deep_test_SOURCES = testsuite/unit/deep_test.c
testsuite_unit_deep_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_deep_test_LDADD = libbase_san.a

# --- translator/debuginfo/ ---
check_LIBRARIES += libdebuginfo_san.a
libdebuginfo_san_a_SOURCES = $(debuginfo_sources)
libdebuginfo_san_a_CPPFLAGS = $(libdebuginfo_a_CPPFLAGS)
libdebuginfo_san_a_CFLAGS = $(SAN_CFLAGS)

UNIT_TESTS += testsuite/unit/btf_test
testsuite_unit_btf_test_SOURCES = testsuite/unit/btf_test.c
testsuite_unit_btf_test_CPPFLAGS = $(AM_CPPFLAGS) $(LIBBPF_CFLAGS)
testsuite_unit_btf_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_btf_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)

# --- translator/build/ ---
check_LIBRARIES += libbuild_san.a
libbuild_san_a_SOURCES = $(build_sources)
libbuild_san_a_CFLAGS = $(SAN_CFLAGS) $(LIBELF_CFLAGS)

testsuite_unit_build_test_SOURCES = testsuite/unit/build_test.c
testsuite_unit_build_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_build_test_LDADD = libbuild_san.a libbase_san.a $(LIBELF_LIBS)
UNIT_TESTS += testsuite/unit/build_parts_test
testsuite_unit_build_parts_test_SOURCES = testsuite/unit/build_parts_test.c
testsuite_unit_build_parts_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_build_parts_test_LDADD = libbuild_san.a libbase_san.a $(LIBELF_LIBS)

UNIT_TESTS += testsuite/unit/build_cache_test
testsuite_unit_build_cache_test_SOURCES = testsuite/unit/build_cache_test.c
testsuite_unit_build_cache_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_build_cache_test_LDADD = libbuild_san.a libbase_san.a $(LIBELF_LIBS)
EXTRA_DIST += testsuite/unit/build_fixture.h \
	testsuite/build-runtime/kernel/compat/unaligned.h testsuite/build-runtime/kernel/compat/uprobes.h \
	testsuite/build-runtime/kernel/exports.def \
	testsuite/build-runtime/kernel/module.c testsuite/build-runtime/kernel/session.c testsuite/build-runtime/kernel/session.h \
	testsuite/build-runtime/rt/rt.h testsuite/build-runtime/rt/seldom.c testsuite/build-runtime/rt/seldom_too.c testsuite/build-runtime/rt/value.c \
	testsuite/build-runtime/script.c testsuite/spile.build/build.exp testsuite/spile.build/modules.exp
UNIT_TESTS += testsuite/unit/elf_test
testsuite_unit_elf_test_SOURCES = testsuite/unit/elf_test.c testsuite/unit/elf_compile.h testsuite/unit/fetch_run.h testsuite/unit/show.h
testsuite_unit_elf_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_elf_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)

UNIT_TESTS += testsuite/unit/elf_unwind_test
testsuite_unit_elf_unwind_test_SOURCES = testsuite/unit/elf_unwind_test.c testsuite/unit/elf_compile.h
testsuite_unit_elf_unwind_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_elf_unwind_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
UNIT_TESTS += testsuite/unit/elf_lines_test
testsuite_unit_elf_lines_test_SOURCES = testsuite/unit/elf_lines_test.c testsuite/unit/elf_compile.h
testsuite_unit_elf_lines_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_elf_lines_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
UNIT_TESTS += testsuite/unit/elf_instruction_test
testsuite_unit_elf_instruction_test_SOURCES = testsuite/unit/elf_instruction_test.c testsuite/unit/elf_compile.h
testsuite_unit_elf_instruction_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_elf_instruction_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
EXTRA_DIST += testsuite/unit/data/x86_64_instructions.S
UNIT_TESTS += testsuite/unit/cpython_test
testsuite_unit_cpython_test_SOURCES = testsuite/unit/cpython_test.c
testsuite_unit_cpython_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_cpython_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
UNIT_TESTS += testsuite/unit/pclntab_test
testsuite_unit_pclntab_test_SOURCES = testsuite/unit/pclntab_test.c
testsuite_unit_pclntab_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_pclntab_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)

UNIT_TESTS += testsuite/unit/plt_test
testsuite_unit_plt_test_SOURCES = testsuite/unit/plt_test.c
testsuite_unit_plt_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_plt_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
UNIT_TESTS += testsuite/unit/usdt_test
testsuite_unit_usdt_test_SOURCES = testsuite/unit/usdt_test.c
testsuite_unit_usdt_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_usdt_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
dist_check_SCRIPTS += testsuite/unit/arm64_test.sh testsuite/unit/dtrace_test.sh testsuite/unit/sdt_test.sh testsuite/unit/python_test.sh
EXTRA_DIST += testsuite/unit/data/arm64_prog.c testsuite/unit/data/arm64_prog.b64
EXTRA_DIST += testsuite/unit/data/elf_prog.c testsuite/unit/data/elf_prog.cc testsuite/unit/data/shared_lists.S

UNIT_TESTS += testsuite/unit/kernel_test
testsuite_unit_kernel_test_SOURCES = testsuite/unit/kernel_test.c
testsuite_unit_kernel_test_CPPFLAGS = $(libdebuginfo_a_CPPFLAGS)
testsuite_unit_kernel_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_kernel_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)

UNIT_TESTS += testsuite/unit/kallsyms_test
testsuite_unit_kallsyms_test_SOURCES = testsuite/unit/kallsyms_test.c
testsuite_unit_kallsyms_test_CPPFLAGS = $(libdebuginfo_a_CPPFLAGS)
testsuite_unit_kallsyms_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_kallsyms_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)

# --- runtime/kernel and loader/ ---
include testsuite/hand/local.mk
include testsuite/workload/local.mk

# --- parser/ ---
check_LIBRARIES += libparser_san.a
libparser_san_a_SOURCES = $(parser_sources)
libparser_san_a_CFLAGS = $(SAN_CFLAGS)
$(libparser_san_a_OBJECTS): parser/grammar.h

UNIT_TESTS += testsuite/unit/parser_test
testsuite_unit_parser_test_SOURCES = testsuite/unit/parser_test.c
testsuite_unit_parser_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_parser_test_LDADD = libparser_san.a libbase_san.a
EXTRA_DIST += testsuite/fuzz/parser_fuzz.c testsuite/fuzz/parser.dict testsuite/spile.check testsuite/spile.run

UNIT_TESTS += testsuite/unit/format_test
testsuite_unit_format_test_SOURCES = testsuite/unit/format_test.c
testsuite_unit_format_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_format_test_LDADD = libparser_san.a libbase_san.a

# The fuzzers themselves are run by hand: testsuite/fuzz/run NAME SECONDS
UNIT_TESTS += testsuite/unit/corpus_test
testsuite_unit_corpus_test_SOURCES = testsuite/unit/corpus_test.c
testsuite_unit_corpus_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_corpus_test_LDADD = libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)
EXTRA_DIST += testsuite/fuzz/corpus testsuite/fuzz/elf_ask.h testsuite/fuzz/elf_mutator.c testsuite/fuzz/fuzz.h testsuite/fuzz/grammar_mutator.h \
	testsuite/fuzz/run testsuite/fuzz/btf_fuzz.c testsuite/fuzz/elf_fuzz.c testsuite/fuzz/pair_fuzz.c testsuite/fuzz/regex_fuzz.c \
	testsuite/fuzz/translate_fuzz.c testsuite/fuzz/unpack_fuzz.c

# --- runtime/rt/: natively, with threads as CPUs ---
rt_sources = \
	runtime/rt/arith.c runtime/rt/body.c runtime/rt/call.c runtime/rt/call_fields.c runtime/rt/call_hit.c runtime/rt/call_ioctls.c runtime/rt/call_lists.c runtime/rt/call_options.c \
	runtime/rt/call_multiplexed.c runtime/rt/call_names.c runtime/rt/call_structs.c runtime/rt/call_written.c runtime/rt/ctx.c runtime/rt/elf.c runtime/rt/format.c runtime/rt/fp.c \
	runtime/rt/fptext.c runtime/rt/globals.c runtime/rt/hist.c runtime/rt/image_tables.c runtime/rt/iter.c runtime/rt/java.c runtime/rt/java_vm.c runtime/rt/lines.c runtime/rt/lock.c runtime/rt/map.c \
	runtime/rt/map_shared.c runtime/rt/map_stat.c runtime/rt/print.c runtime/rt/quantile.c runtime/rt/read.c runtime/rt/regex.c \
	runtime/rt/show.c runtime/rt/stat.c runtime/rt/str.c runtime/rt/strfn.c runtime/rt/thread_block.c runtime/rt/ustack.c runtime/rt/walk.c runtime/rt/write.c \
	runtime/rt/arch/arch.h runtime/rt/arch/x86.h runtime/rt/body.h runtime/rt/call.h runtime/rt/call_fields.def runtime/rt/call_ioctls.def runtime/rt/call_names.def \
	runtime/rt/embed.h runtime/rt/fp.h runtime/rt/globals.h runtime/rt/java.h runtime/rt/java_fields.def runtime/rt/lib.h runtime/rt/map.h runtime/rt/port.h runtime/rt/quantile.h \
	runtime/rt/rt.h runtime/rt/stat.h runtime/rt/thread_layout.h
check_LIBRARIES += librt_san.a
librt_san_a_SOURCES = $(rt_sources) testsuite/unit/port_native.c testsuite/unit/port_native.h
librt_san_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime
librt_san_a_CFLAGS = $(SAN_CFLAGS)

UNIT_TESTS += testsuite/unit/rt_value_test
testsuite_unit_rt_value_test_SOURCES = testsuite/unit/rt_value_test.c
testsuite_unit_rt_value_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_value_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_value_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_body_test
testsuite_unit_rt_body_test_SOURCES = testsuite/unit/rt_body_test.c
testsuite_unit_rt_body_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_body_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_body_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_java_test
testsuite_unit_rt_java_test_SOURCES = testsuite/unit/rt_java_test.c
testsuite_unit_rt_java_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_java_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_java_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_call_test
testsuite_unit_rt_call_test_SOURCES = testsuite/unit/rt_call_test.c testsuite/unit/rt_call_frame.h
testsuite_unit_rt_call_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_call_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_call_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_call_multiplexed_test
testsuite_unit_rt_call_multiplexed_test_SOURCES = testsuite/unit/rt_call_multiplexed_test.c testsuite/unit/rt_call_frame.h
testsuite_unit_rt_call_multiplexed_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_call_multiplexed_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_call_multiplexed_test_LDADD = librt_san.a
UNIT_TESTS += testsuite/unit/rt_call_older_test
testsuite_unit_rt_call_older_test_SOURCES = testsuite/unit/rt_call_older_test.c testsuite/unit/rt_call_frame.h
testsuite_unit_rt_call_older_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_call_older_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_call_older_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_show_test
testsuite_unit_rt_show_test_SOURCES = testsuite/unit/rt_show_test.c
testsuite_unit_rt_show_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_show_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_show_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_unwind_test
testsuite_unit_rt_unwind_test_SOURCES = testsuite/unit/rt_unwind_test.c
testsuite_unit_rt_unwind_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_unwind_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_unwind_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/image_tables_test
testsuite_unit_image_tables_test_SOURCES = testsuite/unit/image_tables_test.c tables/tables.c tables/tables.h
testsuite_unit_image_tables_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_image_tables_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_image_tables_test_LDADD = librt_san.a libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS)

UNIT_TESTS += testsuite/unit/tables_reader_test
testsuite_unit_tables_reader_test_SOURCES = testsuite/unit/tables_reader_test.c tables/reader.c tables/reader.h tables/tables.c tables/tables.h \
	testsuite/unit/elf_compile.h
testsuite_unit_tables_reader_test_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_tables_reader_test_LDADD = libdebuginfo.a libbase.a $(DEBUGINFO_LIBS)

UNIT_TESTS += testsuite/unit/rt_unwind_damaged_test
testsuite_unit_rt_unwind_damaged_test_SOURCES = testsuite/unit/rt_unwind_damaged_test.c
testsuite_unit_rt_unwind_damaged_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_unwind_damaged_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_unwind_damaged_test_LDADD = librt_san.a
EXTRA_DIST += testsuite/fuzz/unwind_fuzz.c

UNIT_TESTS += testsuite/unit/rt_format_test
testsuite_unit_rt_format_test_SOURCES = testsuite/unit/rt_format_test.c
testsuite_unit_rt_format_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_format_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_format_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_stat_test
testsuite_unit_rt_stat_test_SOURCES = testsuite/unit/rt_stat_test.c
testsuite_unit_rt_stat_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_stat_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_stat_test_LDADD = librt_san.a -lm

UNIT_TESTS += testsuite/unit/rt_quantile_test
testsuite_unit_rt_quantile_test_SOURCES = testsuite/unit/rt_quantile_test.c
testsuite_unit_rt_quantile_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_quantile_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_quantile_test_LDADD = librt_san.a -lm

UNIT_TESTS += testsuite/unit/rt_fp_test
testsuite_unit_rt_fp_test_SOURCES = testsuite/unit/rt_fp_test.c
testsuite_unit_rt_fp_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_fp_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_fp_test_LDADD = librt_san.a -lm

UNIT_TESTS += testsuite/unit/rt_walk_test
testsuite_unit_rt_walk_test_SOURCES = testsuite/unit/rt_walk_test.c
testsuite_unit_rt_walk_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_walk_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_walk_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_map_test
testsuite_unit_rt_map_test_SOURCES = testsuite/unit/rt_map_test.c
testsuite_unit_rt_map_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_map_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_rt_map_test_LDADD = librt_san.a

UNIT_TESTS += testsuite/unit/rt_thread_test
testsuite_unit_rt_thread_test_SOURCES = testsuite/unit/rt_thread_test.c
testsuite_unit_rt_thread_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_rt_thread_test_CFLAGS = $(SAN_CFLAGS) -pthread
testsuite_unit_rt_thread_test_LDADD = librt_san.a

TESTS += testsuite/unit/rt_freestanding_test
dist_check_SCRIPTS += testsuite/unit/rt_freestanding_test

# --- guests: DejaGnu's suites ---
EXTRA_DIST += testsuite/run-guests testsuite/pairs testsuite/spile.queue testsuite/suspend testsuite/sweep testsuite/call_ioctls_make testsuite/debug-kernel testsuite/debug-kernel.config testsuite/boards \
	testsuite/config testsuite/lib testsuite/spile.examples testsuite/spile.here testsuite/spile.vm testsuite/spile.run testsuite/spile.stress

# spile with all of its code sanitised, for spile.here.
check_PROGRAMS += testsuite/spile_san
testsuite_spile_san_SOURCES = translator/main.c
testsuite_spile_san_CPPFLAGS = $(libtranslator_san_a_CPPFLAGS)
testsuite_spile_san_CFLAGS = $(SAN_CFLAGS)
testsuite_spile_san_LDADD = $(testsuite_unit_table_test_LDADD)

# Every suite on every installed kernel. GUESTS="-k RELEASE" and SUITES="vm.exp" run less.
check-guests: all $(check_PROGRAMS)
	"$(top_srcdir)/testsuite/run-guests" "$(abs_top_builddir)" $(GUESTS) $(SUITES)
.PHONY: check-guests

# --- generated C, natively ---
check_LIBRARIES += libnative_san.a
libnative_san_a_SOURCES = testsuite/unit/native_main.c testsuite/unit/native_embed.c
libnative_san_a_CPPFLAGS = $(librt_san_a_CPPFLAGS)
libnative_san_a_CFLAGS = $(SAN_CFLAGS)
dist_check_SCRIPTS += testsuite/unit/native_run_test.sh testsuite/unit/parts_test.sh
EXTRA_DIST += testsuite/unit/native_run
# The C of all scripts has no warning.
dist_check_SCRIPTS += testsuite/unit/clean_c_test.sh
# The C and the plans of a few scripts are unchanged.
dist_check_SCRIPTS += testsuite/unit/golden_test.sh
EXTRA_DIST += testsuite/spile.emit testsuite/spile.lower

# --- tables: the whole program on many small scripts ---
check_LIBRARIES += libtranslator_san.a
libtranslator_san_a_SOURCES = $(translator_sources)
libtranslator_san_a_CPPFLAGS = $(libdebuginfo_a_CPPFLAGS) $(JSON_CFLAGS)
libtranslator_san_a_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_table_test_SOURCES = testsuite/unit/table_test.c testsuite/unit/table_run.c testsuite/unit/table_run.h
testsuite_unit_table_test_CPPFLAGS = $(libtranslator_san_a_CPPFLAGS)
testsuite_unit_table_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_table_test_LDFLAGS = -Wl,--wrap=diag_flush,--wrap=parse_pass
testsuite_unit_table_test_LDADD = libtranslator_san.a libbuild_san.a libparser_san.a libregex_san.a libdebuginfo_san.a libbase_san.a $(DEBUGINFO_LIBS) \
	$(JSON_LIBS)
EXTRA_DIST += testsuite/tables

UNIT_TESTS += testsuite/unit/terminal_test
testsuite_unit_terminal_test_SOURCES = testsuite/unit/terminal_test.c
testsuite_unit_terminal_test_CPPFLAGS = $(libtranslator_san_a_CPPFLAGS)
testsuite_unit_terminal_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_terminal_test_LDADD = $(testsuite_unit_table_test_LDADD)

UNIT_TESTS += testsuite/unit/uses_test
testsuite_unit_uses_test_SOURCES = testsuite/unit/uses_test.c
testsuite_unit_uses_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_uses_test_LDADD = $(testsuite_unit_table_test_LDADD)

UNIT_TESTS += testsuite/unit/forms_test
testsuite_unit_forms_test_SOURCES = testsuite/unit/forms_test.c
testsuite_unit_forms_test_CPPFLAGS = $(libtranslator_san_a_CPPFLAGS)
testsuite_unit_forms_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_forms_test_LDADD = $(testsuite_unit_table_test_LDADD)

# --- doc/language.md: its examples ---
dist_check_SCRIPTS += testsuite/unit/reference_test.sh
EXTRA_DIST += testsuite/unit/reference_examples.awk

# --- translator/resolve/ ---
UNIT_TESTS += testsuite/unit/select_test
testsuite_unit_select_test_SOURCES = testsuite/unit/select_test.c translator/resolve/select.c
testsuite_unit_select_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_select_test_LDADD = libbase_san.a
# --- translator/regex/ and runtime/rt/regex.c ---
check_LIBRARIES += libregex_san.a
libregex_san_a_SOURCES = $(regex_sources)
libregex_san_a_CFLAGS = $(SAN_CFLAGS)

UNIT_TESTS += testsuite/unit/regex_test
testsuite_unit_regex_test_SOURCES = testsuite/unit/regex_test.c testsuite/unit/regex_run.h
testsuite_unit_regex_test_CPPFLAGS = $(librt_san_a_CPPFLAGS)
testsuite_unit_regex_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_regex_test_LDADD = librt_san.a libregex_san.a libbase_san.a
dist_check_SCRIPTS += testsuite/unit/diag_ids_test.sh testsuite/unit/explain_test.sh testsuite/unit/habit_test.sh

# --- doc/functions.md ---
dist_check_SCRIPTS += testsuite/unit/aliases_test.sh
dist_check_SCRIPTS += testsuite/unit/aliases_fired_test.sh
dist_check_SCRIPTS += testsuite/unit/running_kernel_test.sh
dist_check_SCRIPTS += testsuite/unit/functions_test.sh
dist_check_SCRIPTS += testsuite/unit/library_names_test.sh
dist_check_SCRIPTS += testsuite/unit/variable_types_test.sh
dist_check_SCRIPTS += testsuite/unit/script_headers_test.sh
dist_check_SCRIPTS += testsuite/unit/library_tested_test.sh
dist_check_SCRIPTS += testsuite/unit/syscall_names_test.sh
CLEANFILES += testsuite/unit/call_ioctls.made
EXTRA_DIST += testsuite/unit/data/library.names testsuite/unit/data/library.untested testsuite/unit/data/syscalls.names testsuite/unit/data/variables.types \
	testsuite/unit/data/variables.others

# --- translator/debuginfo/elf.c: programs of which less is known ---
dist_check_SCRIPTS += testsuite/unit/foreign_programs_test.sh testsuite/unit/shared_debuginfo_test.sh testsuite/unit/split_debuginfo_test.sh

# --- names with special characters ---
dist_check_SCRIPTS += testsuite/unit/hostile_names_test.sh
dist_check_SCRIPTS += testsuite/unit/scopes_test.sh
dist_check_SCRIPTS += testsuite/unit/members_test.sh
dist_check_SCRIPTS += testsuite/unit/debuginfod_test.sh
EXTRA_DIST += testsuite/unit/data/scopes.cc testsuite/unit/data/members.cc testsuite/unit/data/own.c

# --- translator/options.c ---
dist_check_SCRIPTS += testsuite/unit/rc_test.sh testsuite/unit/tools_test.sh testsuite/unit/cache_options_test.sh testsuite/unit/killed_test.sh testsuite/unit/costs_test.sh

# --- translator/probes/libraries.c ---
dist_check_SCRIPTS += testsuite/unit/library_paths_test.sh
UNIT_TESTS += testsuite/unit/libraries_test
testsuite_unit_libraries_test_SOURCES = testsuite/unit/libraries_test.c
testsuite_unit_libraries_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_libraries_test_CPPFLAGS = $(libtranslator_san_a_CPPFLAGS)
testsuite_unit_libraries_test_LDADD = $(testsuite_unit_table_test_LDADD)

# Those that `make ci-builds` leaves out, since they take long, and `make check` runs them.
LONG_TESTS = testsuite/unit/table_test testsuite/unit/build_test testsuite/unit/build_cache_test testsuite/unit/build_parts_test testsuite/unit/corpus_test testsuite/unit/regex_test \
	testsuite/unit/elf_test testsuite/unit/kernel_test testsuite/unit/lint_test.sh testsuite/unit/check_test.sh testsuite/unit/clean_c_test.sh \
	testsuite/unit/native_run_test.sh testsuite/unit/reference_test.sh testsuite/unit/explain_test.sh testsuite/unit/examples_test.sh \
	testsuite/unit/install_test.sh testsuite/unit/rt_freestanding_test testsuite/unit/sdt_test.sh testsuite/unit/aliases_test.sh \
	testsuite/unit/running_kernel_test.sh testsuite/unit/foreign_programs_test.sh testsuite/unit/split_debuginfo_test.sh \
	testsuite/unit/shared_debuginfo_test.sh testsuite/unit/scopes_test.sh testsuite/unit/members_test.sh testsuite/unit/debuginfod_test.sh \
	testsuite/unit/hostile_names_test.sh testsuite/unit/cache_options_test.sh testsuite/unit/killed_test.sh testsuite/unit/costs_test.sh \
	testsuite/unit/library_test.sh testsuite/unit/switches_test.sh testsuite/unit/parser_test testsuite/unit/syscall_names_test.sh
