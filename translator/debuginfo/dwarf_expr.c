/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location expressions as fetch programs.  At the entry of a function, right after the call and before the prologue, the canonical
 * frame address is known, "the value at entry of a register" is the register itself, and memory below the canonical frame address is not
 * written yet.  Within a function, call frame information says where its frame is, and what registers had at its entry is gone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "translator/debuginfo/dwarf_private.h"

struct machine {
	struct dwarf_file *d;
	Dwarf_Die *function;
	Dwarf_Attribute *attr;
	Dwarf_Addr pc;
	bool within;     /* the function, not at its entry */
	VEC(struct fetch_op) ops;
	enum fetch_where where;
	bool frame_slot; /* an offset from the frame base */
	bool done;       /* nothing may follow: a register, a value */
	unsigned depth;  /* of expressions within expressions */
};

static enum location run(struct machine *m, const Dwarf_Op *ops, size_t n);

static void emit(struct machine *m, struct fetch_op op)
{
	struct fetch_op *last = m->ops.n ? &m->ops.v[m->ops.n - 1] : NULL;

	if (op.code == FETCH_ADD && op.n == 0)
		return;
	if (op.code == FETCH_ADD && last && last->code == FETCH_ADD)
		last->n = (int64_t)((uint64_t)last->n + (uint64_t)op.n);
	else
		vec_push(m->d->dtypes.arena, &m->ops, op);
}

static void emit_plain(struct machine *m, enum fetch_opcode code, int64_t n)
{
	emit(m, (struct fetch_op){.code = code, .n = n});
}

/* Argument registers get an operation of their own, which is easier to read than a DWARF number. */
static bool emit_register(struct machine *m, uint64_t reg)
{
	int argument = m->within ? -1 : target_argument(m->d->target, reg);

	if (reg >= m->d->target->nregisters)
		return false; /* vector registers */
	if (argument >= 0)
		emit_plain(m, FETCH_ARG, argument);
	else
		emit_plain(m, FETCH_REG, (int64_t)reg);
	return true;
}

/* Is it a general register, alone?  Its number. */
static bool is_register(const struct machine *m, const Dwarf_Op *op, uint64_t *reg)
{
	*reg = op->atom - DW_OP_reg0;
	return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 && *reg < m->d->target->nregisters;
}

/* What the call frame information says about the address: to be freed; NULL if nothing. */
static Dwarf_Frame *frame_at(const struct dwarf_file *d, Dwarf_Addr pc)
{
	Dwarf_CFI *(*const kinds[])(Dwfl_Module *, Dwarf_Addr *) = {dwfl_module_eh_cfi, dwfl_module_dwarf_cfi};
	const Dwarf_Addr at[] = {pc + d->shift, pc}; /* .eh_frame is the program's */
	Dwarf_Frame *frame;
	Dwarf_Addr bias;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		Dwarf_CFI *cfi = kinds[i](d->module, &bias);

		if (cfi && dwarf_cfi_addrframe(cfi, at[i], &frame) == 0)
			return frame;
	}
	return NULL;
}

/* The canonical frame address: the stack pointer before the call. */
static bool emit_cfa(struct machine *m)
{
	bool ok = false;
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t n;

	if (!m->within) {
		emit_plain(m, FETCH_CFA, 0);
		return true;
	}
	frame = frame_at(m->d, m->pc);
	if (frame && m->depth < 2 && dwarf_frame_cfa(frame, &ops, &n) == 0 && n > 0) {
		m->depth++;
		ok = run(m, ops, n) == LOCATION_OK && !m->done;
		m->depth--;
	}
	free(frame);
	return ok;
}

/*
 * Before the prologue a frame pointer is the caller's; a frame base in it means the value that it will have after the prologue.  A frame
 * base is never what is in a register's own place: it is what the register has.
 */
static bool emit_frame_base(struct machine *m)
{
	const struct target *t = m->d->target;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	uint64_t reg;
	size_t n;

	if (m->depth > 2 || !m->function || !dwarf_attr_integrate(m->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, m->pc, &ops, &n, 1) != 1 || n != 1)
		return false;
	m->frame_slot = true;
	if (ops[0].atom == DW_OP_call_frame_cfa) {
		return emit_cfa(m);
	} else if (m->within && is_register(m, &ops[0], &reg)) {
		return emit_register(m, reg);
	} else if (t->frame_below && is_register(m, &ops[0], &reg) && reg == t->frame_pointer) {
		emit_plain(m, FETCH_CFA, 0);
		emit_plain(m, FETCH_ADD, -(int64_t)t->frame_below);
	} else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		if (!emit_register(m, ops[0].atom - DW_OP_breg0))
			return false;
		emit_plain(m, FETCH_ADD, (int64_t)ops[0].number);
	} else {
		return false;
	}
	return true;
}

