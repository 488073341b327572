// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lets gdb look at a process by its remote protocol, without ptrace:
 *
 *	insmod gdb_stub.ko pid=PID
 *	gdb -ex 'set sysroot /' -ex 'target remote /dev/gdb_stub' PROGRAM
 *	rmmod gdb_stub
 *
 * Breakpoints, single steps, registers and memory, which are only read.  A thread that hits a breakpoint is held in the probe's handler, which
 * may sleep; the other threads run on until they hit one, and wait their turn there.  The first stop, and Ctrl-C, hold the first thread by
 * a quiesce; one that sleeps in a system call is left there, since its registers stay as they are: if it wakes up, it is held before it goes
 * to user mode.  A single step is a probe of one instruction, which the kernel executes out of line; then the thread quiesces.
 *
 * Probes of this session stay until it ends: while a thread is held in a handler, removing one would wait for gdb.  So do other tools that
 * remove uprobes meanwhile.
 */
#define pr_fmt(text) KBUILD_MODNAME ": " text

#include <linux/kdebug.h>
#if __has_include(<linux/hex.h>) /* newer kernels have bin2hex() there */
#include <linux/hex.h>
#endif
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/wait.h>
#include <asm/ioctls.h>
#include <asm/termbits.h>

#include "probes.c"
#include "tasks.c"

#ifndef CONFIG_X86_64
#error "gdb_stub.c knows the registers of x86-64 only"
#endif

#define PACKET 4096
#define MEMORY 1024 /* bytes at a time */

static struct task_watch watch;
static struct task_struct *process; /* its first thread, with a reference */
module_param_named(pid, watch.pid, int, 0444);
MODULE_PARM_DESC(pid, "process");

struct point {
	struct user_probe probe;
	struct list_head all;
	u8 byte; /* where the breakpoint is now */
	bool active;
};

static LIST_HEAD(points); /* gdb's task changes it, as all that has to do with packets */
static DEFINE_MUTEX(gdb); /* one system call of gdb at a time */
static bool attached; /* the device is open */

/* The rest is under lock, too, and whoever waits for a change of it waits here. */
static DEFINE_SPINLOCK(lock);
static DECLARE_WAIT_QUEUE_HEAD(changes);

static enum { RUNS, STOPS, STOPPED, GONE } state = RUNS;
static bool looking; /* gdb is there: threads are held */
static bool awaited; /* gdb waits for the next stop or the end, and takes neither at another time */
static struct task_struct *stopped; /* the thread that gdb sees, with a reference */
static struct pt_regs registers; /* as they were when it was held: its kernel stack may go before gdb hears of its end */
static struct task_struct *stepper; /* executes one instruction; only compared with */
static unsigned long step_from;
static int stop_signal, exit_code;
static char answer[2 * PACKET];
static unsigned int answered, taken;

/* ---- the protocol's text ---- */

static void put_raw(const char *text, unsigned int n)
{
	n = min_t(unsigned int, n, sizeof(answer) - answered);
	memcpy(answer + answered, text, n);
	answered += n;
}

/* A packet.  Under lock. */
static void put_packet(const char *text, unsigned int n)
{
	char end[4];
	u8 sum = 0;

	for (unsigned int i = 0; i < n; i++)
		sum += text[i];
	put_raw("$", 1);
	put_raw(text, n);
	snprintf(end, sizeof(end), "#%02x", sum);
	put_raw(end, 3);
	wake_up_all(&changes);
}

static void reply(const char *text)
{
	spin_lock(&lock);
	put_packet(text, strlen(text));
	spin_unlock(&lock);
}

/* Under lock. */
static void put_stop(void)
{
	char text[32];

	if (!awaited)
		return;
	awaited = false;
	put_packet(text, scnprintf(text, sizeof(text), "T%02xthread:%x;", stop_signal, task_pid_nr(stopped)));
}

