// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns MS: a thread "turner" that computes in one loop, turn(), and a thread "clock" that reads the time again and again, which compiled code does by a
 * function of the virtual machine; each for MS milliseconds.
 */
public class Turns {
	static long end, sum;

	static long turn(long n) {
		long x = 1;
		for (long i = 0; i < n; i++)
			x = x * 6364136223846793005L + (x ^ i);
		return x;
	}
	static void turns() {
		while (System.nanoTime() < end)
			sum += turn(1000000);
	}
	static long look() {
		long last = 0;
		while (last < end)
			last = System.nanoTime();
		return last;
	}
	public static void main(String[] args) throws Exception {
		Runnable[] all = {() -> turns(), () -> sum += look()};
		String[] names = {"turner", "clock"};
		for (int i = 0; i < all.length; i++) {
			end = System.nanoTime() + Long.parseLong(args[0]) * 1000000;
			Thread t = new Thread(all[i], names[i]);
			t.start();
			t.join();
		}
		if (sum == 0)
			throw new IllegalStateException();
	}
}