/* The operation of fetch programs for one of DWARF without operand, or -1. */
static int plain_code(unsigned atom)
{
	static const struct {
		unsigned char atom, code;
	} same[] = {
		{DW_OP_dup, FETCH_DUP}, {DW_OP_drop, FETCH_DROP}, {DW_OP_over, FETCH_OVER}, {DW_OP_swap, FETCH_SWAP},
		{DW_OP_rot, FETCH_ROT}, {DW_OP_abs, FETCH_ABS}, {DW_OP_and, FETCH_AND}, {DW_OP_div, FETCH_DIV},
		{DW_OP_minus, FETCH_MINUS}, {DW_OP_mod, FETCH_MOD}, {DW_OP_mul, FETCH_MUL}, {DW_OP_neg, FETCH_NEG},
		{DW_OP_not, FETCH_NOT}, {DW_OP_or, FETCH_OR}, {DW_OP_plus, FETCH_PLUS}, {DW_OP_shl, FETCH_SHL},
		{DW_OP_shr, FETCH_SHR}, {DW_OP_shra, FETCH_SHRA}, {DW_OP_xor, FETCH_XOR}, {DW_OP_eq, FETCH_EQ},
		{DW_OP_ne, FETCH_NE}, {DW_OP_lt, FETCH_LT}, {DW_OP_le, FETCH_LE}, {DW_OP_gt, FETCH_GT},
		{DW_OP_ge, FETCH_GE},
	};

	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		if (same[i].atom == atom)
			return same[i].code;
	return -1;
}

static bool is_constant(unsigned atom)
{
	switch (atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return true;
	default:
		return false;
	}
}

/* The kernel and its modules are somewhere else each time: an address there is that of a symbol, or at a distance from one. */
static bool emit_kernel_address(struct machine *m, uint64_t address)
{
	struct dwarf_symbol s;

	if (!dwarf_object_at(m->d, address + m->d->shift, &s))
		return false;
	emit(m, (struct fetch_op){.code = FETCH_SYMBOL, .symbol = s.name, .module = m->d->name});
	emit_plain(m, FETCH_ADD, (int64_t)(address + m->d->shift - s.address));
	if (s.percpu)
		emit_plain(m, FETCH_PERCPU, 0);
	return true;
}

static bool emit_address(struct machine *m, uint64_t address)
{
	if (m->d->space == FETCH_KERNEL)
		return emit_kernel_address(m, address);
	emit_plain(m, FETCH_CONST, (int64_t)(address + m->d->shift));
	if (m->d->pie) {
		emit_plain(m, FETCH_BIAS, 0);
		emit_plain(m, FETCH_PLUS, 0);
	}
	return true;
}

/* From the offset of a variable in the block of them that each thread has, which is on the stack, to its address. */
static enum location of_thread(struct machine *m)
{
	if (m->ops.n && m->d->thread_block.kind == BLOCK_OF_LIBRARY && m->d->pie) {
		emit_plain(m, FETCH_BIAS, 0);
		emit(m, (struct fetch_op){.code = FETCH_BLOCK, .n = m->d->thread_block.list, .size = m->d->thread_block.offset});
		emit_plain(m, FETCH_PLUS, 0);
		return LOCATION_OK;
	}
	if (m->d->thread_block.kind != BLOCK_OF_PROGRAM || !m->ops.n)
		return LOCATION_COMPLEX;
	emit_plain(m, FETCH_THREAD, 0);
	emit_plain(m, FETCH_PLUS, 0);
	emit_plain(m, FETCH_ADD, m->d->thread_block.distance);
	return LOCATION_OK;
}

/* The value that an expression had at entry: the same registers, now. */
static enum location entry_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	uint64_t reg;
	size_t n;

	if (m->within)
		return LOCATION_AT_ENTRY;
	if (m->depth > 2 || dwarf_getlocation_attr(m->attr, op, &inner) != 0 ||
	    dwarf_getlocation(&inner, &ops, &n) != 0 || n != 1 || !is_register(m, &ops[0], &reg))
		return LOCATION_COMPLEX;
	return emit_register(m, reg) ? LOCATION_OK : LOCATION_COMPLEX;
}

static enum location indexed(struct machine *m, const Dwarf_Op *op, bool address)
{
	Dwarf_Attribute attr;
	Dwarf_Addr value;
	Dwarf_Word word;

