// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What kprobes.txt says about kprobes, kretprobes and jprobes, tried on functions of this module when it is loaded: each claim() is one
 * statement.  What did not hold is in the parameter `broken'.  Then `keep' registers one of each for a look from outside, and `call' calls
 * the functions that they are on.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "jprobes.c"

#define FUNCTION __attribute__((noipa))

static char broken[2048];
static unsigned int claims;
static volatile long sink;

static void claim(const char *what, long is, long should_be)
{
	claims++;
	if (is != should_be)
		scnprintf(broken + strlen(broken), sizeof(broken) - strlen(broken), "%s: is %ld, not %ld\n", what, is, should_be);
}

/* ---- what is probed ---- */

static FUNCTION long probed_outer(long a, long b)
{
	sink = a;
	return a * 3 + b;
}

static FUNCTION long probed_inner(long a)
{
	sink += a;
	return a;
}

static FUNCTION long probed_deep(long n)
{
	long below = n > 1 ? probed_deep(n - 1) : 0;

	sink = n;
	return below + 1;
}

static FUNCTION void *probed_caller_of(void)
{
	return __builtin_return_address(0);
}

static struct completion inside, go_on;

static FUNCTION long probed_waits(void)
{
	complete(&inside);
	wait_for_completion(&go_on);
	return 42;
}

struct pair {
	long first, second, third;
};

/* Registers, the stack, a structure on the stack, narrow types. */
static FUNCTION long probed_many(s8 a, u16 b, int c, long d, bool e, const char *f, long g, struct pair h, u8 i, long j)
{
	sink += c;
	return a + b + c + d + e + f[0] + g + h.first + 2 * h.second + 3 * h.third + i + j;
}

/* Its address as a number that no tool takes for a branch. */
static void *hidden(long (*function)(long, long))
{
	void *start = function;

	OPTIMIZER_HIDE_VAR(start);
	return start;
}

/* ---- handlers ---- */

static char trail[64];
static unsigned int steps;

static void step(char c)
{
	if (steps < sizeof(trail) - 1)
		trail[steps++] = c;
}

static void fresh(void)
{
	memset(trail, 0, sizeof(trail));
	steps = 0;
}

static void claim_trail(const char *what, const char *should_be)
{
	claim(what, strcmp(trail, should_be), 0);
	if (strcmp(trail, should_be))
		scnprintf(broken + strlen(broken), sizeof(broken) - strlen(broken), "  is %s, not %s\n", trail, should_be);
}

static long atomic_hits;

static int pre_a(struct kprobe *kp, struct pt_regs *regs)
{
	step('a');
	atomic_hits += !preemptible();
	return 0;
}

static int pre_b(struct kprobe *kp, struct pt_regs *regs)
{
	step('b');
	return 0;
}

static void post_a(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	step(flags ? '?' : 'A');
}

static int pre_calls_inner(struct kprobe *kp, struct pt_regs *regs)
{
	step('o');
	probed_inner(1);
	return 0;
}

/* ---- kprobes ---- */

static void test_kprobe(void)
{
	struct kprobe kp = { .symbol_name = "probed_outer", .pre_handler = pre_a, .post_handler = post_a };

	fresh();
	claim("a kprobe is registered by a symbol", register_kprobe(&kp), 0);
	claim("a function that is probed returns what it does", probed_outer(1, 2) + probed_outer(2, 2), 13);
	claim_trail("pre_handler before, post_handler after the instruction, each time", "aAaA");
	claim("handlers run with preemption off", atomic_hits, 2);
	unregister_kprobe(&kp);
	probed_outer(1, 2);
	claim_trail("a probe that was unregistered is not hit", "aAaA");
	claim("with the address that was found, and the symbol, it is not registered again", register_kprobe(&kp), -EINVAL);
	kp.addr = NULL;
	kp.pre_handler = NULL;
	kp.post_handler = NULL;
	claim("a kprobe needs no handlers", register_kprobe(&kp), 0);
	claim("and does no harm", probed_outer(1, 2), 5);
	unregister_kprobe(&kp);
}

