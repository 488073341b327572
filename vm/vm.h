/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that the files of spile-vm share. One process, one command: memory is not given back, errors end
 * it. */
#ifndef VM_VM_H
#define VM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/std.h"

/* Exit status of spile-vm itself when it failed, and not the command in the guest (as docker, timeout and env do). */
enum { EXIT_OUTPUT = 1, EXIT_VM = 125, EXIT_TIMEOUT = 124, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127, EXIT_PIPE = 141 };

enum accel { ACCEL_AUTO, ACCEL_TCG, ACCEL_KVM };

/* NULL after the last. */
struct strings {
	char **v;
	size_t n, cap;
};

struct options {
	const char *release; /* or NULL: the default kernel */
	const char *kernels; /* root of the kernels, "" = / */
	const char *name;
	struct strings shares;
	unsigned smp, mem_mb, boot_s, idle_min;
	unsigned timeout_s; /* of a command; 0 = none */
	enum accel accel;
	bool no_stdin, verbose;
	bool keep_until_output; /* what standard output had before is kept until there is output */
	bool fd3;               /* descriptor 3 of the command is ours */
	bool kaslr;             /* boot the image, as firmware does */
	struct strings append; /* words for the kernel's command line */
};

/* util.c */
/* For memory that is kept until the process ends, as most is. */
struct arena *vm_arena(void);
char *textf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void strings_add(struct strings *l, const char *s);
/* "spile-vm: ..." and, with hint not NULL, a second line saying what to do; then exit(EXIT_VM) after clean-up. */
void die(const char *hint, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a text from elsewhere, with control characters spelled out, as in all messages. */
void say_visibly(const char *label, const char *text);
/* A console's lines end with a carriage return too.  Bytes that are left. */
size_t drop_returns(char *s, size_t n);
/* Called (once) by die and by a normal end: removes what this process started. */
extern void (*on_exit_hook)(void);

/* kernel.c */
struct kernel {
	const char *release;
	char *image;   /* vmlinuz */
	char *modules; /* lib/modules/RELEASE folder */
	char *problem; /* why it cannot be a guest, or NULL */
	char *remedy;  /* what to install instead */
};
/* The installed kernels below root, oldest first; NULL-release terminated. */
struct kernel *kernel_list(const char *root, size_t *n);
/* The kernel to boot; explains and dies if there is none. */
struct kernel kernel_choose(const struct options *o);
/* Module files to load for the guest's needs, in order, relative to k->modules; false and *missing set if one is neither built in nor installed. */
bool kernel_modules(const struct kernel *k, struct strings *out, const char **missing);

/* initrd.c */
/* Path of the initial file system for k, made if it is not in the cache. */
char *initrd_get(const struct kernel *k);

/* unpack.c: other programs' work */
/* The bytes of a module file, compressed or not. */
char *unpack_module(const char *path, size_t *len);
/* The kernel to give to QEMU: unpacked, with a PVH entry, in the cache; or its image without. */
char *unpack_kernel(const struct kernel *k);

/* cache.c */
/* Folder for what can be made again; created. */
char *cache_dir(void);
/* The path of a cached file.  *tmp is NULL when it exists, else the name under which to make it, for cache_store. */
char *cache_find(const char *kind, const char *release, struct hash128 key, char **tmp);
void cache_store(const char *tmp, const char *path);

/* guest.c: state folders */
struct guest {
	char *name;
	char *dir; /* holds: lock (held by QEMU), info, cookie, console, qemu.log, p0.. and their locks */
	uint8_t cookie[16];
	pid_t pid;
	bool alive;
	const char *release;
	unsigned smp, mem_mb;
	long started;
	const char *accel;
};
char *guest_base_dir(void);
/* Makes a state folder; name NULL: one is chosen with this prefix. */
struct guest guest_create(const char *name, const char *prefix);
/* Writes what other processes need to find and reach the guest. */
void guest_publish(const struct guest *g);
/* A guest by name; dies when there is none. With need_alive also when it ended. */
struct guest guest_open(const char *name, bool need_alive);
struct guest *guest_all(size_t *n);
void guest_reap(void);
void guest_kill(struct guest *g);
/* Last lines of its console, and QEMU's own words, to stderr. */
void guest_show_end(const struct guest *g, unsigned lines);

/* qemu.c */
/* Boots; returns when the agent answers.  With stay the guest outlives this process.  Otherwise dies with an explanation. */
struct guest qemu_boot(const struct options *o, const struct kernel *k, bool stay);

/* exec.c */
struct exec {
	const struct guest *guest;
	int kind; /* enum proto_kind */
	char **argv;
	int in, out, err; /* in -1: none */
	unsigned timeout_s;
	bool ends_guest; /* the guest is for this command alone */
	bool has_file;
	int file;               /* what the command writes to its descriptor 3 */
	bool keep_until_output; /* what is in it, or without it in `out`, stays until there is output, or the command has succeeded */
	double ready_by; /* std_now() by which the session must be answered; 0: no limit */
};
enum { EXEC_LOST = -1, EXEC_LATE = -2 };
/* Holds one session; the exit status of the command (128 + signal), or EXEC_LOST when the guest ended. */
int exec_session(struct exec *x);

/* agent.c: this program as process 1 of the guest. serve.c: one port of it. */
int agent_main(void);
struct serve_shared {
	_Atomic int active;      /* sessions under way */
	_Atomic long last_end_s; /* CLOCK_MONOTONIC seconds */
	_Atomic int poweroff;
	int lower; /* the host's root, O_PATH */
};
void serve_port(int fd, const uint8_t cookie[16], struct serve_shared *shared,
		const struct strings *sync_dirs) __attribute__((noreturn));

#endif
