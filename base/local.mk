# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libbase.a
base_sources = \
	base/arena.c base/arena.h \
	base/busy.c base/busy.h \
	base/child.c base/child.h \
	base/command.c base/command.h \
	base/deep.c base/deep.h \
	base/diag.c base/diag.def base/diag.h \
	base/diag_print.c base/diag_print.h \
	base/file.c base/file.h \
	base/intern.c base/intern.h \
	base/kernels.c base/kernels.h \
	base/map.c base/map.h \
	base/mem.c base/mem.h \
	base/output.c base/output.h \
	base/paths.c base/paths.h \
	base/source.c base/source.h \
	base/std.c base/std.h \
	base/store.c base/store.h \
	base/str.c base/str.h \
	base/sweeper.c base/sweeper.h \
	base/usage.c base/usage.h \
	base/vec.c base/vec.h \
	base/visible.c base/visible.h
libbase_a_SOURCES = $(base_sources)

# The explanation of each message is its section of doc/messages.md.
BUILT_SOURCES += base/messages.h
EXTRA_DIST += base/messages.awk
CLEANFILES += base/messages.h
base/messages.h: base/diag.def base/messages.awk doc/messages.md
	$(AM_V_GEN)$(MKDIR_P) base && $(AWK) -f $(srcdir)/base/messages.awk $(srcdir)/base/diag.def \
		$(srcdir)/doc/messages.md >$@.tmp && mv $@.tmp $@
