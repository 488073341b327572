#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a Java program does, by the markers of its virtual machine: each call of its methods and each return, by an exception too, with class, name and
# signature; objects, classes, threads, collections of garbage and monitors, as many as the program makes.
# timeout: 900
# needs-package: hotspot.method_entry
# kernel: any
# cost: 30
cd "$B" || exit 1
cat >Shop.java <<'Y'
public class Shop {
	static class Till { }
	static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
	int sell(String what, int n) {
		if (n < 0)
			throw new IllegalArgumentException(what);
		return n * 2;
	}
	static volatile boolean held;
	static synchronized void slowly(long ms) throws Exception {
		held = true;
		Thread.sleep(ms);
	}
	static class Worker extends Thread {
		Worker() { super("worker-7"); }
		public void run() {
			try {
				slowly(6000);
			} catch (Exception e) {
			}
		}
	}
	public static void main(String[] args) throws Exception {
		Shop s = new Shop();
		int sum = 0;
		for (int i = 0; i < 3000; i++)
			sum += s.sell("apple", i) + depth(3);
		try {
			s.sell("pear", -1);
		} catch (IllegalArgumentException e) {
			sum++;
		}
		for (int i = 0; i < 5; i++)
			if (new Till().hashCode() == 0)
				sum++;
		Object lock = new Till();
		synchronized (lock) {
			lock.wait(10);
		}
		Thread t = new Worker();
		t.start();
		while (!held)
			Thread.sleep(10);
		slowly(1);
		t.join();
		System.gc();
		System.gc();
		System.out.println(sum);
	}
}
Y
javac Shop.java || exit 1
cat >java.want <<'Y'
0 compilations did not end
6 made
9006001
<init>()V 1 1
Shop loaded 1 0
Shop$Till loaded 1 0
Shop$Worker loaded 1 0
collections 2 0 left, threads 1 1, waits 1010
depth(I)I 12000 12000
main([Ljava/lang/String;)V 1 1
monitor_contended_enter came
monitor_contended_entered came
monitor_contended_exit came
sell(Ljava/lang/String;I)I 3001 3001
slowly(J)V 2 2
Y
cat >java.stp <<'Y'
global entered, left, made, loaded, full, open, begun, over, waits, contended, compiled
probe hotspot.method_entry { if (class == "Shop") entered[method, sig]++ }
probe hotspot.method_return { if (class == "Shop") left[method, sig]++ }
probe hotspot.object_alloc { if (class == "Shop$Till") made++ }
probe hotspot.class_loaded { if (class =~ "^Shop") loaded[class, is_shared]++ }
probe hotspot.gc_begin { full += is_full; open++ }
probe hotspot.gc_end { open-- }
probe hotspot.thread_start { if (thread_name == "worker-7") begun += native_id == tid() && !is_daemon }
probe hotspot.thread_stop { if (thread_name == "worker-7") over += native_id == tid() && !is_daemon && id > 0 }
probe hotspot.monitor_wait { if (class == "Shop$Till") waits += timeout }
probe hotspot.monitor_waited { if (class == "Shop$Till") waits += 1000 }
probe hotspot.monitor_contended_enter, hotspot.monitor_contended_entered, hotspot.monitor_contended_exit { if (class == "java/lang/Class") contended[name]++ }
probe hotspot.method_compile_begin { if (class == "Shop" && method == "sell") compiled[compiler]++ }
probe hotspot.method_compile_end { if (class == "Shop" && method == "sell" && is_success) compiled[compiler]-- }
probe end {
	foreach ([m, s] in entered)
		printf("%s%s %d %d\n", m, s, entered[m, s], left[m, s])
	println(made, " made")
	foreach ([c, shared] in loaded)
		printf("%s loaded %d %d\n", c, loaded[c, shared], shared)
	printf("collections %d %d left, threads %d %d, waits %d\n", full, open, begun, over, waits)
	foreach (m in contended+)
		printf("%s %s\n", m, contended[m] ? "came" : "did not come")
	foreach (c in compiled)
		unfinished += compiled[c] > 1
	printf("%d compilations did not end\n", unfinished)
}
Y
"$SPILE" -r "$RELEASE" -w -p4 -m java java.stp >/dev/null || exit 1
options="-XX:+DTraceMethodProbes -XX:+DTraceAllocProbes -XX:+DTraceMonitorProbes -XX:+UseSerialGC -Xmx64m"
"$V" -t $((800 * SLOW)) exec "$G" -- sh -c "$SPILERUN -w -c 'java $options -cp $B Shop' $B/java.ko" >java.got 2>&1
LC_ALL=C sort java.got >java.sorted; LC_ALL=C sort java.want | diff - java.sorted
