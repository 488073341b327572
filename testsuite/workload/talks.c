// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Talks to itself through the loopback device, by TCP and UDP, and says what it did.
 *
 *	talks [-6] [-w]
 *
 * It sends three messages of 100, 200 and 300 bytes by TCP and receives each; then four datagrams of 50 bytes by UDP.  It prints
 * "tcp SERVER CLIENT" and "udp RECEIVER SENDER": the ports.  -6: IPv6.  -w: by write() and read().  As root: it brings
 * the device up, and asks for its MTU.
 */
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
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

static void bring_up(void)
{
	struct ifreq r = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &r) || ioctl(s, SIOCGIFMTU, &r))
		die("loopback device");
	close(s);
}

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static int port_of(int s)
{
	union address a;
	socklen_t n = sizeof a;

	if (getsockname(s, &a.any, &n))
		die("getsockname");
	return ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port);
}

static int bound(int family, int type, union address *a)
{
	socklen_t n = family == AF_INET ? sizeof a->v4 : sizeof a->v6;
	int s = socket(family, type, 0);

	memset(a, 0, sizeof *a);
	a->any.sa_family = (sa_family_t)family;
	if (family == AF_INET)
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		a->v6.sin6_addr = in6addr_loopback;
	if (s < 0 || bind(s, &a->any, n) || getsockname(s, &a->any, &n))
		die("bind");
	return s;
}

static int connected(int family, int type, const union address *to)
{
	int s = socket(family, type, 0);

	if (s < 0 || connect(s, &to->any, family == AF_INET ? sizeof to->v4 : sizeof to->v6))
		die("connect");
	return s;
}

static bool by_write;

static void pass(int from, int to, size_t size)
{
	char data[300] = "data";
	ssize_t sent = by_write ? write(from, data, size) : send(from, data, size, 0);
	ssize_t got = by_write ? read(to, data, size) : recv(to, data, size, MSG_WAITALL);

	if (sent != (ssize_t)size || got != sent)
		die("pass");
}

int main(int argc, char **argv)
{
	int family = AF_INET, yes = 1;
	union address a;
	int listener, client, server;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-6"))
			family = AF_INET6;
		else if (!strcmp(argv[i], "-w"))
			by_write = true;
		else if (!strcmp(argv[i], "-n")) /* only a socket of a kind that there is not */
			return socket(AF_INET, SOCK_SEQPACKET, 0) >= 0;
	}
	bring_up();
	listener = bound(family, SOCK_STREAM, &a);
	if (listen(listener, 1))
		die("listen");
	client = connected(family, SOCK_STREAM, &a);
	server = accept(listener, NULL, NULL);
	if (server < 0 || setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes))
		die("accept");
	for (size_t size = 100; size <= 300; size += 100)
		pass(client, server, size);
	printf("tcp %d %d\n", port_of(server), port_of(client));
	close(client);
	close(server);
	close(listener);

	server = bound(family, SOCK_DGRAM, &a);
	client = connected(family, SOCK_DGRAM, &a);
	for (int i = 0; i < 4; i++)
		pass(client, server, 50);
	printf("udp %d %d\n", port_of(server), port_of(client));
	return 0;
}
