// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stack of Java methods of the current thread, in a process that runs HotSpot (OpenJDK): no agent, and nothing is changed in it.
 *
 * The frames of the VM's own code (virtual machine) are passed over: when Java calls it, it mostly notes where the newest frame of Java is, the
 * "anchor" of the thread; else the stack is walked up as print_ubacktrace() does until an address is in the code cache.  From there on, each
 * frame's kind is that of the code that its address is in: the interpreter's frames are found by the frame pointer, those of compiled methods
 * have the size that their code says, and where the VM called Java it has saved the anchor of before.
 *
 * Whatever is read may be anything: a method is believed when its class has the constants that it refers to, and what is inlined when the
 * chain of methods ends with the compiled one.  All loops are bounded, and what they cost is charged where memory is read: two words are an
 * action, so a process can hold the CPU no longer than a script that reads as much.
 */
#include "rt/java.h"
#include "rt/embed.h"

enum { LINE_MOST = 760, TEXT_MOST = 320, FRAMES_MOST = 512, INLINED_MOST = 128, HEAPS_MOST = 8, HOPS_MOST = 4096, THREADS_MOST = 16384 };
enum { WORD = 8, ACC_NATIVE = 0x100, FREE_SEGMENT = 0xff, LINES_MOST = 16384, READS_PER_ACTION = 2, BLOCK_ACTIONS = 4 };
/* An interpreter's frame, in words below last_sp: the method, the bytecode pointer (bcp), and all that it begins with. */
enum { METHOD_BELOW = 1, BYTE_CODE_BELOW = 6, FRAME_BELOW = 7 };

struct method {
	rt_u64 at, rest, pool, tags, holder, name; /* rest: its ConstMethod; name: a symbol */
	rt_s64 length;                 /* of the pool */
	rt_u64 code_size;
};

/*
 * HotSpot's UNSIGNED5: 1 to 5 bytes, each shifted 6 bits more than the one before and added; a byte below 192 ends the number; since JDK 20 each
 * byte is one larger.  They are read in blocks, none of which is in two pages.
 */
enum { PACKED_BLOCK = 64 };
struct packed {
	struct walk *w;
	rt_u64 at, end, read_to;
	rt_u8 more, block[PACKED_BLOCK];
};

struct compiled {
	rt_u64 at, pc;             /* pc: that of the call */
	rt_u64 code, pcs, pcs_end; /* the tables of its places and of what is inlined there */
	rt_u64 scopes, metadata, metadata_end;
};

struct walk {
	struct rt_ctx *c;
	rt_u64 pc, sp, fp;
	rt_u64 low, high; /* the code cache */
	rt_u64 heap, heap_low, heap_high; /* the part of it that was found last */
	rt_u64 stack_low, stack_high;
	rt_u32 reads;
	const char *why;  /* the stack ends */
	rt_bool inside;   /* the thread is at this address itself, not in a call from there */
	rt_bool prints;
	struct rt_sink text, line;
	struct rt_java_vm vm;
	/* of the frame: what its code is, a method that is inlined there, and what is read of it at the moment */
	struct compiled compiled;
	struct method method, inlined;
	struct packed packed;
	char buffer[LINE_MOST], name[TEXT_MOST];
};

/* Little is left of the kernel's stack: what is not needed at the same time is in frames of their own. */
#define NOINLINE __attribute__((noinline))

#define OF(f) (w->vm.of[RT_JAVA_##f])
#define HAS(f) rt_java_has(&w->vm, RT_JAVA_##f)

/* ---- reading ---- */

static rt_u64 get(struct walk *w, rt_u64 at, rt_u32 size)
{
	if (RT_FAILED(w->c) || (++w->reads % READS_PER_ACTION == 0 && rt_charge(w->c, 1)))
		return 0;
	return rt_read(w->c, RT_USER, at, size);
}

static rt_u64 word(struct walk *w, rt_u64 at)
{
	return get(w, at, WORD);
}

static rt_s64 number(struct walk *w, rt_u64 at)
{
	return (int)get(w, at, 4);
}

