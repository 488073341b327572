/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the table by which stacks are walked up from code of a file (unwind.h) from its call frame information.  Compilers write few
 * kinds of it: these become rows.  Anything else is a row that says that the caller is not known.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/map.h"
#include "translator/debuginfo/elf_image.h"
#include "translator/debuginfo/pclntab.h"
#include "translator/debuginfo/sections.h"
#include "translator/debuginfo/unwind.h"

/* A damaged file can have rows without end.  Finding a row takes as long as the entry that it is in; this is some seconds. */
enum { MOST_WORK = 1 << 30, LEAST_WORK = 64 };
enum { MOST_RULES = UINT16_MAX, MOST_OFFSET = 1 << 28, MOST_PUSHED = 5 };

struct making {
	struct elf_image *e;
	struct arena scratch;
	struct map known; /* bytes of a rule -> 1 + its number */
	VEC(struct unwind_rule) rules;
	VEC(uint32_t) at;
	VEC(uint16_t) rule;
	uint64_t end; /* where the code of the last row ends */
	uint64_t work;
	uint64_t pushed[MOST_PUSHED];
	unsigned npushed;
};

/* ---- rules ---- */

static bool number_of(const struct target *t, uint64_t reg, uint8_t *number)
{
	*number = 0;
	if (reg == t->stack_pointer)
		return true;
	for (unsigned i = 0; i < t->nfollowed; i++)
		if (t->followed[i] == reg) {
			*number = (uint8_t)(1 + i);
			return true;
		}
	return false;
}

static bool offset_of(uint64_t value, int32_t *off)
{
	int64_t v = (int64_t)value;

	*off = (int32_t)v;
	return v < MOST_OFFSET && v > -MOST_OFFSET;
}

/* A register and an offset: what an operation pushes. */
static bool sum(const struct target *t, const Dwarf_Op *op, uint8_t *reg, int32_t *off)
{
	if (op->atom == DW_OP_bregx)
		return number_of(t, op->number, reg) && offset_of(op->number2, off);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return number_of(t, op->atom - DW_OP_breg0, reg) && offset_of(op->number, off);
	return false;
}

/*
 * What linkers write for the stubs through which functions of libraries are called: a stub pushes a word at its end, and all have 16
 * bytes.  CFA = stack pointer + off + ((instruction pointer & 15) >= n) << log2(word).
 */
static bool is_stub(const struct target *t, const Dwarf_Op *op, size_t n, struct unwind_rule *r)
{
	unsigned counter = DW_OP_breg0 + t->return_address;

	if (n != 8 || !sum(t, &op[0], &r->reg, &r->off) || op[1].atom != counter || op[1].number != 0 || op[2].atom != DW_OP_lit15 ||
	    op[3].atom != DW_OP_and || op[4].atom < DW_OP_lit0 || op[4].atom > DW_OP_lit15 || op[5].atom != DW_OP_ge ||
	    op[6].atom != DW_OP_lit3 || op[7].atom != DW_OP_shl)
		return false;
	r->n = (uint8_t)(op[4].atom - DW_OP_lit0);
	return t->word == 8;
}

static void find_cfa(const struct target *t, Dwarf_Frame *frame, struct unwind_rule *r)
{
	Dwarf_Op *op = NULL;
	size_t n = 0;

	if (dwarf_frame_cfa(frame, &op, &n) != 0 || !n)
		return;
	if (n == 1 && sum(t, op, &r->reg, &r->off))
		r->cfa = UNWIND_REGISTER;
	else if (n == 2 && op[1].atom == DW_OP_deref && sum(t, op, &r->reg, &r->off))
		r->cfa = UNWIND_MEMORY;
	else if (n == 3 && op[1].atom == DW_OP_deref && op[2].atom == DW_OP_plus_uconst && op[2].number <= UINT8_MAX && sum(t, op, &r->reg, &r->off))
		*r = (struct unwind_rule){.cfa = UNWIND_MEMORY, .reg = r->reg, .off = r->off, .n = (uint8_t)op[2].number, .is_signal = r->is_signal};
	else if (op[n - 1].atom == DW_OP_plus && is_stub(t, op, n - 1, r))
		r->cfa = UNWIND_STUB;
}

