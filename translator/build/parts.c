/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pieces of the runtime that are not in a kit's runtime.o, each an entry of the cache beside the kit: runtime/KEY.NAME/
 *
 *   part.o    gone through objtool; of runtime/calls: carries the module, and is not there if this kernel does not take it
 *   raw.o     before objtool, for scripts that need a template of their own
 *   log       what the compiler said about it, empty when all is well
 *
 * They are made when a script needs them, under the lock of the kit.  Which it needs, its symbols say and those of the parts themselves; what
 * the kit notes about who defines which symbol is only read from the sources (pieces.c), to know what to look into.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/intern.h"
#include "translator/build/private.h"

static const struct loc nowhere;

static int io_error(struct build *b, const char *path)
{
	diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", path, strerror(errno));
	return -1;
}

static const char *part_key(struct build *b, const char *name)
{
	return arena_printf(b->arena, "%s.%s", b->kit->key, name);
}

static const char *folder_of(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->kit->have.n; i++)
		if (!strcmp(b->kit->have.v[i].name, name))
			return b->kit->have.v[i].dir;
	return NULL;
}

/* Is it there, or in the cache? */
static bool is_made(struct build *b, const char *name)
{
	const char *key;

	if (folder_of(b, name))
		return true;
	key = part_key(b, name);
	if (!cache_has(b, "runtime", key))
		return false;
	vec_push(b->arena, &b->kit->have, ((struct build_part){name, cache_path(b, "runtime", key)}));
	return true;
}

/* --- making --- */

/* Those that are asked for, and those that these seem to need. */
static int want(struct build *b, const build_argv *names)
{
	struct pieces *ps = pieces_read(b);

	if (!ps)
		return -1;
	for (size_t i = 0; i < ps->all.n; i++) {
		ps->all.v[i]->is_wanted = false;
		ps->all.v[i]->is_in_kit = true;
	}
	for (size_t i = 0; i < b->kit->parts.n; i++)
		pieces_find(ps, b->kit->parts.v[i])->is_in_kit = false;
	for (size_t i = 0; i < names->n; i++) {
		struct piece *p = pieces_find(ps, names->v[i]);

		p->is_wanted = true;
		pieces_want(ps, &p->words);
	}
	for (size_t i = 0; i < ps->all.n; i++) {
		struct piece *p = ps->all.v[i];

		p->is_wanted = p->is_wanted && !p->is_in_kit && !is_made(b, p->name);
	}
	return 0;
}

static int compile(struct build *b)
{
	struct runtime_commands c = {.cwd = b->kit->cwd.v[0], .work = arena_printf(b->arena, "%s/parts", b->work_dir)};

	if (file_make_folder(c.work, 0700))
		return io_error(b, c.work);
	argv_append(b, &c.cc, &b->kit->cc);
	argv_append(b, &c.kernel_cc, &b->kit->kernel_cc);
	return runtime_compile_wanted(b, &c);
}

/* No session needs the module of runtime/calls: if this kernel's tools refuse it, what they said is kept, and there is no such part.o. */
static void finish_calls(struct build *b, struct piece *p, const char *dir)
{
	struct diags *diags = b->diags, own = {.arena = b->arena, .sources = diags->sources};
	const char *part = arena_printf(b->arena, "%s/part.o", dir);

	b->diags = &own;
	if (calls_finish(b, p->object, b->work_dir, part)) {
		p->log = arena_printf(b->arena, "%s%s\n", p->log ? p->log : "", own.first ? own.first->text : "");
		unlink(part);
	}
	b->diags = diags;
}

struct made {
	struct piece *piece;
	const char *dir;
};
typedef VEC(struct made) made_parts;

static int prepare(struct build *b, made_parts *all)
{
	for (size_t i = 0; i < b->pieces->all.n; i++) {
		struct piece *p = b->pieces->all.v[i];
		struct made m = {p, NULL};

		if (!p->is_wanted)
			continue;
		m.dir = cache_prepare(b);
		if (!m.dir)
			return -1;
		vec_push(b->arena, all, m);
		if (p->kind != PIECE_CALLS && (file_copy(p->object, arena_printf(b->arena, "%s/raw.o", m.dir)) ||
					       file_copy(p->object, arena_printf(b->arena, "%s/part.o", m.dir))))
			return io_error(b, m.dir);
	}
	return 0;
}

