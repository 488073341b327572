#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A thread that executes another program: all threads of the old one have ended, and so has it; the first thread of a process has no begin and end of its own.
rm -rf "$B/thread_executes" && mkdir "$B/thread_executes" && cd "$B/thread_executes" || exit 1
cat >old.c <<'Y'
#include <pthread.h>
#include <unistd.h>

static void *waits(void *arg)
{
	pause();
	return arg;
}

static void *executes(void *path)
{
	execl(path, "new", (char *)NULL);
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, waits, NULL);
	pthread_create(&t, NULL, executes, argv[argc - 1]);
	pause();
}
Y
echo 'int main(void) { return 0; }' >new.c
gcc -O2 -static -pthread -o old old.c && gcc -O2 -static -o new new.c || exit 1
cat >executes.stp <<'Y'
global n
probe process(@1).begin { n["old begin"]++ }
probe process(@1).end { n["old end"]++; if (n["old thread end"] != 2) println("a thread is left") }
probe process(@1).thread.begin { n["old thread begin"]++ }
probe process(@1).thread.end { n["old thread end"]++ }
probe process(@2).begin { n["new begin"]++; if (!n["old end"]) println("begins too early") }
probe process(@2).end { n["new end"]++ }
probe process(@2).thread.begin, process(@2).thread.end { n["new thread"]++ }
probe end { foreach (what+ in n) println(what, " ", n[what]) }
Y
"$SPILE" -r "$RELEASE" -p4 -m executes executes.stp "$PWD/old" "$PWD/new" >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $PWD && $SPILERUN -c './old ./new' executes.ko" >got 2>&1
diff - got <<'Y'
new begin 1
new end 1
old begin 1
old end 1
old thread begin 2
old thread end 2
Y
