/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * automounts FOLDER: mounts autofs there, and serves it: FOLDER/there is mounted when a process asks for it, FOLDER/none is
 * refused, and then what was mounted expires.
 */
#include <fcntl.h>
#include <linux/auto_fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static const char *folder;
static int root, requests;

static int checked(int result, const char *what)
{
	if (result >= 0)
		return result;
	perror(what);
	exit(1);
}

static void serve(void)
{
	union autofs_v5_packet_union packet;
	char path[4096];

	checked((int)read(requests, &packet, sizeof packet), "read");
	snprintf(path, sizeof path, "%s/%.*s", folder, (int)packet.v5_packet.len, packet.v5_packet.name);
	if (packet.hdr.type == autofs_ptype_expire_indirect)
		checked(umount(path) ? -1 : rmdir(path), path);
	else if (strstr(path, "/there"))
		checked(mkdir(path, 0755) ? -1 : mount("none", path, "tmpfs", 0, NULL), path);
	else {
		checked(ioctl(root, AUTOFS_IOC_FAIL, (unsigned long)packet.v5_packet.wait_queue_token), "AUTOFS_IOC_FAIL");
		return;
	}
	checked(ioctl(root, AUTOFS_IOC_READY, (unsigned long)packet.v5_packet.wait_queue_token), "AUTOFS_IOC_READY");
}

/* What autofs does for processes of this group is not automatic. */
static void ask(const char *name)
{
	pid_t child = checked(fork(), "fork");
	char path[4096];

	if (!child) {
		setpgid(0, 0);
		snprintf(path, sizeof path, "%s/%s", folder, name);
		_exit(access(path, F_OK) != 0);
	}
	serve();
	waitpid(child, NULL, 0);
}

static void expire(void)
{
	pid_t child = checked(fork(), "fork");
	int how = AUTOFS_EXP_IMMEDIATE;

	if (!child)
		_exit(ioctl(root, AUTOFS_IOC_EXPIRE_MULTI, &how) != 0);
	serve();
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	char options[200];
	int ends[2];

	folder = argc > 1 ? argv[1] : "/mnt";
	setpgid(0, 0);
	checked(pipe(ends), "pipe");
	requests = ends[0];
	snprintf(options, sizeof options, "fd=%d,pgrp=%d,minproto=5,maxproto=5,indirect", ends[1], getpgrp());
	mkdir(folder, 0755);
	checked(mount("automounts", folder, "autofs", 0, options), "mount");
	root = checked(open(folder, O_RDONLY | O_DIRECTORY), folder);
	ask("there");
	ask("none");
	expire();
	close(root);
	return umount(folder) || rmdir(folder);
}
