/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arm64.  The convention is AAPCS64: scalars and aggregates of up to 16 bytes take general registers, a floating point number and
 * an aggregate of one to four that are alike take vector registers, larger aggregates are copied and their addresses passed.  The
 * first value of a kind that finds too few registers takes the rest of them away from later ones.  The address for a result
 * in memory is in a register of its own, which need not survive the function.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/dtype.h"

enum { FLOATS_MAX = 4 };

/* The floating point numbers that a type consists of. */
struct floats {
	uint64_t size; /* of each; 0: none yet */
	unsigned visits;
};

static int count_floats(struct arena *a, struct floats *f, const struct dtype *t, unsigned depth);

/* A number of the type; a complex one is two. */
static int one_float(struct floats *f, const struct dtype *t)
{
	struct dtype_node n;
	uint64_t size;
	int count;

	dtype_strip(t, &n, NULL, NULL);
	count = strstr(n.name, "complex") ? 2 : 1;
	size = dtype_size(t) / (unsigned)count;
	if (!size || (f->size && f->size != size))
		return -1;
	f->size = size;
	return count;
}

static int floats_of_members(struct arena *a, struct floats *f, const struct dtype *t, unsigned depth)
{
	bool is_union = dtype_kind(t) == DTYPE_UNION;
	const struct dtype_member *v;
	size_t n = dtype_members(a, t, &v);
	int all = 0;

	for (size_t i = 0; i < n && all >= 0 && all <= FLOATS_MAX; i++) {
		int count = v[i].bit_width ? -1 : count_floats(a, f, v[i].type, depth + 1);

		if (count < 0)
			return -1;
		all = !is_union ? all + count : count > all ? count : all;
	}
	return all;
}

/* How many they are; -1 if there is something else, or they are not alike. */
static int count_floats(struct arena *a, struct floats *f, const struct dtype *t, unsigned depth)
{
	int count;

	if (depth > ABI_NESTING || f->visits++ > ABI_VISITS)
		return -1;
	switch (dtype_kind(t)) {
	case DTYPE_FLOAT:
		return one_float(f, t);
	case DTYPE_ARRAY:
		count = dtype_count(t) <= FLOATS_MAX ? count_floats(a, f, dtype_target(t), depth + 1) : -1;
		return count < 0 ? count : count * (int)dtype_count(t);
	case DTYPE_STRUCT:
	case DTYPE_UNION:
		return floats_of_members(a, f, t, depth);
	default:
		return -1;
	}
}

static void classify_aggregate(struct arena *a, struct placing *p, const struct dtype *t)
{
	struct floats f = {0};
	int count = count_floats(a, &f, t, 0);

	if (p->size == 0)
		return;
	if (count > 0 && count <= FLOATS_MAX && (uint64_t)count * f.size == p->size) {
		p->c[0] = CLASS_VECTOR;
		p->vectors = (unsigned)count;
	} else if (p->size > 16) {
		p->c[0] = CLASS_REFERENCE;
	} else {
		p->c[0] = CLASS_INTEGER;
		p->c[1] = p->size > 8 ? CLASS_INTEGER : CLASS_NONE;
		p->integers = p->size > 8 ? 2 : 1;
	}
}

static void classify(struct arena *a, struct placing *p, const struct dtype *t)
{
	struct floats f = {0};

	switch (dtype_kind(t)) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
		p->c[0] = p->size && p->size <= 16 ? CLASS_INTEGER : CLASS_UNKNOWN;
		p->c[1] = p->size > 8 ? CLASS_INTEGER : CLASS_NONE;
		p->integers = p->size > 8 ? 2 : 1;
		break;
	case DTYPE_FLOAT:
		p->vectors = (unsigned)one_float(&f, t);
		p->c[0] = f.size ? CLASS_VECTOR : CLASS_UNKNOWN;
		break;
	case DTYPE_STRUCT:
	case DTYPE_UNION:
		classify_aggregate(a, p, t);
		break;
	case DTYPE_ARRAY: /* as a parameter, only a vector is one */
		p->c[0] = CLASS_VECTOR;
		p->vectors = 1;
		break;
	case DTYPE_VOID:
	case DTYPE_FUNCTION:
	case DTYPE_INCOMPLETE:
		p->c[0] = CLASS_UNKNOWN;
		break;
	}
}

static const char *const registers[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16",
	"x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",  "pc",
};

static const unsigned char arguments[] = {0, 1, 2, 3, 4, 5, 6, 7};

enum { GENERAL = 31, SP = 31 };

/* "x12", "w12", "sp"; what follows it, or NULL. */
static const char *read_register(const char *text, int *reg, unsigned *width)
{
	char *end;
	long n;

	*width = *text == 'w' ? 4 : 8;
	if (!strncmp(text, "sp", 2)) {
		*reg = SP;
		return text + 2;
	}
	if ((*text != 'x' && *text != 'w') || text[1] < '0' || text[1] > '9')
		return NULL;
	n = strtol(text + 1, &end, 10);
	if (n >= GENERAL)
		return NULL;
	*reg = (int)n;
	return end;
}

