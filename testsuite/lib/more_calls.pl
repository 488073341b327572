#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes calls by their numbers on x86-64, as no library would: for spile.run/syscall-variables-more.stp.  Before and after them it asks for a priority.
use strict;
my ($b, $in, $unix, $times, $zone) = ("\0" x 64, "", "", "", "");
my ($file, $type, $user, $key) = qw(/no/such ext9 user nokey);
$in .= pack("Sna4x8", 2, 80, "\x7f\0\0\1");
$unix .= pack("Sx14", 10);
$times .= pack("qq", 1000, -2);
$zone .= pack("ll", -6000, 1);
$SIG{USR1} = sub { };

syscall 146, 0;                                                     # sched_get_priority_max
syscall 22, $b;                                                     # pipe, pipe2
syscall 293, $b, 02004000;
syscall 284, 3;                                                     # eventfd, eventfd2
syscall 290, 3, 0;
syscall 213, 1;                                                     # epoll_create, epoll_create1
syscall 291, 02000000;
syscall 253;                                                        # inotify_init, inotify_init1
syscall 294, 0;
syscall 282, -1, $b, 8;                                             # signalfd, signalfd4
syscall 289, -1, $b, 8, 04000;
syscall 33, -1, 50;                                                 # dup2
syscall 43, -1, 0, 0;                                               # accept
syscall 42, -1, $in, 16;                                            # connect, bind
syscall 49, -1, $unix, 2;
syscall 42, -1, 0, 0;
syscall 132, $file, $times;                                         # utime
syscall 164, 0, $zone;                                              # settimeofday
syscall 139, 1, $type;                                              # sysfs
syscall 139, 2, 1000, 0;
syscall 139, 3;
syscall 250, 10, -3, $user, $key, 0;                                # keyctl
syscall 250, 3, -9;
syscall 179, 0x80000701, $file, -1, 0;                              # quotactl
syscall 8, -1, -1, -1;                                              # lseek
kill "USR1", $$;                                                    # a handler of a signal returns, twice
kill "USR1", $$;
exit if !syscall 57;                                                # fork
wait;
syscall 146, 0;
