/* SPDX-License-Identifier: GPL-2.0-or-later OR 0BSD */
/*
 * Markers (USDT) in C, C++ and assembler.  A marker is one instruction that does nothing, and a note in the file about it: its provider, its
 * name, and where its arguments are at that instruction.  Tracers probe the instruction; a program without one does not wait for anything.
 *
 *	STAP_PROBE(provider, name)                      a marker without arguments
 *	STAP_PROBE1(provider, name, x) ... STAP_PROBE12(provider, name, x, ...)
 *	STAP_PROBEV(provider, name, ...)                the same, which counts the arguments itself
 *	DTRACE_PROBE...                                 the same names for programs that have them from DTrace
 *	STAP_PROBE_ASM(provider, name, operands)        text for an asm statement of one's own, with operands as notes have them: 4@%%eax 8@%%rdi
 *	STAP_PROBE_ASM(provider, name, STAP_PROBE_ASM_TEMPLATE(2)) the same with values of C, which are inputs of the statement:
 *	STAP_PROBE_ASM_OPERANDS(2, x, y)                two of them; a statement can have one such marker
 *
 * provider, name and operands are written as they are, not as texts.  In assembler arguments are operands as notes have them, 4@%eax.  In C arguments are numbers and pointers of up to 8 bytes; they are computed also while
 * nobody probes the marker.  Where that costs too much, define _SDT_HAS_SEMAPHORES before this header is included, and for each marker
 *
 *	__attribute__((section(".probes"))) unsigned short provider_name_semaphore;
 *
 * which is not 0 while somebody probes it.  STAP_SDT_ARG_CONSTRAINT can be defined before too: where the compiler may leave the arguments.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

#define _SDT_TEXT_OF(...) #__VA_ARGS__
#define _SDT_TEXT(...) _SDT_TEXT_OF(__VA_ARGS__)
#ifdef __ASSEMBLER__
#define _SDT_LINE(...) __VA_ARGS__;
#define _SDT_STRING(...) _SDT_TEXT(__VA_ARGS__)
#else
#define _SDT_LINE(...) _SDT_TEXT(__VA_ARGS__) "\n"
#define _SDT_STRING(...) _SDT_TEXT(__VA_ARGS__)
#endif

#ifdef __LP64__
#define _SDT_ADDRESS .8byte
#else
#define _SDT_ADDRESS .4byte
#endif

#ifdef _SDT_HAS_SEMAPHORES
#define _SDT_SEMAPHORE(provider, name) provider##_##name##_semaphore
#else
#define _SDT_SEMAPHORE(provider, name) 0
#endif

/*
 * The note is in the group of the section that the marker is in ("?"), so that a linker which drops one copy of an inline function drops
 * its note.  By the base a tracer sees how far the file was moved after it was linked.
 */
#define _SDT_BEGIN(provider, name)                                                          \
	_SDT_LINE(88801: nop)                                                                \
	_SDT_LINE(.pushsection .note.stapsdt, "?", "note")                                   \
	_SDT_LINE(.balign 4)                                                                 \
	_SDT_LINE(.4byte 88803f - 88802f, 88805f - 88804f, 3)                                \
	_SDT_LINE(88802: .asciz "stapsdt")                                                   \
	_SDT_LINE(88803: .balign 4)                                                          \
	_SDT_LINE(88804: _SDT_ADDRESS 88801b)                                                \
	_SDT_LINE(_SDT_ADDRESS _.stapsdt.base)                                               \
	_SDT_LINE(_SDT_ADDRESS _SDT_SEMAPHORE(provider, name))                               \
	_SDT_LINE(.asciz _SDT_STRING(provider))                                              \
	_SDT_LINE(.asciz _SDT_STRING(name))

#define _SDT_END                                                                             \
	_SDT_LINE(.byte 0)                                                                   \
	_SDT_LINE(88805: .balign 4)                                                          \
	_SDT_LINE(.popsection)                                                               \
	_SDT_LINE(.ifndef _.stapsdt.base)                                                    \
	_SDT_LINE(.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat)       \
	_SDT_LINE(.weak _.stapsdt.base)                                                      \
	_SDT_LINE(.hidden _.stapsdt.base)                                                    \
	_SDT_LINE(_.stapsdt.base: .space 1)                                                  \
	_SDT_LINE(.size _.stapsdt.base, 1)                                                   \
	_SDT_LINE(.popsection)                                                               \
	_SDT_LINE(.endif)