/* Under lock. */
static void put_end(void)
{
	char text[8];
	int signal = exit_code & 0x7f;

	if (!awaited)
		return;
	awaited = false;
	put_packet(text, scnprintf(text, sizeof(text), "%c%02x", signal ? 'X' : 'W', signal ?: exit_code >> 8 & 0xff));
}

/* ---- holding threads ---- */

/* The thread that gdb sees; NULL: none.  Under lock. */
static void set_stopped(struct task_struct *t, const struct pt_regs *regs)
{
	if (stopped)
		put_task_struct(stopped);
	stopped = t ? get_task_struct(t) : NULL;
	if (t)
		registers = *regs;
	stepper = NULL;
	if (state != GONE)
		state = t ? STOPPED : RUNS;
}

/*
 * Is it current's turn to be the one that gdb sees, or is there none any more?  *held: it is.  To let a thread go by a breakpoint, gdb
 * takes the breakpoint away and lets only that thread make a step.  It knows that others are stopped meanwhile: so they wait here.
 */
static bool my_turn(struct pt_regs *regs, const struct point *pt, bool *held)
{
	bool done = true;

	*held = false;
	spin_lock(&lock);
	if (state == STOPPED && stopped == current) {
		registers = *regs; /* gdb sees it as it slept */
		*held = true;
	} else if (state == STOPPED || (stepper && stepper != current)) {
		done = false;
	} else if (looking && state != GONE && !fatal_signal_pending(current) && (!pt || pt->active)) {
		if (state == RUNS)
			stop_signal = SIGTRAP;
		set_stopped(current, regs);
		put_stop();
		*held = true;
	}
	spin_unlock(&lock);
	return done;
}

static bool is_resumed(void)
{
	bool yes;

	spin_lock(&lock);
	yes = state != STOPPED || stopped != current;
	spin_unlock(&lock);
	return yes;
}

/* Whoever kills the process need not ask gdb. */
static void hold(struct pt_regs *regs, const struct point *pt)
{
	bool held = false;

	if (wait_event_killable(changes, my_turn(regs, pt, &held)) || !held)
		return;
	if (!wait_event_killable(changes, is_resumed()))
		return;
	spin_lock(&lock);
	if (stopped == current)
		set_stopped(NULL, NULL);
	spin_unlock(&lock);
	wake_up_all(&changes);
}

static bool steps_from(struct pt_regs *regs)
{
	bool yes;

	spin_lock(&lock);
	yes = stepper == current && step_from == instruction_pointer(regs);
	spin_unlock(&lock);
	return yes;
}

static void on_hit(struct user_probe *u, struct pt_regs *regs)
{
	struct point *pt = container_of(u, struct point, probe);

	if (!steps_from(regs))
		hold(regs, pt);
	if (steps_from(regs))
		quiesce_task(&watch, current);
}

/* The kernel has executed an instruction out of line. */
static int on_exception(struct notifier_block *unused, unsigned long what, void *data)
{
	const struct die_args *args = data;

	if (what == DIE_DEBUG && user_mode(args->regs) && READ_ONCE(stepper) == current)
		quiesce_task(&watch, current);
	return NOTIFY_DONE;
}

/* Before the kernel's own, which stops the others from being called. */
static struct notifier_block exceptions = { .notifier_call = on_exception, .priority = INT_MAX };

static void on_quiesce(struct task_watch *w)
{
	bool wanted;

	if (current->utask && current->utask->active_uprobe)
		return; /* the instruction is yet to be executed */
	spin_lock(&lock);
	wanted = stepper == current || state == STOPS || (state == STOPPED && stopped == current);
	spin_unlock(&lock);
	if (wanted)
		hold(task_pt_regs(current), NULL);
}

static void wake(struct work_struct *unused)
{
	wake_up_all(&changes);
}
static DECLARE_WORK(wake_work, wake);

