# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libparser.a
AM_YFLAGS = -d -o y.tab.c -Wall
AM_LFLAGS = -o lex.yy.c
# parser/ast.h includes it, and nearly everything includes that.
BUILT_SOURCES += parser/grammar.h parser/slots.h
EXTRA_DIST += parser/slots.awk
CLEANFILES += parser/slots.h
parser/slots.h: parser/node.def parser/slots.awk
	$(AM_V_GEN)$(MKDIR_P) parser && $(AWK) -f $(srcdir)/parser/slots.awk $(srcdir)/parser/node.def >$@.tmp && mv $@.tmp $@
parser_sources = \
	parser/ast.c parser/ast.h parser/node.def parser/op.def \
	parser/unexpected.c parser/unexpected.h \
	parser/dump.c \
	parser/unparse.c parser/verify.c \
	parser/complain.c parser/complain.h \
	parser/feed.c \
	parser/format.c parser/format.h \
	parser/grammar.y \
	parser/habit.c parser/habit.def parser/habit.h \
	parser/lexer.l \
	parser/literal.c parser/literal.h \
	parser/macro.c \
	parser/make.c parser/make_expr.c parser/make_point.c parser/make_print.c \
	parser/parse.c parser/parse.h \
	parser/preproc.c \
	parser/shape.c \
	parser/stages.h
libparser_a_SOURCES = $(parser_sources)
$(libparser_a_OBJECTS): parser/grammar.h