#ifdef __ASSEMBLER__

#define _SDT_OPERAND(x) _SDT_LINE(.ascii _SDT_STRING(x)) _SDT_LINE(.ascii " ")
#define _SDT_OPERANDS1(a) _SDT_OPERAND(a)
#define _SDT_OPERANDS2(a, b) _SDT_OPERANDS1(a) _SDT_OPERAND(b)
#define _SDT_OPERANDS3(a, b, c) _SDT_OPERANDS2(a, b) _SDT_OPERAND(c)
#define _SDT_OPERANDS4(a, b, c, d) _SDT_OPERANDS3(a, b, c) _SDT_OPERAND(d)
#define _SDT_OPERANDS5(a, b, c, d, e) _SDT_OPERANDS4(a, b, c, d) _SDT_OPERAND(e)
#define _SDT_OPERANDS6(a, b, c, d, e, f) _SDT_OPERANDS5(a, b, c, d, e) _SDT_OPERAND(f)
#define _SDT_OPERANDS7(a, b, c, d, e, f, g) _SDT_OPERANDS6(a, b, c, d, e, f) _SDT_OPERAND(g)
#define _SDT_OPERANDS8(a, b, c, d, e, f, g, h) _SDT_OPERANDS7(a, b, c, d, e, f, g) _SDT_OPERAND(h)
#define _SDT_OPERANDS9(a, b, c, d, e, f, g, h, i) _SDT_OPERANDS8(a, b, c, d, e, f, g, h) _SDT_OPERAND(i)
#define _SDT_OPERANDS10(a, b, c, d, e, f, g, h, i, j) _SDT_OPERANDS9(a, b, c, d, e, f, g, h, i) _SDT_OPERAND(j)
#define _SDT_OPERANDS11(a, b, c, d, e, f, g, h, i, j, k) _SDT_OPERANDS10(a, b, c, d, e, f, g, h, i, j) _SDT_OPERAND(k)
#define _SDT_OPERANDS12(a, b, c, d, e, f, g, h, i, j, k, l) _SDT_OPERANDS11(a, b, c, d, e, f, g, h, i, j, k) _SDT_OPERAND(l)
#define _SDT_PROBE(provider, name, n, ...) _SDT_BEGIN(provider, name) _SDT_OPERANDS##n(__VA_ARGS__) _SDT_END
#define STAP_PROBE(provider, name) _SDT_BEGIN(provider, name) _SDT_END

#else

#ifndef STAP_SDT_ARG_CONSTRAINT
#define STAP_SDT_ARG_CONSTRAINT nor /* a constant, memory, or a general register */
#endif

/* What an argument is, by __builtin_classify_type(). */
#define _SDT_IS_POINTER(x) (__builtin_classify_type(x) == 5)
#define _SDT_IS_FLOAT(x) (__builtin_classify_type(x) == 8)
#define _SDT_IS_INTEGER(x) (__builtin_classify_type(x) >= 1 && __builtin_classify_type(x) <= 4)
#define _SDT_SIZE(x) (_SDT_IS_POINTER(x) ? (int)sizeof(void *) : (int)sizeof(x))

#ifdef __cplusplus
template <typename T> struct _SDT_type { enum { is_signed = 0 }; };
template <typename T> struct _SDT_type<const T> { enum { is_signed = _SDT_type<T>::is_signed }; };
template <typename T> struct _SDT_type<volatile T> { enum { is_signed = _SDT_type<T>::is_signed }; };
template <typename T> struct _SDT_type<const volatile T> { enum { is_signed = _SDT_type<T>::is_signed }; };
template <> struct _SDT_type<char> { enum { is_signed = (char)-1 < (char)1 }; };
template <> struct _SDT_type<signed char> { enum { is_signed = 1 }; };
template <> struct _SDT_type<short> { enum { is_signed = 1 }; };
template <> struct _SDT_type<int> { enum { is_signed = 1 }; };
template <> struct _SDT_type<long> { enum { is_signed = 1 }; };
__extension__ template <> struct _SDT_type<long long> { enum { is_signed = 1 }; };
#define _SDT_IS_SIGNED(x) (_SDT_type<__typeof__(x)>::is_signed)
#else
#define _SDT_INTEGER(x) __typeof__(__builtin_choose_expr(_SDT_IS_INTEGER(x), (x), 0U))
#define _SDT_IS_SIGNED(x) ((_SDT_INTEGER(x))-1 < (_SDT_INTEGER(x))1)
#endif

