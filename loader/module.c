// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loading and unloading script modules, and unloading those whose loader is gone.  Two sessions of one script
 * are two modules: if the name is taken, the module is loaded under another one.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "loader/loader.h"

#define LOCK_FILE "/run/spile.lock"
#define UNLOAD_TRIES 200

struct image {
	const char *path;
	char *data;
	size_t size;
};

static void wait_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* ---- the image ---- */

static int image_read(struct arena *a, struct image *im, const char *path)
{
	im->path = path;
	im->data = file_read(a, path, &im->size);
	if (im->data)
		return 0;
	say_error("cannot open %s: %s", path, strerror(errno));
	path = arena_printf(a, "%s.ko", path);
	if (!access(path, R_OK))
		say_hint(arena_printf(a, "there is %s", path));
	return -1;
}

/* Is [off, off + len) within the image? */
static bool inside(size_t size, uint64_t off, uint64_t len)
{
	return off <= size && len <= size - off;
}

const char *module_find_section(const char *image, size_t size, const char *wanted, size_t *n)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)image;
	const Elf64_Shdr *sections, *names;
	const size_t length = strlen(wanted) + 1;

	if (size < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_type != ET_REL || e->e_shentsize != sizeof *sections || e->e_shoff % 8 ||
	    e->e_shstrndx >= e->e_shnum || !inside(size, e->e_shoff, (uint64_t)e->e_shnum * sizeof *sections))
		return NULL;
	sections = (const Elf64_Shdr *)(image + e->e_shoff);
	names = &sections[e->e_shstrndx];
	if (!inside(size, names->sh_offset, names->sh_size))
		return NULL;
	for (unsigned i = 0; i < e->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];

		if (!inside(names->sh_size, s->sh_name, length) || memcmp(image + names->sh_offset + s->sh_name, wanted, length))
			continue;
		*n = s->sh_size;
		return s->sh_type == SHT_NOBITS || !inside(size, s->sh_offset, s->sh_size) ? NULL : image + s->sh_offset;
	}
	return NULL;
}

/*
 * In struct module a state and a list head come before the name.  The name is the only text in the section: all else is zero,
 * or pointers that are relocated.
 */
char *module_find_name(char *image, size_t size, size_t *room)
{
	const size_t at = 24, max = 56; /* 64-bit kernels: MODULE_NAME_LEN */
	size_t n;
	const char *section = module_find_section(image, size, ".gnu.linkonce.this_module", &n);
	char *name = section && n >= at + max ? image + (section - image) + at : NULL;

	if (!name || !*name || !memchr(name, 0, max))
		return NULL;
	*room = max;
	return name;
}

/* What the kernel's scripts/sign-file leaves at the end. */
static bool is_signed(const struct image *im)
{
	static const char mark[] = "~Module signature appended~\n";
	const size_t n = sizeof mark - 1;

	return im->size > n && !memcmp(im->data + im->size - n, mark, n);
}

/* The code of another would run before anything is noticed. */
bool module_is_ours(const char *image, size_t size)
{
	static const char mark[] = "description=" WIRE_DESCRIPTION;

	return memmem(image, size, mark, sizeof mark);
}

/* ---- loading ---- */

static bool file_says(const char *path, const char *what)
{
	struct arena a = { 0 };
	const char *text = file_read(&a, path, NULL);
	bool says = text && strstr(text, what);

	arena_free(&a);
	return says;
}

static bool is_locked_down(void)
{
	static const char file[] = "/sys/kernel/security/lockdown";

	return file_says(file, "[integrity]") || file_says(file, "[confidentiality]");
}

bool module_must_be_signed(void)
{
	return is_locked_down() || file_says("/sys/module/module/parameters/sig_enforce", "Y");
}

#define TRY_VM "; `spile --vm' runs the script in a guest instead"

static void explain_permission(const struct image *im)
{
	if (geteuid())
		say_error("cannot load %s: only root may load kernel modules: use sudo" TRY_VM, im->path);
	else if (is_locked_down())
		say_error("cannot load %s: this kernel is locked down (Secure Boot) and accepts signed "
			  "modules only: sign it with a key that is enrolled (scripts/sign-file, mokutil --import)" TRY_VM,
			  im->path);
	else if (file_says("/proc/sys/kernel/modules_disabled", "1"))
		say_error("cannot load %s: loading modules was disabled until the next boot "
			  "(sysctl kernel.modules_disabled)" TRY_VM, im->path);
	else
		say_error("cannot load %s: not permitted; in a container, CAP_SYS_MODULE is needed" TRY_VM,
			  im->path);
}