static void on_exit(struct task_watch *w, int code)
{
	WRITE_ONCE(exit_code, code);
	if (cmpxchg(&stepper, current, NULL) == current) /* lock is not for this context */
		schedule_work(&wake_work);
}

static void on_gone(struct task_watch *w, int result)
{
	spin_lock(&lock);
	put_end();
	state = GONE;
	set_stopped(NULL, NULL);
	spin_unlock(&lock);
	wake_up_all(&changes);
}

static const struct task_events events = { .quiesce = on_quiesce, .exit = on_exit, .gone = on_gone };

/* ---- what gdb asks for ---- */

/* If the process was killed while gdb was not waiting, gdb hears of it now, or in on_gone(). */
static void resume(bool step)
{
	spin_lock(&lock);
	awaited = true;
	if (state == STOPPED) {
		struct task_struct *t = step ? stopped : NULL;

		step_from = instruction_pointer(&registers);
		set_stopped(NULL, NULL);
		stepper = t;
	} else if (state == GONE) {
		put_end();
	}
	spin_unlock(&lock);
	wake_up_all(&changes);
}

static struct task_struct *a_thread(void)
{
	struct task_struct *t, *found = NULL;

	rcu_read_lock();
	/* for_each_thread() has lockdep check a lock that modules cannot use. */
	list_for_each_entry_rcu(t, &process->signal->thread_head, thread_node)
		if (!found && !(t->flags & PF_EXITING))
			found = get_task_struct(t);
	rcu_read_unlock();
	return found;
}

/*
 * It sleeps in the kernel, and has to go by the work that was sent to it before it is in user mode again: so its registers stay.  One whose
 * process ends, which may take long for a core dump, does not come there.
 */
static bool sleeps(struct task_struct *t)
{
	return READ_ONCE(t->__state) != TASK_RUNNING && !READ_ONCE(t->on_cpu) && is_asked_to_quiesce(&watch, t) &&
	       !(READ_ONCE(t->signal->flags) & SIGNAL_GROUP_EXIT) && !READ_ONCE(t->signal->core_state);
}

/* A stack cannot be held by a module, and may go meanwhile: it was there if it is there afterwards. */
static bool copy_registers(struct task_struct *t, struct pt_regs *regs)
{
	if (copy_from_kernel_nofault(regs, task_pt_regs(t), sizeof(*regs)))
		return false;
	smp_rmb();
	return refcount_read(&t->stack_refcount);
}

static bool has_stopped(struct task_struct *t)
{
	struct pt_regs regs;
	bool yes;

	spin_lock(&lock);
	if (state == STOPS && t && sleeps(t) && copy_registers(t, &regs)) {
		set_stopped(t, &regs);
		put_stop();
	}
	yes = state != STOPS;
	spin_unlock(&lock);
	return yes;
}

/* Begins to stop a thread; false: nothing is to be waited for. */
static bool begin_stop(int signal)
{
	bool yes;

	spin_lock(&lock);
	yes = state == RUNS;
	if (yes) {
		state = STOPS;
		stop_signal = signal;
	} else if (state == STOPPED) {
		put_stop();
	} else if (state == GONE) {
		put_end();
	}
	spin_unlock(&lock);
	return yes;
}

/* A thread may end meanwhile: then it is another one. */
static void stop(int signal)
{
	bool done = !begin_stop(signal);

	while (!done && !fatal_signal_pending(current)) {
		struct task_struct *t = a_thread();

		if (t)
			quiesce_task(&watch, t);
		done = has_stopped(t);
		if (t)
			put_task_struct(t);
		if (!done)
			msleep(1);
	}
}

static void begin(void)
{
	spin_lock(&lock);
	awaited = true;
	spin_unlock(&lock);
	stop(SIGTRAP);
}

static struct point *find_point(unsigned long vaddr)
{
	struct point *pt;

	list_for_each_entry(pt, &points, all)
		if (pt->probe.vaddr == vaddr && pt->probe.status == USER_PROBE_REGISTERED)
			return pt;
	return NULL;
}