/* "-4@OPERAND"; the size of a floating point number is given as 100 more, and followed by an f. */
#define _SDT_OPERAND(n)                                                                     \
	".if %c[size" #n "] == 104\n.ascii \"4f\"\n"                                         \
	".elseif %c[size" #n "] == 108\n.ascii \"8f\"\n"                                     \
	".elseif %c[size" #n "] > 100\n.ascii \"16f\"\n"                                     \
	".else\n.ascii \"%c[size" #n "]\"\n.endif\n"                                         \
	".ascii \"@%[at" #n "]\"\n"
#define _SDT_GAP ".ascii \" \"\n"

#define _SDT_ARGUMENT(n, x)                                                                 \
	[size##n] "n"(_SDT_IS_SIGNED(x) ? -_SDT_SIZE(x) : _SDT_IS_FLOAT(x) ? 100 + _SDT_SIZE(x) : _SDT_SIZE(x)), \
	[at##n] _SDT_TEXT(STAP_SDT_ARG_CONSTRAINT)(x)

#define _SDT_OPERANDS1 _SDT_OPERAND(1)
#define _SDT_OPERANDS2 _SDT_OPERANDS1 _SDT_GAP _SDT_OPERAND(2)
#define _SDT_OPERANDS3 _SDT_OPERANDS2 _SDT_GAP _SDT_OPERAND(3)
#define _SDT_OPERANDS4 _SDT_OPERANDS3 _SDT_GAP _SDT_OPERAND(4)
#define _SDT_OPERANDS5 _SDT_OPERANDS4 _SDT_GAP _SDT_OPERAND(5)
#define _SDT_OPERANDS6 _SDT_OPERANDS5 _SDT_GAP _SDT_OPERAND(6)
#define _SDT_OPERANDS7 _SDT_OPERANDS6 _SDT_GAP _SDT_OPERAND(7)
#define _SDT_OPERANDS8 _SDT_OPERANDS7 _SDT_GAP _SDT_OPERAND(8)
#define _SDT_OPERANDS9 _SDT_OPERANDS8 _SDT_GAP _SDT_OPERAND(9)
#define _SDT_OPERANDS10 _SDT_OPERANDS9 _SDT_GAP _SDT_OPERAND(10)
#define _SDT_OPERANDS11 _SDT_OPERANDS10 _SDT_GAP _SDT_OPERAND(11)
#define _SDT_OPERANDS12 _SDT_OPERANDS11 _SDT_GAP _SDT_OPERAND(12)

#define _SDT_ARGUMENTS1(a) _SDT_ARGUMENT(1, a)
#define _SDT_ARGUMENTS2(a, b) _SDT_ARGUMENTS1(a), _SDT_ARGUMENT(2, b)
#define _SDT_ARGUMENTS3(a, b, c) _SDT_ARGUMENTS2(a, b), _SDT_ARGUMENT(3, c)
#define _SDT_ARGUMENTS4(a, b, c, d) _SDT_ARGUMENTS3(a, b, c), _SDT_ARGUMENT(4, d)
#define _SDT_ARGUMENTS5(a, b, c, d, e) _SDT_ARGUMENTS4(a, b, c, d), _SDT_ARGUMENT(5, e)
#define _SDT_ARGUMENTS6(a, b, c, d, e, f) _SDT_ARGUMENTS5(a, b, c, d, e), _SDT_ARGUMENT(6, f)
#define _SDT_ARGUMENTS7(a, b, c, d, e, f, g) _SDT_ARGUMENTS6(a, b, c, d, e, f), _SDT_ARGUMENT(7, g)
#define _SDT_ARGUMENTS8(a, b, c, d, e, f, g, h) _SDT_ARGUMENTS7(a, b, c, d, e, f, g), _SDT_ARGUMENT(8, h)
#define _SDT_ARGUMENTS9(a, b, c, d, e, f, g, h, i) _SDT_ARGUMENTS8(a, b, c, d, e, f, g, h), _SDT_ARGUMENT(9, i)
#define _SDT_ARGUMENTS10(a, b, c, d, e, f, g, h, i, j) _SDT_ARGUMENTS9(a, b, c, d, e, f, g, h, i), _SDT_ARGUMENT(10, j)
#define _SDT_ARGUMENTS11(a, b, c, d, e, f, g, h, i, j, k) _SDT_ARGUMENTS10(a, b, c, d, e, f, g, h, i, j), _SDT_ARGUMENT(11, k)
#define _SDT_ARGUMENTS12(a, b, c, d, e, f, g, h, i, j, k, l) _SDT_ARGUMENTS11(a, b, c, d, e, f, g, h, i, j, k), _SDT_ARGUMENT(12, l)

#define _SDT_PLAIN(n, x)                                                                    \
	[size##n] "n"(_SDT_IS_SIGNED(x) ? -_SDT_SIZE(x) : _SDT_SIZE(x)), [at##n] _SDT_TEXT(STAP_SDT_ARG_CONSTRAINT)(x)
#define _SDT_PLAINS1(a) _SDT_PLAIN(1, a)
#define _SDT_PLAINS2(a, b) _SDT_PLAINS1(a), _SDT_PLAIN(2, b)
#define _SDT_PLAINS3(a, b, c) _SDT_PLAINS2(a, b), _SDT_PLAIN(3, c)
#define _SDT_PLAINS4(a, b, c, d) _SDT_PLAINS3(a, b, c), _SDT_PLAIN(4, d)
#define _SDT_PLAINS5(a, b, c, d, e) _SDT_PLAINS4(a, b, c, d), _SDT_PLAIN(5, e)
#define _SDT_PLAINS6(a, b, c, d, e, f) _SDT_PLAINS5(a, b, c, d, e), _SDT_PLAIN(6, f)
#define _SDT_PLAINS7(a, b, c, d, e, f, g) _SDT_PLAINS6(a, b, c, d, e, f), _SDT_PLAIN(7, g)
#define _SDT_PLAINS8(a, b, c, d, e, f, g, h) _SDT_PLAINS7(a, b, c, d, e, f, g), _SDT_PLAIN(8, h)
#define _SDT_PLAINS9(a, b, c, d, e, f, g, h, i) _SDT_PLAINS8(a, b, c, d, e, f, g, h), _SDT_PLAIN(9, i)
#define _SDT_PLAINS10(a, b, c, d, e, f, g, h, i, j) _SDT_PLAINS9(a, b, c, d, e, f, g, h, i), _SDT_PLAIN(10, j)
#define _SDT_PLAINS11(a, b, c, d, e, f, g, h, i, j, k) _SDT_PLAINS10(a, b, c, d, e, f, g, h, i, j), _SDT_PLAIN(11, k)
#define _SDT_PLAINS12(a, b, c, d, e, f, g, h, i, j, k, l) _SDT_PLAINS11(a, b, c, d, e, f, g, h, i, j, k), _SDT_PLAIN(12, l)
#define _SDT_TEMPLATE(n) %c[size##n]@%[at##n]
#define _SDT_TEMPLATE1 _SDT_TEMPLATE(1)
#define _SDT_TEMPLATE2 _SDT_TEMPLATE1 _SDT_TEMPLATE(2)
#define _SDT_TEMPLATE3 _SDT_TEMPLATE2 _SDT_TEMPLATE(3)
#define _SDT_TEMPLATE4 _SDT_TEMPLATE3 _SDT_TEMPLATE(4)
#define _SDT_TEMPLATE5 _SDT_TEMPLATE4 _SDT_TEMPLATE(5)
#define _SDT_TEMPLATE6 _SDT_TEMPLATE5 _SDT_TEMPLATE(6)
#define _SDT_TEMPLATE7 _SDT_TEMPLATE6 _SDT_TEMPLATE(7)
#define _SDT_TEMPLATE8 _SDT_TEMPLATE7 _SDT_TEMPLATE(8)
#define _SDT_TEMPLATE9 _SDT_TEMPLATE8 _SDT_TEMPLATE(9)
#define _SDT_TEMPLATE10 _SDT_TEMPLATE9 _SDT_TEMPLATE(10)
#define _SDT_TEMPLATE11 _SDT_TEMPLATE10 _SDT_TEMPLATE(11)
#define _SDT_TEMPLATE12 _SDT_TEMPLATE11 _SDT_TEMPLATE(12)
#define STAP_PROBE_ASM_TEMPLATE(n) _SDT_TEMPLATE##n
#define STAP_PROBE_ASM_OPERANDS(n, ...) _SDT_PLAINS##n(__VA_ARGS__)
#define STAP_PROBE_ASM(provider, name, ...) _SDT_BEGIN(provider, name) ".ascii \"" _SDT_TEXT(__VA_ARGS__) "\"\n" _SDT_END
#define _SDT_PROBE(provider, name, n, ...) \
	__asm__ __volatile__(_SDT_BEGIN(provider, name) _SDT_OPERANDS##n _SDT_END ::_SDT_ARGUMENTS##n(__VA_ARGS__))
#define STAP_PROBE(provider, name) __asm__ __volatile__(_SDT_BEGIN(provider, name) _SDT_END)

#endif

#define STAP_PROBE1(provider, name, ...) _SDT_PROBE(provider, name, 1, __VA_ARGS__)
#define STAP_PROBE2(provider, name, ...) _SDT_PROBE(provider, name, 2, __VA_ARGS__)
#define STAP_PROBE3(provider, name, ...) _SDT_PROBE(provider, name, 3, __VA_ARGS__)
#define STAP_PROBE4(provider, name, ...) _SDT_PROBE(provider, name, 4, __VA_ARGS__)
#define STAP_PROBE5(provider, name, ...) _SDT_PROBE(provider, name, 5, __VA_ARGS__)
#define STAP_PROBE6(provider, name, ...) _SDT_PROBE(provider, name, 6, __VA_ARGS__)
#define STAP_PROBE7(provider, name, ...) _SDT_PROBE(provider, name, 7, __VA_ARGS__)
#define STAP_PROBE8(provider, name, ...) _SDT_PROBE(provider, name, 8, __VA_ARGS__)
#define STAP_PROBE9(provider, name, ...) _SDT_PROBE(provider, name, 9, __VA_ARGS__)
#define STAP_PROBE10(provider, name, ...) _SDT_PROBE(provider, name, 10, __VA_ARGS__)
#define STAP_PROBE11(provider, name, ...) _SDT_PROBE(provider, name, 11, __VA_ARGS__)
#define STAP_PROBE12(provider, name, ...) _SDT_PROBE(provider, name, 12, __VA_ARGS__)

#define _SDT_COUNT_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, count, ...) count
#define _SDT_COUNT(...) _SDT_COUNT_OF(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, , , )
#define _SDT_JOIN_OF(a, b) a##b
#define _SDT_JOIN(a, b) _SDT_JOIN_OF(a, b)
#define STAP_PROBEV(...) _SDT_JOIN(STAP_PROBE, _SDT_COUNT(__VA_ARGS__))(__VA_ARGS__)

#define DTRACE_PROBE1 STAP_PROBE1
#define DTRACE_PROBE2 STAP_PROBE2
#define DTRACE_PROBE3 STAP_PROBE3
#define DTRACE_PROBE4 STAP_PROBE4
#define DTRACE_PROBE5 STAP_PROBE5
#define DTRACE_PROBE6 STAP_PROBE6
#define DTRACE_PROBE7 STAP_PROBE7
#define DTRACE_PROBE8 STAP_PROBE8
#define DTRACE_PROBE9 STAP_PROBE9
#define DTRACE_PROBE10 STAP_PROBE10
#define DTRACE_PROBE11 STAP_PROBE11
#define DTRACE_PROBE12 STAP_PROBE12
#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)

#endif
