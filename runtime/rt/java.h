/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a HotSpot virtual machine says about itself.  It exports tables for debuggers (its "serviceability agent"): where the fields of its
 * structures are, how large these are, and constants.  java_vm.c reads them, java.c reads the stack by them.
 */
#ifndef RT_JAVA_H
#define RT_JAVA_H

#include "rt/lib.h"

enum rt_java_field {
#define FIELD(id, type, field) RT_JAVA_##id,
#define SIZE(id, type) RT_JAVA_##id,
#define NUMBER(id, name) RT_JAVA_##id,
#define MAYBE_FIELD(id, type, field) RT_JAVA_##id,
#define MAYBE_NUMBER(id, name) RT_JAVA_##id,
#include "rt/java_fields.def"
#undef FIELD
#undef SIZE
#undef NUMBER
#undef MAYBE_FIELD
#undef MAYBE_NUMBER
	RT_JAVA_FIELDS
};

#define RT_JAVA_UNKNOWN (~0ULL >> 1)

struct rt_java_vm {
	rt_s64 pid;                           /* which one it is: its process, where it is loaded, and where its tables are */
	rt_u64 base, structs, types, numbers;
	rt_u64 of[RT_JAVA_FIELDS];            /* RT_JAVA_UNKNOWN: this version has it not */
};

/* image: libjvm.so in the dynamic linker's list; vm->pid is set.  NULL: done; or why not; or [fails]. */
const char *rt_java_vm_read(struct rt_ctx *c, rt_u64 image, struct rt_java_vm *vm);

/* Does this version have all that is always needed? */
rt_bool rt_java_has_all(const struct rt_java_vm *vm);

static inline rt_bool rt_java_has(const struct rt_java_vm *vm, enum rt_java_field f)
{
	return vm->of[f] != RT_JAVA_UNKNOWN;
}

#endif