/* The stack ends here, and this is why. */
static rt_bool ends(struct walk *w, const char *why)
{
	if (!w->why)
		w->why = why;
	return 0;
}

/* ---- texts ---- */

static void put(struct walk *w, const char *text)
{
	rt_sink_put(&w->line, text, rt_cstr_len(text));
}

/* The line is ready. */
static void emit(struct walk *w)
{
	if (w->line.n == w->line.max)
		w->line.n--;
	rt_sink_put(&w->line, "\n", 1);
	if (w->prints)
		rt_print_str(w->c, (struct rt_str){w->line.buf, w->line.n});
	else
		rt_sink_put(&w->text, w->line.buf, w->line.n);
	w->line.n = 0;
}

/* A hidden class has "+0x" and an address at its end, where Java itself shows a slash instead of the plus sign: where that is; n: nowhere. */
static rt_u64 plus_of_hidden(const char *p, rt_u64 n)
{
	rt_u64 i = n;

	while (i && ((p[i - 1] >= '0' && p[i - 1] <= '9') || (p[i - 1] >= 'a' && p[i - 1] <= 'f')))
		i--;
	return i < n && i > 2 && p[i - 1] == 'x' && p[i - 2] == '0' && p[i - 3] == '+' ? i - 3 : n;
}

/* A name may have any characters, but a frame is a line: control characters (of ASCII, or U+0080 to U+009F) are spelled out. */
static void put_name(struct walk *w, rt_u64 n, rt_bool is_class)
{
	rt_u64 plus = is_class ? plus_of_hidden(w->name, n) : n;
	const char *p = w->name;
	char out[4];

	for (rt_u64 i = 0; i < n; i++) {
		rt_u8 ch = (rt_u8)p[i];
		rt_bool second = ch >= 0x80 && ch < 0xa0 && i && (rt_u8)p[i - 1] == 0xc2;

		if (ch < ' ' || ch == 0x7f || second)
			rt_sink_put(&w->line, out, rt_escape(out, ch, 0));
		else
			rt_sink_put(&w->line, is_class && ch == '/' ? "." : i == plus ? "/" : &p[i], 1);
	}
}

/* A symbol's text.  What is too long ends in dots. */
static void put_symbol(struct walk *w, rt_u64 symbol, rt_bool is_class)
{
	rt_u64 n = get(w, symbol + OF(SYMBOL_LENGTH), 2), room = is_class ? TEXT_MOST : TEXT_MOST / 2, shown = rt_min(n, room);
	rt_s64 rc = 0;

	if (!RT_FAILED(w->c) && shown && !rt_charge(w->c, 1))
		rc = rt_port_read(w->c, RT_USER, symbol + OF(SYMBOL_TEXT), w->name, (rt_u32)shown);
	if (rc)
		rt_error(w->c, "user read fault at 0x%llx%s", symbol, rt_access_why(rc));
	if (RT_FAILED(w->c))
		return;
	put_name(w, shown, is_class);
	if (n > shown)
		put(w, "...");
}

/* ---- methods ---- */

/* The symbol that the constant is, or 0. */
static inline __attribute__((always_inline)) rt_u64 pool_symbol(struct walk *w, const struct method *m, rt_u64 i)
{
	if (!i || (rt_s64)i >= m->length || get(w, m->tags + OF(BYTES) + i, 1) != OF(UTF8))
		return 0;
	return word(w, m->pool + OF(POOL) + i * WORD);
}

/* Is a method there?  Its class must know the constants that it refers to. */
static rt_bool is_method(struct walk *w, rt_u64 at, struct method *m)
{
	*m = (struct method){.at = at};
	if (!at || at % WORD)
		return 0;
	m->rest = word(w, at + OF(METHOD_CONST));
	m->pool = word(w, m->rest + OF(CONST_POOL));
	m->holder = word(w, m->pool + OF(POOL_HOLDER));
	m->length = number(w, m->pool + OF(POOL_LENGTH));
	m->code_size = get(w, m->rest + OF(CONST_CODE_SIZE), 2);
	m->tags = word(w, m->pool + OF(POOL_TAGS));
	m->name = pool_symbol(w, m, get(w, m->rest + OF(CONST_NAME), 2));
	return word(w, m->holder + OF(CLASS_POOL)) == m->pool && m->name && !RT_FAILED(w->c);
}