static void test_place(void)
{
	char *start = hidden(probed_outer);
	unsigned int first = memcmp(start, "\xf3\x0f\x1e\xfa", 4) ? 0 : 4; /* endbr64 */
	struct kprobe kp = { .symbol_name = "probed_outer", .offset = first + 5, .pre_handler = pre_a };
	struct kprobe own = { .symbol_name = "get_kprobe" }, missing = { .symbol_name = "there_is_no_such_function" };

	fresh();
	claim("a kprobe within a function, by offset", register_kprobe(&kp), 0);
	claim("is where it should be", (char *)kp.addr - start, first + 5);
	probed_outer(1, 1);
	unregister_kprobe(&kp);
	claim_trail("and is hit", "a");
	claim("code of kprobes itself is refused", register_kprobe(&own), -EINVAL);
	claim("a symbol that is not there", register_kprobe(&missing), -ENOENT);
}

static void test_order(void)
{
	struct kprobe a = { .symbol_name = "probed_outer", .pre_handler = pre_a };
	struct kprobe b = { .symbol_name = "probed_outer", .pre_handler = pre_b };
	struct kprobe *both[] = { &a, &b };

	fresh();
	claim("several are registered at once", register_kprobes(both, 2), 0);
	probed_outer(1, 1);
	claim("one of several at an address is disabled", disable_kprobe(&a), 0);
	probed_outer(1, 1);
	claim("and enabled again", enable_kprobe(&a), 0);
	probed_outer(1, 1);
	claim_trail("all run, the newest first; one that is disabled is not called until it is enabled", "babba");
	unregister_kprobes(both, 2);
	claim("none is disabled that is not registered", disable_kprobe(&a), -EINVAL);
	a.addr = b.addr = NULL;
	a.flags = KPROBE_FLAG_DISABLED;
	b.symbol_name = "there_is_no_such_function";
	fresh();
	claim("of several that are registered at once", register_kprobes(both, 2) < 0, true);
	a.flags = 0;
	a.addr = NULL;
	claim("all go if one is bad", register_kprobe(&a), 0);
	b.addr = hidden(probed_outer);
	unregister_kprobes(both, 2);
	claim("of those that are unregistered at once, one that is not registered loses its address", !b.addr, true);
	probed_outer(1, 1);
	claim_trail("and the others are unregistered", "");
}

static void test_disabled(void)
{
	struct kprobe a = { .symbol_name = "probed_outer", .pre_handler = pre_a, .flags = KPROBE_FLAG_DISABLED };

	fresh();
	claim("a kprobe may begin disabled", register_kprobe(&a), 0);
	probed_outer(1, 1);
	claim_trail("it is not hit", "");
	claim("until it is enabled", enable_kprobe(&a), 0);
	probed_outer(1, 1);
	claim_trail("then it is", "a");
	unregister_kprobe(&a);
}

static void test_nested(void)
{
	struct kprobe o = { .symbol_name = "probed_outer", .pre_handler = pre_calls_inner };
	struct kprobe i = { .symbol_name = "probed_inner", .pre_handler = pre_b };

	fresh();
	claim("a handler may call what is probed", register_kprobe(&o) ?: register_kprobe(&i), 0);
	for (int n = 0; n < 7; n++)
		probed_outer(1, 1);
	probed_inner(1);
	claim_trail("that probe's handler is not run", "ooooooob");
	claim("and the probe's nmissed says so", i.nmissed, 7);
	claim("not that of the other", o.nmissed, 0);
	unregister_kprobe(&i);
	unregister_kprobe(&o);
}

static atomic_t together, met;

static int pre_meets(struct kprobe *kp, struct pt_regs *regs)
{
	atomic_inc(&together);
	for (unsigned int i = 0; i < 20000000 && atomic_read(&together) < 2; i++)
		cpu_relax();
	if (atomic_read(&together) == 2)
		atomic_inc(&met);
	return 0;
}

static int call_outer(void *unused)
{
	return probed_outer(1, 1);
}

static void test_two_cpus(void)
{
	struct kprobe kp = { .symbol_name = "probed_outer", .pre_handler = pre_meets };
	struct task_struct *other;

	if (num_online_cpus() < 2 || register_kprobe(&kp))
		return;
	migrate_disable();
	other = kthread_create(call_outer, NULL, "other_cpu");
	if (!IS_ERR(other)) {
		get_task_struct(other);
		kthread_bind(other, cpumask_any_but(cpu_online_mask, smp_processor_id()));
		wake_up_process(other);
		probed_outer(1, 1);
		kthread_stop(other);
		put_task_struct(other);
		claim("handlers run at the same time on several CPUs", atomic_read(&met), 2);
	}
	migrate_enable();
	unregister_kprobe(&kp);
}

