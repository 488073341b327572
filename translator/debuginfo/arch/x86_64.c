/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64.  The System V calling convention classifies a type of up to 16 bytes by eightbytes: INTEGER ones
 * take general registers, SSE ones vector registers; larger or unaligned aggregates, and whatever finds no
 * register, are copied onto the stack, in order, from the canonical frame address on.  Aggregates to be
 * returned in memory shift the parameters by one: rdi holds their address.
 */
#include <elf.h>
#include <string.h>

#include "base/kernels.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/arch/x86_64_length.h"
#include "translator/debuginfo/dtype.h"

static void merge(struct placing *p, uint64_t off, enum class c)
{
	enum class *at = &p->c[off / 8];

	if (*at == CLASS_NONE || c == CLASS_INTEGER)
		*at = c;
}

static void classify(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off, unsigned depth);

static void classify_members(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off,
			     unsigned depth)
{
	const struct dtype_member *v;
	size_t n = dtype_members(a, t, &v), i;

	for (i = 0; i < n && p->c[0] < CLASS_MEMORY; i++) {
		uint64_t bit = off * 8 + v[i].bit_off;

		if (!v[i].bit_width)
			classify(a, p, v[i].type, off + v[i].bit_off / 8, depth + 1);
		else if (bit + v[i].bit_width <= 8 * p->size) {
			merge(p, bit / 8, CLASS_INTEGER);
			merge(p, (bit + v[i].bit_width - 1) / 8, CLASS_INTEGER);
		}
	}
}

static void classify_array(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off,
			   unsigned depth)
{
	const struct dtype *element = dtype_target(t);
	uint64_t size = dtype_size(element), count = dtype_count(t), i;

	for (i = 0; size && i < count && p->c[0] < CLASS_MEMORY; i++)
		classify(a, p, element, off + i * size, depth + 1);
}

/* Adds the classes of what lies at off of a type of at most 16 bytes. */
static void classify(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off, unsigned depth)
{
	uint64_t size = dtype_size(t);
	enum dtype_kind kind = dtype_kind(t);

	if (depth > ABI_NESTING || p->visits++ > ABI_VISITS || off + size < off || off + size > p->size) {
		p->c[0] = CLASS_UNKNOWN;
		return;
	}
	switch (kind) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
	case DTYPE_FLOAT:
		if (size == 0)
			p->c[0] = CLASS_UNKNOWN;
		else if (off % (size < 8 ? size : 8))
			p->c[0] = CLASS_MEMORY; /* packed: unaligned fields */
		else if (kind == DTYPE_FLOAT) {
			merge(p, off, CLASS_VECTOR);
			merge(p, off + size - 1, CLASS_VECTOR);
		} else {
			merge(p, off, CLASS_INTEGER);
			merge(p, off + size - 1, CLASS_INTEGER);
		}
		break;
	case DTYPE_ARRAY:
		classify_array(a, p, t, off, depth);
		break;
	case DTYPE_STRUCT:
	case DTYPE_UNION:
		classify_members(a, p, t, off, depth);
		break;
	case DTYPE_VOID:
	case DTYPE_FUNCTION:
	case DTYPE_INCOMPLETE:
		p->c[0] = CLASS_UNKNOWN;
		break;
	}
}

static bool is_long_double(const struct dtype *t)
{
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	return n.kind == NODE_FLOAT && dtype_size(t) >= 16 && strstr(n.name, "long double");
}

static void classify_value(struct arena *a, struct placing *p, const struct dtype *t)
{
	if (is_long_double(t))
		p->c[0] = CLASS_FLOAT;
	else if (p->size > 16)
		p->c[0] = CLASS_MEMORY;
	else
		classify(a, p, t, 0, 0);
	if (p->c[0] == CLASS_NONE && p->c[1] != CLASS_NONE)
		p->c[0] = CLASS_UNKNOWN;
	p->integers = (p->c[0] == CLASS_INTEGER) + (p->c[1] == CLASS_INTEGER);
	p->vectors = (p->c[0] == CLASS_VECTOR) + (p->c[1] == CLASS_VECTOR);
}