static int use_tools(struct build *b, const made_parts *all)
{
	const struct build_kit *k = b->kit;
	build_argv objects = {0};

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].piece->kind != PIECE_CALLS)
			vec_push(b->arena, &objects, arena_printf(b->arena, "%s/part.o", all->v[i].dir));
		else
			finish_calls(b, all->v[i].piece, all->v[i].dir);
	if (kit_tool(b, "objtool runtime", &k->object_tool, &k->env, &objects) || kit_tool(b, "objtool runtime", &k->link_tool, &k->env, &objects))
		return -1;
	for (size_t i = 0; i < objects.n; i++)
		unlink(arena_printf(b->arena, "%s.log", objects.v[i]));
	return 0;
}

static int publish(struct build *b, const made_parts *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct made *m = &all->v[i];
		const char *log = arena_printf(b->arena, "%s/log", m->dir), *text = m->piece->log ? m->piece->log : "";
		const char *key = part_key(b, m->piece->name), *dir = m->dir;

		if (file_write(log, text, strlen(text)))
			return io_error(b, log);
		if (cache_publish(b, m->dir, "runtime", key) == 0)
			dir = cache_path(b, "runtime", key);
		vec_push(b->arena, &b->kit->have, ((struct build_part){m->piece->name, dir}));
	}
	return 0;
}

static int make(struct build *b, const build_argv *names)
{
	made_parts all = {0};

	if (want(b, names))
		return -1;
	(void)cache_watch_work(b);
	busy_begin("Compiling parts of the runtime for kernel %s, which is done once", b->release);
	b->work = b->worked = 0;
	return compile(b) || prepare(b, &all) || use_tools(b, &all) || publish(b, &all) ? -1 : 0;
}

static bool are_made(struct build *b, const build_argv *names)
{
	bool all = true;

	for (size_t i = 0; i < names->n; i++)
		all &= is_made(b, names->v[i]);
	return all;
}

int parts_get(struct build *b, const build_argv *names, build_argv *dirs)
{
	int lock, rc = 0;

	if (!are_made(b, names)) {
		lock = cache_lock(b, b->kit->key);
		if (!are_made(b, names)) {
			rc = make(b, names);
			busy_begin("Building the module"); /* again: the text above has replaced it */
		}
		cache_unlock(lock);
	}
	for (size_t i = 0; !rc && i < names->n; i++)
		vec_push(b->arena, dirs, folder_of(b, names->v[i]));
	return rc;
}

/* --- taking --- */

struct taking {
	struct build *b;
	const struct map *own;
	struct map wanted;  /* by own, and by the parts that were looked into */
	struct map known;   /* symbols of the kit */
	struct map offers;  /* symbol -> name of the part */
	struct map looked;  /* names of the parts that were looked into -> their folders */
	struct map defined; /* by these */
};

static int unreadable(struct build *b, const char *dir)
{
	diag_report(b->diags, nowhere, E_IO, "cannot read the objects in %s; --clean-cache starts afresh", dir);
	return -1;
}

static void read_kit(struct taking *t)
{
	const struct build_kit *k = t->b->kit;

	for (size_t i = 0; i < k->symbols.n; i++)
		map_set(t->b->arena, &t->known, intern(k->symbols.v[i]), t->b);
	for (size_t i = 0; i < k->offers.n; i++) {
		const char *blank = strchr(k->offers.v[i], ' ');

		if (blank)
			map_set(t->b->arena, &t->offers, intern_n(k->offers.v[i], (size_t)(blank - k->offers.v[i])), (void *)intern(blank + 1));
	}
}

static bool is_missing(const struct taking *t, const char *symbol)
{
	return !map_get(t->own, symbol) && !map_get(&t->known, symbol) && !map_get(&t->defined, symbol);
}

