// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Notifies of modules and CPUs that come and go.  See machine.h.
 *
 * The kernel calls us with locks of its own held, which it also takes when we register; and a callback about a module may wait for a CPU
 * that comes online.  So there is one lock for adding and removing listeners, and one for each kind of callback; changing the list takes
 * all of them.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mutex.h>
#include <linux/notifier.h>

#include "kernel/machine.h"
#include "kernel/mail.h"

static LIST_HEAD(machine_listeners);
static DEFINE_MUTEX(machine_lock);
static DEFINE_MUTEX(machine_module_lock);
static DEFINE_MUTEX(machine_cpu_lock);
static bool machine_hears_modules;
static int machine_hears_cpus, machine_hears_running_cpus; /* > 0: the hotplug state that the kernel assigned; < 0: it had none left */
static bool machine_warned;

static int machine_on_module(struct notifier_block *nb, unsigned long action, void *module)
{
	struct machine_listener *l;

	mutex_lock(&machine_module_lock);
	list_for_each_entry(l, &machine_listeners, list) {
		if (action == MODULE_STATE_COMING && l->module_comes)
			l->module_comes(module);
		else if (action == MODULE_STATE_LIVE && l->module_lives)
			l->module_lives(module);
		else if (action == MODULE_STATE_GOING && l->module_goes)
			l->module_goes(module);
	}
	mutex_unlock(&machine_module_lock);
	return NOTIFY_DONE;
}

static struct notifier_block machine_modules = { .notifier_call = machine_on_module };

#define MACHINE_TELL_OF_CPU(callback, cpu)                           \
	do {                                                         \
		struct machine_listener *l;                          \
                                                                     \
		mutex_lock(&machine_cpu_lock);                       \
		list_for_each_entry(l, &machine_listeners, list)     \
			if (l->callback)                             \
				l->callback(cpu);                    \
		mutex_unlock(&machine_cpu_lock);                     \
	} while (0)

/* An error of one of these would keep the CPU in the state that it is in. */
static int machine_on_cpu(unsigned int cpu)
{
	MACHINE_TELL_OF_CPU(cpu_comes, cpu);
	return 0;
}

static int machine_on_running_cpu(unsigned int cpu)
{
	MACHINE_TELL_OF_CPU(cpu_runs, cpu);
	return 0;
}

static int machine_on_leaving_cpu(unsigned int cpu)
{
	MACHINE_TELL_OF_CPU(cpu_goes, cpu);
	return 0;
}

static void machine_lock_list(void)
{
	mutex_lock(&machine_module_lock);
	mutex_lock(&machine_cpu_lock);
}

static void machine_unlock_list(void)
{
	mutex_unlock(&machine_cpu_lock);
	mutex_unlock(&machine_module_lock);
}

/* Under machine_lock. */
static int machine_hear(const struct machine_listener *l)
{
	int rc;

	if ((l->module_comes || l->module_lives || l->module_goes) && !machine_hears_modules) {
		rc = register_module_notifier(&machine_modules);
		if (rc)
			return rc;
		machine_hears_modules = true;
	}
	if (l->cpu_comes && machine_hears_cpus <= 0)
		machine_hears_cpus = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, THIS_MODULE->name, machine_on_cpu, NULL);
	if ((l->cpu_runs || l->cpu_goes) && machine_hears_running_cpus <= 0)
		machine_hears_running_cpus = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, THIS_MODULE->name,
								       machine_on_running_cpu, machine_on_leaving_cpu);
	if ((machine_hears_cpus < 0 || machine_hears_running_cpus < 0) && !machine_warned) {
		machine_warned = true;
		mail_warn("the kernel has no slot left to notify of CPUs that come online: hits on those are skipped");
	}
	return 0;
}

/* Under machine_lock: no listeners are left. */
static void machine_hear_no_more(void)
{
	if (machine_hears_modules)
		unregister_module_notifier(&machine_modules);
	machine_hears_modules = false;
	if (machine_hears_cpus > 0)
		cpuhp_remove_state_nocalls(machine_hears_cpus);
	machine_hears_cpus = 0;
	if (machine_hears_running_cpus > 0)
		cpuhp_remove_state_nocalls(machine_hears_running_cpus);
	machine_hears_running_cpus = 0;
}

/* Under machine_lock. */
static void machine_remove(struct machine_listener *l)
{
	bool empty;

	machine_lock_list();
	list_del(&l->list);
	l->list.next = NULL;
	empty = list_empty(&machine_listeners);
	machine_unlock_list();
	if (empty)
		machine_hear_no_more();
}

int machine_listen(struct machine_listener *l)
{
	int cpu, rc;

	mutex_lock(&machine_lock);
	machine_lock_list();
	list_add_tail(&l->list, &machine_listeners);
	machine_unlock_list();
	rc = machine_hear(l);
	if (rc) {
		machine_remove(l);
	} else if (l->cpu_comes) {
		cpus_read_lock(); /* waits for a CPU that is coming online; one that came before is online */
		for_each_online_cpu(cpu)
			l->cpu_comes(cpu);
		cpus_read_unlock();
	}
	mutex_unlock(&machine_lock);
	return rc;
}

void machine_leave(struct machine_listener *l)
{
	mutex_lock(&machine_lock);
	if (l->list.next)
		machine_remove(l);
	mutex_unlock(&machine_lock);
}