static struct point *make_point(unsigned long vaddr)
{
	struct point *pt = find_point(vaddr);

	if (pt)
		return pt;
	pt = kzalloc(sizeof(*pt), GFP_KERNEL);
	if (!pt)
		return NULL;
	pt->probe.pid = watch.pid;
	pt->probe.vaddr = vaddr;
	pt->probe.handler = on_hit;
	if (access_process_vm(process, vaddr, &pt->byte, 1, 0) != 1 || register_uprobe(&pt->probe)) {
		kfree(pt);
		return NULL;
	}
	list_add(&pt->all, &points);
	return pt;
}

static void set_breakpoint(const char *arguments, bool active)
{
	unsigned long vaddr;
	struct point *pt;

	if (sscanf(arguments, "0,%lx", &vaddr) != 1) {
		reply(""); /* only those of this kind */
		return;
	}
	pt = active ? make_point(vaddr) : find_point(vaddr);
	if (pt) {
		spin_lock(&lock);
		pt->active = active;
		spin_unlock(&lock);
		wake_up_all(&changes);
	}
	reply(pt || !active ? "OK" : "E01");
}

/* From a breakpoint, the thread goes on in its handler; elsewhere a probe is needed that only steps. */
static void step(void)
{
	unsigned long vaddr;
	bool there;

	spin_lock(&lock);
	there = state == STOPPED;
	vaddr = there ? instruction_pointer(&registers) : 0;
	spin_unlock(&lock);
	if (!there || make_point(vaddr))
		resume(true);
	else
		reply("E01");
}

static void read_registers(void)
{
	static const unsigned short order[] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, bx), offsetof(struct pt_regs, cx), offsetof(struct pt_regs, dx),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di), offsetof(struct pt_regs, bp), offsetof(struct pt_regs, sp),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9), offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13), offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
		offsetof(struct pt_regs, ip),
	};
	char text[512], *end = text;
	struct pt_regs regs;

	spin_lock(&lock);
	if (state == STOPPED)
		regs = registers;
	else
		end = NULL;
	spin_unlock(&lock);
	if (!end) {
		reply("E01");
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(order); i++)
		end = bin2hex(end, (char *)&regs + order[i], 8);
	end = bin2hex(end, &regs.flags, 4);
	end = bin2hex(end, &regs.cs, 4);
	end = bin2hex(end, &regs.ss, 4);
	memset(end, 'x', 32); /* the other segments: not known here */
	end[32] = '\0';
	reply(text);
}

/* The program's own bytes, where our breakpoints are. */
static void hide_breakpoints(unsigned long from, u8 *bytes, int n)
{
	const struct point *pt;

	list_for_each_entry(pt, &points, all)
		if (pt->probe.status == USER_PROBE_REGISTERED && pt->probe.vaddr - from < n)
			bytes[pt->probe.vaddr - from] = pt->byte;
}

static void read_memory(const char *arguments)
{
	static char text[2 * MEMORY + 1];
	static u8 bytes[MEMORY];
	unsigned long from, n;
	int got = 0;

	if (sscanf(arguments, "%lx,%lx", &from, &n) == 2)
		got = access_process_vm(process, from, bytes, min_t(unsigned long, n, MEMORY), 0);
	if (got <= 0) {
		reply("E01");
		return;
	}
	hide_breakpoints(from, bytes, got);
	*bin2hex(text, bytes, got) = '\0';
	reply(text);
}

