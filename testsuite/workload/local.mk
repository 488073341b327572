# SPDX-License-Identifier: GPL-2.0-or-later
# Programs to be probed: plain code with line tables, so that what is probed is what the source says.
WORKLOAD_CFLAGS = $(AM_CFLAGS) -Wno-missing-prototypes -O2 -g -pthread
EXTRA_DIST += testsuite/workload/module/kernel_probes.c testsuite/workload/module/lines_in_module.c testsuite/workload/module/papers.c testsuite/workload/module/task_events.c testsuite/workload/goroutines.go testsuite/workload/throws.cc testsuite/workload/workload.h

check_PROGRAMS += \
	testsuite/workload/absent \
	testsuite/workload/aio \
	testsuite/workload/audited \
	testsuite/workload/automounts \
	testsuite/workload/biglock \
	testsuite/workload/busy \
	testsuite/workload/callargs \
	testsuite/workload/callees \
	testsuite/workload/counts \
	testsuite/workload/crash \
	testsuite/workload/debugger \
	testsuite/workload/everything \
	testsuite/workload/faults \
	testsuite/workload/fights \
	testsuite/workload/figures \
	testsuite/workload/fills \
	testsuite/workload/forks \
	testsuite/workload/fragile \
	testsuite/workload/intercepts \
	testsuite/workload/json_lines \
	testsuite/workload/keys \
	testsuite/workload/lazy \
	testsuite/workload/left \
	testsuite/workload/library \
	testsuite/workload/lines \
	testsuite/workload/machine \
	testsuite/workload/mallocs \
	testsuite/workload/marks \
	testsuite/workload/maps \
	testsuite/workload/naps \
	testsuite/workload/packets \
	testsuite/workload/pages \
	testsuite/workload/parts \
	testsuite/workload/points \
	testsuite/workload/pound \
	testsuite/workload/probed \
	testsuite/workload/queue \
	testsuite/workload/recursion \
	testsuite/workload/semaphores \
	testsuite/workload/shapes \
	testsuite/workload/sleeps \
	testsuite/workload/stacks testsuite/workload/stacks_debug_frame testsuite/workload/stacks_fixed \
	testsuite/workload/spawns \
	testsuite/workload/standins \
	testsuite/workload/statements \
	testsuite/workload/switches \
	testsuite/workload/steady \
	testsuite/workload/systemcalls \
	testsuite/workload/talks \
	testsuite/workload/terminal \
	testsuite/workload/threads \
	testsuite/workload/tries \
	testsuite/workload/typed \
	testsuite/workload/waits \
	testsuite/workload/watch \
	testsuite/workload/again testsuite/workload/written

testsuite_workload_absent_SOURCES = testsuite/workload/absent.c
testsuite_workload_absent_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_audited_SOURCES = testsuite/workload/audited.c
testsuite_workload_audited_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_keys_SOURCES = testsuite/workload/keys.c
testsuite_workload_keys_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_machine_SOURCES = testsuite/workload/machine.c
testsuite_workload_machine_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_automounts_SOURCES = testsuite/workload/automounts.c
testsuite_workload_automounts_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_aio_SOURCES = testsuite/workload/aio.c
testsuite_workload_aio_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_biglock_SOURCES = testsuite/workload/biglock.c
testsuite_workload_biglock_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_busy_SOURCES = testsuite/workload/busy.c
testsuite_workload_busy_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_callees_SOURCES = testsuite/workload/callees.c testsuite/workload/callees.h testsuite/workload/callees_more.c
testsuite_workload_callees_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_counts_SOURCES = testsuite/workload/counts.c
testsuite_workload_counts_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_crash_SOURCES = testsuite/workload/crash.c
testsuite_workload_crash_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_debugger_SOURCES = testsuite/workload/debugger.c
testsuite_workload_debugger_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_everything_SOURCES = testsuite/workload/everything.c
testsuite_workload_everything_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_faults_SOURCES = testsuite/workload/faults.c
testsuite_workload_faults_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_fights_SOURCES = testsuite/workload/fights.c
testsuite_workload_fights_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_figures_SOURCES = testsuite/workload/figures.c
testsuite_workload_figures_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_fills_SOURCES = testsuite/workload/fills.c
testsuite_workload_fills_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_forks_SOURCES = testsuite/workload/forks.c
testsuite_workload_forks_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_intercepts_SOURCES = testsuite/workload/intercepts.c
testsuite_workload_intercepts_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_fragile_SOURCES = testsuite/workload/fragile.c
testsuite_workload_fragile_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_json_lines_SOURCES = testsuite/workload/json_lines.c
testsuite_workload_json_lines_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
testsuite_workload_json_lines_LDADD = $(JSON_LIBS)

