/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aio FILE N: asks for N reads of 512 bytes of FILE, at offsets 0, 512, ..., by one io_submit(), waits for them, and prints how many came. */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

int main(int argc, char **argv)
{
	static struct iocb requests[64], *pointers[64];
	static struct io_event events[64];
	static char data[64][512];
	long n = argument(argc, argv, 2, 3);
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	aio_context_t context = 0;

	if (fd < 0 || n < 1 || n > 64 || syscall(SYS_io_setup, 64, &context))
		return 1;
	for (long i = 0; i < n; i++) {
		requests[i] = (struct iocb){.aio_data = (unsigned long)i + 1, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = (unsigned)fd,
					    .aio_buf = (unsigned long)data[i], .aio_nbytes = sizeof data[i], .aio_offset = i * 512};
		pointers[i] = &requests[i];
	}
	if (syscall(SYS_io_submit, context, n, pointers) != n)
		return 1;
	printf("aio %ld\n", syscall(SYS_io_getevents, context, n, n, events, NULL));
	return 0;
}
