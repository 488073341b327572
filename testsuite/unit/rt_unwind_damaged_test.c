// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables, registers and stacks that are made of any bytes, through the fuzzer's own function: see testsuite/fuzz/unwind_fuzz.c. */
#include "testsuite/unit/unit.h"

#include "testsuite/fuzz/unwind_fuzz.c"

enum { INPUTS = 3000, MOST_BYTES = 4096 };

static void test_any_tables_and_stacks(void)
{
	for (unsigned i = 0; i < INPUTS; i++) {
		rt_u32 n = native_below(MOST_BYTES);
		uint8_t *input = malloc(n + 1);

		for (rt_u32 k = 0; k < n; k++)
			input[k] = (uint8_t)native_random();
		LLVMFuzzerTestOneInput(input, n); /* what it finds wrong ends the test by abort() */
		free(input);
	}
}

/*
 * One rule, by which each frame is a word above the one before, and a stack of returns to the same place: as many frames as are wanted.  So what
 * the fuzzer compares are not only stacks that end at once.
 */
static void test_a_stack_of_many_frames(void)
{
	struct walked w;
	struct rt_ctx *c;

	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	tables[0].rules[0] = (struct rt_unwind_rule){.cfa = RT_CFA_PLAIN, .off = 8, .saved = {RT_SAVED(AT_CFA, -8)}};
	first.at = BASE;
	first.reg[0] = (rt_u64)(uintptr_t)stack;
	for (unsigned i = 0; i < WORDS; i++)
		stack[i] = BASE + 1;
	c = native_ctx();
	ask_walks(c, MOST);
	walk_up(c, &w, MOST);
	CHECK_EQ(w.n, MOST);
	native_ctx_end(c);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_any_tables_and_stacks);
	UNIT_RUN(test_a_stack_of_many_frames);
	return unit_done();
}