testsuite_workload_lazy_SOURCES = testsuite/workload/lazy.c
testsuite_workload_lazy_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_left_SOURCES = testsuite/workload/left.c
testsuite_workload_left_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_library_SOURCES = testsuite/workload/library.c
testsuite_workload_library_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_lines_SOURCES = testsuite/workload/lines.c
testsuite_workload_lines_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_mallocs_SOURCES = testsuite/workload/mallocs.c
testsuite_workload_mallocs_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_queue_SOURCES = testsuite/workload/queue.c
testsuite_workload_queue_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_marks_SOURCES = testsuite/workload/marks.c
testsuite_workload_marks_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_semaphores_SOURCES = testsuite/workload/semaphores.c
testsuite_workload_semaphores_CFLAGS = $(WORKLOAD_CFLAGS)

check_DATA = testsuite/workload/semaphores_library.so
CLEANFILES += testsuite/workload/semaphores_library.so
EXTRA_DIST += testsuite/workload/semaphores_library.c
testsuite/workload/semaphores_library.so: testsuite/workload/semaphores_library.c testsuite/workload/workload.h include/sys/sdt.h
	$(AM_V_CCLD)$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(WORKLOAD_CFLAGS) -fPIC -shared -o $@ $(srcdir)/testsuite/workload/semaphores_library.c

testsuite_workload_maps_SOURCES = testsuite/workload/maps.c
testsuite_workload_maps_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_pages_SOURCES = testsuite/workload/pages.c
testsuite_workload_pages_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_parts_SOURCES = testsuite/workload/parts.c
testsuite_workload_parts_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_naps_SOURCES = testsuite/workload/naps.c
testsuite_workload_naps_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_packets_SOURCES = testsuite/workload/packets.c
testsuite_workload_packets_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_points_SOURCES = testsuite/workload/points.c
testsuite_workload_points_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_pound_SOURCES = testsuite/workload/pound.c
testsuite_workload_pound_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_probed_SOURCES = testsuite/workload/probed.c
testsuite_workload_probed_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_stacks_SOURCES = testsuite/workload/stacks.c
testsuite_workload_stacks_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE -fomit-frame-pointer -fpie
testsuite_workload_stacks_LDFLAGS = -pie
# What debuggers alone have: of its own functions nothing is in .eh_frame.
testsuite_workload_stacks_debug_frame_SOURCES = testsuite/workload/stacks.c
testsuite_workload_stacks_debug_frame_CFLAGS = $(WORKLOAD_CFLAGS) -g -D_GNU_SOURCE -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -fpie
testsuite_workload_stacks_debug_frame_LDFLAGS = -pie
testsuite_workload_stacks_fixed_SOURCES = testsuite/workload/stacks.c
testsuite_workload_stacks_fixed_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE -fomit-frame-pointer -fno-pie
testsuite_workload_stacks_fixed_LDFLAGS = -no-pie

testsuite_workload_spawns_SOURCES = testsuite/workload/spawns.c
testsuite_workload_spawns_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_standins_SOURCES = testsuite/workload/standins.c testsuite/workload/standins_qemu.c
testsuite_workload_standins_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_statements_SOURCES = testsuite/workload/statements.c
testsuite_workload_statements_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_switches_SOURCES = testsuite/workload/switches.c
testsuite_workload_switches_CFLAGS = $(WORKLOAD_CFLAGS)
testsuite_workload_recursion_SOURCES = testsuite/workload/recursion.c
testsuite_workload_recursion_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_shapes_SOURCES = testsuite/workload/shapes.c
testsuite_workload_shapes_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_sleeps_SOURCES = testsuite/workload/sleeps.c
testsuite_workload_sleeps_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_steady_SOURCES = testsuite/workload/steady.c
testsuite_workload_steady_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_callargs_SOURCES = testsuite/workload/callargs.c
testsuite_workload_callargs_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_systemcalls_SOURCES = testsuite/workload/systemcalls.c
testsuite_workload_systemcalls_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_talks_SOURCES = testsuite/workload/talks.c
testsuite_workload_talks_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_terminal_SOURCES = testsuite/workload/terminal.c
testsuite_workload_terminal_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_threads_SOURCES = testsuite/workload/threads.c
testsuite_workload_threads_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_tries_SOURCES = testsuite/workload/tries.c
testsuite_workload_tries_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_typed_SOURCES = testsuite/workload/typed.c
testsuite_workload_typed_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_waits_SOURCES = testsuite/workload/waits.c
testsuite_workload_waits_CFLAGS = $(WORKLOAD_CFLAGS)

testsuite_workload_watch_SOURCES = testsuite/workload/watch.c
testsuite_workload_watch_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE

testsuite_workload_written_SOURCES = testsuite/workload/written.c
testsuite_workload_written_CFLAGS = $(WORKLOAD_CFLAGS) -D_GNU_SOURCE
testsuite_workload_written_LDADD = -lpthread
EXTRA_DIST += testsuite/workload/hostile_python.c testsuite/workload/stacks.py testsuite/workload/Stacks.java testsuite/workload/Turns.java testsuite/workload/gdb_stacks.py testsuite/workload/compare_stacks.py

testsuite_workload_again_SOURCES = testsuite/workload/again.c
testsuite_workload_again_CFLAGS = $(WORKLOAD_CFLAGS)