/* Where the program is: what gdb needs for one that is position-independent.  Some bytes are written with a } before them. */
static void read_auxv(const char *arguments)
{
	static char text[2 * sizeof_field(struct mm_struct, saved_auxv) + 2];
	struct mm_struct *mm = get_task_mm(process);
	unsigned int from, n, length = 0;
	const char *bytes;

	if (!mm || sscanf(arguments, "%x,%x", &from, &n) != 2) {
		reply("E01");
		n = 0;
	} else {
		bytes = (const char *)mm->saved_auxv;
		text[length++] = from + n < sizeof(mm->saved_auxv) ? 'm' : 'l';
		for (unsigned int i = from; i < from + n && i < sizeof(mm->saved_auxv); i++) {
			bool escape = strchr("#$}*", bytes[i]) && bytes[i];

			if (escape)
				text[length++] = '}';
			text[length++] = escape ? bytes[i] ^ 0x20 : bytes[i];
		}
		spin_lock(&lock);
		put_packet(text, length);
		spin_unlock(&lock);
	}
	if (mm)
		mmput(mm);
}

static void name_thread(const char *format)
{
	char text[24] = "l";

	spin_lock(&lock);
	if (stopped)
		snprintf(text, sizeof(text), format, task_pid_nr(stopped));
	spin_unlock(&lock);
	reply(text);
}

static void detach(void);

static void answer_query(const char *packet)
{
	if (strstarts(packet, "qSupported"))
		reply("PacketSize=800;qXfer:auxv:read+");
	else if (strstarts(packet, "qXfer:auxv:read::"))
		read_auxv(packet + strlen("qXfer:auxv:read::"));
	else if (!strcmp(packet, "qC"))
		name_thread("QC%x");
	else if (!strcmp(packet, "qfThreadInfo"))
		name_thread("m%x");
	else if (!strcmp(packet, "qsThreadInfo"))
		reply("l");
	else if (!strcmp(packet, "qAttached"))
		reply("1");
	else
		reply("");
}

static void answer_packet(const char *packet)
{
	switch (packet[0]) {
	case '?':
		begin();
		break;
	case 'c':
		resume(false);
		break;
	case 's':
		step();
		break;
	case 'g':
		read_registers();
		break;
	case 'm':
		read_memory(packet + 1);
		break;
	case 'Z':
	case 'z':
		set_breakpoint(packet + 1, packet[0] == 'Z');
		break;
	case 'q':
		answer_query(packet);
		break;
	case 'G': /* registers and memory are not written */
	case 'P':
	case 'M':
	case 'X':
		reply("E01");
		break;
	case 'D':
	case 'k':
		detach();
		reply("OK");
		break;
	case 'H':
	case 'T':
		reply("OK");
		break;
	default:
		reply(""); /* not known here */
	}
}

/* ---- the device ---- */

static char incoming[PACKET];
static unsigned int nincoming;
static enum { BETWEEN, INSIDE, CHECK_1, CHECK_2 } place;

static void take_byte(char c)
{
	if (c == '$') {
		nincoming = 0;
		place = INSIDE;
	} else if (place == BETWEEN && c == 3) {
		stop(SIGINT);
	} else if (place == INSIDE && c == '#') {
		place = CHECK_1;
	} else if (place == INSIDE && nincoming < PACKET - 1) {
		incoming[nincoming++] = c;
	} else if (place == CHECK_1) {
		place = CHECK_2;
	} else if (place == CHECK_2) { /* what comes through a device comes as it was sent */
		place = BETWEEN;
		incoming[nincoming] = '\0';
		spin_lock(&lock);
		put_raw("+", 1);
		spin_unlock(&lock);
		answer_packet(incoming);
	}
}

static ssize_t gdb_write(struct file *file, const char __user *user, size_t n, loff_t *unused)
{
	size_t i;
	char c;

	mutex_lock(&gdb);
	for (i = 0; i < n && !get_user(c, user + i); i++)
		take_byte(c);
	mutex_unlock(&gdb);
	return i ?: -EFAULT;
}

