# SPDX-License-Identifier: GPL-2.0-or-later
sbin_PROGRAMS += spilerun
loader_sources = loader/background.c loader/calls.c loader/commands.c loader/remedy.c loader/input.c loader/loader.h loader/module.c loader/outfile.c loader/programs.c loader/run.c loader/say.c loader/stream.c loader/symbols.c loader/target.c \
	loader/sinks/json.c loader/sinks/rows.c loader/sinks/sink.c loader/sinks/sink.h loader/sinks/stacks.c loader/sinks/text.c runtime/wire.h
spilerun_SOURCES = loader/main.c $(loader_sources)
spilerun_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
spilerun_LDADD = libbase.a $(JSON_LIBS) -lpthread
