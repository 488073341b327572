# SPDX-License-Identifier: GPL-2.0-or-later
# spile-dtrace, for programs that are to be traced.
bin_PROGRAMS += spile-dtrace
spile_dtrace_SOURCES = markers/main.c markers/parse.c markers/parse.h markers/write.c markers/write.h
spile_dtrace_LDADD = libbase.a