static struct kprobe later = { .symbol_name = "probed_inner", .pre_handler = pre_b };
static int later_result = 1;

static void register_later(struct work_struct *unused)
{
	later_result = register_kprobe(&later);
}
static DECLARE_WORK(later_work, register_later);

static int pre_asks(struct kprobe *kp, struct pt_regs *regs)
{
	queue_work(system_wq, &later_work);
	return 0;
}

static void test_asking(void)
{
	struct kprobe kp = { .symbol_name = "probed_outer", .pre_handler = pre_asks };

	if (register_kprobe(&kp))
		return;
	fresh();
	probed_outer(1, 1);
	flush_work(&later_work);
	probed_inner(1);
	claim("a handler has a probe registered by a worker", later_result, 0);
	claim_trail("which is hit", "b");
	unregister_kprobe(&later);
	unregister_kprobe(&kp);
}

/* ---- kretprobes ---- */

static long entries, returns, values, data;
static unsigned long return_address;
static bool change;

static void fresh_returns(void)
{
	entries = returns = values = data = 0;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	returns++;
	values += regs_return_value(regs);
	return_address = get_kretprobe_retaddr(ri);
	if (change)
		regs_set_return_value(regs, 1000);
	return 0;
}

static int on_deep_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	entries++;
	*(long *)ri->data = regs_get_kernel_argument(regs, 0);
	return 0;
}

static int on_even_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	entries++;
	return regs_get_kernel_argument(regs, 0) & 1;
}

static int on_deep_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	data += *(long *)ri->data == regs_return_value(regs);
	return on_return(ri, regs);
}

static void test_kretprobe(void)
{
	struct kretprobe rp = { .kp.symbol_name = "probed_outer", .handler = on_return, .maxactive = 1 };

	fresh_returns();
	claim("a return probe", register_kretprobe(&rp), 0);
	claim("does the function no harm", probed_outer(1, 2) + probed_outer(2, 2), 13);
	claim("it is hit when the function returns", returns, 2);
	claim("and sees what it returns", values, 13);
	change = true;
	claim("a handler may change what is returned", probed_outer(1, 2), 1000);
	change = false;
	claim("a return probe is disabled", disable_kretprobe(&rp), 0);
	probed_outer(1, 2);
	claim("it is not hit then", returns, 3);
	claim("and is enabled", enable_kretprobe(&rp), 0);
	probed_outer(1, 2);
	claim("it is hit again", returns, 4);
	claim("nothing is missed", rp.nmissed, 0);
	unregister_kretprobe(&rp);
}

static FUNCTION void *call_caller_of(void)
{
	void *caller = probed_caller_of();

	sink++;
	return caller;
}

static void test_return_address(void)
{
	struct kretprobe rp = { .kp.symbol_name = "probed_caller_of", .handler = on_return };
	void *callers[2];

	for (int i = 0; i < 2; i++) {
		if (i && register_kretprobe(&rp))
			return;
		callers[i] = call_caller_of();
	}
	unregister_kretprobe(&rp);
	claim("the handler has the return address", return_address == (unsigned long)callers[0], true);
	claim("which the function itself does not see", callers[0] == callers[1], false);
}

static void test_maxactive(void)
{
	struct kretprobe rp = { .kp.symbol_name = "probed_deep", .handler = on_deep_return, .entry_handler = on_deep_entry, .data_size = sizeof(long),
				.maxactive = 3, .nmissed = 99 };

	fresh_returns();
	claim("maxactive", register_kretprobe(&rp), 0);
	claim("nmissed begins with 0", rp.nmissed, 0);
	claim("a recursion", probed_deep(10), 10);
	claim("so many calls are seen to return as maxactive says", returns, 3);
	claim("the outer ones", values, 10 + 9 + 8);
	claim("others are missed", rp.nmissed, 7);
	claim("for them entry_handler is not called", entries, 3);
	claim("what it keeps in data is that of the call", data, 3);
	probed_deep(3);
	claim("the instances are used again", returns, 6);
	unregister_kretprobe(&rp);
}

