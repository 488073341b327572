// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a point in the kernel is not armed, in words.  See kreason.h. */
#include <linux/errno.h>

#include "kernel/probes/kreason.h"

const char *kreason_text(int rc)
{
	switch (rc) {
	case -ENOENT:
		return "the running kernel has no such function";
	case -ESTALE:
		return "the module is another build";
	case -EINVAL:
		return "the kernel forbids probes there";
	case -EILSEQ:
		return "not at the start of an instruction";
	case -EPERM:
		return "the kernel's function tracer has no call in it; guru mode (-g) probes it by its name";
	case -EFAULT:
		return "the kernel cannot read its code to the end";
	case -ENODATA:
		return "it is not known of which functions the kernel forbids to hook the return";
	case -EPROTOTYPE:
		return "it is not known to be a function that returns";
	case -ENOMEM:
		return "out of memory";
	case -EOPNOTSUPP:
		return "this kernel does not support it";
	case -ENOSPC:
		return "too many functions of the same name";
	case -ERANGE:
		return "the function is not that long";
	case -EXDEV:
		return "the running kernel has it at another place than the debug information says: they are not of the same build";
	default:
		return "the kernel refused";
	}
}