/* One register's rule.  What cannot be expressed is lost. */
static void find_saved(const struct target *t, Dwarf_Frame *frame, unsigned column, struct unwind_rule *r, unsigned number)
{
	Dwarf_Op memory[3], *op = NULL;
	int32_t off = 0;
	uint8_t reg;
	size_t n = 0;

	r->saved[number].how = UNWIND_LOST;
	if (dwarf_frame_register(frame, (int)column, memory, &op, &n) != 0)
		return;
	if (!n && !op) {
		r->saved[number].how = UNWIND_SAME;
	} else if (n && n <= 2 && op[0].atom == DW_OP_call_frame_cfa) {
		if (n == 1 || (op[1].atom == DW_OP_plus_uconst && offset_of(op[1].number, &off)))
			r->saved[number].how = UNWIND_AT_CFA;
		else if (sum(t, &op[1], &reg, &off) && reg == r->reg)
			r->saved[number].how = UNWIND_AT_REGISTER;
	}
	r->saved[number].off = r->saved[number].how >= UNWIND_AT_CFA ? off : 0;
}

/* Has the frame no caller?  Such code says that the return address is lost (DW_CFA_undefined): then libdw gives no operations, and op is memory. */
static bool is_outermost(Dwarf_Frame *frame, unsigned column)
{
	Dwarf_Op memory[3], *op = NULL;
	size_t n = 0;

	return dwarf_frame_register(frame, (int)column, memory, &op, &n) == 0 && !n && op == memory;
}

/* Is the return address in the register for that?  Where it was is no longer part of the stack, or may have been overwritten. */
static bool is_kept(const struct target *t, Dwarf_Frame *frame, struct unwind_rule *r)
{
	Dwarf_Op memory[3], *op = NULL;
	size_t n = 0;

	if (!t->kept || r->cfa != UNWIND_REGISTER || r->is_signal)
		return false;
	if (dwarf_frame_register(frame, (int)t->return_address, memory, &op, &n) != 0 || n != 1)
		return false;
	if (op[0].atom != DW_OP_regx || op[0].number != t->kept)
		return false;
	r->cfa = UNWIND_KEPT;
	r->n = (uint8_t)(1 + t->nfollowed);
	r->saved[0].how = UNWIND_AT_CFA;
	r->saved[0].off = -(int32_t)t->word;
	return true;
}

static struct unwind_rule rule_of(const struct target *t, Dwarf_Frame *frame, bool is_signal)
{
	struct unwind_rule r = {.is_signal = is_signal};

	if (is_outermost(frame, t->return_address))
		return (struct unwind_rule){.cfa = UNWIND_OUTERMOST};
	find_cfa(t, frame, &r);
	if (r.cfa == UNWIND_UNKNOWN)
		return (struct unwind_rule){0};
	find_saved(t, frame, t->return_address, &r, 0);
	if (r.saved[0].how == UNWIND_LOST && !is_kept(t, frame, &r))
		return (struct unwind_rule){0};
	for (unsigned i = 0; i < t->nfollowed; i++)
		find_saved(t, frame, t->followed[i], &r, 1 + i);
	return r;
}

static uint16_t rule_number(struct making *m, const struct unwind_rule *r)
{
	const char *key = intern_n((const char *)r, sizeof *r);
	uintptr_t known = (uintptr_t)map_get(&m->known, key);

	if (known)
		return (uint16_t)(known - 1);
	if (m->rules.n >= MOST_RULES)
		return 0;
	vec_push(m->e->arena, &m->rules, *r);
	map_set(&m->scratch, &m->known, key, (void *)(uintptr_t)m->rules.n);
	return (uint16_t)(m->rules.n - 1);
}

/* ---- rows ---- */