static void explain_format(const struct image *im)
{
	static const char key[] = "vermagic=";
	const char *magic = memmem(im->data, im->size, key, sizeof key - 1);
	struct utsname u;

	uname(&u);
	magic = magic ? magic + sizeof key - 1 : NULL;
	if (magic && strncmp(magic, u.release, strcspn(magic, " ")))
		say_error("cannot load %s: it was compiled for kernel %.*s and this one is %s: "
			  "compile it again, with spile -p4 -r %s -m NAME",
			  im->path, (int)strcspn(magic, " "), magic, u.release, u.release);
	else
		say_error("cannot load %s: the kernel does not take its format; see dmesg for the reason (another "
			  "build of the same kernel release? then install its headers and empty the cache)",
			  im->path);
}

static void explain_load(const struct image *im, int error)
{
	switch (error) {
	case EPERM:
		explain_permission(im);
		break;
	case EKEYREJECTED:
	case EBADMSG:
	case ENOKEY:
		if (is_signed(im) && error != ENOKEY)
			say_error("cannot load %s: its signature does not fit, or is by a key that this kernel does not know: a module is "
				  "signed after its last change (scripts/sign-file)" TRY_VM, im->path);
		else
			say_error("cannot load %s: this kernel accepts signed modules only (module.sig_enforce): "
				  "sign it with a key that it knows (scripts/sign-file)" TRY_VM, im->path);
		break;
	case ENOEXEC:
		explain_format(im);
		break;
	case ENOENT:
		say_error("cannot load %s: the kernel lacks a symbol that it needs, which dmesg names: compile it again on or for "
			  "this machine, with spile -p4 -m NAME (another module may have to be loaded first)",
			  im->path);
		break;
	case ENOBUFS: /* only the module returns it, without a further message */
		say_error("cannot load %s: no memory for its transport buffers: ask for smaller ones with -s",
			  im->path);
		break;
	case ENOMEM:
		say_error("cannot load %s: the kernel has no memory for the module; see dmesg for which, and other modules that are "
			  "loaded may use it up", im->path);
		break;
	case ENOSYS:
		say_error("cannot load %s: this kernel was built without loadable modules" TRY_VM, im->path);
		break;
	default:
		say_error("cannot load %s: %s; see dmesg for more", im->path, strerror(error));
	}
}

static int load_image(const struct image *im, const char *parameters)
{
	return syscall(SYS_init_module, im->data, im->size, parameters) ? -1 : 0;
}

/* Before any code of it, or that it carries, is loaded. */
static bool may_be_loaded(const struct image *im)
{
	size_t room;

	if (!module_find_name(im->data, im->size, &room))
		say_error("%s is not a kernel module for this machine", im->path);
	else if (!module_is_ours(im->data, im->size))
		say_error("%s was not made by spile, so it is not loaded", im->path);
	else
		return true;
	return false;
}

/* Loads under a name that is free. */
static int load_unique(struct module *m, struct image *im, const char *parameters)
{
	size_t room, keep;
	char suffix[24];
	char *name = module_find_name(im->data, im->size, &room);

	if (!load_image(im, parameters))
		goto loaded;
	if (errno == EEXIST && is_signed(im)) {
		say_error("cannot load %s: a session of it runs already, and a signed module cannot be renamed", im->path);
		say_hint("wait until that session ends, or sign one with another name: spile -p4 -m NAME");
		return -1;
	}
	for (unsigned n = 0; errno == EEXIST && n < 100; n++) {
		snprintf(suffix, sizeof suffix, "_%u_%u", (unsigned)getpid(), n);
		keep = strcspn(name, "");
		if (keep > room - 1 - strlen(suffix))
			keep = room - 1 - strlen(suffix);
		if (n)
			keep = strlen(m->name);
		else
			snprintf(m->name, sizeof m->name, "%.*s", (int)keep, name);
		memset(name, 0, room);
		snprintf(name, room, "%.*s%s", (int)keep, m->name, suffix);
		say_verbose("a module of this name is loaded, trying %s", name);
		if (!load_image(im, parameters))
			goto loaded;
	}
	explain_load(im, errno);
	return -1;
loaded:
	snprintf(m->name, sizeof m->name, "%s", name);
	return 0;
}