static rt_bool is_native(struct walk *w, const struct method *m)
{
	return (get(w, m->at + OF(METHOD_ACCESS), 2) & ACC_NATIVE) != 0;
}

static rt_bool read_block(struct packed *p)
{
	rt_u64 to = rt_min((p->at | (PACKED_BLOCK - 1)) + 1, p->end);
	rt_s64 rc;

	if (RT_FAILED(p->w->c) || rt_charge(p->w->c, BLOCK_ACTIONS))
		return 0;
	rc = rt_port_read(p->w->c, RT_USER, p->at, p->block + p->at % PACKED_BLOCK, (rt_u32)(to - p->at));
	if (rc)
		rt_error(p->w->c, "user read fault at 0x%llx%s", p->at, rt_access_why(rc));
	p->read_to = to;
	return !rc;
}

static rt_u32 next_byte(struct packed *p)
{
	if (p->at == p->end || (p->at == p->read_to && !read_block(p)))
		return 0;
	return p->block[p->at++ % PACKED_BLOCK];
}

static rt_u32 unpack(struct packed *p)
{
	rt_u32 sum = 0, byte;

	for (rt_u32 shift = 0; shift <= 24; shift += 6) {
		byte = next_byte(p);
		sum += (rt_u32)((rt_u64)(byte - p->more) << shift);
		if (byte < 192)
			break;
	}
	return sum;
}

static rt_s64 unpack_signed(struct packed *p)
{
	rt_u32 v = unpack(p);

	return (rt_s64)(int)(v >> 1 ^ (0 - (v & 1)));
}

/* How numbers are packed was looked at in these versions. */
static rt_bool knows_packed(struct walk *w, struct packed *p, rt_u64 at, rt_u64 end)
{
	rt_s64 version = HAS(VERSION) ? number(w, OF(VERSION)) : 0;

	p->w = w;
	p->at = p->read_to = at;
	p->end = end;
	p->more = version >= 20;
	return version == 17 || version == 25;
}

/* The line of a byte code: that of the last entry that begins at it or before.  0: not known. */
static NOINLINE rt_s64 line_of(struct walk *w, const struct method *m, rt_s64 bci)
{
	rt_u64 flags = get(w, m->rest + (HAS(CONST_FLAGS_17) ? OF(CONST_FLAGS_17) : OF(CONST_FLAGS)), 2);
	rt_u64 from = m->rest + OF(CONST_METHOD) + m->code_size;
	rt_s64 at = 0, line = 0, best = 0, best_at = 0;
	struct packed *p = &w->packed;

	if (bci < 0 || !(flags & (HAS(HAS_LINES_17) ? OF(HAS_LINES_17) : OF(HAS_LINES))) || !knows_packed(w, p, from, from + LINES_MOST))
		return 0;
	while (!RT_FAILED(w->c)) {
		rt_u32 byte = next_byte(p);

		if (p->at == p->end)
			return 0;
		if (!byte)
			break;
		if (byte == 0xff) {
			at += unpack_signed(p);
			line += unpack_signed(p);
		} else {
			at += byte >> 3;
			line += byte & 7;
		}
		if (at == bci)
			return line;
		if (at < bci && at >= best_at) {
			best = line;
			best_at = at;
		}
	}
	return best;
}

static NOINLINE void put_method(struct walk *w, const struct method *m, rt_s64 bci)
{
	rt_u64 file = pool_symbol(w, m, get(w, m->pool + OF(POOL_FILE), 2));
	rt_s64 line;

	put(w, " at ");
	put_symbol(w, word(w, m->holder + OF(CLASS_NAME)), 1);
	put(w, ".");
	put_symbol(w, m->name, 0);
	if (is_native(w, m)) {
		put(w, "(Native Method)");
	} else if (!file) {
		put(w, "(Unknown Source)");
	} else {
		put(w, "(");
		put_symbol(w, file, 0);
		line = line_of(w, m, bci);
		if (line > 0) {
			put(w, ":");
			rt_sink_long(&w->line, line, 0);
		}
		put(w, ")");
	}
	if (RT_FAILED(w->c))
		w->line.n = 0;
	else if (!rt_charge(w->c, 1))
		emit(w);
}

