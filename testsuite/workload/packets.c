// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends N packets of UDP through the loopback device to itself, and prints how many the kernel took, refused and delivered.
 *
 *	packets [-6] [-n] N
 *
 * -6: IPv6.  -n: in a network namespace of its own.  As root: it brings the device up.
 */
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workload.h"

static void die(const char *what)
{
	perror(what);
	exit(1);
}

enum { SIZE = 72 };

static void bring_up(void)
{
	struct ifreq r = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &r))
		die("loopback device");
	close(s);
}

static int open_socket(int family)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in6 to6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr *at = family == AF_INET ? (void *)&to : (void *)&to6;
	socklen_t n = family == AF_INET ? sizeof to : sizeof to6;
	int s = socket(family, SOCK_DGRAM, 0);

	if (s < 0 || bind(s, at, n) || getsockname(s, at, &n) || connect(s, at, n))
		die("socket");
	return s;
}

static int patience = 1000; /* milliseconds in all: packets may have been dropped */

/* How many have come.  Of more than `most' under way it waits for the others: the kernel keeps only so many for a CPU that is busy. */
static long receive(int s, long under_way, long most)
{
	char packet[SIZE];
	long n = 0;

	for (;;) {
		while (recv(s, packet, sizeof packet, MSG_DONTWAIT) > 0)
			n++;
		if (under_way - n <= most || patience <= 0)
			return n;
		usleep(1000);
		patience--;
	}
}

int main(int argc, char **argv)
{
	int family = AF_INET, c, s;
	long n, sent = 0, refused = 0, received = 0;
	char packet[SIZE] = "packet";

	while ((c = getopt(argc, argv, "6n")) != -1) {
		if (c == '6')
			family = AF_INET6;
		else if (unshare(CLONE_NEWNET))
			die("namespace");
	}
	n = optind < argc ? atol(argv[optind]) : 0;
	bring_up();
	s = open_socket(family);
	for (long i = 0; i < n; i++) {
		if (send(s, packet, sizeof packet, 0) < 0)
			refused++;
		else
			sent++;
		received += receive(s, sent - received, 100);
	}
	received += receive(s, sent - received, 0);
	printf("sent %ld refused %ld received %ld\n", sent, refused, received);
	return 0;
}
