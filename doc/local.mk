# SPDX-License-Identifier: GPL-2.0-or-later
dist_man_MANS += doc/spile-dtrace.1 doc/spile-merge.1 doc/spile-prep.1 doc/spile-report.1 doc/spile-vm.1 doc/spile.1 doc/spilerun.8
EXTRA_DIST += doc/build.md doc/compatibility.md doc/design.md doc/examples.awk doc/examples.md doc/functions.md doc/messages.md \
	doc/modules.md doc/newer-kernels.md doc/other-tracers.md doc/parser.md \
	doc/output-formats.md doc/performance.md \
	doc/safety.md

# spile-language(7) is made of doc/language.md.
EXTRA_DIST += doc/language.awk doc/language.md
man_MANS += doc/spile-language.7
CLEANFILES += doc/spile-language.7
doc/spile-language.7: doc/language.md doc/language.awk
	$(AM_V_GEN)$(MKDIR_P) doc && $(AWK) -f $(srcdir)/doc/language.awk $(srcdir)/doc/language.md >$@.tmp && mv $@.tmp $@
