# SPDX-License-Identifier: GPL-2.0-or-later
# For programs that are to be traced.
sysincludedir = $(includedir)/sys
sysinclude_HEADERS = include/sys/sdt.h
