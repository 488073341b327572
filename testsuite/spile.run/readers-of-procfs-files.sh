#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files of a script in procfs are read and written in every way that a program can: byte by byte, in pieces larger than the text, with lseek() and pread() at
# any offset, into memory that is not there, by many threads of one open file and many processes, some of them killed on the way, by sendfile() and
# execve(), which get an error.  What is read at once is of one run of the handler, each run is counted, and a file that is open when the session ends
# and its module is gone, and when the next session of that name is there, gives errors.
# cost: 10
cd "$B" || exit 1
cat >readers.c <<'X'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 200, ROOM = 30000, PIECE = 511 };
static char got[ROOM], *rows, *sink;
static long reads, writes, bytes; /* hits that must have been */

static void check(int ok, const char *what)
{
	if (!ok)
		printf("bad: %s (%s)\n", what, strerror(errno));
}

/* One run of the handler made all of it. */
static int is_whole(const char *text, size_t n)
{
	char want[ROOM];
	size_t at = 0;
	long long run;

	if (sscanf(text, "run %lld", &run) != 1)
		return 0;
	for (int i = 0; i < ROWS; i++)
		at += (size_t)sprintf(want + at, "run %lld row %d of 30\n", run, i);
	return n == at && !memcmp(text, want, n);
}

static size_t read_by(int fd, char *to, size_t piece)
{
	size_t n = 0;
	ssize_t done;

	while ((done = read(fd, to + n, piece < ROOM - n ? piece : ROOM - n)) > 0)
		n += (size_t)done;
	check(done == 0, "read");
	return n;
}

static void read_in_pieces(void)
{
	static const size_t pieces[] = {1, 7, 4095, 4096, 4097, 19999, ROOM};

	for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		int fd = open(rows, O_RDONLY);

		check(is_whole(got, read_by(fd, got, pieces[i])), "in pieces");
		check(!read(fd, got, ROOM), "after the end");
		reads++;
		close(fd);
	}
}

static void read_at_offsets(void)
{
	static char other[ROOM];
	int fd = open(rows, O_RDONLY);
	size_t n;

	check(pread(fd, got, 10, 5) == 0, "no text yet"); /* nobody has read from the beginning */
	n = read_by(fd, got, ROOM);
	reads++;
	for (size_t at = 1; at < n + 10; at += 13)
		check(pread(fd, other, 9, (off_t)at) == (at >= n ? 0 : n - at < 9 ? (ssize_t)(n - at) : 9) &&
		      (at >= n || !memcmp(other, got + at, n - at < 9 ? n - at : 9)), "pread");
	check(pread(fd, other, 9, 1l << 62) == 0 && pread(fd, other, 9, -1) < 0, "far away");
	check(lseek(fd, 100, SEEK_SET) == 100 && read(fd, other, 50) == 50 && !memcmp(other, got + 100, 50), "lseek");
	check(lseek(fd, -7, SEEK_CUR) == 143 && read(fd, other, 1) == 1 && other[0] == got[143], "lseek back");
	check(lseek(fd, 0, SEEK_SET) == 0 && is_whole(other, read_by(fd, other, 100)) && memcmp(other, got, 30), "again");
	reads++;
	check(pread(fd, other, ROOM, 0) == (ssize_t)n && is_whole(other, n), "pread from the beginning");
	reads++;
	close(fd);
}

static void read_into_nothing(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(rows, O_RDONLY), to = open("/dev/null", O_WRONLY), sides[2];
	struct iovec parts[2] = {{got, 100}, {got + 100, ROOM - 100}};

	munmap(page + 4096, 4096);
	check(read(fd, page + 4096, 10) < 0 && errno == EFAULT, "nowhere");
	check(read(fd, page + 4096, ROOM) < 0 && errno == EFAULT, "nowhere, much");
	check(read(fd, page + 4096 - 20, 100) == 20 && !strncmp(page + 4076, "run ", 4), "up to the end of a page");
	check(read(fd, page + 4096, 1) < 0 && errno == EFAULT && read(fd, got, 1) == 1, "behind a page");
	reads += 3;
	check(lseek(fd, 0, SEEK_SET) == 0 && readv(fd, parts, 2) > 0, "readv");
	reads++;
	check(lseek(fd, 0, SEEK_SET) == 0 && sendfile(to, fd, NULL, 100) < 0, "sendfile");
	check(!pipe(sides) && splice(fd, NULL, sides[1], NULL, 100, 0) < 0, "splice");
	check(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED, "mmap");
	execl(rows, "x", NULL);
	check(errno == EACCES, "execve");
	close(sides[0]), close(sides[1]), close(to), close(fd);
}

