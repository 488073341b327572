// SPDX-License-Identifier: GPL-2.0-or-later
// Goroutines that move between threads, with stacks that grow and move; what its functions are passed and return is known.
package main

import "fmt"

//go:noinline
func add(a, b int) int { return a + b }

type counter struct{ n int }

//go:noinline
func (c *counter) step(by int) int {
	c.n = add(c.n, by)
	return c.n
}

//go:noinline
func deep(n int) int {
	var room [100]int
	if n > 0 {
		room[n%100] = deep(n - 1)
	}
	return room[n%100] + 1
}

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j, k int) int { return a + b + c + d + e + f + g + h + i + j + k }

func main() {
	c := &counter{}
	done := make(chan int)
	sum := 0
	for i := 0; i < 4; i++ {
		go func(i int) {
			s := 0
			for k := 0; k < 100; k++ {
				s += add(k, i)
			}
			done <- s + deep(200)
		}(i)
	}
	for i := 0; i < 4; i++ {
		sum += <-done
	}
	for i := 0; i < 50; i++ {
		c.step(i)
	}
	fmt.Println(sum, c.n, many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
}
