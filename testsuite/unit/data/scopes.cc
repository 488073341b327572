// SPDX-License-Identifier: GPL-2.0-or-later
// Functions in scopes, for scopes_test.sh and the guests: overloads, templates, operators, and names that look like patterns.
#define KEEP __attribute__((noinline, used))

volatile long sink;

extern "C" KEEP int plain(int a)
{
	sink += a;
	return a;
}

KEEP int twice(int a)
{
	sink += a;
	return a + 1;
}

namespace space {

KEEP int twice(int a)
{
	sink += a;
	return 2 * a;
}

class counter {
public:
	int n;
	explicit counter(int start);
	~counter();
	int add(int by);
	int add(const char *text);
	static int made(long q);
	KEEP int within(int a) { sink += a; return n + a; }
	counter &operator++();
	int operator*(const counter &other) const;
	int operator[](int i) const;
	bool operator<(const counter &other) const;
	operator int() const;
	class part {
	public:
		KEEP int size(int a) { sink += a; return a; }
	};
};

KEEP counter::counter(int start) : n(start) { sink += start; }
KEEP counter::~counter() { sink += n; }
KEEP int counter::add(int by) { sink += by; return n += by; }
KEEP int counter::add(const char *text) { sink += text[0]; return n += text[0]; }
KEEP int counter::made(long q) { sink += q; return (int)q; }
KEEP counter &counter::operator++() { n++; sink += n; return *this; }
KEEP int counter::operator*(const counter &other) const { sink += n; return n * other.n; }
KEEP int counter::operator[](int i) const { sink += i; return n + i; }
KEEP bool counter::operator<(const counter &other) const { sink += n; return n < other.n; }
KEEP counter::operator int() const { sink += n; return n; }

template <typename T> class box {
public:
	T held;
	KEEP T get(int a) { sink += a; return held; }
};

template <typename T> KEEP T larger(T a, T b)
{
	sink += (long)a;
	return a > b ? a : b;
}

namespace {
KEEP int hidden(int a)
{
	sink += a;
	return a;
}
}

inline namespace v1 {
KEEP int versioned(int a)
{
	sink += a;
	return a;
}
}

}

namespace other {
class counter {
public:
	int add(int by);
};
KEEP int counter::add(int by) { sink += by; return by; }
}

namespace pointed {
struct pair {
	int first;
	int sum(int by) const { return first + by; }
};
KEEP int at(int (*f)(void)) { sink++; return f ? f() : 0; }
KEEP int at(int (*f)(const char *, int)) { sink++; return f ? f("", 1) : 0; }
KEEP int at(void (*const *f)(int (*)(char))) { sink++; return f != nullptr; }
KEEP int at(int (*(*f)(int))(char)) { sink++; return f != nullptr; }
KEEP int at(int (&a)[4]) { sink++; return a[1]; }
KEEP int at(const int (*a)[2][3]) { sink++; return a != nullptr; }
KEEP int at(int pair::*a) { sink++; return a != nullptr; }
KEEP int at(int (pair::*f)(int) const) { sink++; return f != nullptr; }
}

int main()
{
	space::counter c(40), d(2);
	space::counter::part part;
	space::box<int> ints{7};
	space::box<char *> texts{nullptr};
	other::counter o;
	int sum = plain(1) + twice(2) + space::twice(3) + c.add(5) + c.add("x") + space::counter::made(6) + c.within(1) + part.size(4);

	++c;
	sum += c * d + c[3] + (c < d) + int(d) + ints.get(1) + (texts.get(2) != nullptr) + space::larger(1, 2);
	sum += space::larger(1L, 2L) + space::hidden(9) + space::versioned(3) + o.add(11);
	int four[4] = {};
	using namespace pointed;
	sum += at((int (*)())0) + at((int (*)(const char *, int))0) + at((void (*const *)(int (*)(char)))0) + at((int (*(*)(int))(char))0) +
	       at(four) + at((const int (*)[2][3])0) + at(&pair::first) + at(&pair::sum);
	return sum == 0;
}
