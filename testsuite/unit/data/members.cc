// SPDX-License-Identifier: GPL-2.0-or-later
// Variables in scopes, hidden parameters and overloads, for members_test.sh and the guests.
#define KEEP __attribute__((noinline, used))

volatile long sink;
int level = 1;

namespace space {

int level = 2;
const int most = 200;

struct pair {
	int first, second;
};

class counter {
public:
	static int made;
	static pair last;
	static const int limit = 300;
	static constexpr unsigned char small = 200;
	int n;
	explicit counter(int start) : n(start) { made++; }
	KEEP int step(int by)
	{
		static int calls = 10;

		sink += by;
		return n += by * ++calls;
	}
};

int counter::made = 40;
pair counter::last = {5, 6};

template <typename T> class box {
public:
	static int count;
	T held;
	KEEP int put(const T &what)
	{
		static int calls;

		held = what;
		return ++count + ++calls;
	}
};

template <typename T> int box<T>::count = (int)sizeof(T);

namespace {
int hidden = 7;
}

KEEP int calls(int a)
{
	static int calls = 20;

	sink += a;
	return calls += a;
}

// Overloads.
KEEP int area(int a) { sink += a; return a; }
KEEP int area(unsigned int a, long b) { sink += a; return (int)(a + b); }
KEEP int area(const char *text) { sink += text[0]; return text[0]; }
KEEP int area(const pair &p) { sink += p.first; return p.first * p.second; }
KEEP int area(pair *p) { sink += p->first; return p->first + p->second; }
KEEP int area() { sink++; return 0; }

// Virtual bases: constructors and destructors get more than the source says.
class shape {
public:
	int sides;
	KEEP explicit shape(int n) : sides(n) { sink += n; }
	KEEP virtual ~shape() { sink += sides; }
	KEEP virtual int corners(int more) { sink += more; return sides + more; }
};

class flat : public virtual shape {
public:
	int width;
	KEEP flat(int n, int w) : shape(n), width(w) { sink += w; }
	KEEP ~flat() override { sink += width; }
};

class tall : public virtual shape {
public:
	int height;
	KEEP tall(int n, int h) : shape(n), height(h) { sink += h; }
	KEEP ~tall() override { sink += height; }
};

class solid : public flat, public tall {
public:
	KEEP solid(int w, int h) : shape(6), flat(7, w), tall(8, h) { sink += w; }
	KEEP ~solid() override { sink -= height; }
	KEEP int corners(int more) override { sink += more; return sides * more; }
};

}

KEEP int calls(int a)
{
	static int calls = 30;

	sink += a;
	return calls += a;
}

int main()
{
	space::counter c(1), d(2);
	space::box<int> ints{0};
	space::box<char> chars{0};
	space::pair p{3, 4};
	int sum = c.step(1) + c.step(2) + d.step(3) + ints.put(5) + chars.put('x') + space::calls(1) + calls(2) + space::hidden++ + level++ + space::level++;

	sum += space::most + space::counter::limit + space::counter::small;
	sum += space::area(1) + space::area(2u, 3L) + space::area("x") + space::area(p) + space::area(&p) + space::area();
	space::counter::last.second += sum;
	space::shape *s = new space::solid(11, 22);
	sum += s->corners(3);
	delete s;
	return sum == 0;
}
