/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A runtime in miniature, laid out like the real one: for the tests of translator/build/ alone. */
#ifndef RT_RT_H
#define RT_RT_H

struct rt_script {
	unsigned int abi;
	unsigned int frame; /* translator/build/ writes it here */
	const char *name;
	int (*handler)(int (*callback)(int), int n);
};
extern const struct rt_script rt_script;

int rt_twice(int n);
int rt_print(const char *text, int n);
int rt_seldom(int n);
int rt_seldom_left(int n);
int rt_seldom_too(int n);

#endif
