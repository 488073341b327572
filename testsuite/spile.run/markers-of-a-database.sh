#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What PostgreSQL does, by its own markers: a server with two clients side by side, each query from its text to its end, and transactions that begin, are
# committed and aborted, are as many as the clients made.
# timeout: 900
# needs-package: process("/usr/lib/postgresql/15/bin/initdb").begin
# kernel: any
# cost: 30
cd "$B" || exit 1
bin=/usr/lib/postgresql/15/bin
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# It does not run as root.
cat >as_user <<'E'
#!/bin/sh
[ "$(id -u)" = 0 ] || exec "$@"
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
E
cp as_user "$tmp/as_user" && chmod 755 "$tmp/as_user" "$tmp" && mkdir -m 777 "$tmp/pg" || exit 1
(cd "$tmp/pg" && "$tmp/as_user" $bin/initdb -D "$tmp/pg/data" -A trust -U spile --no-sync -E UTF8 --locale=C >"$tmp/log" 2>&1) || {
	cat "$tmp/log"
	exit 1
}
tar -C "$tmp/pg" -cf data.tar data || exit 1

# Each client has its own table, so that neither waits for the other.  "spile N" is in each text that is counted.
client() {
	echo "create table t$1(a int, b text);"
	for i in $(seq 30); do
		echo "insert into t$1 values($i, 'spile $1');"
	done
	echo "begin;"
	for i in $(seq 4); do
		echo "update t$1 set a = a + 1 where b = 'spile $1';"
	done
	echo "commit;"
	echo "begin; insert into t$1 values(0, 'spile $1 a'); rollback;" | tr ';' '\n' | sed '/./s/$/;/'
	echo "select a / 0 from t$1 where b = 'spile $1';"
	echo "select sum(a) from t$1 where b = 'spile $1';"
	echo "select b, a from t$1 where b < 'spile $1 b' order by a desc limit 1;"
}
client 1 >one.sql
client 2 >two.sql
cat >database.stp <<'E'
global n, text, clients, locals, status
probe process(@1).mark("query__start") {
	q = user_string($arg1)
	if (q !~ "spile [12]" && q !~ "^(begin|commit|rollback|create table t)") next
	clients[pid()] = 1
	n["query"]++
	text[pid()] = q
	if (status[pid()] == q) n["status"]++
	if (q =~ "^insert") n["insert"]++
	if (q =~ "^update.*'spile 2';$") n["update of 2"]++
}
probe process(@1).mark("query__done") {
	if (pid() in clients) n["done"]++
	if (pid() in text && user_string($arg1) == text[pid()]) n["the same text"]++
}
probe process(@1).mark("query__parse__start"), process(@1).mark("query__parse__done"), process(@1).mark("query__rewrite__start") {
	if (pid() in clients) n[$$name]++
}
probe process(@1).mark("query__plan__*"), process(@1).mark("sort__*") {
	if (pid() in clients && text[pid()] =~ "order by") n[$$name . " of an ordered query"]++
}
probe process(@1).mark("transaction__start") { locals[pid()] = $arg1; if (pid() in clients) n[$$name]++ }
probe process(@1).mark("transaction__commit"), process(@1).mark("transaction__abort") {
	if (pid() in clients) { n[$$name]++; n["of its own number"] += $arg1 == locals[pid()] }
}
probe process(@1).mark("statement__status") { status[pid()] = $arg1 ? user_string($arg1) : "" }
probe end {
	foreach (what in n) println(what, ": ", n[what])
	c = 0
	foreach (p in clients) c++
	println("clients: ", c)
}
E
cat >database.sh <<E
chmod 755 "$B/as_user"
cp "$B/as_user" /tmp/as_user
mkdir -m 777 /tmp/pg && cd /tmp/pg && tar xf "$B/data.tar" && chown -R 65534:65534 data && chmod 700 data || exit 1
cat "$B/one.sql" >/tmp/one.sql && cat "$B/two.sql" >/tmp/two.sql
cat >/tmp/clients <<'X'
cd /tmp/pg
/tmp/as_user $bin/postgres -F -D /tmp/pg/data -c listen_addresses= -c unix_socket_directories=/tmp/pg -c autovacuum=off -c jit=off >/tmp/pg/log 2>&1 &
server=\$!
for i in \$(seq 600); do
	/tmp/as_user $bin/psql -h /tmp/pg -U spile -c "select 1" postgres >/dev/null 2>&1 && break
	sleep 0.5
done
/tmp/as_user $bin/psql -h /tmp/pg -U spile -qAt -f /tmp/one.sql postgres >/tmp/pg/one 2>&1 &
one=\$!
/tmp/as_user $bin/psql -h /tmp/pg -U spile -qAt -f /tmp/two.sql postgres >/tmp/pg/two 2>&1
wait \$one
kill -INT \$server
wait \$server
X
$SPILERUN -c "sh /tmp/clients" $B/database.ko
cat /tmp/pg/one /tmp/pg/two
E
"$SPILE" -r "$RELEASE" -p4 -m database database.stp $bin/postgres >/dev/null || exit 1
"$V" -t $((140 * SLOW)) exec "$G" -- sh "$B/database.sh" >database.got 2>&1
cat >database.want <<'E'
585
585
clients: 2
done: 84
insert: 62
of its own number: 72
psql:/tmp/one.sql:42: ERROR:  division by zero
psql:/tmp/two.sql:42: ERROR:  division by zero
query: 86
query__parse__done: 86
query__parse__start: 86
query__plan__done of an ordered query: 2
query__plan__start of an ordered query: 2
query__rewrite__start: 86
sort__done of an ordered query: 2
sort__start of an ordered query: 2
spile 1|34
spile 2|34
status: 86
the same text: 84
transaction__abort: 4
transaction__commit: 68
transaction__start: 72
update of 2: 4
E
LC_ALL=C sort database.got | diff - database.want
