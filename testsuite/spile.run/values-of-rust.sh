#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What functions of a Rust program are called with and return are the program's values, with optimisation at their entries, without it where their
# bodies begin: numbers, texts, slices, references, structures, enums, what is owned; methods, generic functions and threads have their names.
# timeout: 600
# needs-package: process("/usr/bin/rustc").begin
# kernel: any
# cost: 30
cd "$B" || exit 1
cat >values.rs <<'Y'
use std::fmt::Display;

pub struct Pair {
    pub a: i32,
    pub b: i64,
}

#[derive(Clone, Copy)]
pub enum Color {
    Red,
    Green = 7,
}

pub enum Shape {
    Dot,
    Circle(u32),
    Rect { w: u32, h: u32 },
}

#[inline(never)]
pub fn add(a: i32, b: u64, c: bool, d: i8) -> i64 {
    a as i64 + b as i64 + c as i64 + d as i64
}

#[inline(never)]
pub fn text(s: &str, n: usize) -> usize {
    s.bytes().map(|b| b as usize).sum::<usize>() + n
}

#[inline(never)]
pub fn slice(v: &[i32], p: &Pair) -> i32 {
    v[p.a as usize] + p.b as i32
}

#[inline(never)]
pub fn maybe(x: Option<u32>, p: Option<&Pair>, c: Color) -> u32 {
    x.unwrap_or(100) + p.map_or(0, |p| p.a as u32) + c as u32
}

#[inline(never)]
pub fn area(s: &Shape) -> u32 {
    match s {
        Shape::Dot => 0,
        Shape::Circle(r) => 3 * r * r,
        Shape::Rect { w, h } => w * h,
    }
}

#[inline(never)]
pub fn float(f: f64, n: u32) -> u32 {
    (f * n as f64) as u32
}

#[inline(never)]
pub fn owned(s: String, v: &mut Vec<u16>) -> usize {
    v.push(5);
    s.len() + v.len()
}

#[inline(never)]
pub fn show<T: Display>(x: &T) -> usize {
    format!("{}", x).len()
}

pub trait Named {
    fn name(&self) -> usize;
}

pub struct Dog {
    pub age: u8,
}

impl Named for Dog {
    #[inline(never)]
    fn name(&self) -> usize {
        self.age as usize
    }
}

mod inner {
    pub struct Counter {
        pub n: u64,
    }
    impl Counter {
        #[inline(never)]
        pub fn step(&mut self, by: u64) -> u64 {
            self.n += by;
            self.n
        }
    }
}

fn main() {
    let one: i32 = std::env::args().count() as i32; // 1, which the compiler does not know
    let mut c = inner::Counter { n: 4 + one as u64 };
    let p = Pair { a: 1 + one, b: -3 - one as i64 };
    let mut v = vec![1; 1 + one as usize];
    println!("{}", add(-one, 19 + one as u64, one == 1, -2 - one as i8));
    println!("{}", text(if one == 1 { "word" } else { "x" }, 2 + one as usize));
    println!("{}", slice(if one == 1 { &[6, 7, 8] } else { &[9] }, &p));
    println!("{}", maybe(Some(3 + one as u32), Some(&p), Color::Green));
    println!("{}", maybe(None, None, if one == 1 { Color::Red } else { Color::Green }));
    println!("{} {} {}", area(&Shape::Dot), area(&Shape::Circle(1 + one as u32)), area(&Shape::Rect { w: 3 + one as u32, h: 5 }));
    println!("{}", float(0.5 + one as f64, 2));
    println!("{}", owned(String::from(if one == 1 { "own" } else { "x" }), &mut v));
    println!("{} {}", show(&(one as u8)), show(&"xyz"));
    println!("{} {}", c.step(1 + one as u64), p.b);
    let d: Box<dyn Named> = Box::new(Dog { age: 8 + one as u8 });
    println!("{}", d.name());
    let t = std::thread::spawn(move || c.step(one as u64));
    println!("{}", t.join().unwrap());
}
Y
cat >rust.stp <<'Y'
probe AT(add) { printf("add %d %d %d %d\n", $a, $b, $c, $d) }
probe AT(text) { printf("text %s %d\n", user_string_n($s->data_ptr, $s->length), $n) }
probe AT(slice) { printf("slice %d %d %d %d\n", $v->length, $v->data_ptr[$p->a], $p->a, $p->b) }
probe AT(maybe) {
	printf("maybe %d %d %d %d\n", $x->discriminant ? $x->Some->__0 : -1, $p->discriminant != 0, $p->Some->__0 ? $p->Some->__0->a : -1, $c)
}
probe AT(area) {
	if ($s->discriminant == 2) printf("rect %d %d %s\n", $s->Rect->w, $s->Rect->h, $s$)
	else printf("area %d %d\n", $s->discriminant, $s->discriminant ? $s->Circle->__0 : 0)
}
probe AT(float) { printf("float %d\n", @defined($f)) }
probe AT(owned) { printf("owned %s %d\n", user_string_n($s->vec->buf->ptr->pointer->pointer, $s->vec->len), $v->len) }
probe process(@1).function("values::show<*>") { println(ppfunc()) }
probe process(@1).function("values::{impl#0}::name") { printf("name %d\n", $self->age) }
probe process(@1).function("values::inner::Counter::step") { printf("step %d %d\n", $self->n, $by) }
probe process(@1).function("values::inner::Counter::step").return { println("step returns") }
Y
cat >rust_returns.stp <<'Y'
probe process(@1).function("values::add").return, process(@1).function("values::text").return, process(@1).function("values::slice").return,
      process(@1).function("values::maybe").return, process(@1).function("values::area").return, process(@1).function("values::*::name").return {
	printf("%s = %d\n", ppfunc(), $return)
}
Y
sed 's/AT(\([a-z]*\))/process(@1).function("values::\1")/' rust.stp >rust_opt.stp
sed 's/AT(\([a-z]*\))/process(@1).statement("values::\1@values.rs+1")/' rust.stp | cat - rust_returns.stp >rust_plain.stp
/usr/bin/rustc -g -C opt-level=2 -o rust_opt values.rs && /usr/bin/rustc -g -o rust_plain values.rs || exit 1
: >rust.sh
for program in rust_opt rust_plain; do
	"$SPILE" -r "$RELEASE" -p4 -m $program $program.stp "$B/$program" >/dev/null || exit 1
	echo "$SPILERUN -c '$B/$program >/tmp/out' $B/$program.ko; cat /tmp/out" >>rust.sh
done
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/rust.sh" >rust.got 2>&1
cat >rust_plain.want <<'Y'
add -1 20 1 -3
values::add = 17
text word 3
values::text = 447
slice 3 8 2 -4
values::slice = 4
maybe 4 1 2 7
values::maybe = 13
maybe -1 0 -1 0
values::maybe = 100
area 0 0
values::area = 0
area 1 2
values::area = 12
rect 4 5 {.discriminant=2, .Dot={}, .Circle={...}, .Rect={...}}
values::area = 20
float 0
owned own 2
values::show<u8>
values::show<&str>
step 5 2
step returns
name 9
values::{impl#0}::name = 9
step 7 1
step returns
17
447
4
13
100
0 12 20
3
6
1 3
7 -4
9
8
Y
# of the optimised one no values are asked for at returns
{ grep -v ' = ' rust_plain.want; cat rust_plain.want; } | diff rust.got -