	if (dwarf_getlocation_attr(m->attr, op, &attr) != 0)
		return LOCATION_COMPLEX;
	if (address && dwarf_formaddr(&attr, &value) == 0)
		return emit_address(m, value) ? LOCATION_OK : LOCATION_COMPLEX;
	if (!address && dwarf_formudata(&attr, &word) == 0)
		emit_plain(m, FETCH_CONST, (int64_t)word);
	else
		return LOCATION_COMPLEX;
	return LOCATION_OK;
}

static enum location implicit_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t value = 0;

	if (dwarf_getlocation_implicit_value(m->attr, op, &block) != 0 || block.length > sizeof value)
		return LOCATION_COMPLEX;
	memcpy(&value, block.data, block.length);
	emit_plain(m, FETCH_CONST, (int64_t)value);
	m->where = FETCH_AS_VALUE;
	m->done = true;
	return LOCATION_OK;
}

/* A register as the whole location. */
static enum location in_register(struct machine *m, uint64_t reg)
{
	if (m->ops.n || !emit_register(m, reg))
		return LOCATION_COMPLEX;
	m->where = FETCH_AS_VALUE;
	m->done = true;
	return LOCATION_OK;
}

static enum location based(struct machine *m, uint64_t reg, uint64_t off)
{
	if (!emit_register(m, reg))
		return LOCATION_COMPLEX;
	emit_plain(m, FETCH_ADD, (int64_t)off);
	return LOCATION_OK;
}

static enum location step(struct machine *m, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (plain_code(atom) >= 0)
		return emit_plain(m, plain_code(atom), 0), LOCATION_OK;
	if (is_constant(atom))
		return emit_plain(m, FETCH_CONST, (int64_t)op->number), LOCATION_OK;
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return emit_plain(m, FETCH_CONST, atom - DW_OP_lit0), LOCATION_OK;
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		return in_register(m, atom - DW_OP_reg0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return based(m, atom - DW_OP_breg0, op->number);
	switch (atom) {
	case DW_OP_nop:
		return LOCATION_OK;
	case DW_OP_addr:
		return emit_address(m, op->number) ? LOCATION_OK : LOCATION_COMPLEX;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return indexed(m, op, true);
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return indexed(m, op, false);
	case DW_OP_regx:
		return in_register(m, op->number);
	case DW_OP_bregx:
		return based(m, op->number, op->number2);
	case DW_OP_fbreg:
		if (!emit_frame_base(m))
			return m->within ? LOCATION_COMPLEX : LOCATION_UNSET;
		return emit_plain(m, FETCH_ADD, (int64_t)op->number), LOCATION_OK;
	case DW_OP_call_frame_cfa:
		return emit_cfa(m) ? LOCATION_OK : LOCATION_COMPLEX;
	case DW_OP_plus_uconst:
		return emit_plain(m, FETCH_ADD, (int64_t)op->number), LOCATION_OK;
	case DW_OP_deref:
		return emit(m, (struct fetch_op){.code = FETCH_DEREF, .size = m->d->target->word, .space = m->d->space}),
		       LOCATION_OK;
	case DW_OP_deref_size:
		return emit(m,
			    (struct fetch_op){.code = FETCH_DEREF, .size = op->number, .space = m->d->space}),
		       LOCATION_OK;
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return of_thread(m);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return entry_value(m, op);
	case DW_OP_implicit_value:
		return implicit_value(m, op);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return LOCATION_NO_OBJECT;
	case DW_OP_stack_value:
		m->where = FETCH_AS_VALUE;
		m->done = true;
		return LOCATION_OK;
	default:
		return LOCATION_COMPLEX;
	}
}

static enum location run(struct machine *m, const Dwarf_Op *ops, size_t n)
{
	size_t i;

	if (n > FETCH_MAX_OPS / 2)
		return LOCATION_COMPLEX;
	for (i = 0; i < n; i++) {
		enum location l = m->done ? LOCATION_COMPLEX : step(m, &ops[i]);

		if (l != LOCATION_OK)
			return l;
	}
	return LOCATION_OK;
}

/* CFA + a negative offset: a local of the function, not written before its first instruction. */
static bool is_unset(const struct machine *m)
{
	const struct fetch_op *v = m->ops.v;

	if (m->where != FETCH_IN_MEMORY || !m->frame_slot)
		return false;
	return m->ops.n == 0 || v[0].code != FETCH_CFA || m->ops.n > 2 || (m->ops.n == 2 && v[1].n < 0);
}

/*
 * The operations for the address.  A list may begin with an empty range there (gcc's location views): the place before the first
 * instruction, which no later instruction has.  At the entry it is the right one.
 */
static bool operations_at(Dwarf_Attribute *attr, Dwarf_Addr pc, Dwarf_Op **ops, size_t *n)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	Dwarf_Op *v;
	size_t k;

	while ((at = dwarf_getlocations(attr, at, &base, &start, &end, &v, &k)) > 0)
		if (start == pc || (start < pc && pc < end)) {
			*ops = v;
			*n = k;
			return k > 0;
		}
	return false;
}

