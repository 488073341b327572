# SPDX-License-Identifier: GPL-2.0-or-later
# Modules written by hand, for tests of the runtime and the loader without the translator.
check_PROGRAMS += testsuite/hand/mkmod
testsuite_hand_mkmod_SOURCES = testsuite/hand/mkmod.c
testsuite_hand_mkmod_LDADD = libbuild.a libbase.a $(LIBELF_LIBS)
EXTRA_DIST += testsuite/hand/flood.c testsuite/hand/hammer.c testsuite/hand/script.h
EXTRA_DIST += \
	testsuite/hand/errors.c testsuite/hand/flood.c testsuite/hand/hammer.c testsuite/hand/lossy.c \
	testsuite/hand/overload.c testsuite/hand/script.h testsuite/spile.rt/rt.exp

UNIT_TESTS += testsuite/unit/sink_stacks_test
testsuite_unit_sink_stacks_test_SOURCES = testsuite/unit/sink_stacks_test.c $(loader_sources)
testsuite_unit_sink_stacks_test_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
testsuite_unit_sink_stacks_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_sink_stacks_test_LDADD = libbase_san.a $(JSON_LIBS) -lpthread

UNIT_TESTS += testsuite/unit/loader_test
testsuite_unit_loader_test_SOURCES = testsuite/unit/loader_test.c $(loader_sources)
testsuite_unit_loader_test_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
testsuite_unit_loader_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_loader_test_LDADD = libbase_san.a $(JSON_LIBS) -lpthread

UNIT_TESTS += testsuite/unit/requests_test
testsuite_unit_requests_test_SOURCES = testsuite/unit/requests_test.c $(loader_sources)
testsuite_unit_requests_test_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
testsuite_unit_requests_test_CFLAGS = $(SAN_CFLAGS)
testsuite_unit_requests_test_LDADD = libbase_san.a $(JSON_LIBS) -lpthread