/* "sp, 12]", "x0, x1, lsl 3]": after the bracket. */
static bool read_address(const char *text, struct target_operand *out)
{
	unsigned width;

	out->kind = OPERAND_MEMORY;
	text = read_register(text, &out->reg, &width);
	if (!text || width != 8)
		return false;
	if (!strcmp(text, "]"))
		return true;
	if (*text++ != ',')
		return false;
	text += strspn(text, " #");
	if (*text != 'x') {
		text = target_sum(text, out);
		return text && !out->symbol && !strcmp(text, "]");
	}
	text = read_register(text, &out->index, &width);
	if (text && !strncmp(text, ", lsl ", 6)) {
		text += 6 + (text[6] == '#');
		if (*text < '0' || *text > '4')
			return false;
		out->scale = 1u << (*text++ - '0');
	}
	return text && !strcmp(text, "]");
}

static bool operand(const char *text, struct target_operand *out)
{
	*out = (struct target_operand){.reg = -1, .index = -1, .scale = 1};
	if (*text == '[')
		return read_address(text + 1, out);
	if (!strcmp(text, "xzr") || !strcmp(text, "wzr"))
		return true; /* the constant 0 */
	const char *end = read_register(text, &out->reg, &out->width);
	if (end && !*end) {
		out->kind = OPERAND_REGISTER;
		return true;
	}
	if (strchr("vqdshb", *text) && text[0] && text[1] >= '0' && text[1] <= '9') {
		out->kind = OPERAND_VECTOR;
		return true;
	}
	text += *text == '#';
	end = *text && (*text == '-' || (*text >= '0' && *text <= '9')) ? target_sum(text, out) : NULL;
	return end && !*end && !out->symbol;
}

/* Entry code of the kernel, which no probe may be in. */
static const struct target_refusal refused[] = {
	{"el0t_", "it is an exception entry, where the kernel allows no probes"},
	{"el0_", "it is an exception entry, where the kernel allows no probes"},
	{"el1t_", "it is an exception entry, where the kernel allows no probes"},
	{"el1h_", "it is an exception entry, where the kernel allows no probes"},
	{"el1_", "it is an exception entry, where the kernel allows no probes"},
	{NULL, NULL},
};

static const char *const helpers[] = {"__arch_copy_*", NULL};

/* [bti c]; adrp x16, page; ldr x17, [x16, #offset] */
static bool plt_slot(const unsigned char *code, size_t n, uint64_t address, uint64_t *slot)
{
	uint32_t at[3];
	size_t i = 0;
	uint64_t page;

	if (n < sizeof at)
		return false;
	memcpy(at, code, sizeof at);
	i += at[0] == 0xd503245f;
	if ((at[i] & 0x9f00001f) != 0x90000010 || (at[i + 1] & 0xffc003ff) != 0xf9400211)
		return false;
	page = (at[i] >> 5 & 0x7ffff) << 2 | (at[i] >> 29 & 3);
	page = (page ^ 1 << 20) - (1 << 20); /* its sign */
	*slot = (((address + 4 * i) >> 12) + page) * 4096 + (at[i + 1] >> 10 & 0xfff) * 8;
	return true;
}

static unsigned length(const unsigned char *code, size_t n)
{
	(void)code;
	return n >= 4 ? 4 : 0;
}

/* Above two words at the thread pointer, aligned ("variant I"). */
static int64_t thread_block(uint64_t address, uint64_t size, uint64_t align)
{
	(void)size;
	return (int64_t)(16 + ((address - 16) & (align - 1)));
}

const struct target target_arm64 = {
	.name = "arm64",
	.machine = "aarch64",
	.kernel = "arm64",
	.distro = "arm64",
	.libraries = "aarch64-linux-gnu",
	.kernel_memory = 0xfff0000000000000,
	.elf_machine = EM_AARCH64,
	.elf_machine_32 = EM_ARM,
	.length = length,
	.plt_slot = plt_slot,
	.image_mark = "ARM\144",
	.image_mark_at = 56,
	.registers = registers,
	.nregisters = sizeof registers / sizeof *registers,
	.stack_pointer = 31,
	.static_chain = 18,
	.return_address = 30,
	.thread_block = thread_block,
	.word = 8,
	.arguments = arguments,
	.narguments = sizeof arguments,
	.nvectors = 8,
	.results = {0, 1},
	.in_order = true,
	.even = true,
	.classify = classify,
	.operand = operand,
	.refused = refused,
	.helpers = helpers,
	.words = {"__arm64_sys_"},
};
