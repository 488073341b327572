// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the events that counters of the network count, in a network namespace of its own, and prints by how much /proc/net/snmp and
 * netstat of it changed: "tcpmib.NAME N", "ipmib.NAME N", "linuxmib.NAME N", those that are not 0, in the order of the names.
 *
 * What the kernel counts otherwise than RFC 4022 and 4293 do, or Spile's aliases, is put right here, with the reason.  As root.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workload.h"

static const struct counter {
	const char *family, *file, *line, *name;
} counters[] = {
	{"ipmib", "snmp", "Ip:", "ForwDatagrams"},
	{"ipmib", "snmp", "Ip:", "FragFails"},
	{"ipmib", "snmp", "Ip:", "FragOKs"},
	{"ipmib", "snmp", "Ip:", "InAddrErrors"},
	{"ipmib", "netstat", "IpExt:", "InNoRoutes"},
	{"ipmib", "snmp", "Ip:", "InReceives"},
	{"ipmib", "snmp", "Ip:", "InUnknownProtos"},
	{"ipmib", "snmp", "Ip:", "OutRequests"},
	{"ipmib", "snmp", "Ip:", "ReasmReqds"},
	{"ipmib", "snmp", "Ip:", "ReasmTimeout"},
	{"linuxmib", "netstat", "TcpExt:", "DelayedACKs"},
	{"linuxmib", "netstat", "TcpExt:", "ListenDrops"},
	{"linuxmib", "netstat", "TcpExt:", "ListenOverflows"},
	{"tcpmib", "snmp", "Tcp:", "ActiveOpens"},
	{"tcpmib", "snmp", "Tcp:", "AttemptFails"},
	{"tcpmib", "snmp", "Tcp:", "CurrEstab"},
	{"tcpmib", "snmp", "Tcp:", "EstabResets"},
	{"tcpmib", "snmp", "Tcp:", "InSegs"},
	{"tcpmib", "snmp", "Tcp:", "OutRsts"},
	{"tcpmib", "snmp", "Tcp:", "OutSegs"},
	{"tcpmib", "snmp", "Tcp:", "PassiveOpens"},
	{"tcpmib", "snmp", "Tcp:", "RetransSegs"},
};
enum { COUNTERS = sizeof counters / sizeof counters[0] };

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* A line of names is followed by one of their values. */
static long value_of(const struct counter *c)
{
	char path[40], names[8192], values[8192], *n, *v, *names_rest, *values_rest;
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/net/%s", c->file);
	f = fopen(path, "r");
	if (!f)
		die(path);
	while (fgets(names, sizeof names, f) && fgets(values, sizeof values, f)) {
		n = strtok_r(names, " \n", &names_rest);
		v = strtok_r(values, " \n", &values_rest);
		if (strcmp(n, c->line) != 0)
			continue;
		while (n && v && strcmp(n, c->name) != 0) {
			n = strtok_r(NULL, " \n", &names_rest);
			v = strtok_r(NULL, " \n", &values_rest);
		}
		fclose(f);
		return v ? atol(v) : -1;
	}
	exit(2);
}

static void bring_up(void)
{
	struct ifreq r = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &r))
		die("loopback device");
	close(s);
}

static struct sockaddr_in at(int port)
{
	return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((unsigned short)port)};
}

static int listening(int backlog, struct sockaddr_in *a)
{
	socklen_t n = sizeof *a;
	int s = socket(AF_INET, SOCK_STREAM, 0);

	*a = at(0);
	if (s < 0 || bind(s, (void *)a, n) || listen(s, backlog) || getsockname(s, (void *)a, &n))
		die("listen");
	return s;
}

static int asking(const struct sockaddr_in *a, int flags)
{
	int s = socket(AF_INET, SOCK_STREAM | flags, 0);

	if (s < 0 || (connect(s, (const void *)a, sizeof *a) && errno != EINPROGRESS && errno != ECONNREFUSED))
		die("connect");
	return s;
}

/* Two connections with data: one is closed in turn, one at once. */
static void connections(void)
{
	struct linger at_once = {.l_onoff = 1};
	struct sockaddr_in a;
	int listener = listening(5, &a), client, server, no = 0;
	char data[100] = "data";

	for (int i = 0; i < 2; i++) {
		client = asking(&a, 0);
		server = accept(listener, NULL, NULL);
		if (setsockopt(server, IPPROTO_TCP, TCP_QUICKACK, &no, sizeof no))
			die("TCP_QUICKACK");
		for (int k = 0; k < 3; k++)
			if (send(client, data, sizeof data, 0) != sizeof data || recv(server, data, sizeof data, MSG_WAITALL) != sizeof data)
				die("data");
		usleep(300000); /* there is no answer: it is acknowledged when the timer runs out */
		if (i && setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once))
			die("linger");
		close(client);
		usleep(10000);
		close(server);
	}
	close(listener);
}

/* Nobody listens there. */
static void refused(int n)
{
	struct sockaddr_in a = at(9);

	for (int i = 0; i < n; i++)
		close(asking(&a, 0));
}

/* One waits to be accepted, for which there is room; those that come then are dropped, and ask once more after a second. */
static void overflows(int n)
{
	struct sockaddr_in a;
	int listener = listening(0, &a), first = asking(&a, 0), more[10];

	for (int i = 0; i < n; i++)
		more[i] = asking(&a, SOCK_NONBLOCK);
	usleep(1500000);
	for (int i = 0; i < n; i++)
		close(more[i]);
	close(first);
	close(listener);
}