static const char *const registers[] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
};

static const unsigned char arguments[] = {5, 4, 1, 2, 8, 9};
static const unsigned char go_arguments[] = {0, 3, 2, 5, 4, 8, 9, 10, 11};

/* Of the first eight registers: the names of their low halves and bytes; of the first four also those of their second bytes. */
static const char *const dwords[] = {"eax", "edx", "ecx", "ebx", "esi", "edi", "ebp", "esp"};
static const char *const bytes[] = {"al", "dl", "cl", "bl", "sil", "dil", "bpl", "spl"};
static const char *const seconds[] = {"ah", "dh", "ch", "bh"};

enum { NAMED = 8, RIP = 16, SECONDS = 4 };

static bool is_name(const char *text, size_t n, const char *name)
{
	return strlen(name) == n && !memcmp(text, name, n);
}

/* "r8d": a part of a register that has a number. */
static unsigned width_of_suffix(char suffix)
{
	return suffix == 'd' ? 4 : suffix == 'w' ? 2 : suffix == 'b' || suffix == 'l' ? 1 : 0;
}

/* The name of n bytes after "%". */
static bool read_register(const char *text, size_t n, struct target_operand *out)
{
	for (int i = 0; i < RIP; i++) {
		size_t len = strlen(registers[i]);
		unsigned width = 0;

		if (is_name(text, n, registers[i]))
			width = 8;
		else if (i >= NAMED && n == len + 1 && !memcmp(text, registers[i], len))
			width = width_of_suffix(text[len]);
		else if (i < NAMED)
			width = is_name(text, n, dwords[i]) ? 4 : is_name(text, n, dwords[i] + 1) ? 2 : is_name(text, n, bytes[i]) ? 1 : 0;
		if (i < SECONDS && is_name(text, n, seconds[i]))
			width = out->bit = 1;
		if (!width)
			continue;
		out->reg = i;
		out->width = width;
		out->bit *= 8;
		return true;
	}
	return false;
}

static size_t name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");
}

static bool is_vector(const char *text)
{
	return !strncmp(text, "xmm", 3) || !strncmp(text, "ymm", 3) || !strncmp(text, "zmm", 3) || !strncmp(text, "mm", 2) ||
	       !strcmp(text, "st") || !strncmp(text, "st(", 3);
}

/* A whole register of an address, "%rax"; what follows it, or NULL. */
static const char *read_whole(const char *text, int *reg)
{
	struct target_operand r = {0};
	size_t n = *text == '%' ? name_length(text + 1) : 0;

	if (!n || !read_register(text + 1, n, &r) || r.width != 8)
		return NULL;
	*reg = r.reg;
	return text + 1 + n;
}

/* "base,index,scale)": after the parenthesis. */
static bool read_base_and_index(const char *text, struct target_operand *out)
{
	if (!strcmp(text, "%rip)"))
		return out->symbol; /* without one it is relative to an instruction that the note does not name */
	if (*text != ',' && !(text = read_whole(text, &out->reg)))
		return false;
	if (*text == ',') {
		text = read_whole(text + 1, &out->index);
		if (text && *text == ',') {
			if (!text[1] || !strchr("1248", text[1]))
				return false;
			out->scale = (unsigned)(text[1] - '0');
			text += 2;
		}
	}
	return text && !strcmp(text, ")");
}

