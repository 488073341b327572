/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs fetch programs on a process stopped by ptrace: an independent implementation of what the generated C does in the kernel. */
#ifndef TESTSUITE_FETCH_RUN_H
#define TESTSUITE_FETCH_RUN_H

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "translator/debuginfo/fetch.h"

struct fetch_run {
	pid_t pid;
	struct user_regs_struct regs;
	uint64_t bias;
	int64_t inputs[4];
	bool failed;
};

static inline uint64_t fetch_run_register(const struct user_regs_struct *r, int64_t n)
{
	const unsigned long long v[] = {r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp, r->r8,
					r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip};

	return v[n];
}

static inline uint64_t fetch_run_extend(uint64_t v, unsigned bits, bool is_signed)
{
	if (bits >= 64)
		return v;
	v &= ((uint64_t)1 << bits) - 1;
	return is_signed && v >> (bits - 1) ? v | ~(uint64_t)0 << bits : v;
}

static inline uint64_t fetch_run_read(struct fetch_run *x, uint64_t address, const struct fetch_op *op)
{
	uint64_t v = 0;
	struct iovec to = {&v, op->size}, from = {(void *)address, op->size};

	if (process_vm_readv(x->pid, &to, 1, &from, 1, 0) != (ssize_t)op->size)
		x->failed = true;
	return fetch_run_extend(v, (unsigned)op->size * 8, op->is_signed);
}

static inline void fetch_run_op(struct fetch_run *x, const struct fetch_op *op, uint64_t *s, unsigned *n)
{
	static const int arguments[] = {5, 4, 1, 2, 8, 9};
	uint64_t *top = &s[*n - 1], a = *n > 1 ? s[*n - 2] : 0, b = *n ? *top : 0;

	switch (op->code) {
	case FETCH_CONST:
		s[(*n)++] = (uint64_t)op->n;
		break;
	case FETCH_REG:
	case FETCH_UREG:
		s[(*n)++] = fetch_run_register(&x->regs, op->n);
		break;
	case FETCH_ARG:
		s[(*n)++] = fetch_run_register(&x->regs, arguments[op->n]);
		break;
	case FETCH_RETVAL:
		s[(*n)++] = x->regs.rax;
		break;
	case FETCH_CFA:
		s[(*n)++] = x->regs.rsp + 8;
		break;
	case FETCH_BIAS:
		s[(*n)++] = x->bias;
		break;
	case FETCH_THREAD: /* of a program that runs */
	case FETCH_BLOCK:
	case FETCH_IMAGE:
	case FETCH_IN_IMAGE:
	case FETCH_GIVEN: /* of the kernel */
	case FETCH_SYMBOL:
	case FETCH_PERCPU:
	case FETCH_OF_CPU:
		x->failed = true;
		break;
	case FETCH_INPUT:
		s[(*n)++] = (uint64_t)x->inputs[op->n];
		break;
	case FETCH_ADD:
		*top += (uint64_t)op->n;
		break;
	case FETCH_INDEX:
		*top += (uint64_t)x->inputs[op->n] * op->size;
		break;
	case FETCH_DEREF:
		*top = fetch_run_read(x, *top, op);
		break;
	case FETCH_BITS:
		*top = fetch_run_extend(*top >> op->n, op->width, op->is_signed);
		break;
	case FETCH_EXT:
		*top = fetch_run_extend(*top, (unsigned)op->size * 8, op->is_signed);
		break;
	case FETCH_DUP:
		s[(*n)++] = b;
		break;
	case FETCH_OVER:
		s[(*n)++] = a;
		break;
	case FETCH_DROP:
		--*n;
		break;
	case FETCH_SWAP:
		s[*n - 2] = b;
		*top = a;
		break;
	case FETCH_PLUS:
		s[--*n - 1] = a + b;
		break;
	case FETCH_OR:
		s[--*n - 1] = a | b;
		break;
	case FETCH_SHL:
		s[--*n - 1] = b < 64 ? a << b : 0;
		break;
	case FETCH_SHR:
		s[--*n - 1] = b < 64 ? a >> b : 0;
		break;
	default: /* not needed by the programs of these tests */
		x->failed = true;
		break;
	}
}

/* The value of a finished fetch; x->failed is set when memory cannot be read. */
static inline uint64_t fetch_run(struct fetch_run *x, const struct fetch *f)
{
	uint64_t stack[FETCH_MAX_DEPTH + 1] = {0};
	unsigned n = 0, i;

	x->failed = !fetch_ok(f);
	for (i = 0; i < f->nops && !x->failed; i++)
		fetch_run_op(x, &f->ops[i], stack, &n);
	return n ? stack[n - 1] : 0;
}

#endif