static int take_lock(void)
{
	int fd = open(LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	while (fd >= 0 && flock(fd, LOCK_EX))
		if (errno != EINTR)
			break;
	if (fd < 0)
		say_verbose("cannot open %s: %s; sessions that begin or end at the same time do not wait for each other", LOCK_FILE, strerror(errno));
	return fd;
}

static void drop_lock(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int unload(const char *name)
{
	for (unsigned i = 0; syscall(SYS_delete_module, name, O_NONBLOCK); i++) {
		if (errno == ENOENT)
			return 0;
		if ((errno != EAGAIN && errno != EBUSY && errno != EINTR) || i >= UNLOAD_TRIES)
			return -1;
		wait_ms(10);
	}
	return 0;
}

const char *module_parameters(struct arena *a, const char *const *settings, unsigned buffer_kb)
{
	struct sb b = { 0 };
	const char *text;

	if (buffer_kb)
		sb_printf(&b, "buffer_kb=%u ", buffer_kb);
	for (; settings && *settings; settings++) {
		sb_puts(&b, "G=");
		for (const unsigned char *p = (const unsigned char *)*settings; *p; p++) {
			if (*p <= ' ' || *p == '"' || *p == '%' || *p == '\\' || *p >= 127)
				sb_printf(&b, "%%%02x", *p);
			else
				sb_putc(&b, (char)*p);
		}
		sb_putc(&b, ' ');
	}
	text = arena_strdup(a, b.s ? b.s : "");
	sb_free(&b);
	return text;
}

int module_load(struct module *m, const char *path, const char *parameters)
{
	struct arena a = { 0 };
	struct image im;
	char file[160];
	int rc, lock;

	m->ctl = -1;
	if (image_read(&a, &im, path) || !may_be_loaded(&im)) {
		arena_free(&a);
		return -1;
	}
	lock = take_lock();
	run_catch_signals(); /* from now on there is something to undo */
	calls_load(&a, im.data, im.size);
	rc = load_unique(m, &im, parameters);
	arena_free(&a);
	if (rc)
		goto failed;
	say_verbose("loaded %s", m->name);
	snprintf(m->directory, sizeof m->directory, "/proc/" WIRE_DIRECTORY_PREFIX "%s", m->name);
	snprintf(file, sizeof file, "%s/ctl", m->directory);
	m->ctl = open(file, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (m->ctl >= 0)
		goto out;
	rc = -1;
	say_error("cannot open %s: %s", file, strerror(errno));
	unload(m->name);
failed:
	calls_unload();
out:
	drop_lock(lock);
	return rc;
}

int module_unload(struct module *m)
{
	int lock;

	if (m->ctl >= 0)
		close(m->ctl);
	m->ctl = -1;
	if (unload(m->name)) {
		say_error("cannot unload module %s: %s; the next spilerun will try again", m->name,
			  strerror(errno));
		return -1;
	}
	say_verbose("unloaded %s", m->name);
	lock = take_lock(); /* no session is between its module and that one */
	calls_unload();
	drop_lock(lock);
	return 0;
}

/* ---- modules that were left loaded ---- */

static bool in_use(const char *name)
{
	struct arena a = { 0 };
	const char *text = file_read(&a, arena_printf(&a, "/sys/module/%.64s/refcnt", name), NULL);
	bool used = !text || atoi(text) != 0;

	arena_free(&a);
	return used;
}

void module_clean_up(void)
{
	const size_t n = sizeof WIRE_DIRECTORY_PREFIX - 1;
	int lock = take_lock();
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d))) {
		const char *name = e->d_name + n;

		if (strncmp(e->d_name, WIRE_DIRECTORY_PREFIX, n) || in_use(name))
			continue;
		say_verbose("unloading %s, whose loader is gone", name);
		if (unload(name))
			say_warning("cannot unload module %s, whose loader is gone: %s", name,
				    strerror(errno));
	}
	if (d)
		closedir(d);
	drop_lock(lock);
}