static int shared;

/* Threads of one open file take turns: each begins a run, or reads on in what is there. */
static void *read_shared(void *arg)
{
	static __thread char text[ROOM];

	for (int i = 0; i < 50; i++)
		check(pread(shared, text, ROOM, 0) > 0 && is_whole(text, strlen(text)), "shared");
	return arg;
}

static void read_by_many(void)
{
	pthread_t t[8];

	shared = open(rows, O_RDONLY);
	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, read_shared, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	close(shared);
	fflush(stdout);
	for (int i = 0; i < 8; i++)
		if (!fork()) {
			for (int k = 0; k < 50; k++) {
				int fd = open(rows, O_RDONLY);

				check(is_whole(got, read_by(fd, got, 100 + (size_t)(97 * i))), "many");
				close(fd);
			}
			fflush(stdout);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	reads += 2 * 8 * 50;
}

static void write_pieces(void)
{
	static const size_t sizes[] = {1, 2, 510, 511, 512, 1000, ROOM};
	int fd = open(sink, O_WRONLY);
	struct iovec parts[3] = {{got, 5}, {got, 0}, {got, 600}};

	memset(got, 'w', ROOM);
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		size_t want = sizes[i] < PIECE ? sizes[i] : PIECE;

		check(write(fd, got, sizes[i]) == (ssize_t)want, "write");
		writes++, bytes += (long)want;
	}
	check(write(fd, got, 0) == 0, "nothing");
	check(write(fd, (void *)0x1000, 5) < 0 && errno == EFAULT, "from nowhere");
	check(pwrite(fd, got, 3, 1l << 40) == 3, "pwrite");
	check(writev(fd, parts, 3) > 0, "writev");
	writes += 3, bytes += 3 + 5 + PIECE;
	check(open(sink, O_RDONLY) < 0 && errno == EACCES && open(rows, O_RDWR) < 0 && errno == EACCES, "the other way");
	close(fd);
}

static void open_often(void)
{
	int fds[257], n = 0;

	while (n < 257 && (fds[n] = open(rows, O_RDONLY)) >= 0)
		n++;
	check(n == 256 && errno == EMFILE, "256 times");
	while (n)
		close(fds[--n]);
}

/* The kernel may refuse these before anything runs. */
static void read_into_the_kernel(const char *killed)
{
	static const unsigned long where[] = {~0ul, 1ul << 63, 0xffff888000000000, 0x800000000000, 0x7ffffffff000};
	volatile size_t much = 1ul << 63;
	int fd = open(killed, O_RDWR);

	for (unsigned i = 0; i < sizeof where / sizeof *where; i++) {
		check(read(fd, (void *)where[i], 10) < 0 && errno == EFAULT, "into the kernel");
		check(write(fd, (void *)where[i], 10) < 0 && errno == EFAULT, "from the kernel");
	}
	check(read(fd, got, much) < 0 && pread(fd, got, 2 * much - 1, 1) < 0, "too much");
	close(fd);
}