static void add_row(struct making *m, uint64_t at, uint16_t rule)
{
	if (m->at.n && m->at.v[m->at.n - 1] == at)
		m->at.n--, m->rule.n--;
	if (m->at.n && m->rule.v[m->rule.n - 1] == rule)
		return;
	vec_push(m->e->arena, &m->at, (uint32_t)at);
	vec_push(m->e->arena, &m->rule, rule);
}

/* Adds a row at an offset in the file, after what there is; code between them has none. */
static bool put_row(struct making *m, uint64_t at, uint64_t size, uint16_t rule)
{
	if (at < m->end || at + size >= UINT32_MAX)
		return false;
	if (at > m->end)
		add_row(m, m->end, 0);
	add_row(m, at, rule);
	m->end = at + size;
	return true;
}

/* An entry of so many bytes about the code that begins at an address. */
struct entry {
	uint64_t addr, bytes;
	struct Dwarf_CFI_s *frames; /* the section that the entry is in */
	uint64_t shift;             /* addr is so much more than the address in that section */
	unsigned order;             /* of two for the same code the lower is taken: 0 of .eh_frame, 1 of .debug_frame, 2 of Go's table */
	size_t function;            /* which of that, if frames is NULL */
};

typedef VEC(struct entry) entries;

/* Go's handlers of signals make it look as if the instruction that was interrupted had called one of these: its address is where they return to. */
static void find_pushed(struct making *m)
{
	static const char *const names[] = {"runtime.asyncPreempt", "runtime.asyncPreempt.abi0", "runtime.sigpanic", "runtime.sigpanic0",
					    "runtime.sigpanic0.abi0"};

	_Static_assert(sizeof names / sizeof *names == MOST_PUSHED, "room for all");
	for (unsigned i = 0; m->e->is_go && i < MOST_PUSHED; i++)
		m->npushed += elf_symbol(m->e, names[i], strlen(names[i]), &m->pushed[m->npushed]);
}

static bool is_pushed(const struct making *m, uint64_t addr)
{
	for (unsigned i = 0; i < m->npushed; i++)
		if (m->pushed[i] == addr)
			return true;
	return false;
}

/* The return address is the last word of the frame.  As in Go's own frame information, nothing is said of other registers. */
static struct unwind_rule go_rule(const struct target *t, int32_t depth, bool is_signal)
{
	struct unwind_rule r = {.cfa = UNWIND_REGISTER, .off = depth + (int32_t)t->word, .is_signal = is_signal};

	r.saved[0].how = UNWIND_AT_CFA;
	r.saved[0].off = -(int32_t)t->word;
	for (unsigned i = 0; i < t->nfollowed; i++)
		r.saved[1 + i].how = UNWIND_SAME;
	return r;
}

/* Rows of a Go function: the table gives the frame size at each pc; the return address is above the frame. */
static void add_go_function(struct making *m, const struct entry *entry, uint64_t next)
{
	const struct pclntab *t = elf_go_table(m->e);
	bool pushed = is_pushed(m, entry->addr);
	struct pclntab_function f;
	struct pclntab_piece p;
	uint64_t off;

	if (!pclntab_function(t, entry->function, &f))
		return;
	pclntab_first(t, &f, PCLNTAB_STACK, &p);
	while (p.end < next && pclntab_next(t, &f, &p)) {
		uint64_t end = p.end < next ? p.end : next;
		struct unwind_rule r = p.value < 0 || p.value >= MOST_OFFSET ? (struct unwind_rule){0} : go_rule(m->e->target, p.value, pushed);

		if (f.outermost)
			r = (struct unwind_rule){.cfa = UNWIND_OUTERMOST};
		if (!elf_offset(m->e, p.begin, true, &off) || !put_row(m, off, end - p.begin, rule_number(m, &r)))
			return;
	}
}