/* ---- the code cache ---- */

/* Of each segment a byte says how far back the first of its block may be; 0: it is that. */
static rt_u64 block_of(struct walk *w, rt_u64 heap, rt_u64 low)
{
	rt_u64 shift = get(w, heap + OF(HEAP_SHIFT), 4) & 31, map = word(w, heap + OF(HEAP_MAP) + OF(SPACE_LOW));
	rt_u64 i = (w->pc - low) >> shift, back = get(w, map + i, 1), block;

	if (back == FREE_SEGMENT)
		return 0;
	for (rt_u32 hops = 0; back && hops < HOPS_MOST && !RT_FAILED(w->c); hops++) {
		if (back > i)
			return 0;
		i -= back;
		back = get(w, map + i, 1);
	}
	block = low + (i << shift);
	return !back && get(w, block + OF(BLOCK_HEADER) + OF(BLOCK_USED), 1) == 1 ? block + OF(BLOCK) : 0;
}

/* The part of the code cache that the address is in. */
static rt_bool find_heap(struct walk *w)
{
	rt_u64 heaps = word(w, OF(HEAPS)), list = word(w, heaps + OF(ARRAY_LIST));
	rt_s64 n = number(w, heaps + OF(ARRAY_LENGTH));

	w->heap_low = w->heap_high = 0;
	for (rt_s64 i = 0; i < n && i < HEAPS_MOST && !RT_FAILED(w->c); i++) {
		rt_u64 heap = word(w, list + (rt_u64)i * WORD), low = word(w, heap + OF(HEAP_MEMORY) + OF(SPACE_LOW));
		rt_u64 high = word(w, heap + OF(HEAP_MEMORY) + OF(SPACE_HIGH));

		if (w->pc < low || w->pc >= high || RT_FAILED(w->c))
			continue;
		w->heap = heap;
		w->heap_low = low;
		w->heap_high = high;
		return 1;
	}
	return 0;
}

/* The CodeBlob that the address is in; 0: none. */
static NOINLINE rt_u64 find_blob(struct walk *w)
{
	rt_u64 blob;

	if ((w->pc < w->heap_low || w->pc >= w->heap_high) && !find_heap(w))
		return 0;
	blob = block_of(w, w->heap, w->heap_low);
	return blob && w->pc - blob < (rt_u64)number(w, blob + OF(BLOB_SIZE)) ? blob : 0;
}

/* ---- compiled methods ---- */

/* A deoptimized frame returns to the deopt handler: the original pc is saved in the frame, at _orig_pc_offset. */
static rt_u64 call_in(struct walk *w, rt_u64 blob)
{
	rt_u64 one = HAS(DEOPT_17) ? word(w, blob + OF(DEOPT_17)) : HAS(DEOPT) ? blob + (rt_u64)number(w, blob + OF(DEOPT)) : 0;
	rt_u64 other = HAS(DEOPT_MH_17) ? word(w, blob + OF(DEOPT_MH_17)) : HAS(DEOPT_MH) ? blob + (rt_u64)number(w, blob + OF(DEOPT_MH)) : 0;

	if (HAS(ORIGINAL_PC) && (w->pc == one || w->pc == other))
		return word(w, w->sp + (rt_u64)number(w, blob + OF(ORIGINAL_PC)));
	return w->pc;
}

