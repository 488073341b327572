# SPDX-License-Identifier: GPL-2.0-or-later

noinst_LIBRARIES += libdebuginfo.a
libdebuginfo_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(LIBBPF_CFLAGS) $(LZMA_CFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS)
# What a program that links libdebuginfo.a needs after it.
DEBUGINFO_LIBS = $(LIBBPF_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS) $(LZMA_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS)
debuginfo_sources = \
	translator/debuginfo/abi.c translator/debuginfo/abi.h translator/debuginfo/abi_go.c \
	translator/debuginfo/arch/arm64.c translator/debuginfo/arch/x86_64.c translator/debuginfo/arch/x86_64_length.c translator/debuginfo/arch/x86_64_length.h \
	translator/debuginfo/btf.c translator/debuginfo/btf.h \
	translator/debuginfo/debug_files.c translator/debuginfo/debug_files.h \
	translator/debuginfo/dtype.h \
	translator/debuginfo/dwarf.c translator/debuginfo/dwarf.h translator/debuginfo/dwarf_private.h \
	translator/debuginfo/dwarf_callers.c translator/debuginfo/dwarf_functions.c translator/debuginfo/dwarf_index.c translator/debuginfo/scoped.c translator/debuginfo/scoped.h \
	translator/debuginfo/dwarf_arguments.c translator/debuginfo/dwarf_expr.c translator/debuginfo/dwarf_lines.c translator/debuginfo/dwarf_package.c translator/debuginfo/dwarf_scope.c translator/debuginfo/dwarf_symbols.c translator/debuginfo/dwarf_proto.c translator/debuginfo/dwarf_types.c translator/debuginfo/dwarf_vars.c translator/debuginfo/dwarf_rows.c \
	translator/debuginfo/elf.c translator/debuginfo/elf.h \
	translator/debuginfo/elf_build_id.c translator/debuginfo/elf_go.c translator/debuginfo/elf_functions.c translator/debuginfo/elf_image.h translator/debuginfo/elf_lines.c translator/debuginfo/elf_restartable.c translator/debuginfo/elf_returns.c translator/debuginfo/elf_statements.c translator/debuginfo/elf_threads.c translator/debuginfo/elf_unwind.c \
	translator/debuginfo/fetch.c translator/debuginfo/fetch.def translator/debuginfo/fetch.h \
	translator/debuginfo/find.c \
	translator/debuginfo/elf_instruction.c translator/debuginfo/kernel.c translator/debuginfo/kernel.h translator/debuginfo/kernel_code.c translator/debuginfo/kernel_dwarf.c translator/debuginfo/kernel_statements.c translator/debuginfo/kernel_lines.c translator/debuginfo/line_table.c translator/debuginfo/kernel_functions.c translator/debuginfo/kernel_syscalls.c translator/debuginfo/kernel_tracepoints.c translator/debuginfo/kernel_vdso.c translator/debuginfo/syscall_names.def translator/debuginfo/kernel_private.h translator/debuginfo/renamed.def \
	translator/debuginfo/kallsyms.c translator/debuginfo/kallsyms.h \
	translator/debuginfo/kernel_find.c translator/debuginfo/kernel_find.h \
	translator/debuginfo/kernel_module.c translator/debuginfo/kernel_module.h \
	translator/debuginfo/ksyms.c translator/debuginfo/ksyms.h \
	translator/debuginfo/lines.c translator/debuginfo/lines.h \
	translator/debuginfo/overload.c translator/debuginfo/overload.h translator/debuginfo/path.c \
	translator/debuginfo/servers.c translator/debuginfo/servers.h translator/debuginfo/problem.c translator/debuginfo/problem.h translator/debuginfo/sections.c translator/debuginfo/sections.h \
	translator/debuginfo/proto.h \
	translator/debuginfo/destination.c translator/debuginfo/destination.h \
	translator/debuginfo/target.c translator/debuginfo/target.h \
	translator/debuginfo/types.c translator/debuginfo/types.h \
	translator/debuginfo/pclntab.c translator/debuginfo/pclntab.h translator/debuginfo/cpython.c translator/debuginfo/cpython.h translator/debuginfo/plt.c translator/debuginfo/plt.h \
	translator/debuginfo/demangle.c translator/debuginfo/demangle.h \
	translator/debuginfo/usdt.c translator/debuginfo/usdt.h \
	translator/debuginfo/unpack.c translator/debuginfo/unpack.h \
	translator/debuginfo/unwind.c translator/debuginfo/unwind.h
libdebuginfo_a_SOURCES = $(debuginfo_sources)
include translator/build/local.mk
noinst_LIBRARIES += libregex.a
regex_sources = \
	translator/regex/keys.c \
	translator/regex/minimise.c \
	translator/regex/order.c \
	translator/regex/parse.c \
	translator/regex/positions.c \
	translator/regex/regex.c translator/regex/regex.h \
	translator/regex/subset.c \
	translator/regex/tagged.c \
	translator/regex/tree.h