/* The rows of the code, which ends before next. */
static void add_entry(struct making *m, const struct entry *entry, uint64_t next)
{
	uint64_t addr = entry->addr;
	bool pushed = is_pushed(m, addr);

	if (!entry->frames) {
		add_go_function(m, entry, next);
		return;
	}
	while (addr < next && m->work < MOST_WORK) {
		Dwarf_Frame *frame = NULL;
		Dwarf_Addr start, end;
		struct unwind_rule r;
		bool is_signal;
		uint64_t off;

		m->work += LEAST_WORK + entry->bytes;
		if (dwarf_cfi_addrframe(entry->frames, addr - entry->shift, &frame) != 0)
			return;
		if (dwarf_frame_info(frame, &start, &end, &is_signal) != (int)m->e->target->return_address) {
			free(frame);
			return;
		}
		r = rule_of(m->e->target, frame, is_signal || pushed);
		free(frame);
		end += entry->shift;
		if (end > next)
			end = next;
		if (end <= addr || !elf_offset(m->e, addr, true, &off) || !put_row(m, off, end - addr, rule_number(m, &r)))
			return;
		addr = end;
	}
}

/* The code between what has rows and the next entry: what holds before a system call that makes a child holds after it, but not for the child. */
static void add_gap(struct making *m, uint64_t next)
{
	const struct target *t = m->e->target;
	struct unwind_rule r;
	uint64_t off;

	if (!t->parts || !m->at.n || !elf_offset(m->e, next, true, &off) || off <= m->end || off > m->e->file.n ||
	    !t->parts((const unsigned char *)m->e->file.p + m->end, off - m->end))
		return;
	r = m->rules.v[m->rule.v[m->rule.n - 1]];
	if (r.cfa != UNWIND_REGISTER || r.reg != 0 || r.is_signal)
		return;
	r.cfa = UNWIND_PARENT;
	r.n = (uint8_t)(2 + t->nfollowed);
	put_row(m, m->end, off - m->end, rule_number(m, &r));
}

/* Bytes of the entry at addr, as it says itself: most of these, one after the other, say what the rows are. */
static uint64_t entry_size(const struct elf_image *e, uint64_t addr)
{
	uint32_t n = 0;
	uint64_t off;

	if (elf_offset(e, addr, false, &off) && off + sizeof n <= e->file.n)
		memcpy(&n, e->file.p + off, sizeof n);
	return n < e->file.n ? n : e->file.n;
}

/* What linkers make of the entries, to find them fast: sorted pairs of distances from the list, of code and of its entry. */
struct list {
	uint64_t addr; /* of the list */
	const unsigned char *pairs;
	size_t n;
};

enum { LIST_VERSION = 1, LIST_HEADER = 12, LIST_PAIR = 8 };
static const unsigned char list_encodings[] = {DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4, DW_EH_PE_datarel | DW_EH_PE_sdata4};

static bool find_list(const struct elf_image *e, struct list *l)
{
	for (unsigned i = 0; i < e->nsegments; i++) {
		const Elf64_Phdr *s = &e->segments[i];
		const unsigned char *p;
		uint32_t n;

		if (s->p_type != PT_GNU_EH_FRAME)
			continue;
		if (s->p_offset > e->file.n || s->p_filesz > e->file.n - s->p_offset || s->p_filesz < LIST_HEADER)
			return false;
		p = e->file.p + s->p_offset;
		if (p[0] != LIST_VERSION || memcmp(p + 1, list_encodings, sizeof list_encodings) != 0)
			return false;
		memcpy(&n, p + 8, sizeof n);
		l->addr = s->p_vaddr;
		l->pairs = p + LIST_HEADER;
		l->n = n < (s->p_filesz - LIST_HEADER) / LIST_PAIR ? n : (s->p_filesz - LIST_HEADER) / LIST_PAIR;
		return true;
	}
	return false;
}

static uint64_t list_address(const struct list *l, size_t i, unsigned which)
{
	int32_t distance;

	memcpy(&distance, l->pairs + i * LIST_PAIR + which * sizeof distance, sizeof distance);
	return l->addr + (uint64_t)(int64_t)distance;
}

static void add_listed(struct making *m, entries *all)
{
	struct list l;

	if (!elf_frames(m->e) || !find_list(m->e, &l))
		return;
	for (size_t i = 0; i < l.n; i++) {
		const struct entry one = {.addr = list_address(&l, i, 0), .bytes = entry_size(m->e, list_address(&l, i, 1)), .frames = m->e->frames};
		vec_push(&m->scratch, all, one);
	}
}

