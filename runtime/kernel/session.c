// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session: from the START command to the ledger.  Commands run one at a time under `commands', except a halt, which sets a mark and
 * requests to stop.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/arming.h"
#include "kernel/mechanism.h"
#include "kernel/found.h"
#include "kernel/hit.h"
#include "kernel/hurry.h"
#include "kernel/mail.h"
#include "kernel/names.h"
#include "kernel/overhead.h"
#include "kernel/own.h"
#include "kernel/session.h"
#include "kernel/state.h"
#include "kernel/symbols.h"
#include "kernel/target.h"
#include "kernel/timing.h"
#include "kernel/transport.h"
#include "kernel/ustack.h"
#include "rt/port.h"

static DEFINE_MUTEX(session_commands);
static unsigned int mechanisms_started; /* of the script's tables, from the first on */
static bool session_is_halted, globals_made, stopped_was_sent;

/* -G name=value */
struct setting {
	struct list_head list;
	char *value;
	char name[];
};
static LIST_HEAD(global_settings);

/* ---- start ---- */

int session_add_global(const char *name, const char *value)
{
	size_t n = strlen(name) + 1;
	struct setting *s = kzalloc(sizeof(*s) + n, GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	memcpy(s->name, name, n);
	s->value = kstrdup(value, GFP_KERNEL);
	if (!s->value) {
		kfree(s);
		return -ENOMEM;
	}
	list_add_tail(&s->list, &global_settings);
	return 0;
}

/* Names of the globals that can be set, as many as fit on a line. */
static void name_globals(char *to, size_t size)
{
	size_t n = 0;
	u32 i;

	to[0] = 0;
	for (i = 0; i < rt_script.nglobals && n + 48 < size; i++) {
		const struct rt_global *g = &rt_script.globals[i];

		if (!g->map && g->type != RT_STATS)
			n += scnprintf(to + n, size - n, "%s%.32s", n ? ", " : "; it has ", g->name);
	}
}

static int apply_setting(const struct setting *s)
{
	char names[160];

	switch (rt_global_set(s->name, s->value)) {
	case 0:
		return 0;
	case -1:
		name_globals(names, sizeof(names));
		mail_error("-G %s: the script has no global of this name%s", s->name, names);
		break;
	case -2:
		mail_error("-G %s: \"%s\" is not a number of 64 bits", s->name, s->value);
		break;
	case -3:
		mail_error("-G %s: arrays and statistics cannot be set", s->name);
		break;
	default:
		mail_error("-G %s: the value is longer than a string may be", s->name);
		break;
	}
	return -EINVAL;
}

static void refresh_mechanisms(void)
{
	unsigned int i;

	for (i = 0; i < READ_ONCE(mechanisms_started); i++)
		if (rt_script.tables[i].mechanism->refresh)
			rt_script.tables[i].mechanism->refresh();
}

static int make_session_memory(void)
{
	const struct setting *s;
	const char *what = "?";
	int rc = 0;

	if (rt_globals_init(&what)) {
		mail_error("no memory for global variable '%s', check MAXMAPENTRIES%s", what,
			   rt_script.limits->memory_kb ? " and STP_MAXMEMORY" : "");
		return -ENOMEM;
	}
	globals_made = true;
	list_for_each_entry(s, &global_settings, list)
		if (apply_setting(s))
			rc = -EINVAL;
	if (rc)
		return rc;
	rc = timing_init();
	if (!rc)
		rc = hit_init();
	if (!rc)
		rc = arming_init(hit_ask, refresh_mechanisms);
	if (rc)
		mail_error("no memory for the contexts of probe handlers: a smaller MAXSTRINGLEN or STP_BUFFER_SIZE helps%s",
			   rt_script.limits->memory_kb ? ", or a larger STP_MAXMEMORY" : "");
	return rc;
}

void session_hold(void)
{
	unsigned int i;

	if (rt_script.abi != RT_ABI)
		return;
	hurry_begin();
	for (i = 0; i < rt_script.ntables; i++) {
		const struct rt_site_table *t = &rt_script.tables[i];

		if (t->mechanism->hold)
			t->mechanism->hold(t->sites, t->nsites);
	}
	hurry_end();
}

/* The kernel's waits for RCU are short meanwhile; not while handlers run. */
static int start_mechanism(const struct rt_site_table *t, u32 *armed)
{
	const struct rt_mechanism *m = t->mechanism;
	int rc;

	if (m->runs_handlers)
		return m->start(t->sites, t->nsites, armed);
	hurry_begin();
	rc = m->start(t->sites, t->nsites, armed);
	hurry_end();
	return rc;
}

static void stop_mechanism(const struct rt_mechanism *m)
{
	if (m->runs_handlers) {
		m->stop();
		return;
	}
	hurry_begin();
	m->stop();
	hurry_end();
}

/* In order, until one fails or a begin probe asked to stop.  -EINTR: the loader requested it before anything began. */
static int start_mechanisms(u32 *armed)
{
	unsigned int i;

	for (i = 0; i < rt_script.ntables && state_going(); i++) {
		const struct rt_site_table *t = &rt_script.tables[i];
		unsigned int sent = mail_errors();
		int rc;

		arming_ask(); /* begin probes have run, the other mechanisms have not started */
		rc = start_mechanism(t, armed);
		if (rc && mail_errors() == sent)
			mail_error("the kernel does not take the %s probes (error %d); see dmesg for more", t->mechanism->name, rc);
		if (rc)
			return rc;
		WRITE_ONCE(mechanisms_started, i + 1);
	}
	return i || state_going() ? 0 : -EINTR;
}

static void announce_running(void)
{
	unsigned int i;

	for (i = 0; i < mechanisms_started; i++)
		if (rt_script.tables[i].mechanism->running)
			rt_script.tables[i].mechanism->running();
}

static void stop_mechanisms(void)
{
	state_set(STATE_STOPPING);
	arming_disable();
	hit_wait_idle(); /* no new hit begins; removing probes also waits for running handlers, but this can name them */
	state_calm(); /* end probes run normally */
	if (rt_script.programs && !state_abandoned())
		found_settle(); /* for them, and for what was output */
	found_close();
	while (mechanisms_started) {
		const struct rt_mechanism *m = rt_script.tables[mechanisms_started - 1].mechanism;

		WRITE_ONCE(mechanisms_started, mechanisms_started - 1);
		stop_mechanism(m);
		if (m->ledger)
			m->ledger();
	}
	hurry_begin();
	if (state_target())
		target_release();
	hurry_end();
	hit_wait_idle();
	arming_drain();
	if (!state_abandoned())
		timing_report();
	state_set(STATE_STOPPED);
}

/* The loader's pids are those of its own namespace. */
static int find_target(const struct wire_start *how)
{
	struct pid *pid;
	int target;

	rcu_read_lock();
	pid = how->target ? find_vpid(how->target) : NULL;
	target = pid ? pid_nr(pid) : 0;
	rcu_read_unlock();
	state_begin(how, target);
	if (target || !how->target)
		return 0;
	mail_error("there is no process %d", how->target);
	return -ESRCH;
}

/* Before anything of the script runs. */
static int prepare_session(const struct wire_start *how)
{
	int rc;

	if (rt_script.abi != RT_ABI) {
		mail_error("the script was compiled for another runtime (ABI %u, not %u): compile it again", rt_script.abi,
			   RT_ABI);
		return -ENOEXEC;
	}
	rc = find_target(how);
	if (!rc)
		rc = symbols_find();
	if (!rc)
		rc = names_begin();
	if (!rc)
		rc = ustack_begin();
	if (!rc)
		rc = make_session_memory();
	if (rc)
		return rc;
	own_begin(how, state_target());
	return state_target() ? target_follow() : 0;
}

static int start_session(const struct wire_start *how, u32 *armed)
{
	int rc;

	hurry_begin();
	rc = prepare_session(how);
	hurry_end();
	if (rc)
		return rc;
	state_set(STATE_STARTING);
	if (READ_ONCE(session_is_halted))
		state_request_stop();
	rc = start_mechanisms(armed);
	if (rc) {
		state_set_failed();
		stop_mechanisms();
		return rc;
	}
	arming_enable();
	if (state_move(STATE_STARTING, STATE_RUNNING))
		announce_running();
	return 0;
}

void session_start(const struct wire_start *how)
{
	struct wire_started answer = { 0 };

	mutex_lock(&session_commands);
	if (state_now == STATE_IDLE) {
		answer.rc = start_session(how, &answer.probes);
		if (answer.rc)
			state_set(STATE_STOPPED);
		mail_send(WIRE_STARTED, &answer, sizeof(answer));
	}
	mutex_unlock(&session_commands);
}

/* ---- stop ---- */

/* May come at any moment, also before the start. */
void session_halt(void)
{
	smp_store_mb(session_is_halted, true);
	state_request_stop();
}

static void send_stopped(void)
{
	struct wire_ledger l = { 0 };

	if (stopped_was_sent)
		return;
	stopped_was_sent = true;
	hit_ledger(&l);
	transport_ledger(&l);
	l.lost_messages = mail_lost();
	mail_send(WIRE_STOPPED, &l, sizeof(l));
}

void session_stop(void)
{
	state_request_stop(); /* a running start goes no further */
	mutex_lock(&session_commands);
	if (state_now != STATE_IDLE && state_now != STATE_STOPPED)
		stop_mechanisms();
	found_close(); /* also if nothing began: the reader waits */
	state_set(STATE_STOPPED);
	send_stopped();
	mutex_unlock(&session_commands);
}

/* Of a loader that was killed the module stays, and has no use for its memory.  A mechanism that cannot be stopped keeps what it uses. */
void session_abandon(void)
{
	state_set_abandoned();
	session_stop();
	if (state_stuck())
		return;
	mutex_lock(&session_commands);
	session_free();
	transport_drop();
	mutex_unlock(&session_commands);
}

void session_free(void)
{
	struct setting *s, *next;
	unsigned int i;

	hurry_begin();
	for (i = 0; rt_script.abi == RT_ABI && i < rt_script.ntables; i++)
		if (rt_script.tables[i].mechanism->let_go)
			rt_script.tables[i].mechanism->let_go();
	symbols_forget();
	names_end();
	ustack_end();
	overhead_free();
	hit_free();
	timing_free();
	arming_free();
	hurry_end();
	if (globals_made)
		rt_globals_free();
	globals_made = false;
	list_for_each_entry_safe(s, next, &global_settings, list) {
		list_del(&s->list);
		kfree(s->value);
		kfree(s);
	}
}