/* Datagrams that are larger than a packet can be on the device. */
static void fragments(int count)
{
	static char data[60000];
	struct ifreq r = {.ifr_name = "lo", .ifr_mtu = 16436};
	struct sockaddr_in a = at(0);
	socklen_t n = sizeof a;
	int s = socket(AF_INET, SOCK_DGRAM, 0), no = IP_PMTUDISC_DONT;

	if (ioctl(s, SIOCSIFMTU, &r) || setsockopt(s, IPPROTO_IP, IP_MTU_DISCOVER, &no, sizeof no) || bind(s, (void *)&a, n) ||
	    getsockname(s, (void *)&a, &n))
		die("device");
	for (int i = 0; i < count; i++)
		if (sendto(s, data, sizeof data, 0, (void *)&a, n) != sizeof data || recv(s, data, sizeof data, 0) != sizeof data)
			die("fragments");
	close(s);
}

/* ---- packets that come by a device ---- */

static int device(void)
{
	struct ifreq r = {.ifr_name = "tun7", .ifr_flags = IFF_TUN | IFF_NO_PI};
	int f = open("/dev/net/tun", O_RDWR), s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a090801)};

	if (f < 0 || ioctl(f, TUNSETIFF, &r))
		die("/dev/net/tun");
	memcpy(&r.ifr_addr, &a, sizeof a);
	if (ioctl(s, SIOCSIFADDR, &r))
		die("address");
	a.sin_addr.s_addr = htonl(0xffffff00);
	memcpy(&r.ifr_netmask, &a, sizeof a);
	if (ioctl(s, SIOCSIFNETMASK, &r) || ioctl(s, SIOCGIFFLAGS, &r))
		die("netmask");
	r.ifr_flags |= IFF_UP;
	if (ioctl(s, SIOCSIFFLAGS, &r))
		die("device");
	close(s);
	return f;
}

static void set(const char *name, const char *value)
{
	char path[80];
	int f;

	snprintf(path, sizeof path, "/proc/sys/net/ipv4/%s", name);
	f = open(path, O_WRONLY);
	if (f < 0 || write(f, value, strlen(value)) < 0)
		die(path);
	close(f);
}

/* Packets without content from 10.9.8.2. */
static void come(int f, int n, uint32_t to, int protocol, int fragment)
{
	struct {
		struct iphdr ip;
		char data[8];
	} p = {.ip = {.version = 4, .ihl = 5, .tot_len = htons(28), .ttl = 9, .protocol = (uint8_t)protocol, .saddr = htonl(0x0a090802),
		      .daddr = htonl(to), .frag_off = htons((unsigned short)fragment)}};
	const unsigned short *word = (const void *)&p.ip;
	unsigned sum = 0;

	for (int i = 0; i < 10; i++)
		sum += word[i];
	p.ip.check = (unsigned short)~(sum + (sum >> 16));
	for (int i = 0; i < n; i++)
		if (write(f, &p, sizeof p) != sizeof p)
			die("packet");
}

static void packets(void)
{
	enum { US = 0x0a090801, OTHER = 0x0a090803, FAR = 0x0b000001, UDP = 17, UNKNOWN = 253, MORE = 0x2000 };
	int f = device();

	come(f, 2, US, UNKNOWN, 0);
	come(f, 3, FAR, UDP, 0);
	set("ip_forward", "1");
	come(f, 4, FAR, UDP, 0);
	come(f, 5, OTHER, UDP, 0);
	set("ipfrag_time", "1");
	come(f, 1, US, UDP, MORE);
	usleep(1500000);
	close(f);
}

static long change_of(const char *name, const long *change)
{
	for (int i = 0; i < COUNTERS; i++)
		if (!strcmp(counters[i].name, name))
			return change[i];
	return 0;
}

/*
 * What the kernel counts besides: of segments that come those that ask for a connection; of those that go answers that are no connection's, and
 * not those that are sent again; before it had OutTransmits, of packets that it sends those that are passed on.
 */
static long counted_besides(const char *name, const long *change)
{
	static const struct counter transmits = {"ipmib", "snmp", "Ip:", "OutTransmits"};

	if (!strcmp(name, "InSegs"))
		return change_of("ActiveOpens", change) + change_of("RetransSegs", change);
	if (!strcmp(name, "OutSegs"))
		return change_of("PassiveOpens", change) + change_of("AttemptFails", change) - change_of("RetransSegs", change);
	if (!strcmp(name, "OutRequests") && value_of(&transmits) < 0)
		return change_of("ForwDatagrams", change);
	return 0;
}

int main(void)
{
	struct sockaddr_in a;
	long before[COUNTERS], change[COUNTERS];
	int listener;

	if (unshare(CLONE_NEWNET))
		die("namespace");
	bring_up();
	for (int i = 0; i < COUNTERS; i++)
		before[i] = value_of(&counters[i]);
	connections();
	refused(3);
	overflows(4);
	fragments(3);
	packets();
	listener = listening(5, &a);
	asking(&a, 0);
	usleep(100000);
	getppid(); /* what comes from now on does not count */
	for (int i = 0; i < COUNTERS; i++)
		change[i] = value_of(&counters[i]) - before[i];
	for (int i = 0; i < COUNTERS; i++)
		if (change[i])
			printf("%s.%s %ld\n", counters[i].family, counters[i].name, change[i] - counted_besides(counters[i].name, change));
	close(listener);
	return 0;
}