/* ---- .debug_frame ---- */

/*
 * Compilers write the same there, for debuggers only, where programs do not need it to run (-fno-asynchronous-unwind-tables).  The entries begin with
 * the address of the code; other kinds of addresses are not used there.
 */
static void add_debug_frame(struct making *m, Dwarf *dwarf, uint64_t shift, entries *all)
{
	struct Dwarf_CFI_s *frames = dwarf_getcfi(dwarf);
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Data *data = frames ? sections_data(elf, ".debug_frame") : NULL;
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	Dwarf_Off at = 0, next = 0;
	Dwarf_CFI_Entry entry;

	for (; data && dwarf_next_cfi(ident, data, false, at, &next, &entry) == 0 && next > at; at = next) {
		struct entry one = {.bytes = next - at, .frames = frames, .shift = shift, .order = 1};

		if (dwarf_cfi_cie_p(&entry) || entry.fde.end - entry.fde.start < (ptrdiff_t)sizeof one.addr)
			continue;
		memcpy(&one.addr, entry.fde.start, sizeof one.addr);
		if (!one.addr) /* code that the linker left out */
			continue;
		one.addr += shift;
		vec_push(&m->scratch, all, one);
	}
}

/* ---- Go's table ---- */

/* Only where the call pushes the return address; on other machines Go's frame layout differs. */
static void add_go(struct making *m, entries *all)
{
	const struct pclntab *t = m->e->target->return_on_stack ? elf_go_table(m->e) : NULL;
	struct pclntab_function f;

	for (size_t i = 0; t && pclntab_function(t, i, &f); i++) {
		const struct entry one = {.addr = f.entry, .order = 2, .function = i};
		vec_push(&m->scratch, all, one);
	}
}

static int by_address(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (int)a->order - (int)b->order;
}

/* In order, each piece of code once. */
static void sort(entries *all)
{
	size_t n = 0;

	if (all->n)
		qsort(all->v, all->n, sizeof *all->v, by_address);
	for (size_t i = 0; i < all->n; i++)
		if (!n || all->v[i].addr != all->v[n - 1].addr)
			all->v[n++] = all->v[i];
	all->n = n;
}

const struct unwind_table *elf_unwind(struct elf_image *e)
{
	struct making m = {.e = e};
	struct unwind_table *t;
	entries all = {0};
	uint64_t shift = 0;
	Dwarf *own;
	int fd;

	if (e->unwind)
		return e->unwind;
	add_listed(&m, &all);
	/* of the file itself, which need not have other debug information; or of its separate file */
	fd = e->elf && sections_data(e->elf, ".debug_frame") ? open(e->facts.path, O_RDONLY | O_CLOEXEC) : -1;
	own = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ); /* not e->elf: libelf writes to the headers of sections that it unpacks */
	if (own)
		add_debug_frame(&m, own, 0, &all);
	else if (elf_has_dwarf(e) && e->facts.debug_file)
		add_debug_frame(&m, dwarf_file_dwarf(e->dwarf, &shift), shift, &all);
	else
		add_go(&m, &all);
	sort(&all);
	if (all.n) {
		rule_number(&m, &(struct unwind_rule){0});
		find_pushed(&m);
		for (size_t i = 0; i < all.n; i++) {
			uint64_t next = i + 1 < all.n ? all.v[i + 1].addr : UINT64_MAX;

			add_entry(&m, &all.v[i], next);
			add_gap(&m, next);
		}
		add_row(&m, m.end, 0);
		t = arena_new(e->arena, struct unwind_table);
		*t = (struct unwind_table){.at = m.at.v, .rule = m.rule.v, .nrows = m.at.n, .rules = m.rules.v, .nrules = m.rules.n};
		e->unwind = t;
	}
	if (own)
		dwarf_end(own);
	if (fd >= 0)
		close(fd);
	arena_free(&m.scratch);
	return e->unwind;
}