static rt_bool find_tables(struct walk *w, rt_u64 blob, struct compiled *n)
{
	*n = (struct compiled){.at = blob, .pc = call_in(w, blob)};
	if (!HAS(SCOPES_PCS))
		return 0;
	if (HAS(SCOPES_17) && HAS(SCOPES_PCS_END_17) && HAS(METADATA_17) && HAS(BLOB_CODE_17)) {
		n->code = word(w, blob + OF(BLOB_CODE_17));
		n->pcs = blob + (rt_u64)number(w, blob + OF(SCOPES_PCS));
		n->pcs_end = blob + (rt_u64)number(w, blob + OF(SCOPES_PCS_END_17));
		n->scopes = word(w, blob + OF(SCOPES_17));
		n->metadata = blob + (rt_u64)number(w, blob + OF(METADATA_17));
		n->metadata_end = n->scopes;
		return !RT_FAILED(w->c);
	}
	if (HAS(IMMUTABLE) && HAS(SCOPES) && HAS(MUTABLE) && HAS(MUTABLE_SIZE) && HAS(RELOCATIONS_SIZE) && HAS(BLOB_CODE)) {
		rt_u64 fixed = word(w, blob + OF(IMMUTABLE)), mutable = word(w, blob + OF(MUTABLE));

		n->code = blob + (rt_u64)number(w, blob + OF(BLOB_CODE));
		n->pcs = fixed + (rt_u64)number(w, blob + OF(SCOPES_PCS));
		n->pcs_end = n->scopes = fixed + (rt_u64)number(w, blob + OF(SCOPES));
		n->metadata = mutable + (rt_u64)number(w, blob + OF(RELOCATIONS_SIZE));
		n->metadata_end = mutable + (rt_u64)number(w, blob + OF(MUTABLE_SIZE));
		return !RT_FAILED(w->c);
	}
	return 0;
}

/* The scope of the call, an offset in the scopes' data, by the PcDesc that is exactly of this place; 0: there is none. */
static NOINLINE rt_u64 find_scope(struct walk *w, const struct compiled *n)
{
	rt_u64 size = OF(PC_DESC), first = 0, last, middle;
	rt_s64 want = (rt_s64)(n->pc - n->code), at;

	if (!size || size > 64 || n->pcs_end < n->pcs || n->pcs_end - n->pcs > 1 << 24)
		return 0;
	last = (n->pcs_end - n->pcs) / size;
	while (first < last && !RT_FAILED(w->c)) {
		middle = first + (last - first) / 2;
		at = number(w, n->pcs + middle * size + OF(PC_OFFSET));
		if (at == want)
			return (rt_u64)number(w, n->pcs + middle * size + OF(PC_SCOPE));
		if (at < want)
			first = middle + 1;
		else
			last = middle;
	}
	return 0;
}

#define NO_SCOPE (~0ULL)
/* The method and place of a scope (HotSpot's ScopeDesc); its caller's scope, which is before it: 0 if it is inlined nowhere; NO_SCOPE: it is none. */
static NOINLINE rt_u64 read_scope(struct walk *w, const struct compiled *n, rt_u64 scope, struct method *m, rt_s64 *bci)
{
	rt_u64 caller, i, slot;
	struct packed *p = &w->packed;

	if (!knows_packed(w, p, n->scopes + scope, n->scopes + scope + 32))
		return NO_SCOPE;
	caller = unpack(p);
	i = unpack(p);
	*bci = (rt_s64)unpack(p) + (rt_s64)OF(BCI_OF_ENTRY);
	slot = n->metadata + (i - 1) * WORD;
	if (RT_FAILED(w->c) || !i || slot >= n->metadata_end || caller >= scope || !is_method(w, word(w, slot), m))
		return NO_SCOPE;
	return *bci == (rt_s64)OF(BCI_OF_ENTRY) || (*bci >= 0 && *bci < (rt_s64)m->code_size) ? caller : NO_SCOPE;
}

/* All methods of the frame, the innermost first, if their chain ends with the one that was compiled. */
static NOINLINE rt_bool put_scopes(struct walk *w, const struct compiled *n, const struct method *outermost)
{
	rt_u64 first = find_scope(w, n), scope = first;
	struct method *m = &w->inlined;
	rt_u32 depth = 0;
	rt_s64 bci;

	while (scope && depth++ < INLINED_MOST) {
		scope = read_scope(w, n, scope, m, &bci);
		if (scope == NO_SCOPE)
			return 0;
	}
	if (!first || scope || m->at != outermost->at)
		return 0;
	for (scope = first; depth-- && !RT_FAILED(w->c);) {
		scope = read_scope(w, n, scope, m, &bci);
		put_method(w, m, bci);
	}
	return 1;
}

