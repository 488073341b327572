/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that statistics take: their shape, and a warning if it is much. */
#include "translator/emit/emit.h"

/* The warning is for so much for one array on one CPU. */
enum { WARN_MB = 64 };

struct rt_stat_shape emit_stat_shape(const struct symbol *v)
{
	return (struct rt_stat_shape){
		.hist = v->hist == OP_HIST_LOG ? RT_HIST_LOG : v->hist == OP_HIST_LINEAR ? RT_HIST_LINEAR : RT_HIST_NONE,
		.low = v->hist_low,
		.high = v->hist_high,
		.step = v->hist_step,
		.shift = (unsigned)v->shift,
		.variance = v->needs_variance,
		.quantile = v->needs_quantile,
	};
}

/* On each CPU. */
static int64_t statistics_kb(struct session *s, const struct symbol *v)
{
	struct rt_stat_shape shape = emit_stat_shape(v);
	int64_t max = session_array_max(s, v), kb = session_limit(s, "MAXQUANTILEKB");
	int64_t words = RT_CELL_WORDS + rt_more_words(&shape, (unsigned)session_limit(s, "STP_MAX_BUCKETS"));
	int64_t most = max * RT_QUANTILE_MOST * RT_QUANTILE_BLOCK / 1024;

	return max * words * (int64_t)sizeof(rt_u64) / 1024 + (shape.quantile ? kb < most ? kb : most : 0);
}

void emit_warn_memory(struct session *s, const struct symbol *v)
{
	int64_t mb = statistics_kb(s, v) / 1024;
	struct diag *d;

	if (mb < WARN_MB)
		return;
	d = s_error(s, v->decl->loc, W_MEMORY,
		    "the statistics in \"%s\" take %lld MB on each CPU", v->name, (long long)mb);
	if (mb > session_limit(s, "MAXQUANTILEKB") / 1024 * 2)
		diag_hint(&s->diags, d,
			  "declare with \"%s[N]\" how many elements it needs; now there is room for %lld", v->name,
			  (long long)session_array_max(s, v));
}