/* AT&T syntax.  What is relative to %fs or to the table of addresses (@GOTPCREL) is not known to a probe. */
static bool operand(const char *text, struct target_operand *out)
{
	*out = (struct target_operand){.reg = -1, .index = -1, .scale = 1};
	if (*text == '%') {
		size_t n = name_length(text + 1);

		out->kind = is_vector(text + 1) ? OPERAND_VECTOR : OPERAND_REGISTER;
		return out->kind == OPERAND_VECTOR || (!text[1 + n] && read_register(text + 1, n, out));
	}
	if (*text == '$') {
		out->kind = OPERAND_CONSTANT;
		text = text[1] ? target_sum(text + 1, out) : NULL;
		return text && !*text;
	}
	out->kind = OPERAND_MEMORY;
	const char *end = *text ? target_sum(text, out) : NULL;
	return end && (!*end || (*end == '(' && read_base_and_index(end + 1, out)));
}

/*
 * Frames are found by rbp and, where a function aligns its stack, by r10 or r13, as long as it does.  Not by rbx, of which elfutils 0.188 does not
 * say that calls preserve it.
 */
static const unsigned char followed[] = {6, 10, 12, 13, 14, 15};

/* syscall; test %rax, %rax; jl; je; ret */
static bool parts(const unsigned char *code, size_t n)
{
	static const unsigned char first[] = {0x0f, 0x05, 0x48, 0x85, 0xc0};
	size_t at = sizeof first;

	if (n < at + 5 || memcmp(code, first, sizeof first) != 0)
		return false;
	if (code[at] == 0x7c)
		at += 2;
	else if (code[at] == 0x0f && code[at + 1] == 0x8c)
		at += 6;
	else
		return false;
	return n == at + 3 && code[at] == 0x74 && code[at + 2] == 0xc3;
}

static const struct target_refusal refused[] = {
	{"exc_", "it is an exception entry, where the kernel allows no probes"},
	{"asm_exc_", "it is an exception entry, where the kernel allows no probes"},
	{"sysvec_", "it is an interrupt entry, where the kernel allows no probes"},
	{"asm_sysvec_", "it is an interrupt entry, where the kernel allows no probes"},
	{NULL, NULL},
};

static const char *const helpers[] = {"__x86_return_thunk", "__x86_indirect_*", NULL};

static unsigned call_at_end(const unsigned char *code, size_t n, bool jump)
{
	return n >= 5 && code[n - 5] == (jump ? 0xe9 : 0xe8) ? 5 : 0;
}

