/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a header, and the C for an object file. */
#include "markers/write.h"

#include <ctype.h>

static void put_upper(struct sb *out, const char *name)
{
	for (; *name; name++)
		sb_putc(out, isalnum((unsigned char)*name) ? (char)toupper((unsigned char)*name) : '_');
}

/* PROVIDER_PROBE, where the probe has one _ for two. */
static void put_macro(struct sb *out, const char *provider, const char *probe)
{
	put_upper(out, provider);
	sb_putc(out, '_');
	for (; *probe; probe++) {
		sb_putc(out, (char)toupper((unsigned char)*probe));
		probe += probe[0] == '_' && probe[1] == '_';
	}
}

static void put_semaphore(struct sb *out, const char *before, const char *provider, const char *probe)
{
	sb_printf(out, "%svolatile unsigned short %s_%s_semaphore __attribute__((section(\".probes\"), visibility(\"hidden\"), unused));\n", before,
		  provider, probe);
}

static void put_probe(struct sb *out, const char *provider, const struct parse_probe *p)
{
	struct sb arguments = {0};

	for (unsigned i = 1; i <= p->narguments; i++)
		sb_printf(&arguments, "%sarg%u", i > 1 ? ", " : "", i);
	put_semaphore(out, "extern ", provider, p->name);
	sb_puts(out, "#define ");
	put_macro(out, provider, p->name);
	sb_printf(out, "_ENABLED() __builtin_expect(%s_%s_semaphore, 0)\n#define ", provider, p->name);
	put_macro(out, provider, p->name);
	sb_printf(out, "(%s) STAP_PROBE", arguments.n ? arguments.s : "");
	if (p->narguments)
		sb_printf(out, "%u(%s, %s, %s)\n", p->narguments, provider, p->name, arguments.s);
	else
		sb_printf(out, "(%s, %s)\n", provider, p->name);
	sb_free(&arguments);
}

void write_header(struct sb *out, const struct parse_providers *all, const char *name)
{
	sb_puts(out, "/* Made by spile-dtrace. */\n#ifndef ");
	put_upper(out, name);
	sb_puts(out, "_MARKERS\n#define ");
	put_upper(out, name);
	sb_puts(out, "_MARKERS\n\n#ifndef _SDT_HAS_SEMAPHORES\n#define _SDT_HAS_SEMAPHORES 1\n#endif\n#include <sys/sdt.h>\n\n"
		     "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
	for (size_t i = 0; i < all->v.n; i++)
		for (size_t k = 0; k < all->v.v[i].probes.n; k++) {
			sb_putc(out, '\n');
			put_probe(out, all->v.v[i].name, &all->v.v[i].probes.v[k]);
		}
	sb_puts(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

void write_semaphores(struct sb *out, const struct parse_providers *all)
{
	for (size_t i = 0; i < all->v.n; i++)
		for (size_t k = 0; k < all->v.v[i].probes.n; k++)
			put_semaphore(out, "", all->v.v[i].name, all->v.v[i].probes.v[k].name);
}