libregex_a_SOURCES = $(regex_sources)

bin_PROGRAMS += spile
spile_SOURCES = translator/main.c $(translator_sources)
translator_sources = \
	translator/dump.c translator/dump.h \
	translator/examples.c translator/examples.h \
	translator/json.c translator/json.h \
	translator/listing.c translator/listing.h \
	translator/build_and_run.c \
	translator/call_args.c translator/call_args.def translator/call_args.h \
	translator/absent_options.def translator/options.c translator/options.def translator/options.h \
	translator/markers.c translator/markers.h \
	translator/pipeline.c translator/pipeline.h translator/report.c translator/report.h translator/run_check.c \
	translator/program.h translator/rates.c translator/terminal.c \
	translator/uses.c translator/uses.h \
	translator/session.c translator/session.h translator/limits.c translator/limits.h translator/limits.def \
	translator/resolve/arguments.c translator/resolve/declare.c translator/resolve/embedded.c translator/resolve/embedded.def \
	translator/resolve/embedded.h translator/resolve/entry.c translator/resolve/foreign.c translator/resolve/foreign.def translator/resolve/library.c translator/resolve/names.c \
	translator/resolve/points.c translator/resolve/resolve.h translator/resolve/select.c translator/resolve/select.h \
	translator/resolve/site_locals.c translator/resolve/site_locals.h \
	translator/resolve/buckets.c translator/resolve/target.c translator/resolve/values.c translator/resolve/values.h \
	translator/resolve/badvars.c translator/resolve/pretty.c translator/resolve/show.h translator/resolve/signature.c translator/resolve/signature.h translator/resolve/assign.c translator/resolve/target.h \
	translator/resolve/atop.c translator/resolve/atvar.c translator/resolve/braces.c translator/resolve/braces.h translator/resolve/cast.c translator/resolve/context.c translator/resolve/enumname.c translator/resolve/element.c translator/resolve/follow.c translator/resolve/given.c translator/resolve/given.h translator/resolve/header.c translator/resolve/header.h translator/resolve/home.c translator/resolve/home.h \
	translator/probes/forms.c translator/probes/forms.h translator/probes/function.c translator/probes/function.h translator/probes/place.c translator/probes/place.h translator/probes/probe.c translator/probes/probe.h translator/probes/probes.def translator/probes/mechanisms.def \
	translator/probes/absent.c translator/probes/absent.def translator/probes/bare.c translator/probes/bare.h translator/probes/begin.c translator/probes/image.c translator/probes/image.h translator/probes/instruction.c translator/probes/kernel.c translator/probes/kernel_lines.c translator/probes/kernel_lines.h translator/probes/libraries.c translator/probes/libraries.h translator/probes/mark.c translator/probes/netfilter.c translator/probes/plt.c translator/probes/python.c \
	translator/probes/process.c translator/probes/procfs.c translator/probes/sample.c translator/probes/statement.c translator/probes/statement.h translator/probes/task.c translator/probes/timer.c translator/probes/syscall.c translator/probes/trace.c translator/probes/uprobe.c translator/probes/userwatch.c translator/probes/watchpoint.c translator/probes/watched.c translator/probes/watched.h \
	translator/types/hints.c translator/types/hints.h \
	translator/types/check.c translator/types/dropped.c translator/types/dropped.h translator/types/entries.c translator/types/entries.h translator/types/infer.c \
	translator/types/pattern.c translator/types/pattern.h \
	translator/types/undeclared.c translator/types/undeclared.h \
	translator/opt/advice.c translator/opt/advice.h \
	translator/opt/dead.c translator/opt/display.c translator/opt/fold.c translator/opt/locals.c \
	translator/opt/later.c translator/opt/locks.c translator/opt/loops.c \
	translator/opt/opt.c translator/opt/opt.h \
	translator/opt/probes.c translator/opt/purity.c translator/opt/reach.c translator/opt/regions.c translator/opt/stable.c \
	translator/emit/embedded.c translator/emit/emit.h translator/emit/enum.c translator/emit/format.c translator/emit/headers.def translator/emit/images.c translator/emit/lines.c translator/emit/memory.c \
	translator/emit/program.c translator/emit/node.c translator/emit/parts.c translator/emit/regex.c translator/emit/show.c \
	translator/emit/text.c \
	translator/lower/barrier.c translator/lower/budget.c translator/lower/condition.c translator/lower/dump.c \
	translator/lower/effects.c translator/lower/expr.c translator/lower/lock.c translator/lower/lower.c translator/lower/lower.h \
	translator/lower/make.c translator/lower/memory.c translator/lower/ops.def translator/lower/order.c \
	translator/lower/private.h translator/lower/small.c translator/lower/stmt.c
spile_LDADD = libbuild.a libparser.a libregex.a libdebuginfo.a libbase.a $(DEBUGINFO_LIBS) $(JSON_LIBS)
spile_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