/* The parts that seem to define what is missing, and were not looked into. */
static void candidates(struct taking *t, build_argv *names)
{
	for (size_t i = 0; i < t->wanted.n; i++) {
		const char *symbol = t->wanted.entries[i].key, *part = map_get(&t->offers, symbol);

		if (!part || !is_missing(t, symbol) || map_get(&t->looked, part))
			continue;
		map_set(t->b->arena, &t->looked, part, t->b);
		vec_push(t->b->arena, names, part);
	}
}

static int look_into(struct taking *t, const build_argv *names)
{
	struct build *b = t->b;
	build_argv dirs = {0};

	if (parts_get(b, names, &dirs))
		return -1;
	for (size_t i = 0; i < names->n; i++) {
		const char *object = arena_printf(b->arena, "%s/part.o", dirs.v[i]);

		map_set(b->arena, &t->looked, intern(names->v[i]), (void *)dirs.v[i]);
		if (object_symbols(b, object, false, &t->defined) || object_symbols(b, object, true, &t->wanted))
			return unreadable(b, dirs.v[i]);
	}
	return 0;
}

/* What is missing though nothing seems to define it, and the kernel does not export it, may be in any part. */
static int look_into_all(struct taking *t, bool *some)
{
	struct build *b = t->b;
	struct map missing = {0};
	build_argv names = {0};

	*some = false;
	for (size_t i = 0; i < t->wanted.n; i++)
		if (is_missing(t, t->wanted.entries[i].key))
			map_set(b->arena, &missing, t->wanted.entries[i].key, b);
	if (headers_not_exported(b, &b->kit->headers, &missing))
		return -1;
	for (size_t i = 0; i < missing.n; i++)
		*some |= missing.entries[i].value != NULL;
	for (size_t i = 0; *some && i < b->kit->parts.n; i++)
		if (strcmp(b->kit->parts.v[i], "calls") && !map_get(&t->looked, intern(b->kit->parts.v[i])))
			vec_push(b->arena, &names, b->kit->parts.v[i]);
	*some = names.n;
	return look_into(t, &names);
}

static int look(struct taking *t)
{
	bool more = true;

	while (more) {
		build_argv names = {0};

		candidates(t, &names);
		more = names.n;
		if (look_into(t, &names) || (!more && look_into_all(t, &more)))
			return -1;
	}
	return 0;
}

int parts_take(struct build *b, struct map *wanted, const struct map *own, build_argv *objects, build_argv *raw, struct map *unknown)
{
	struct taking t = {.b = b, .own = own};
	build_argv members = {0};
	size_t before = objects->n;

	read_kit(&t);
	for (size_t i = 0; i < wanted->n; i++)
		map_set(b->arena, &t.wanted, wanted->entries[i].key, b);
	if (look(&t))
		return -1;
	for (size_t i = 0; i < b->kit->parts.n; i++) { /* in this order, whatever was found first */
		const char *dir = map_get(&t.looked, intern(b->kit->parts.v[i]));

		if (dir)
			vec_push(b->arena, &members, arena_printf(b->arena, "%s/part.o", dir));
	}
	if (members_take(b, &members, wanted, objects, NULL))
		return unreadable(b, b->kit->dir);
	for (size_t i = before; i < objects->n; i++)
		vec_push(b->arena, raw, arena_printf(b->arena, "%.*s/raw.o", (int)(strrchr(objects->v[i], '/') - objects->v[i]), objects->v[i]));
	for (size_t i = 0; i < wanted->n; i++)
		if (is_missing(&t, wanted->entries[i].key))
			map_set(b->arena, unknown, wanted->entries[i].key, b);
	return 0;
}

int parts_calls(struct build *b, const char **object)
{
	build_argv names = {0}, dirs = {0};

	*object = NULL;
	for (size_t i = 0; i < b->kit->parts.n; i++)
		if (!strcmp(b->kit->parts.v[i], "calls"))
			vec_push(b->arena, &names, b->kit->parts.v[i]);
	if (!names.n)
		return 0;
	if (parts_get(b, &names, &dirs))
		return -1;
	*object = arena_printf(b->arena, "%s/part.o", dirs.v[0]);
	if (access(*object, R_OK))
		*object = NULL;
	return 0;
}
