# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += bench/argstr bench/arming bench/beside bench/bigscript bench/budgets bench/decoding bench/decoding.py bench/latency bench/overhead bench/python bench/scale bench/stream bench/calls.c \
	bench/events.c bench/guests.sh

# bench/rt_native: what runtime/rt/ costs per operation, on the host.  Built by name: make bench/rt_native
EXTRA_PROGRAMS = bench/rt_native
CLEANFILES += bench/rt_native
bench_rt_native_SOURCES = bench/rt_native.c $(rt_sources)
bench_rt_native_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime
bench_rt_native_CFLAGS = $(AM_CFLAGS) -O2 -pthread

# bench/unwind_native: the same for stacks of programs, on this program's own one.  make bench/unwind_native
EXTRA_PROGRAMS += bench/unwind_native
CLEANFILES += bench/unwind_native
bench_unwind_native_SOURCES = bench/unwind_native.c tables/tables.c testsuite/unit/port_native.c $(rt_sources)
bench_unwind_native_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime -DNATIVE_MEASURED
bench_unwind_native_CFLAGS = $(AM_CFLAGS) -O2 -fomit-frame-pointer -pthread
bench_unwind_native_LDADD = libdebuginfo.a libbase.a $(DEBUGINFO_LIBS)