static enum location finished(struct machine *m, struct fetch *f)
{
	memset(f, 0, sizeof *f);
	f->ops = m->ops.v;
	f->nops = (unsigned)m->ops.n;
	f->where = m->where;
	f->space = m->d->space;
	return fetch_ok(f) ? LOCATION_OK : LOCATION_COMPLEX;
}

enum location dwarf_location(struct dwarf_file *d, Dwarf_Die *function, Dwarf_Attribute *attr, Dwarf_Addr pc,
			     struct fetch *f)
{
	struct machine m = {.d = d, .function = function, .attr = attr, .pc = pc, .where = FETCH_IN_MEMORY};
	enum location l;
	Dwarf_Op *ops;
	size_t n;

	if (!operations_at(attr, pc, &ops, &n))
		return LOCATION_NONE;
	l = run(&m, ops, n);
	if (l != LOCATION_OK)
		return l;
	return is_unset(&m) ? LOCATION_UNSET : finished(&m, f);
}

/* --- a value in parts --- */

enum { WORDS = 2 }; /* of a struct fetch */

/* A value that is put together of parts, each of which is in a register or in memory, is a constant, or is nowhere. */
struct parts {
	struct machine words[WORDS];
	uint64_t end; /* of the parts so far, in bytes */
	unsigned unknown;
};

/* The value of a part, from the place that m has found. */
static bool load_part(struct machine *m, uint64_t size)
{
	struct fetch_op load = {.code = FETCH_DEREF, .size = size, .space = m->d->space};
	struct fetch ignored;

	if (m->where == FETCH_IN_MEMORY)
		emit(m, load);
	else if (size < 8)
		emit(m, (struct fetch_op){.code = FETCH_BITS, .width = (unsigned)(8 * size)});
	return finished(m, &ignored) == LOCATION_OK;
}

/* At the entry of a function only what the caller passes in a register is certain: a constant may be what the function's first instruction sets. */
static bool is_passed(const struct machine *m)
{
	return m->where == FETCH_AS_VALUE && m->ops.n == 1 && m->ops.v[0].code == FETCH_ARG;
}

static enum location add_part(struct parts *p, struct machine *m, const Dwarf_Op *ops, size_t n, uint64_t size)
{
	uint64_t at = p->end % 8, first = p->end;
	struct machine *word;
	enum location l;

	if (!size || size > 8 * WORDS || first + size > 8 * WORDS)
		return LOCATION_COMPLEX;
	p->end += size;
	l = n ? run(m, ops, n) : LOCATION_NONE;
	if (!m->within && !is_passed(m))
		l = LOCATION_NONE;
	if (l == LOCATION_NONE || l == LOCATION_NO_OBJECT || l == LOCATION_AT_ENTRY) {
		p->unknown |= ((1u << size) - 1) << first;
		return LOCATION_OK;
	}
	if (l != LOCATION_OK || at + size > 8 || !load_part(m, size))
		return l != LOCATION_OK ? l : LOCATION_COMPLEX;
	word = &p->words[first / 8];
	bool more = word->ops.n;
	for (size_t i = 0; i < m->ops.n; i++)
		vec_push(m->d->dtypes.arena, &word->ops, m->ops.v[i]);
	if (at) {
		emit_plain(word, FETCH_CONST, (int64_t)(8 * at));
		emit_plain(word, FETCH_SHL, 0);
	}
	if (more)
		emit_plain(word, FETCH_OR, 0);
	return LOCATION_OK;
}

/* In bytes: parts of a number of bits are not known of any compiler. */
static bool is_in_parts(const Dwarf_Op *ops, size_t n)
{
	return n && ops[n - 1].atom == DW_OP_piece;
}

static enum location in_parts(const struct machine *start, const Dwarf_Op *ops, size_t n, struct fetch *f)
{
	struct parts p = {.words = {*start, *start}};
	size_t first = 0;
	struct fetch high;

