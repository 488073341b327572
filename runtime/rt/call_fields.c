// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures of system calls that are shown member by member, as call_fields.def describes them. */
#include "rt/call.h"

enum form { D, U, X, P, C, S, N };

struct field {
	rt_u8 form, n;
	rt_u16 kind;
	rt_u8 at, size, at32, size32;
};

/* The members of a layout, and their names one after the other: with few addresses in it, a module is loaded faster. */
#define FIELDS(layout, bytes, bytes32, more) static const struct field layout##_fields[] = {
#define F(name, form, n, kind, at, size, at32, size32) {form, n, RT_CALL_##kind, at, size, at32, size32},
#define END };
#include "rt/call_fields.def"
#undef FIELDS
#undef F
#undef END

#define FIELDS(layout, bytes, bytes32, more) static const char layout##_names[] =
#define F(name, form, n, kind, at, size, at32, size32) name "\0"
#define END ;
#include "rt/call_fields.def"
#undef FIELDS
#undef F
#undef END

static const struct layout {
	const struct field *fields;
	const char *names;
	rt_u8 n, bytes, bytes32, more;
} layouts[] = {
#define FIELDS(layout, bytes, bytes32, more) \
	[RT_FIELDS_##layout] = {layout##_fields, layout##_names, sizeof(layout##_fields) / sizeof(struct field), bytes, bytes32, more},
#define F(name, form, n, kind, at, size, at32, size32)
#define END
#include "rt/call_fields.def"
#undef FIELDS
#undef F
#undef END
};

#define FIELDS(layout, bytes, bytes32, more) \
	_Static_assert(bytes <= RT_CALL_BLOCK && bytes32 <= RT_CALL_BLOCK, #layout " fits into the block");
#define F(name, form, n, kind, at, size, at32, size32)
#define END
#include "rt/call_fields.def"
#undef FIELDS
#undef F
#undef END

/* Of size bytes in the block. */
static rt_u64 number_at(const struct rt_call *k, rt_u32 at, rt_u32 size, rt_bool is_signed)
{
	rt_u64 v = 0;

	memcpy(&v, k->block.byte + at, size);
	if (is_signed && size < 8 && v >> (8 * size - 1))
		v |= ~0ull << 8 * size;
	return v;
}

enum { IN_PLACE = 16, IN_PLACE_TEXT = 4 * IN_PLACE + 8, TEXT_READ = 256 };

/* addr: of the structure. */
static void put_field(struct rt_call *k, const struct field *f, rt_u64 addr, rt_u32 at, rt_u32 size)
{
	rt_u64 v = f->form == C ? 0 : number_at(k, at, size, f->form == D);

	switch ((enum form)f->form) {
	case D:
		rt_call_dec(k, (rt_s64)v);
		break;
	case U:
		rt_call_udec(k, v);
		break;
	case X:
		rt_call_hex(k, v);
		break;
	case P:
		rt_call_pointer(k, v);
		break;
	case C:
		rt_call_quoted(k, addr + at, size, IN_PLACE_TEXT, 1);
		break;
	case S:
		if (v)
			rt_call_quoted(k, v, TEXT_READ, RT_CALL_BUFFER_TEXT, 1);
		else
			rt_call_pointer(k, 0);
		break;
	case N:
		rt_call_names(k, (enum rt_call_kind)f->kind, v);
		break;
	}
}

static void put_member(struct rt_call *k, const struct field *f, rt_u64 addr)
{
	rt_u32 at = k->abi ? f->at32 : f->at, size = k->abi ? f->size32 : f->size, i;

	rt_call_put(k, f->n > 1 ? "=[" : "=");
	for (i = 0; i < f->n; i++) {
		rt_call_put(k, i ? ", " : "");
		put_field(k, f, addr, at + i * size, size);
	}
	rt_call_put(k, f->n > 1 ? "]" : "");
}

void rt_call_fields(struct rt_call *k, enum rt_call_layout layout, rt_u64 addr, rt_u64 length)
{
	const struct layout *l = &layouts[layout];
	rt_u32 bytes = (rt_u32)rt_min(length, k->abi ? l->bytes32 : l->bytes), i;
	rt_bool all = 1;
	const char *name = l->names;

	if (bytes < (rt_u32)(k->abi ? l->fields->at32 + l->fields->size32 : l->fields->at + l->fields->size)) {
		rt_call_pointer(k, addr); /* there is no member in it */
		return;
	}
	if (!rt_call_read(k, addr, k->block.byte, bytes))
		return;
	rt_call_put(k, "{");
	for (i = 0; i < l->n && !k->s.cut; i++, name += rt_cstr_len(name) + 1) {
		const struct field *f = &l->fields[i];

		if ((rt_u32)(k->abi ? f->at32 + f->n * f->size32 : f->at + f->n * f->size) > bytes) {
			all = 0;
			continue;
		}
		rt_call_put(k, i ? ", " : "");
		rt_call_put(k, name);
		put_member(k, f, addr);
	}
	rt_call_put(k, all && l->more ? ", ...}" : "}");
}