static NOINLINE rt_bool put_compiled(struct walk *w, rt_u64 blob)
{
	struct method *m = &w->method;
	struct compiled *n = &w->compiled;

	if (!is_method(w, word(w, blob + (HAS(COMPILED_METHOD_17) ? OF(COMPILED_METHOD_17) : OF(COMPILED_METHOD))), m))
		return ends(w, "compiled code without a method");
	if (w->inside) {
		put_method(w, m, -1);
		return ends(w, "the thread runs compiled code: what is inlined there, and what called it, is not known");
	}
	if (!is_native(w, m) && find_tables(w, blob, n) && put_scopes(w, n, m))
		return !RT_FAILED(w->c);
	if (!is_native(w, m) && !RT_FAILED(w->c)) {
		put(w, " (what is inlined in the next method is not known)");
		emit(w);
	}
	put_method(w, m, -1);
	return !RT_FAILED(w->c);
}

/* ---- frames ---- */

/* Callers are above, on the stack of the thread. */
static rt_bool go_up(struct walk *w, rt_u64 pc, rt_u64 sp, rt_u64 fp)
{
	if (RT_FAILED(w->c))
		return 0;
	if (sp % WORD || sp <= w->sp || sp > w->stack_high)
		return ends(w, "a caller that is not above what it called");
	w->pc = pc;
	w->sp = sp;
	w->fp = fp;
	w->inside = 0;
	return 1;
}

static rt_bool by_size(struct walk *w, rt_u64 blob)
{
	rt_s64 words = number(w, blob + OF(BLOB_FRAME_SIZE));
	rt_u64 sp = w->sp + (rt_u64)words * WORD;

	if (words < 2 || sp <= w->sp || sp > w->stack_high)
		return ends(w, "a stub without a frame");
	return go_up(w, word(w, sp - WORD), sp, word(w, sp - 2 * WORD));
}

static NOINLINE rt_bool interpreted(struct walk *w)
{
	rt_u64 last_sp = w->fp + OF(FRAME_LAST_SP) * WORD, bci;
	struct method m;

	if (w->fp % WORD || w->fp < w->stack_low || w->fp > w->stack_high - 2 * WORD || last_sp - FRAME_BELOW * WORD < w->sp)
		return ends(w, "a frame of the interpreter that is not ready");
	if (!is_method(w, word(w, last_sp - METHOD_BELOW * WORD), &m))
		return ends(w, "a frame of the interpreter without a method");
	bci = word(w, last_sp - BYTE_CODE_BELOW * WORD) - (m.rest + OF(CONST_METHOD));
	if (!is_native(w, &m) && bci >= m.code_size)
		return ends(w, "a frame of the interpreter whose place is not in its method");
	if (w->inside) {
		put(w, " (the innermost method may be missing)");
		emit(w);
	}
	put_method(w, &m, (rt_s64)bci);
	return go_up(w, word(w, w->fp + WORD), word(w, w->fp + OF(FRAME_SENDER_SP) * WORD), word(w, w->fp));
}

/* The newest frame of Java that an anchor has: false: none, since there is none, or another reason. */
static rt_bool from_anchor(struct walk *w, rt_u64 anchor)
{
	rt_u64 sp = word(w, anchor + OF(ANCHOR_SP)), pc = word(w, anchor + OF(ANCHOR_PC));

	if (!sp || RT_FAILED(w->c))
		return 0;
	if (sp <= w->stack_low || sp > w->stack_high)
		return ends(w, "a frame that is not on the stack");
	if (!pc)
		pc = word(w, sp - WORD);
	return go_up(w, pc, sp, word(w, anchor + OF(ANCHOR_FP)));
}

static rt_bool is_named(const char *p, rt_s64 n, const char *name)
{
	return n == (rt_s64)rt_cstr_len(name) && rt_bytes_equal(p, name, (rt_u32)n);
}