/* Each is killed while it reads or writes; none leaves the file open. */
static void kill_readers(const char *killed)
{
	for (int i = 0; i < 200; i++) {
		pid_t pid = fork();

		if (!pid)
			for (;;) {
				int fd = open(killed, i % 4 ? O_RDONLY : O_WRONLY);

				while (i % 4 ? read(fd, got, i % 2 ? 1 : ROOM) > 0 : write(fd, got, 100) > 0)
					;
				close(fd);
			}
		usleep((useconds_t)(i % 20) * 300);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

/* Has read something, reads on when the session is over (told by a byte), and says what came. */
static void hold(void)
{
	int fd = open(rows, O_RDONLY), other = open(rows, O_RDONLY), to = open(sink, O_WRONLY);
	char go;

	check(read(fd, got, 10) == 10, "before");
	printf("held\n");
	fflush(stdout);
	check(read(0, &go, 1) == 1, "told");
	check(read(fd, got, 10) < 0 && errno == EIO, "on");
	check(read(other, got, 10) < 0 && errno == EIO, "from the beginning");
	check(write(to, got, 10) < 0 && errno == EIO, "a write");
	check(lseek(fd, 0, SEEK_SET) < 0 || read(fd, got, 1) < 0, "a seek");
	printf("ended\n");
}

int main(int argc, char **argv)
{
	char *killed;

	if (argc < 3 || asprintf(&rows, "%s/deep/rows", argv[1]) < 0 || asprintf(&sink, "%s/sink", argv[1]) < 0 ||
	    asprintf(&killed, "%s/killed", argv[1]) < 0)
		return 1;
	if (!strcmp(argv[2], "hold")) {
		hold();
		return 0;
	}
	read_in_pieces();
	read_at_offsets();
	read_into_nothing();
	read_by_many();
	write_pieces();
	read_into_the_kernel(killed);
	kill_readers(killed);
	open_often();
	printf("reads %ld, writes %ld of %ld bytes\n", reads, writes, bytes);
	return 0;
}
X
gcc -O2 -pthread -o readers readers.c || exit 1
cat >readers.stp <<'X'
global reads, writes, some
function deep(n) { return n ? deep(n - 1) + 1 : 0 }
function row(run, i) { return sprintf("run %d row %d of %d\n", run, i, deep(30)) }
probe procfs("deep/rows").umask(0).read.maxsize(20000) {
	reads <<< 1
	run = gettimeofday_ns()
	for (i = 0; i < 200; i++) $value .= row(run, i)
}
probe procfs("sink").umask(0).write { writes <<< strlen($value) }
probe procfs("killed").umask(0).read.maxsize(20000) { some <<< 1; for (i = 0; i < 200; i++) $value .= row(i, i) }
probe procfs("killed").umask(0).write { some <<< strlen($value) }
probe end { printf("reads %d, writes %d of %d bytes\n", @count(reads), @count(writes), @sum(writes)); if (@count(some) < 100) println("killed early") }
X
"$SPILE" -r "$RELEASE" -p4 -DMAXNESTING=40 -DMAXACTION=1000000 -m readers readers.stp >/dev/null || exit 1
cat >guest.sh <<X
cd $B && . $S/../lib/session.sh
SPILERUN=$SPILERUN
session_begin readers
./readers /proc/spile.readers all
mkfifo -m 600 /dev/shm/go
./readers /proc/spile.readers hold <>/dev/shm/go >held &
await grep -q held held
# others read and write on until the files are gone
for i in 1 2 3 4; do
	while cat /proc/spile.readers/killed; do :; done >/dev/null 2>&1 &
	while echo \$i >/proc/spile.readers/killed; do :; done 2>/dev/null &
done
session_end
cat readers.out
grep -q '^readers ' /proc/modules && echo "it is still loaded"
session_begin readers
echo >/dev/shm/go
await grep -q ended held
cat held
grep -c "row 199" /proc/spile.readers/deep/rows
session_end
rm /dev/shm/go
grep -hv '^spilerun: \(loaded\|started\|hits\|stopping\|unloaded\|[0-9]* records\|armed\)' readers.err
X
"$V" -t $((150 * SLOW)) exec "$G" -- bash "$B/guest.sh" >got 2>&1
# The program that holds the files has read once more.
cat >want <<'X'
reads 814, writes 10 of 3076 bytes
reads 815, writes 10 of 3076 bytes
held
ended
1
X
diff want got
