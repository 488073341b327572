/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: where the x86-64 System V calling convention puts parameters and the return value.
 */
#ifndef DEBUGINFO_ABI_H
#define DEBUGINFO_ABI_H

#include "translator/debuginfo/proto.h"

/*
 * Fills in fetch, placed and why of all values of p, of which names and types are set already; memory is in
 * the space. The kernel is compiled without floating point registers, but its convention is otherwise the
 * same.
 */
void abi_place(struct arena *a, struct proto_value *params, size_t n, struct proto_value *ret, bool returns,
	       enum fetch_space space);
/* True if the caller copies it and passes the address of the copy, as C++ asks of what has a constructor for that. */
bool abi_by_reference(const struct dtype *t);

#endif
