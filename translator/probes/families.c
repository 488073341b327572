/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of probe families, from probes.def. */
#include "translator/probes/probe.h"

const struct probe_family *const probe_families[] = {
#define FAMILY(symbol) &symbol,
#include "translator/probes/probes.def"
#undef FAMILY
};

const unsigned probe_nfamilies = sizeof probe_families / sizeof probe_families[0];
