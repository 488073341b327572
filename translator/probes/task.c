/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process.begin, .end, .thread.begin, .thread.end: the life of processes and threads; .syscall, .syscall.return: their system calls. */
#include "runtime/sites/syscall.h"
#include "runtime/sites/task.h"
#include "translator/probes/function.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"

enum { CALL = 1 << 8 }; /* the form is one of mechanism "syscall"; the bits below are its kind */

#define FORMS(head)                                                               \
	{head ".begin", SITE_TASK_BEGIN, "a process begins, or runs already"},    \
	{head ".end", SITE_TASK_END, "a process ends"},                           \
	{head ".thread.begin", SITE_TASK_THREAD_BEGIN, "a thread begins"},        \
	{head ".thread.end", SITE_TASK_THREAD_END, "a thread ends"},              \
	{head ".syscall", CALL | SITE_SYSCALL_ENTRY, "a system call of the process begins"}, \
	{head ".syscall.return", CALL | SITE_SYSCALL_RETURN, "one has ended"}

static const struct probe_form forms[] = {
	FORMS("process(s)"),
	FORMS("process(n)"),
	FORMS("process"),
	{0},
};

static void add(struct session *s, const struct point *p, const struct probe_form *form, const char *path, int64_t pid,
		struct sites *out)
{
	struct site *t = probe_site(s, &probe_task, p, out);

	t->kind = (unsigned)form->variant & ~CALL;
	t->is_user = true;
	t->s[0] = path;
	t->n[0] = pid;
	t->n[1] = s->opt.cmd || s->opt.target_pid ? SITE_TASK_TARGET : 0;
	if (!(form->variant & CALL))
		return;
	t->mechanism = &mechanism_syscall;
	t->is_call = true;
	t->is_return = t->kind == SITE_SYSCALL_RETURN;
	t->n[2] = SITE_SYSCALL_ALL;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *process = &p->c[0];
	const char *const *paths;
	int64_t pid;
	bool target;

	if (process->arg && process->arg->kind == N_NUMBER && process->arg->num <= 0)
		return probe_bad_value(s, process, "a process has a number above 0");
	if (!process->arg || process->arg->kind == N_NUMBER) {
		add(s, p, form, NULL, process->arg ? process->arg->num : 0, out);
		return 0;
	}
	paths = image_paths(s, process, true, &pid, &target);
	for (; paths && *paths; paths++) {
		struct problem why = {0};
		const char *path = image_program(s, *paths, &why);
		if (path) {
			add(s, p, form, path, 0, out);
		} else if (!p->optional) {
			session_problem(s, process->arg->loc, &why, "%s", "");
			return -1;
		}
	}
	return paths || p->optional ? 0 : -1;
}

static struct place *place(struct session *s, const struct site *t)
{
	struct problem ignored = {0};
	struct place_home home = {.image = t->s[0] ? image_open(s, t->s[0], &ignored) : NULL};
	struct place *p;

	if (t->is_call)
		return function_call_place(s, t, home);
	p = arena_new(&s->arena, struct place);
	p->home = home;
	return p;
}

const struct probe_mechanism mechanism_task = {.name = "task"};

const struct probe_family probe_task = {
	.mechanism = &mechanism_task,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
