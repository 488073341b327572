/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * biglock WAITERS REQUESTS: threads that ask for the kernel's lock of the network's configuration (rtnl_mutex), REQUESTS times each.  The last
 * request of the thread "holder" keeps it: the kernel stores its answer in a page that is not there.  It comes when all threads "waiter" wait, and
 * the thread "netlink", whose requests are messages, and a fifth of a second has passed.  Meanwhile the thread "tries" takes the lock if it is
 * free, time and again until it is, and the process "killed" is killed while it waits; then it waits once more, to undo what it has begun.
 * At the end the thread "lists" asks for lists of the devices.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

struct asker {
	pthread_t thread;
	pid_t id;
	void *(*run)(void *asker);
	const char *name;
};

static long page, requests;
static char *pages; /* the second one is not there */

/* Has the network device lo a link?  One turn with the lock. */
static void ask(struct ethtool_value *value)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_data = (char *)value };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	value->cmd = ETHTOOL_GLINK;
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request)) {
		perror("ioctl");
		exit(1);
	}
	close(fd);
}

static void begin(struct asker *asker)
{
	pthread_setname_np(pthread_self(), asker->name);
	__atomic_store_n(&asker->id, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

static void *hold(void *asker)
{
	struct ethtool_value value;

	begin(asker);
	for (long i = 1; i < requests; i++)
		ask(&value);
	ask((struct ethtool_value *)(pages + page - sizeof(value.cmd)));
	return NULL;
}

static void *wait_for_it(void *asker)
{
	struct ethtool_value value;

	begin(asker);
	for (long i = 0; i < requests; i++)
		ask(&value);
	return NULL;
}

static int ask_netlink(int fd, unsigned short type, unsigned short flags)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
	} request = {
		{ sizeof(request), type, (unsigned short)(NLM_F_REQUEST | flags), 0, 0 },
		{ .ifi_index = flags == NLM_F_ACK }, /* lo is the first */
	};
	static __thread char answer[65536];
	const struct nlmsghdr *header = (struct nlmsghdr *)answer;

	if (send(fd, &request, sizeof(request), 0) != sizeof(request))
		return -1;
	do {
		if (recv(fd, answer, sizeof(answer), 0) < (ssize_t)sizeof(*header))
			return -1;
	} while (header->nlmsg_type != NLMSG_DONE && header->nlmsg_type != NLMSG_ERROR);
	return header->nlmsg_type == NLMSG_DONE ? 0 : ((struct nlmsgerr *)NLMSG_DATA(header))->error;
}

static void ask_by_messages(unsigned short type, unsigned short flags)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	for (long i = 0; i < requests; i++) {
		if (ask_netlink(fd, type, flags)) {
			perror("netlink");
			exit(1);
		}
	}
	close(fd);
}

/* "Let lo be as it is": one turn with the lock each, which the code of netlink takes without calling rtnl_lock(). */
static void *set_link(void *asker)
{
	begin(asker);
	ask_by_messages(RTM_SETLINK, NLM_F_ACK);
	return NULL;
}

/* A list of all, which 6.1 makes with the lock too, without calling __rtnl_unlock() at its end. */
static void *list_links(void *asker)
{
	begin(asker);
	ask_by_messages(RTM_GETLINK, NLM_F_DUMP);
	return NULL;
}

static void *try(void *asker)
{
	int fd = open("/sys/class/net/lo/tx_queue_len", O_WRONLY);

	begin(asker);
	if (fd < 0 || write(fd, "1000", 4) != 4)
		exit(1);
	close(fd);
	return NULL;
}

static void start(struct asker *asker, const char *name, void *(*run)(void *))
{
	asker->name = name;
	if (pthread_create(&asker->thread, NULL, run, asker))
		exit(1);
	while (!__atomic_load_n(&asker->id, __ATOMIC_ACQUIRE))
		usleep(1000);
}

static char *read_of_task(pid_t id, const char *name, char *text, size_t n)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)id, (int)id, name);
	fd = open(path, O_RDONLY);
	got = fd < 0 ? -1 : read(fd, text, n - 1);
	text[got > 0 ? got : 0] = 0;
	close(fd);
	return text;
}

/* How often the task has gone to sleep. */
static long sleeps(pid_t id)
{
	char text[4096], *count = strstr(read_of_task(id, "status", text, sizeof(text)), "\nvoluntary_ctxt_switches:");

	return count ? strtol(strchr(count, ':') + 1, NULL, 10) : 0;
}

/* Comes back when the task sleeps within the system call, and no signal wakes it: it waits for the lock.  Returns how often it has gone to sleep. */
static long await_waiting(pid_t id, long call, long more_sleeps_than)
{
	char stat[512], text[512], *state;
	long n;

	for (;;) {
		n = sleeps(id);
		state = strrchr(read_of_task(id, "stat", stat, sizeof(stat)), ')');
		if (n > more_sleeps_than && state && state[2] == 'D' && strtol(read_of_task(id, "syscall", text, sizeof(text)), NULL, 10) == call)
			return n;
		usleep(1000);
	}
}

/* Comes back when the task has spent time in the kernel. */
static void await_busy(pid_t id)
{
	char stat[512], *state;
	long user, kernel = 0;

	while (!kernel) {
		usleep(1000);
		state = strrchr(read_of_task(id, "stat", stat, sizeof(stat)), ')');
		if (state)
			sscanf(state + 2, "%*c %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %ld %ld", &user, &kernel);
	}
}

/* A new network namespace has a lo, which is registered with the lock. */
static pid_t start_killed(void)
{
	pid_t id = fork();

	if (!id) {
		prctl(PR_SET_NAME, "killed");
		_exit(unshare(CLONE_NEWNET));
	}
	return id;
}

/* The descriptor that tells of the fault at the second page. */
static int take_away_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	page = sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)pages + (unsigned long)page;
	area.range.len = (unsigned long)page;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &area)) {
		perror("userfaultfd");
		exit(1);
	}
	return fd;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 3);
	struct asker holder = { 0 }, tries = { 0 }, netlink = { 0 }, lists = { 0 }, *waiters = calloc((size_t)n, sizeof(*waiters));
	struct uffdio_zeropage zero = { 0 };
	struct uffd_msg message;
	pid_t killed;
	long slept;
	int fd;

	requests = argument(argc, argv, 2, 10);
	fd = take_away_page();
	start(&holder, "holder", hold);
	if (read(fd, &message, sizeof(message)) != sizeof(message))
		return 1;
	killed = start_killed();
	slept = await_waiting(killed, SYS_unshare, 0);
	kill(killed, SIGKILL);
	await_waiting(killed, SYS_unshare, slept);
	start(&tries, "tries", try);
	await_busy(tries.id);
	for (long i = 0; i < n; i++)
		start(&waiters[i], "waiter", wait_for_it);
	for (long i = 0; i < n; i++)
		await_waiting(waiters[i].id, SYS_ioctl, 0);
	start(&netlink, "netlink", set_link);
	await_waiting(netlink.id, SYS_sendto, 0);
	usleep(200000);
	zero.range.start = (unsigned long)pages + (unsigned long)page;
	zero.range.len = (unsigned long)page;
	if (ioctl(fd, UFFDIO_ZEROPAGE, &zero))
		return 1;
	pthread_join(holder.thread, NULL);
	pthread_join(tries.thread, NULL);
	pthread_join(netlink.thread, NULL);
	start(&lists, "lists", list_links);
	pthread_join(lists.thread, NULL);
	for (long i = 0; i < n; i++)
		pthread_join(waiters[i].thread, NULL);
	waitpid(killed, NULL, 0);
	return 0;
}
