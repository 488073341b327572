/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procfs: files of the script in procfs, which programs read and write. */
#include <string.h>

#include "runtime/sites/procfs.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum { DEFAULT_UMASK = 077, LONGEST = 255 };

#define FORMS(head)                                                                      \
	{head ".read", SITE_PROCFS_READ, "somebody reads the file: $value is what it has"},  \
	{head ".read.maxsize(n)", SITE_PROCFS_READ, "of at most n bytes"},                   \
	{head ".write", SITE_PROCFS_WRITE, "somebody writes $value to the file"}

static const struct probe_form forms[] = {
	FORMS("procfs(s)"),
	FORMS("procfs(s).umask(n)"),
	FORMS("procfs"),
	FORMS("procfs.umask(n)"),
	{0},
};

static const struct probe_value reader_values[] = {{"value", "__procfs_value", "__procfs_set", "__procfs_append", NULL}, {0}};
static const struct probe_value writer_values[] = {{"value", "__procfs_value", NULL, NULL, NULL}, {0}};

/* Why the path cannot be, or NULL. */
static const char *bad_path(struct session *s, const char *path)
{
	const char *first = arena_strndup(&s->arena, path, strcspn(path, "/"));
	static const char *const reserved[] = {SITE_PROCFS_RESERVED};

	if (!*path)
		return "a file needs a name";
	if (*path == '/')
		return "the path is below the session's own folder: it does not begin with /";
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (str_glob(reserved[i], first))
			return "the session has a file of this name itself";
	for (const char *p = path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
		size_t n = strcspn(p, "/");

		if (!n || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
			return "a path has names between its slashes, not . or ..";
		if (n > LONGEST)
			return "a name has at most 255 bytes";
	}
	return NULL;
}

/* Does one of them go on from the other, so that it would be a file and a folder? */
static bool is_within(const char *a, const char *b)
{
	size_t n = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

	return !strncmp(a, b, n) && (a[n] == '/' || b[n] == '/');
}

/* A site before this one with which its path cannot be; NULL: there is none. */
static const struct site *conflicting(struct session *s, const char *path)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		for (size_t k = 0; k < s->prog.probes.v[i]->sites.n; k++) {
			const struct site *t = s->prog.probes.v[i]->sites.v[k];
			if (t->family == &probe_procfs && t->s[0] && is_within(t->s[0], path)) /* a form in a listing has no path */
				return t;
		}
	return NULL;
}

static int refuse_conflict(struct session *s, const struct point *p, const char *path, const struct site *other)
{
	struct diag *d = s_error(s, p->c[0].arg ? p->c[0].arg->loc : p->c[0].loc, E_POINT_VALUE,
				 "\"%s\" and \"%s\" cannot both be files: one would be a folder of the other", path, other->s[0]);

	diag_note(&s->diags, d, other->loc, "the other one is here");
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *umask = probe_component(p, "umask"), *most = probe_component(p, "maxsize");
	const char *path = p->c[0].arg ? p->c[0].arg->text : "command", *bad = bad_path(s, path);
	const struct site *other = bad ? NULL : conflicting(s, path);
	struct site *t;

	if (bad)
		return probe_bad_value(s, &p->c[0], bad);
	if (other)
		return refuse_conflict(s, p, path, other);
	if (umask && (umask->arg->num < 0 || umask->arg->num > 0777))
		return probe_bad_value(s, umask, "a umask is 0 to 0777, in octal digits");
	if (most && (most->arg->num < 1 || most->arg->num > SITE_PROCFS_MOST))
		return probe_bad_value(s, most, "a file's contents have 1 byte to 16 MB");
	t = probe_site(s, &probe_procfs, p, out);
	t->kind = (unsigned)form->variant;
	t->s[0] = path;
	t->n[0] = umask ? umask->arg->num : DEFAULT_UMASK;
	t->n[1] = most ? most->arg->num : 0;
	t->values = t->kind == SITE_PROCFS_READ ? reader_values : writer_values;
	t->has_text = true;
	return 0;
}

const struct probe_mechanism mechanism_procfs = {.name = "procfs"};

const struct probe_family probe_procfs = {
	.mechanism = &mechanism_procfs,
	.forms = forms,
	.resolve = resolve,
	.values = reader_values,
};
