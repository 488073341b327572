# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libbuild.a
build_sources = \
	translator/build/build.c translator/build/build.h translator/build/private.h \
	translator/build/cache.c \
	translator/build/calls.c \
	translator/build/compat.c \
	translator/build/sources.c \
	translator/build/headers.c \
	translator/build/kbuild.c \
	translator/build/driver.c \
	translator/build/frame.c \
	translator/build/kit.c \
	translator/build/members.c \
	translator/build/object.c \
	translator/build/parts.c \
	translator/build/pieces.c \
	translator/build/run.c \
	translator/build/runtime.c
libbuild_a_SOURCES = $(build_sources)
libbuild_a_CFLAGS = $(AM_CFLAGS) $(LIBELF_CFLAGS)