/* Writes a frame down and goes to its caller; false: there is none, or why. */
static NOINLINE rt_bool step(struct walk *w)
{
	rt_u64 blob, name;
	rt_s64 n;

	if (w->pc < w->low || w->pc >= w->high)
		return ends(w, "the caller is not in the code cache");
	if (w->pc == word(w, OF(CALL_STUB)))
		return from_anchor(w, word(w, w->fp + OF(FRAME_WRAPPER) * WORD) + OF(WRAPPER_ANCHOR));
	blob = find_blob(w);
	name = blob ? word(w, blob + OF(BLOB_NAME)) : 0;
	if (!name)
		return ends(w, "code that the virtual machine does not know");
	n = rt_port_read_str(w->c, RT_USER, name, w->name, TEXT_MOST);
	if (is_named(w->name, n, "Interpreter"))
		return interpreted(w);
	if (is_named(w->name, n, "nmethod") || is_named(w->name, n, "native nmethod"))
		return put_compiled(w, blob) && by_size(w, blob);
	return w->inside ? ends(w, "the thread is between methods") : by_size(w, blob);
}

/* ---- the beginning ---- */

/* The JavaThread that has the number; 0: none. */
static rt_u64 find_thread(struct walk *w, rt_u64 tid)
{
	rt_u64 all = word(w, OF(ALL_THREADS)), list, n, os;
	rt_u64 field = HAS(OS_THREAD_17) ? OF(OS_THREAD_17) : OF(OS_THREAD);

	if (!all)
		return 0;
	list = word(w, all + OF(THREADS_LIST));
	n = get(w, all + OF(THREADS_LENGTH), 4);
	for (rt_u64 i = 0; i < n && i < THREADS_MOST && !RT_FAILED(w->c); i++) {
		rt_u64 thread = word(w, list + i * WORD);

		os = thread ? word(w, thread + field) : 0;
		if (os && get(w, os + OF(OS_THREAD_ID), 4) == tid)
			return RT_FAILED(w->c) ? 0 : thread;
	}
	return 0;
}

/* Outside of Java, a thread that was called by Java has an anchor. */
static rt_bool is_outside(struct walk *w, rt_u64 thread)
{
	rt_s64 state = HAS(STATE) ? number(w, thread + OF(STATE)) : 0;

	return !RT_FAILED(w->c) && state && (state == (rt_s64)OF(IN_NATIVE) || state == (rt_s64)OF(IN_VM) || state == (rt_s64)OF(BLOCKED));
}

/*
 * The path of the file that has the code at the address, to w->name: its length; 0: not known.  The vdso has no path, but is known when any file
 * is: then it is that of the VM.
 */
static rt_s64 read_path(struct walk *w, rt_u64 image, rt_u64 at)
{
	rt_u64 found = rt_elf_image_at(w->c, image, at);
	rt_s64 n = 0;

	for (rt_u32 i = 0; i < 2 && found && n >= 0 && w->name[0] != '/'; i++, found = image)
		n = RT_FAILED(w->c) ? -1 : rt_port_read_str(w->c, RT_USER, word(w, found + WORD), w->name, TEXT_MOST);
	return n > 0 && w->name[0] == '/' ? n : 0;
}

/* There are no tables of the code. */
static rt_bool ends_in_file(struct walk *w, rt_u64 image, rt_u64 at)
{
	struct rt_str why;
	rt_s64 n;

	w->name[0] = 0;
	n = read_path(w, image, at);
	if (RT_FAILED(w->c) && !rt_catch(w->c, &why))
		return 0;
	if (n <= 0)
		return ends(w, "cannot unwind to the Java code: code in between is of no file that is known");
	put(w, " (cannot unwind to the Java code: no tables of ");
	put_name(w, (rt_u64)n, 0);
	put(w, ": name it with -d)");
	emit(w);
	return 0;
}

/* Java calls some functions of the VM without an anchor, and in its own code a thread has none. */
static rt_bool from_registers(struct walk *w, rt_u64 image, rt_u64 thread)
{
	struct rt_place p;
	enum rt_stack_end end = rt_port_unwind_to(w->c, w->low, w->high, &p);

	if (end != RT_END_LIMIT && !w->sp && (end == RT_END_OUTERMOST || is_outside(w, thread)))
		return ends(w, "this thread is in no method of Java");
	if (end == RT_END_FOREIGN && !RT_FAILED(w->c))
		return ends_in_file(w, image, p.at);
	if (end != RT_END_LIMIT)
		return ends(w, "cannot unwind to the Java code: the stack cannot be followed so far");
	w->inside = p.inside;
	if (p.sp <= w->stack_low || p.sp > w->stack_high)
		return ends(w, "a frame that is not on the stack");
	w->pc = p.at;
	w->sp = p.sp;
	w->fp = p.fp;
	return 1;
}

