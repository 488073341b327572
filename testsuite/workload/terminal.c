// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a pseudo terminal, makes its window 30 by 90 characters, types "hello\n" and reads it as the program there, which answers "world\n". */
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "workload.h"

static void die(const char *what)
{
	perror(what);
	exit(1);
}

int main(void)
{
	struct winsize size = {.ws_row = 30, .ws_col = 90, .ws_xpixel = 300, .ws_ypixel = 900};
	struct termios quiet;
	struct pollfd ready = {.events = POLLIN};
	char line[100];
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

	if (master < 0 || grantpt(master) || unlockpt(master))
		die("posix_openpt");
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &quiet))
		die("slave");
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	quiet.c_oflag &= ~(tcflag_t)OPOST;
	if (tcsetattr(slave, TCSANOW, &quiet) || ioctl(master, TIOCSWINSZ, &size))
		die("terminal");
	if (write(master, "hello\n", 6) != 6 || read(slave, line, sizeof line) != 6 || write(slave, "world\n", 6) != 6)
		die("talk");
	ready.fd = master;
	if (poll(&ready, 1, 1000) != 1 || read(master, line, sizeof line) != 6 || memcmp(line, "world\n", 6))
		die("answer");
	close(slave);
	close(master);
	return 0;
}