/* [endbr64] [bnd] jmp *displacement(%rip) */
static bool plt_slot(const unsigned char *code, size_t n, uint64_t address, uint64_t *slot)
{
	size_t at = n > 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
	int32_t displacement;

	at += at < n && code[at] == 0xf2;
	if (n - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	memcpy(&displacement, code + at + 2, sizeof displacement);
	*slot = address + at + 6 + (uint64_t)displacement;
	return true;
}

/* The distance in the last size bytes of an instruction, from its end. */
static uint64_t jump_target(const unsigned char *code, size_t n, size_t size, uint64_t address)
{
	int32_t distance = (signed char)code[n - 1];

	if (size == sizeof distance)
		memcpy(&distance, code + n - size, size);
	return address + n + (uint64_t)(int64_t)distance;
}

static enum target_flow flow(const unsigned char *code, size_t n, uint64_t address, uint64_t *to)
{
	size_t at = n > 1 && (code[0] == 0xf3 || code[0] == 0xf2 || code[0] == 0x2e || code[0] == 0x3e); /* "rep ret", "bnd ret", hints of branches */

	if (code[at] == 0xc3 || code[at] == 0xc2)
		return FLOW_RETURNS;
	if (n - at == 5 && code[at] == 0xe9)
		*to = jump_target(code, n, 4, address);
	else if (n - at == 6 && code[at] == 0x0f && (code[at + 1] & 0xf0) == 0x80)
		*to = jump_target(code, n, 4, address);
	else if (n - at == 2 && (code[at] == 0xeb || (code[at] & 0xf0) == 0x70))
		*to = jump_target(code, n, 1, address);
	else
		return FLOW_ON;
	return FLOW_JUMPS;
}

struct bytes_seen {
	const unsigned char *code;
	size_t n, at;
};

/* Goes over the bytes of the text, and then over any so many; false: they are others. */
static bool goes_over(struct bytes_seen *b, const char *text, size_t n, size_t any)
{
	if (b->n - b->at < n + any || memcmp(b->code + b->at, text, n) != 0)
		return false;
	b->at += n + any;
	return true;
}

/* jbe, or jb */
static bool branches(struct bytes_seen *b, bool equal)
{
	return goes_over(b, equal ? "\x76" : "\x72", 1, 1) || goes_over(b, equal ? "\x0f\x86" : "\x0f\x82", 2, 4);
}

/*
 * Small frames compare the stack pointer itself with the limit in the goroutine's structure, to which r14 points, others what it will be, in r12.  Of
 * very large ones it may be below 0.
 */
static unsigned go_check(const unsigned char *code, size_t n)
{
	struct bytes_seen b = {.code = code, .n = n};

	if (goes_over(&b, "\x49\x3b\x66\x10", 4, 0)) /* cmp 0x10(%r14),%rsp */
		return branches(&b, true) ? (unsigned)b.at : 0;
	if (goes_over(&b, "\x49\x89\xe4", 3, 0)) { /* mov %rsp,%r12; sub $N,%r12; jb */
		if (!goes_over(&b, "\x49\x81\xec", 3, 4) || !branches(&b, false))
			return 0;
	} else if (!goes_over(&b, "\x4c\x8d\x64\x24", 4, 1) && !goes_over(&b, "\x4c\x8d\xa4\x24", 4, 4)) { /* lea -N(%rsp),%r12 */
		return 0;
	}
	return goes_over(&b, "\x4d\x3b\x66\x10", 4, 0) && branches(&b, true) ? (unsigned)b.at : 0; /* cmp 0x10(%r14),%r12 */
}

/* Below the thread pointer, which is aligned as the block is ("variant II"). */
static int64_t thread_block(uint64_t address, uint64_t size, uint64_t align)
{
	return -(int64_t)(size + ((-address - size) & (align - 1)));
}

const struct target target_x86_64 = {
	.name = "x86_64",
	.machine = "x86_64",
	.kernel = "x86",
	.distro = "amd64",
	.libraries = "x86_64-linux-gnu",
	.calls = "arch/x86/include/generated/uapi/asm/unistd_64.h",
	.compat_calls = "arch/x86/include/generated/uapi/asm/unistd_32.h",
	.has_runtime = true,
	.kernel_memory = 0xff00000000000000, /* with five levels of page tables; with four it is 0xffff800000000000 */
	.elf_machine = EM_X86_64,
	.elf_machine_32 = EM_386,
	.payload = kernels_payload,
	.call_at_end = call_at_end,
	.length = x86_64_length,
	.plt_slot = plt_slot,
	.flow = flow,
	.go_check = go_check,
	.registers = registers,
	.nregisters = sizeof registers / sizeof *registers,
	.stack_pointer = 7,
	.static_chain = 10,
	.return_address = 16,
	.return_on_stack = true,
	.thread_block = thread_block,
	.linker = "/lib64/ld-linux-x86-64.so.2",
	.word = 8,
	.followed = followed,
	.nfollowed = sizeof followed,
	.kept = 5,
	.parts = parts,
	.result = 0,
	.cfa = 8,
	.frame_pointer = 6,
	.frame_below = 16, /* the return address and the old one are above */
	.arguments = arguments,
	.narguments = sizeof arguments,
	.nvectors = 8,
	.go_arguments = go_arguments,
	.ngo_arguments = sizeof go_arguments,
	.ngo_vectors = 15,
	.goroutine = "r14",
	.results = {0, 1},
	.result_is_first = true,
	.classify = classify_value,
	.operand = operand,
	.refused = refused,
	.helpers = helpers,
	.words = {"__x64_sys_"},
};