static rt_bool is_known_version(struct walk *w)
{
	if (!rt_java_has_all(&w->vm) || (!HAS(OS_THREAD) && !HAS(OS_THREAD_17)) || (!HAS(COMPILED_METHOD) && !HAS(COMPILED_METHOD_17)))
		return 0;
	return (HAS(CONST_FLAGS) || HAS(CONST_FLAGS_17)) && (HAS(HAS_LINES) || HAS(HAS_LINES_17));
}

static NOINLINE rt_bool begin(struct walk *w, rt_u64 image, rt_u64 tid)
{
	rt_u64 thread;

	if (!is_known_version(w))
		return ends(w, "a virtual machine of an unknown version");
	thread = find_thread(w, tid);
	if (!thread)
		return ends(w, "this is not a Java thread");
	w->low = word(w, OF(LOW));
	w->high = word(w, OF(HIGH));
	w->stack_high = word(w, thread + OF(STACK_BASE));
	w->stack_low = w->stack_high - word(w, thread + OF(STACK_SIZE));
	if (from_anchor(w, thread + OF(ANCHOR)) && w->pc >= w->low && w->pc < w->high)
		return 1;
	return !w->why && !RT_FAILED(w->c) && from_registers(w, image, thread);
}

static void walk(struct walk *w)
{
	for (rt_u32 frames = 0; step(w); frames++)
		if (frames == FRAMES_MOST) {
			ends(w, "more methods than are followed");
			return;
		} else if (rt_charge(w->c, 1)) {
			return;
		}
}

/* The last line: why the stack ends; an error that is none of the script's is one as well. */
static NOINLINE void put_end(struct walk *w)
{
	struct rt_str why = RT_EMPTY;

	if (RT_FAILED(w->c) && !rt_catch(w->c, &why))
		return;
	w->line.n = 0;
	if (!why.n && w->why)
		why = (struct rt_str){w->why, rt_cstr_len(w->why)};
	if (!why.n)
		return;
	put(w, " (");
	rt_sink_put(&w->line, why.p, why.n);
	put(w, ")");
	emit(w);
}

/* text: where the stack goes; NULL: it is printed. */
static NOINLINE struct walk *make_walk(struct rt_ctx *c, char *text)
{
	struct walk *w = (struct walk *)rt_alloc(c, sizeof *w);

	if (!w)
		return 0;
	memset(w, 0, sizeof *w);
	w->c = c;
	w->prints = !text;
	w->text = (struct rt_sink){.buf = text, .max = rt_script.limits->string_max};
	w->line = (struct rt_sink){.buf = w->buffer, .max = sizeof w->buffer - 1};
	return w;
}

struct rt_str rt_java_stack(struct rt_ctx *c, rt_u64 image, rt_s64 pid, rt_s64 tid, rt_bool prints)
{
	char *text = prints ? 0 : rt_alloc(c, rt_script.limits->string_max + 1), *mark = rt_mark(c);
	struct walk *w = make_walk(c, text);

	if (!w || (!prints && !text))
		return RT_EMPTY;
	w->vm.pid = pid;
	if (!image)
		w->why = "this process runs no Java";
	else if (!RT_JAVA_FRAMES)
		w->why = "frames of Java are not known on this machine";
	else if (!(w->why = rt_java_vm_read(c, image, &w->vm)) && !RT_FAILED(c) && begin(w, image, (rt_u64)tid))
		walk(w);
	put_end(w);
	if (!prints && w->text.n && text[w->text.n - 1] == '\n')
		w->text.n--;
	rt_release(c, mark);
	if (prints)
		return RT_EMPTY;
	text[w->text.n] = 0;
	return (struct rt_str){text, w->text.n};
}
