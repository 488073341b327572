// SPDX-License-Identifier: GPL-2.0-or-later
// Traced by elf_test.c: as elf_prog.c, for what C++ adds.
#include <string>

#define KEEP __attribute__((noinline, noclone))
#ifdef __clang__
#undef KEEP
#define KEEP __attribute__((noinline))
#endif

volatile long sink;

namespace space {

struct base {
	int id;
	virtual ~base() {}
};

struct plain {
	int a, b;
};

struct copied {
	long v;
	copied(long n) : v(n) {}
	copied(const copied &o) : v(o.v + 1) { sink++; }
};

struct holder {
	copied inner;
	holder(long n) : inner(n) {}
};

enum class tint : unsigned char { pale, deep = 200 };

class derived : public base {
public:
	long extra;
	int method(int x, const plain &p);
	derived make(std::string s, int after);
	static int fixed(short q);
};

KEEP int derived::method(int x, const plain &p)
{
	sink += x + p.b;
	return id - x;
}

KEEP derived derived::make(std::string s, int after)
{
	derived d;

	d.id = after;
	d.extra = (long)s.size();
	sink += extra;
	return d;
}

KEEP int derived::fixed(short q)
{
	sink += q;
	return q;
}

KEEP copied twice(copied c, int after)
{
	sink += after;
	return copied(c.v * 2);
}

KEEP long held(holder h, plain p, int after)
{
	sink += p.a + after;
	return h.inner.v;
}

KEEP bool tinted(tint t, char16_t c, base &&b)
{
	sink += c + b.id;
	return t == tint::deep;
}

} // namespace space

int main()
{
	space::derived d;

	d.id = 70;
	d.extra = 71;
	space::derived e = d.make("hello", 72);
	sink += d.method(-7, space::plain{8, 9}) + e.extra + space::derived::fixed(-2);
	sink += space::twice(space::copied(30), 31).v;
	sink += space::held(space::holder(40), space::plain{41, 42}, 43);
	d.id = 73;
	sink += space::tinted(space::tint::deep, u'x', static_cast<space::base &&>(d));
	return 0;
}
