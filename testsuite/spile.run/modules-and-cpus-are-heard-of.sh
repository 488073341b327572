#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A listener of the machine hears of a module before its first code runs and before its memory goes, of each CPU that is online when it begins to
# listen, and of one that comes, runs and goes; and of nothing when it has left.
cat >"$B/heard.stp" <<'X'
%{
#include <linux/string.h>
#include "kernel/machine.h"

static int came, went, early, cpus, runs, leaves;

static void heard_comes(struct module *m)
{
	if (!strcmp(m->name, "dummy")) {
		came++;
		early += m->state == MODULE_STATE_COMING;
	}
}

static void heard_goes(struct module *m)
{
	if (!strcmp(m->name, "dummy"))
		went++;
}

static void heard_cpu(unsigned int cpu)
{
	cpus++;
}

static void heard_cpu_runs(unsigned int cpu)
{
	runs += cpu_online(cpu) && cpu == raw_smp_processor_id();
}

static void heard_cpu_goes(unsigned int cpu)
{
	leaves += cpu == raw_smp_processor_id();
}

static struct machine_listener heard = {
	.module_comes = heard_comes, .module_goes = heard_goes, .cpu_comes = heard_cpu, .cpu_runs = heard_cpu_runs, .cpu_goes = heard_cpu_goes,
};
%}
function listen:long() %{ STAP_RETURN(machine_listen(&heard)); %}
function leave() %{ machine_leave(&heard); %}
function came:long() %{ STAP_RETURN(came); %}
function early:long() %{ STAP_RETURN(early); %}
function went:long() %{ STAP_RETURN(went); %}
function cpus:long() %{ STAP_RETURN(cpus); %}
function runs:long() %{ STAP_RETURN(runs); %}
function leaves:long() %{ STAP_RETURN(leaves); %}
global before
probe begin { printf("listens %d\n", listen()); before = cpus() }
probe end {
	leave()
	leave()
	printf("came %d, early %d, went %d; CPUs %d, then %d, %d running, %d leaving\n", came(), early(), went(), before, cpus() - before, runs(), leaves())
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -g -p4 -m heard_of heard.stp >/dev/null || exit 1
cat >"$B/heard" <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
online=/sys/devices/system/cpu/cpu1/online
rmmod dummy 2>/dev/null # of a test before this one
cat >changes <<'Y'
modprobe dummy && rmmod dummy && modprobe dummy && rmmod dummy || exit 1
echo 0 >\$1
echo 1 >\$1
Y
$SPILERUN -c "sh changes \$online" $B/heard_of.ko || exit 1
modprobe dummy && rmmod dummy && echo 0 >\$online && echo 1 >\$online && echo "and on"
X
out=$("$V" -t 100 exec "$G" -- sh "$B/heard" 2>&1)
expected="listens 0
came 2, early 2, went 2; CPUs 2, then 1, 1 running, 1 leaving
and on"
[ "$out" = "$expected" ] || { echo "$out"; exit 1; }
