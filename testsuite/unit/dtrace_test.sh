#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# spile-dtrace: what it writes of a file of declarations can be compiled, and the markers are those that were declared.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
dtrace=$build/spile-dtrace spile=$build/spile
cd "$work" || exit 99
export SPILE_DIR="$work/cache"

# refused TEXT PLACE MESSAGE: declarations that are wrong.
refused() {
	printf '%b' "$1" >wrong.d
	"$dtrace" -h -s wrong.d >said 2>&1 && bad "accepted: $1"
	grep -q "^wrong.d:$2: error: .*$3" said || { bad "of $1:"; cat said; }
	[ ! -e wrong.h ] || bad "a header of $1"
}

cat >shop.d <<'X'
/* A shop; as PostgreSQL, Python, Ruby and others write them. */
#include "shop_types.h"
#pragma D option quiet
typedef unsigned int price_t;
struct item { int n; const char *name; };
translator item_t < struct item *p > { n = p->n; };

provider shop {
	probe open();
	probe close(void);
	probe sale__begin(const char *what, price_t price); // the price in cents
	probe sale__end(int, void (*)(int, long), char [16]) : (int done);
	probe every(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l);
};
#pragma D attributes Evolving/Evolving/Common provider shop provider
provider till { probe rings(double); };
X
cat >shop.c <<'X'
#include <stdio.h>
#include "shop.h"
static void sell(int i)
{
	int n = 0;
	SHOP_OPEN();
	if (SHOP_SALE_BEGIN_ENABLED())
		n = printf("somebody looks\n");
	SHOP_SALE_BEGIN("tea", 250u);
	SHOP_SALE_END(i, (void (*)(int, long))0, "ok");
	SHOP_EVERY(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, n);
	TILL_RINGS(2.5);
	SHOP_CLOSE();
}
int main(int argc, char **argv)
{
	(void)argv;
	sell(argc);
	return SHOP_CLOSE_ENABLED();
}
X
cat >expected <<'X'
.provider("shop").mark("close")
.provider("shop").mark("every") $arg1:int $arg2:int $arg3:int $arg4:int $arg5:int $arg6:int $arg7:int $arg8:int $arg9:int $arg10:int $arg11:int $arg12:int
.provider("shop").mark("open")
.provider("shop").mark("sale__begin") $arg1:unsigned long $arg2:unsigned int
.provider("shop").mark("sale__end") $arg1:int $arg2:unsigned long $arg3:unsigned long
.provider("till").mark("rings") $arg1:double
X
"$dtrace" -h -s shop.d || bad "-h: status $?"
"$dtrace" -h -xnolibs -64 --types -o other.h -s shop.d || bad "-o: status $?"
sed 's/OTHER_H/SHOP_H/' other.h | cmp -s - shop.h || bad "the names of the files make a difference"
for compiler in "${CC:-gcc}" "g++ -x c++" "gcc -flto" clang; do
	command -v "${compiler%% *}" >/dev/null || continue
	# shellcheck disable=SC2086
	$compiler -O2 -Wall -Wextra -Werror -I"$top/include" -fPIE -c shop.c -o shop.o || { bad "$compiler"; continue; }
	CFLAGS="-O2 -flto" "$dtrace" -G -o markers.o -s shop.d shop.o nonsense.o || bad "-G: status $?"
	# shellcheck disable=SC2086
	${compiler%% -x*} -pie shop.o markers.o -o shop || { bad "$compiler: linking"; continue; }
	./shop >ran || bad "$compiler: the semaphores are not 0"
	[ -s ran ] && bad "$compiler: a marker is enabled"
	"$spile" -L "process(\"$work/shop\").mark(\"*\")" | sed 's/^process("[^"]*")//' >got
	diff expected got || bad "$compiler: other markers"
	readelf -n shop | grep -q 'Semaphore: 0x0*$' && bad "$compiler: a marker without a semaphore"
done

# By the preprocessor.
cat >made.d <<'X'
#include "names.h"
provider NAME { probe first(int);
#ifdef MORE
probe second(int);
#endif
};
X
mkdir in && echo '#define NAME made' >in/names.h
"$dtrace" -C -h -I in -DMORE=1 -D UNUSED -s made.d || bad "-C: status $?"
grep -q '^#define MADE_SECOND(arg1) STAP_PROBE1(made, second, arg1)$' made.h || { bad "-C:"; cat made.h; }
"$dtrace" -C -h -s made.d -o none.h 2>said && bad "a missing header is accepted"
grep -q 'names.h' said || { bad "a missing header:"; cat said; }

refused '' 1:1 'declares no provider'
refused 'provider { };' 1:10 'the name of a provider'
refused 'provider p { probe 7(); };' 1:20 'the name of a probe'
refused 'provider p {\n\tprobe a();\n\tprobe a(int);\n};' 3:8 'two probes a'
refused 'provider p { probe a(int; };' 1:21 'a ")"'
refused 'provider p { probe a() };' 1:24 '";" is expected'
refused 'provider p { probe a();' 1:24 '"probe" is expected here, and the file ends'
refused 'provider p { probe a(int,int,int,int,int,int,int,int,int,int,int,int,int); };' 1:20 '13 arguments; at most 12'
refused 'provider p { int x; };' 1:14 '"probe" is expected'
"$dtrace" -h -s absent.d 2>said && bad "absent.d is there"
grep -q '^error: absent.d: cannot be read' said || { bad "absent.d:"; cat said; }
"$dtrace" -s shop.d 2>said && bad "neither -h nor -G"
grep -q 'usage' said || { bad "neither -h nor -G:"; cat said; }
"$dtrace" -G -h -s shop.d 2>/dev/null && bad "both -h and -G"
"$dtrace" -h -s shop.d -o /nowhere/at/all.h 2>/dev/null && bad "written to nowhere"
CC=false "$dtrace" -G -s shop.d -o failed.o 2>/dev/null && bad "a compiler that fails"
exit $((failures > 0))
