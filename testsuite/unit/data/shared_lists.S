/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Little debug information that means much: 4000 units have one line table, of 4000 rows, and 4000 functions of another unit one list of 4000 ranges. */
	.text
	.globl _start
	.type _start, @function
_start:	.fill 20000, 1, 0x90
later:	.fill 20000, 1, 0x90
	jmp _start
	.size _start, . - _start

	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11 /* DW_TAG_compile_unit, without children */
	.byte 0
	.uleb128 0x10, 0x17, 0, 0 /* DW_AT_stmt_list */
	.uleb128 2, 0x11
	.byte 1
	.uleb128 0x11, 1, 0x10, 0x17, 0, 0 /* DW_AT_low_pc */
	.uleb128 3, 0x2e /* DW_TAG_subprogram */
	.byte 0
	.uleb128 0x55, 0x17, 3, 8, 0, 0 /* DW_AT_ranges, DW_AT_name */
	.byte 0

	.macro unit
	.long 3f - 1f
1:	.short 5
	.byte 1, 8
	.long 0
	.endm

	.section .debug_info,"",@progbits
	unit
	.uleb128 2
	.quad later
	.long few
	.rept 4000
	.uleb128 3
	.long ranges
	.asciz "f"
	.endr
	.byte 0
3:
	.rept 4000
	unit
	.uleb128 1
	.long 0
3:
	.endr

	.section .debug_rnglists,"",@progbits
	.long 2f - 1f
1:	.short 5
	.byte 8, 0
	.long 0
ranges:
	.rept 4000
	.byte 4 /* DW_RLE_offset_pair */
	.uleb128 1, 3
	.endr
	.byte 0
2:

	.macro lines n, from
	.long 4f - 1f
1:	.short 5
	.byte 8, 0
	.long 3f - 2f
2:	.byte 1, 1, 1, -5, 14, 13
	.byte 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.byte 1
	.uleb128 1, 8, 1
	.asciz "/folder"
	.byte 2
	.uleb128 1, 8, 2, 11, 2
	.asciz "a.c"
	.byte 0
	.asciz "a.c"
	.byte 0
3:	.byte 0, 9, 2
	.quad \from
	.fill \n, 1, 33 /* one byte and one line more */
	.byte 2, 1 /* and one more byte */
	.byte 0, 1, 1
4:
	.endm

	.section .debug_line,"",@progbits
	lines 4000, _start
few:
	lines 5, later