	for (size_t i = 0; i < n; i++) {
		struct machine m = *start;
		enum location l;

		if (ops[i].atom != DW_OP_piece)
			continue;
		l = add_part(&p, &m, ops + first, i - first, ops[i].number);
		if (l != LOCATION_OK)
			return l;
		first = i + 1;
	}
	if (!p.words[0].ops.n && !p.words[1].ops.n)
		return LOCATION_NONE;
	for (unsigned i = 0; i < WORDS; i++) {
		p.words[i].where = FETCH_AS_VALUE;
		if (!p.words[i].ops.n)
			emit_plain(&p.words[i], FETCH_CONST, 0); /* all of it is nowhere */
	}
	if (finished(&p.words[0], f) != LOCATION_OK || finished(&p.words[1], &high) != LOCATION_OK)
		return LOCATION_COMPLEX;
	f->high = high.ops;
	f->nhigh = high.nops;
	f->unknown = p.unknown | (0xffffu & ~((1u << p.end) - 1));
	return LOCATION_OK;
}

enum location dwarf_location_within(struct dwarf_file *d, Dwarf_Die *function, Dwarf_Attribute *attr, Dwarf_Addr pc, struct fetch *f)
{
	struct machine m = {.d = d, .function = function, .attr = attr, .pc = pc, .where = FETCH_IN_MEMORY, .within = true};
	enum location l;
	Dwarf_Op *ops;
	size_t n;

	/* Not operations_at(): an empty range is before the instruction. */
	if (dwarf_getlocation_addr(attr, pc, &ops, &n, 1) != 1 || !n)
		return LOCATION_NONE;
	if (is_in_parts(ops, n))
		return in_parts(&m, ops, n, f);
	l = run(&m, ops, n);
	return l == LOCATION_OK ? finished(&m, f) : l;
}

enum location dwarf_constant(struct dwarf_file *d, Dwarf_Attribute *attr, const struct dtype *t, struct fetch *f)
{
	Dwarf_Sword value;
	Dwarf_Word plain;

	switch (dwarf_whatform(attr)) {
	case DW_FORM_data1: /* gcc has in them what is not negative, so the highest bit is no sign: 200 */
	case DW_FORM_data2:
	case DW_FORM_data4:
		if (dwarf_formudata(attr, &plain))
			return LOCATION_COMPLEX;
		value = (Dwarf_Sword)plain;
		break;
	default:
		if (dwarf_formsdata(attr, &value))
			return LOCATION_COMPLEX;
	}
	*f = fetch_append(d->dtypes.arena, &(struct fetch){.space = d->space}, (struct fetch_op){.code = FETCH_CONST, .n = value});
	*f = dwarf_extended(d->dtypes.arena, f, t);
	return LOCATION_OK;
}

static bool is_constant_place(const struct fetch *f)
{
	for (unsigned i = 0; i < f->nops; i++)
		if (f->ops[i].code == FETCH_ARG || f->ops[i].code == FETCH_REG || f->ops[i].code == FETCH_CFA)
			return false;
	return true;
}

/* Can the caller have set the register, though no argument is passed in it? */
static bool may_be_set(const struct target *t, int64_t reg, bool framed)
{
	return reg == t->static_chain || (framed && reg == t->stack_pointer);
}

enum location dwarf_location_at_entry(struct dwarf_file *d, Dwarf_Die *function, Dwarf_Attribute *attr, Dwarf_Addr pc,
				      bool clone, struct fetch *f)
{
	enum location l = dwarf_location(d, function, attr, pc, f);
	struct machine m = {.d = d, .function = function, .attr = attr, .pc = pc, .where = FETCH_IN_MEMORY};
	bool framed = false;
	Dwarf_Op *ops;
	size_t n;

	if (!operations_at(attr, pc, &ops, &n))
		return LOCATION_NONE;
	if (l == LOCATION_COMPLEX && is_in_parts(ops, n))
		return in_parts(&m, ops, n, f) == LOCATION_OK ? LOCATION_OK : LOCATION_COMPLEX;
	if (l != LOCATION_OK)
		return l;
	if (is_constant_place(f))
		return clone && dwarf_whatform(attr) == DW_FORM_exprloc ? l : LOCATION_NONE;
	for (size_t i = 0; i < n; i++)
		framed |= ops[i].atom == DW_OP_fbreg;
	for (unsigned i = 0; i < f->nops; i++)
		if (f->ops[i].code == FETCH_REG && !may_be_set(d->target, f->ops[i].n, framed))
			return LOCATION_NONE;
	return l;
}
