/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions of all forms.  How long each is, by the assembler, is in the section .lengths. */
	.macro is text:vararg
1:	\text
2:	.pushsection .lengths
	.byte 2b - 1b
	.popsection
	.endm

	.text
	is nop
	is pause
	is xchg %ax,%ax
	is .byte 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	is push %rbp
	is mov %rsp,%rbp
	is movl $1,-4(%rbp)
	is movl $1,0x1000(%rbp,%rax,4)
	is movw $1,(%rax)
	is movq $1,x(%rip)
	is movb $1,0x10(,%rax,8)
	is leave
	is ret
	is call .
	is jmp .
	is jne .
	is call *(%rax)
	is call *8(%rip)
	is lock incl (%rdi)
	is rep movsb
	is cmpb $0,%fs:0x28
	is mov %fs:0x28,%rax
	is mov $5,%ax
	is add $1000,%ax
	is add $1000,%rax
	is imul $3,%rax,%rbx
	is imul $1000,%ax,%bx
	is imul $1000,%rax,%rbx
	is movzbl %al,%eax
	is cmovne %rax,%rbx
	is bt $3,%rax
	is shld $3,%rax,%rbx
	is pshufd $1,%xmm0,%xmm1
	is pinsrw $1,%eax,%xmm1
	is pextrb $1,%xmm1,%eax
	is roundsd $1,%xmm0,%xmm1
	is cvttsd2si %xmm0,%rax
	is fstpt 8(%rsp)
	is fnstcw (%rsp)
	is int3
	is int $0x80
	is syscall
	is ud2
	is cpuid
	is hlt
	is bswap %r9
	is cmpxchg %rax,(%rbx)
	is xsave (%rax)
	is prefetcht0 (%rax)
	is prefetchw (%rax)
	is mfence
	is vpextrq $1,%xmm0,%rax
	is vaesenc %xmm0,%xmm1,%xmm2
	is andn %rax,%rbx,%rcx
	is vmovdqa %ymm8,32(%r12)
	is vmovdqa 0x100(%r13),%ymm8
	is vaddpd %zmm0,%zmm1,%zmm2{%k1}{z}
	is vpcmpud $1,%zmm0,%zmm1,%k1
	is vcmpps $1,%ymm0,%ymm1,%ymm2
	is data16 leaq x(%rip),%rdi
	is .byte 0x66, 0x66, 0x48, 0xe8, 0, 0, 0, 0
	is loop .
	is out %al,$3
	is in (%dx),%al
	is xlat
	is lretq $4
	is popq (%rax)
	is pushq $1000
	is pushq $1
	is vcmpph $1,%zmm1,%zmm2,%k1
	is vaddph (%rax){1to32},%zmm1,%zmm2
	is vpternlogd $3,64(%rax),%zmm1,%zmm2
	is vpermilps $1,%xmm1,%xmm2
	is vgatherdps %xmm1,(%rax,%xmm2,4),%xmm3
	is vpshufhw $1,%ymm1,%ymm2
	is vcvttpd2udq %zmm1,%ymm2
	is vcvttps2uqq %ymm1,%zmm2
	is vextractf64x4 $1,%zmm1,%ymm2
	is xbegin .
	is xabort $1
	is crc32b %al,%ebx
	is movabs 0x1122334455667788,%rax
	is movabs $0x1122334455667788,%r9
	is addr32 movl 4(%eax),%ebx
	is enter $3,$1
	is testw $1,(%rax)
	is testb $1,4(%rax,%rbx)
	is notq %rax
	is pushw $4
	is lock cmpxchg16b (%rdi)
	is retq $8
	is jrcxz .
	is rdfsbase %rax
	is sha1rnds4 $1,%xmm1,%xmm2
	is aesenc %xmm1,%xmm2
	is endbr64
	is kmovq %k1,%rax
	is kshiftlq $1,%k1,%k2
	is tileloadd (%rax,%rbx),%tmm1
	is vzeroupper
	is bextr %eax,(%rbx),%ecx
	is rorx $3,%eax,%ebx
	is vpsrlw $3,%zmm1,%zmm2
	is vprold $3,%zmm1,%zmm2
	is vmovdqu8 %zmm1,64(%rbp)