static void test_entry_handler(void)
{
	struct kretprobe rp = { .kp.symbol_name = "probed_deep", .handler = on_return, .entry_handler = on_even_entry, .maxactive = 6 };

	fresh_returns();
	claim("entry_handler", register_kretprobe(&rp), 0);
	claim("a recursion again", probed_deep(10), 10);
	claim("it is called at each entry", entries, 10);
	claim("a call for which it does not return 0 has no return", returns, 5);
	claim("the others have", values, 10 + 8 + 6 + 4 + 2);
	claim("none is missed", rp.nmissed, 0);
	probed_deep(12);
	claim("while entry_handler runs, it takes one of maxactive, too", rp.nmissed, 1);
	unregister_kretprobe(&rp);
}

static void test_default_maxactive(void)
{
	struct kretprobe rp = { .kp.symbol_name = "probed_deep", .handler = on_return };

	fresh_returns();
	claim("without maxactive", register_kretprobe(&rp), 0);
	claim("there is a default", rp.maxactive >= (int)num_possible_cpus(), true);
	probed_deep(rp.maxactive + 2);
	claim("which is kept to", returns, rp.maxactive);
	claim("the others are missed, too", rp.nmissed, 2);
	unregister_kretprobe(&rp);
}

static int call_waits(void *unused)
{
	long n = probed_waits();

	while (!kthread_should_stop())
		msleep(1);
	return n;
}

static void test_unregister_while_running(void)
{
	struct kretprobe rp = { .kp.symbol_name = "probed_waits", .handler = on_return };
	struct task_struct *t;

	fresh_returns();
	init_completion(&inside);
	init_completion(&go_on);
	if (register_kretprobe(&rp))
		return;
	t = kthread_run(call_waits, NULL, "waits");
	if (IS_ERR(t))
		return;
	wait_for_completion(&inside);
	unregister_kretprobe(&rp);
	complete(&go_on);
	claim("a function returns as always whose return probe was unregistered meanwhile", kthread_stop(t), 42);
	claim("and its handler is not called", returns, 0);
}

static void test_kretprobes(void)
{
	struct kretprobe a = { .kp.symbol_name = "probed_outer", .handler = on_return };
	struct kretprobe b = { .kp.symbol_name = "probed_inner", .handler = on_return };
	struct kretprobe *both[] = { &a, &b };

	fresh_returns();
	claim("several return probes at once", register_kretprobes(both, 2), 0);
	probed_outer(1, 1);
	probed_inner(1);
	claim("are hit", returns, 2);
	unregister_kretprobes(both, 2);
	probed_outer(1, 1);
	probed_inner(1);
	claim("and unregistered at once", returns, 2);
}

/* ---- jprobes ---- */

static long entry_sum;

static long entry_many(s8 a, u16 b, int c, long d, bool e, const char *f, long g, struct pair h, u8 i, long j)
{
	entry_sum += a + b + c + d + e + f[0] + g + h.first + 2 * h.second + 3 * h.third + i + j;
	a = b = c = d = g = i = j = -1;
	memset((void *)&h, 0xff, sizeof(h));
	f = "?";
	/* its own copies, on the stack too, whatever the compiler thinks */
	OPTIMIZER_HIDE_VAR(a);
	OPTIMIZER_HIDE_VAR(b);
	OPTIMIZER_HIDE_VAR(c);
	OPTIMIZER_HIDE_VAR(d);
	OPTIMIZER_HIDE_VAR(g);
	OPTIMIZER_HIDE_VAR(j);
	barrier_data(&h);
	barrier_data(&f);
	jprobe_return();
	return -1;
}

static long call_many(void)
{
	return probed_many(-5, 60000, -70000, 1L << 40, true, "x", 7, (struct pair){ 8, 9, 10 }, 200, -(1L << 41));
}

static void test_jprobe(void)
{
	struct jprobe jp = { .kp.symbol_name = "probed_many", .entry = entry_many };
	struct kretprobe rp = { .kp.symbol_name = "probed_many", .handler = on_return };
	long should_be = call_many(), sum = 0;

	fresh_returns();
	claim("a jprobe", register_jprobe(&jp), 0);
	for (int i = 0; i < 5; i++)
		sum += call_many();
	claim("its handler gets all arguments", entry_sum, 5 * should_be);
	claim("and does the function no harm, nor its registers and stack", sum, 5 * should_be);
	claim("with a return probe on the function", register_kretprobe(&rp), 0);
	claim("both are hit", call_many(), should_be);
	claim("the return probe", values, should_be);
	claim("the jprobe", entry_sum, 6 * should_be);
	unregister_kretprobe(&rp);
	claim("a jprobe is disabled", disable_jprobe(&jp), 0);
	call_many();
	claim("and not hit", entry_sum, 6 * should_be);
	claim("a jprobe is enabled", enable_jprobe(&jp), 0);
	call_many();
	claim("and hit", entry_sum, 7 * should_be);
	unregister_jprobe(&jp);
	call_many();
	claim("a jprobe is unregistered", entry_sum, 7 * should_be);
}