static ssize_t gdb_read(struct file *file, char __user *user, size_t n, loff_t *unused)
{
	static char copy[sizeof(answer)];
	ssize_t rc;

	if (file->f_flags & O_NONBLOCK && READ_ONCE(answered) == READ_ONCE(taken))
		return -EAGAIN;
	rc = wait_event_interruptible(changes, READ_ONCE(answered) != READ_ONCE(taken));
	if (rc)
		return rc;
	mutex_lock(&gdb);
	spin_lock(&lock);
	n = min_t(size_t, n, answered - taken);
	memcpy(copy, answer + taken, n);
	taken += n;
	if (taken == answered)
		taken = answered = 0;
	spin_unlock(&lock);
	rc = copy_to_user(user, copy, n) ? -EFAULT : n;
	mutex_unlock(&gdb);
	return rc;
}

static __poll_t gdb_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &changes, table);
	return EPOLLOUT | EPOLLWRNORM | (READ_ONCE(answered) != READ_ONCE(taken) ? EPOLLIN | EPOLLRDNORM : 0);
}

/* gdb takes it for a serial line, whose settings it reads back. */
static long gdb_ioctl(struct file *file, unsigned int what, unsigned long argument)
{
	static struct termios settings;
	void __user *user = (void __user *)argument;

	switch (what) {
	case TCGETS:
		return copy_to_user(user, &settings, sizeof(settings)) ? -EFAULT : 0;
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		return copy_from_user(&settings, user, sizeof(settings)) ? -EFAULT : 0;
	case TCFLSH:
		return 0;
	}
	return -ENOTTY;
}

static int gdb_open(struct inode *inode, struct file *file)
{
	int rc = 0;

	mutex_lock(&gdb);
	if (attached)
		rc = -EBUSY;
	attached = true;
	if (!rc) {
		spin_lock(&lock);
		looking = true;
		answered = taken = 0;
		spin_unlock(&lock);
		place = BETWEEN;
	}
	mutex_unlock(&gdb);
	return rc;
}

/* Lets all go.  One that steps goes on with its step, which reports to nobody. */
static void detach(void)
{
	spin_lock(&lock);
	looking = awaited = false;
	set_stopped(NULL, NULL);
	spin_unlock(&lock);
	wake_up_all(&changes);
}

static int gdb_release(struct inode *inode, struct file *file)
{
	struct point *pt, *next;

	mutex_lock(&gdb);
	detach();
	list_for_each_entry_safe(pt, next, &points, all) {
		unregister_uprobe(&pt->probe);
		list_del(&pt->all);
		kfree(pt);
	}
	attached = false;
	mutex_unlock(&gdb);
	return 0;
}

static const struct file_operations gdb_operations = {
	.owner = THIS_MODULE,
	.open = gdb_open,
	.release = gdb_release,
	.read = gdb_read,
	.write = gdb_write,
	.poll = gdb_poll,
	.unlocked_ioctl = gdb_ioctl,
};

static struct miscdevice device = { .minor = MISC_DYNAMIC_MINOR, .name = KBUILD_MODNAME, .fops = &gdb_operations, .mode = 0600 };

static int find_process(void)
{
	struct pid *pid = find_get_pid(watch.pid);

	process = pid ? get_pid_task(pid, PIDTYPE_TGID) : NULL;
	put_pid(pid);
	return process ? 0 : -ESRCH;
}

static void clean_up(void)
{
	unregister_all_uprobes();
	end_task_events();
	flush_work(&wake_work);
	put_task_struct(process);
}

static int __init gdb_stub_init(void)
{
	int rc = find_process();

	if (rc)
		return rc;
	rc = begin_task_events(&events) ?: watch_task_struct(&watch, process) ?: register_die_notifier(&exceptions);
	if (!rc) {
		rc = misc_register(&device);
		if (rc)
			unregister_die_notifier(&exceptions);
	}
	if (rc)
		clean_up();
	return rc;
}

static void __exit gdb_stub_exit(void)
{
	misc_deregister(&device);
	unregister_die_notifier(&exceptions);
	clean_up();
}

module_init(gdb_stub_init);
module_exit(gdb_stub_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("answers the remote protocol of gdb for a process");
