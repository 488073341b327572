/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys TEXT: types these small letters on a keyboard of its own, and Enter, and prints what comes in on the first terminal. */
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "workload.h"

static const char rows[] = "qwertyuiop\0\0\0\0asdfghjkl\0\0\0\0\0zxcvbnm"; /* as KEY_Q and those that follow */

static void emit(int fd, int type, int code, int value)
{
	struct input_event e = {.type = (unsigned short)type, .code = (unsigned short)code, .value = value};

	if (write(fd, &e, sizeof e) != sizeof e)
		exit(1);
}

static void press(int fd, int code)
{
	emit(fd, EV_KEY, code, 1);
	emit(fd, EV_SYN, SYN_REPORT, 0);
	emit(fd, EV_KEY, code, 0);
	emit(fd, EV_SYN, SYN_REPORT, 0);
	usleep(20000);
}

int main(int argc, char **argv)
{
	struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .vendor = 1, .product = 1}, .name = "keys"};
	const char *text = argc > 1 ? argv[1] : "";
	char line[80];
	int fd = open("/dev/uinput", O_WRONLY), tty = open("/dev/tty1", O_RDWR | O_NOCTTY);

	if (fd < 0 || tty < 0) {
		fprintf(stderr, "keys: %s: %s\n", fd < 0 ? "/dev/uinput" : "/dev/tty1", strerror(errno));
		return 1;
	}
	ioctl(fd, UI_SET_EVBIT, EV_KEY);
	for (int i = 1; i < 100; i++)
		ioctl(fd, UI_SET_KEYBIT, i);
	if (ioctl(fd, UI_DEV_SETUP, &setup) || ioctl(fd, UI_DEV_CREATE))
		return 1;
	usleep(100000);
	tcflush(tty, TCIFLUSH);
	for (const char *c = text; *c; c++)
		press(fd, KEY_Q + (int)((const char *)memchr(rows, *c, sizeof rows) - rows));
	press(fd, KEY_ENTER);
	ssize_t n = read(tty, line, sizeof line);

	printf("%.*s", n > 0 ? (int)n : 0, line);
	ioctl(fd, UI_DEV_DESTROY);
	return 0;
}
