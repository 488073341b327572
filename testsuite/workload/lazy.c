/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lazy memory|file TIMES: lazy_work() gets a pointer to a page that another program should bring, but never does: of memory whose faults
 * it handles (userfaultfd), or of a file in a file system that it serves (FUSE).  Reading the page waits for ever.
 */
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "workload.h"

enum { PAGE = 4096, REQUEST = 64 * 1024, FILE_NODE = 2 };

PROBED int lazy_work(const char *text, long call)
{
	return text != NULL && call >= 0;
}

static char *lazy_memory(void)
{
	char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register all = {.range = {(unsigned long)p, PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};

	if (p == MAP_FAILED || fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all))
		return NULL;
	return p;
}

/* ---- a file system with one file, whose contents never come ---- */

static void reply(int fd, const struct fuse_in_header *in, int error, const void *data, size_t n)
{
	struct fuse_out_header out = {.len = (unsigned)(sizeof out + n), .error = error, .unique = in->unique};
	struct iovec v[] = {{&out, sizeof out}, {(void *)data, n}};

	if (writev(fd, v, 2) < 0)
		perror("fuse");
}

static struct fuse_attr attributes(unsigned long node)
{
	return (struct fuse_attr){.ino = node, .size = PAGE, .nlink = 1, .blksize = PAGE,
				  .mode = node == FILE_NODE ? S_IFREG | 0444 : S_IFDIR | 0555};
}

static void answer(int fd, const struct fuse_in_header *in)
{
	struct fuse_init_out init = {.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = PAGE};
	struct fuse_entry_out entry = {.nodeid = FILE_NODE, .attr = attributes(FILE_NODE), .entry_valid = 60, .attr_valid = 60};
	struct fuse_attr_out attr = {.attr_valid = 60, .attr = attributes(in->nodeid)};
	struct fuse_open_out opened = {0};

	switch (in->opcode) {
	case FUSE_INIT:
		reply(fd, in, 0, &init, sizeof init);
		break;
	case FUSE_LOOKUP:
		reply(fd, in, 0, &entry, sizeof entry);
		break;
	case FUSE_GETATTR:
		reply(fd, in, 0, &attr, sizeof attr);
		break;
	case FUSE_OPEN:
		reply(fd, in, 0, &opened, sizeof opened);
		break;
	case FUSE_READ:
	case FUSE_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		reply(fd, in, -38 /* ENOSYS */, NULL, 0);
	}
}

static void serve(int fd)
{
	static char request[REQUEST];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(fd, request, sizeof request) > 0)
		answer(fd, (struct fuse_in_header *)request);
	_exit(0);
}

static char *lazy_file(void)
{
	static char folder[] = "/tmp/lazy.XXXXXX", options[100], path[64];
	int fd = open("/dev/fuse", O_RDWR);
	char *p;

	if (fd < 0 || !mkdtemp(folder))
		return NULL;
	snprintf(options, sizeof options, "fd=%d,rootmode=40555,user_id=0,group_id=0", fd);
	if (mount("lazy", folder, "fuse", 0, options))
		return NULL;
	if (fork() == 0)
		serve(fd);
	close(fd);
	snprintf(path, sizeof path, "%s/file", folder);
	fd = open(path, O_RDONLY);
	p = fd < 0 ? MAP_FAILED : mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	umount2(folder, MNT_DETACH);
	rmdir(folder);
	return p == MAP_FAILED ? NULL : p;
}

int main(int argc, char **argv)
{
	bool file = argc > 1 && strcmp(argv[1], "file") == 0;
	long times = argument(argc, argv, 2, 100);
	char *p = file ? lazy_file() : lazy_memory();

	if (!p) {
		perror("lazy");
		return 1;
	}
	for (long i = 0; i < times; i++)
		if (!lazy_work(p, i))
			return 1;
	printf("lazy_work %ld\n", times);
	return 0;
}
