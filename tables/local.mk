# SPDX-License-Identifier: GPL-2.0-or-later
# spile-tables, which spilerun starts: tables of the programs and libraries that a session finds.
pkglibexec_PROGRAMS = spile-tables
spile_tables_SOURCES = tables/main.c tables/reader.c tables/reader.h tables/tables.c tables/tables.h
spile_tables_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS)
spile_tables_LDADD = libdebuginfo.a libbase.a $(DEBUGINFO_LIBS)