static long entry_outer(long a, long b)
{
	step('0' + a);
	step('0' + b);
	return 0;
}

static long entry_calls_outer(long a, long b)
{
	step('c');
	return probed_outer(a, b);
}

static void test_jprobes(void)
{
	struct jprobe a = { .kp.symbol_name = "probed_outer", .entry = entry_outer };
	struct jprobe b = { .kp.addr = hidden(probed_outer), .entry = entry_calls_outer };
	struct jprobe within = { .kp.symbol_name = "probed_outer", .kp.offset = 1, .entry = entry_outer };
	struct jprobe *both[] = { &a, &b };

	fresh();
	claim("several jprobes at once, of a function too", register_jprobes(both, 2), 0);
	claim("a handler that calls its function", probed_outer(3, 4), 13);
	claim_trail("is not hit by that; the newest runs first", "c34");
	claim("nmissed of a jprobe", a.kp.nmissed + b.kp.nmissed, 2);
	unregister_jprobes(both, 2);
	claim("not within a function", register_jprobe(&within), -EINVAL);
	within.kp = (struct kprobe){ .addr = hidden(probed_outer) + 1 };
	claim("nor by an address", register_jprobe(&within), -EINVAL);
	a.kp.addr = NULL;
	b = (struct jprobe){ .kp.symbol_name = "probed_inner" };
	claim("not without a handler", register_jprobes(both, 2), -EINVAL);
	b = (struct jprobe){ .kp.symbol_name = "there_is_no_such_function", .entry = entry_outer };
	claim("of several jprobes", register_jprobes(both, 2) < 0, true);
	probed_outer(1, 1);
	claim_trail("none stays if one is bad", "c34");
}

/* ---- to be looked at from outside ---- */

static struct kprobe kept_k = { .symbol_name = "probed_outer", .pre_handler = pre_a };
static struct jprobe kept_j = { .kp.symbol_name = "probed_inner", .entry = entry_outer };
static struct kretprobe kept_r = { .kp.symbol_name = "probed_deep", .handler = on_return };

static bool kept;

static int keep(const char *text, const struct kernel_param *unused)
{
	kept = true;
	kept_j.kp.flags = KPROBE_FLAG_DISABLED;
	fresh();
	fresh_returns();
	return register_kprobe(&kept_k) ?: register_jprobe(&kept_j) ?: register_kretprobe(&kept_r);
}

static int call(const char *text, const struct kernel_param *unused)
{
	probed_outer(1, 1);
	probed_inner(1);
	probed_deep(1);
	return 0;
}

static const struct kernel_param_ops keep_ops = { .set = keep }, call_ops = { .set = call };
module_param_cb(keep, &keep_ops, NULL, 0200);
module_param_cb(call, &call_ops, NULL, 0200);
module_param_string(broken, broken, sizeof(broken), 0444);
module_param_string(trail, trail, sizeof(trail), 0444);
module_param(claims, uint, 0444);
module_param(returns, long, 0444);

static int __init kernel_probes_init(void)
{
	test_kprobe();
	test_place();
	test_order();
	test_disabled();
	test_nested();
	test_two_cpus();
	test_asking();
	test_kretprobe();
	test_return_address();
	test_maxactive();
	test_entry_handler();
	test_default_maxactive();
	test_unregister_while_running();
	test_kretprobes();
	test_jprobe();
	test_jprobes();
	return 0;
}

static void __exit kernel_probes_exit(void)
{
	if (!kept)
		return; /* kernels fall over a return probe that was never registered */
	unregister_kprobe(&kept_k);
	unregister_jprobe(&kept_j);
	unregister_kretprobe(&kept_r);
}

module_init(kernel_probes_init);
module_exit(kernel_probes_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("tries what kprobes.txt says");
