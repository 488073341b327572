// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks FILE N EVERY: calls of all kinds, N times.  Each EVERY-th time, and a few times at the end, here() writes to FILE the methods that it was called
 * through, as Java knows them, and then does what is probed: writes a byte 7 and a byte 8 to /dev/null, makes an Event and calls mark().
 */
import java.io.*;
import java.util.*;

public class Stacks {
	static PrintStream known;
	static FileOutputStream event;
	static boolean now;
	static int sum;
	static long others;
	static Event last;

	static class Event { }
	static void mark() { sum++; }

	static void walk() {
		StringBuilder all = new StringBuilder("event\n");
		StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES).forEach(f -> {
			String in = f.isNativeMethod() ? "Native Method" : f.getFileName() == null ? "Unknown Source" : f.getFileName();
			if (f.getLineNumber() > 0 && !f.isNativeMethod())
				in += ":" + f.getLineNumber();
			if (!f.getMethodName().equals("walk"))
				all.append(" at " + f.getClassName() + "." + f.getMethodName() + "(" + in + ")\n");
		});
		known.print(all);
	}
	static void here() throws IOException {
		if (now) { walk(); event.write(7); event.write(8); last = new Event(); mark(); }
	}

	interface Shape { int area(int n) throws Exception; }
	static class Square implements Shape {
		public int area(int n) throws Exception { here(); return n * n; }
	}
	static class Twice implements Shape {
		final Shape of;
		Twice(Shape s) { of = s; }
		public int area(int n) throws Exception { return of.area(n) * 2; }
	}
	static class Locked implements Shape {
		final Shape of;
		Locked(Shape s) { of = s; }
		public synchronized int area(int n) throws Exception { return of.area(n) + of.hashCode() % 2; }
	}
	static int down(int depth, Shape s) throws Exception { return depth == 0 ? s.area(3) : down(depth - 1, s) + 1; }
	static int thrown(Shape s) throws Exception {
		try {
			return s.area(sum) / (sum - sum);
		} catch (ArithmeticException e) {
			return s.area(2);
		} finally {
			sum++;
		}
	}
	/* Java calls back from its library. */
	static int sorted(Shape s) {
		Integer[] a = {3, 1, 2};
		Arrays.sort(a, (x, y) -> {
			try {
				s.area(x);
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
			return x - y;
		});
		return a[0];
	}
	/* The machine calls Java. */
	static class Initialised {
		static int value;
		static {
			try {
				value = down(2, new Square());
			} catch (Exception e) {
				value = -1;
			}
		}
	}
	/* Compiled code takes Base for a class with one child: when another is there, the frames that believed it are given up. */
	static abstract class Base { abstract int f(int n, boolean other) throws Exception; }
	static class One extends Base {
		int f(int n, boolean other) throws Exception {
			if (n == 0 && other) {
				Class.forName("Stacks$Two");
				now = true;
				here();
			}
			return n == 0 ? 1 : chain(this, n - 1, other) + 1;
		}
	}
	static class Two extends Base {
		int f(int n, boolean other) { return n; }
	}
	static int chain(Base b, int n, boolean other) throws Exception { return b.f(n, other) + 1; }

	static long all() throws Exception {
		Shape s = new Square(), l = n -> s.area(n) + 1;
		long r = down(4, s) + down(2, new Twice(new Locked(s))) + thrown(s) + sorted(s) + down(1, l);
		return r + (Integer) Stacks.class.getDeclaredMethod("down", int.class, Shape.class).invoke(null, 1, s);
	}
	public static void main(String[] args) throws Exception {
		known = new PrintStream(new FileOutputStream(args[0]), true);
		event = new FileOutputStream("/dev/null");
		int n = Integer.parseInt(args[1]), every = Integer.parseInt(args[2]);
		Base one = new One();
		for (int i = 1; i <= n; i++) {
			now = i % every == 0;
			others += all() + chain(one, 4, i == n);
		}
		now = true;
		others += Initialised.value;
		Thread t = new Thread(() -> {
			try {
				others += down(30, new Square());
			} catch (Exception e) {
				others = 0;
			}
		});
		t.start();
		t.join();
		System.gc();
		if (others == 0 || last == null)
			throw new IllegalStateException();
	}
}
