#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that was stripped has the lines and variables that a debuginfod server knows.

build=$(cd "${abs_top_builddir:-.}" && pwd) top=$(cd "${abs_top_srcdir:-.}" && pwd)
. "$top/testsuite/lib/debuginfod.sh"
work=$(mktemp -d) || exit 99
debuginfod=
trap '[ -z "$debuginfod" ] || kill $debuginfod; rm -rf "$work"' EXIT
failures=0

bad() {
	echo "# FAIL: $*"
	cat "$work/said"
	failures=$((failures + 1))
}

export LC_ALL=C SPILE_DIR="$work/spile" SPILE_DEBUGINFO_PATH="$work/none"
unset DEBUGINFOD_URLS
cat >"$work/prog.c" <<'X'
int count;
__attribute__((noinline)) int add(int amount)
{
	int sum = count + amount;
	count = sum;
	return sum;
}
int main(void)
{
	return add(1) - 1;
}
X
mkdir -p "$work/served"
cd "$work" || exit 99
gcc -g -O1 -Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567 -o prog prog.c &&
	objcopy --only-keep-debug prog served/prog.debug && strip prog || exit 99

script="probe process(\"$work/prog\").statement(\"add@prog.c:6\") { println(\$amount, @var(\"count\")) }"
typed() { "$build/spile" -p2 -e "$script" >said 2>&1; }

typed && bad "there is no debug information, but it has some"
grep -q 'DEBUGINFOD_URLS' said || bad "the variable that would help is not named"
debuginfod_start "$work/served" "$work" >said || { bad "no server"; exit 1; }
typed || bad "the server's debug information was not found"
"$build/spile" -L "process(\"$work/prog\").function(\"add\")" >said 2>&1
grep -q 'prog.c:2") \$amount:int' said || bad "the variables of the function"

# Only programs that the server knows.
gcc -O1 -s -o other prog.c -Wl,--build-id=0x1123456789abcdef0123456789abcdef01234567 && gcc -O1 -s -Wl,--build-id=none -o nameless prog.c || exit 99
"$build/spile" -L "debuginfod.process(\"$work/prog\").function(\"add\")" >said 2>&1
grep -q 'prog.c:2") \$amount:int' said || bad "a program that the server knows"
"$build/spile" -l "debuginfod.process(\"0123456789ABCDEF0123456789abcdef01234567\").function(\"main\")" >said 2>&1 # looked for in PATH
grep -q 'no program with the build-id' said || bad "a build-id that no program here has"
PATH="$work:$PATH" "$build/spile" -l "debuginfod.process(\"0123456789abcdef0123456789abcdef01234567\").function(\"main\")" >said 2>&1
grep -q "process(\"$work/prog\").function(\"main@" said || bad "a build-id"
"$build/spile" -p2 -e "probe debuginfod.process(\"$work/*\").function(\"main\") { exit() }" >said 2>&1 || bad "a pattern"
[ "$(grep -c '^probe' said)" = 1 ] && grep -q "^probe process(\"$work/prog\").function(\"main@" said || bad "what the pattern finds"
grep -q "$work/other is left out: no server of DEBUGINFOD_URLS has debug information of \"$work/other\", build 1123456789abcdef" said || bad "a program that it does not know"
grep -q "$work/nameless is left out: .*: it has no build-id" said || bad "a program without a build-id"
"$build/spile" -p2 -e "probe debuginfod.process(\"$work/other\").function(\"main\") { exit() }" >said 2>&1 && bad "only a program that it does not know"

# Of a wildcard with many programs not each is told.
mkdir many
for i in 1 2 3 4 5 6 7; do cp other "many/p$i"; done
cp prog many/good
"$build/spile" -p2 -e "probe debuginfod.process(\"$work/many/*\").function(\"main\") { exit() }" >said 2>&1 || bad "a pattern of many"
[ "$(grep -c 'warning: ' said)" = 4 ] && grep -q 'warning: 7 of the 8 programs are left out, of which the first 3 are told' said ||
	bad "of many programs each is told"

kill $debuginfod && wait $debuginfod
debuginfod=
rm -rf "$SPILE_DIR" "$DEBUGINFOD_CACHE_PATH"
typed && bad "the server is gone"
grep -q "name a server that can be asked: $DEBUGINFOD_URLS: .*onnect" said || bad "that the server cannot be asked is not said"
"$build/spile" -p2 -e "probe debuginfod.process(\"$work/other\").function(\"main\") { exit() }" >said 2>&1 && bad "no server"
grep -q "a server of DEBUGINFOD_URLS cannot be asked: $DEBUGINFOD_URLS: " said || bad "which server cannot be asked is not said"

# Servers that answer something else: 404 says that there is none, 500 is a fault.
cat >server.py <<'X'
import http.server, sys
class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(self.path.split("/")[1]))
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *rest):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
print(server.server_port, flush=True)
server.serve_forever()
X
python3 server.py >port &
debuginfod=$!
tries=600
until [ -s port ] || [ $tries = 0 ]; do sleep 0.1; tries=$((tries - 1)); done
gone=$DEBUGINFOD_URLS server=http://127.0.0.1:$(cat port)
export DEBUGINFOD_URLS="$server/500 $gone $server/404"
rm -rf "$DEBUGINFOD_CACHE_PATH"
typed && bad "a server with errors"
grep -q "can be asked: $server/500: .*500; $gone: [^;]*\$" said || bad "what the servers said"
export DEBUGINFOD_URLS="$server/404"
rm -rf "$DEBUGINFOD_CACHE_PATH"
typed && bad "a server that has nothing"
grep -q 'its -dbgsym package: no server of DEBUGINFOD_URLS has it$' said || bad "that no server has it"

# A server that never answers is asked once, not for each program, and not tried again: of several servers, once more to know which of them it was.  The others are asked on.
cat >silent.py <<'X'
import socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(20)
print(server.getsockname()[1], flush=True)
held = []
while True:
    held.append(server.accept())
    print("asked", flush=True)
X
: >silent
python3 silent.py >>silent &
hanging=$!
trap 'kill $debuginfod $hanging; rm -rf "$work"' EXIT
tries=600
until [ -s silent ] || [ $tries = 0 ]; do sleep 0.1; tries=$((tries - 1)); done
silent=http://127.0.0.1:$(head -n 1 silent)
export DEBUGINFOD_TIMEOUT=3 # the others answer within that, also on a busy machine
unset DEBUGINFOD_RETRY_LIMIT
for i in 1 2 3 4; do
	gcc -O1 -o "many/q$i" prog.c -Wl,--build-id=0x2123456789abcdef0123456789abcdef0123456$i
done
for others in "" " $server/404" " $gone"; do
	how="${others:+beside another}" times=$((${#others} > 0 ? 2 : 1))
	export DEBUGINFOD_URLS="$silent$others"
	rm -rf "$DEBUGINFOD_CACHE_PATH"
	"$build/spile" -p2 -e "probe process(\"$work/many/q*\").function(\"add\") { println(\$amount) }" >said 2>&1 && bad "none has debug information"
	[ "$(grep -cF "not asked any more in this run: $silent: no answer [server-silent]" said)" = 1 ] || bad "$how that it does not answer is not told once"
	fault=
	[ "$others" != " $gone" ] || fault="; $gone: .*onnect.*" # told with it, after "; "
	grep -q "can be asked: $silent: no answer$fault\$" said || bad "$how it is not named"
	# alone: by libdw; beside another, to know which of them it is, too
	[ "$(grep -c asked silent)" = $times ] || bad "$how it is asked $(grep -c asked silent) times"
	: >silent
done
export DEBUGINFOD_URLS="$silent" DEBUGINFOD_TIMEOUT=3
rm -rf "$DEBUGINFOD_CACHE_PATH"
TERM=xterm script -qec "'$build/spile' -p2 -e 'probe process(\"$work/many/q1\").function(\"add\") { println(\$amount) }'" /dev/null >said 2>&1
grep -q 'Looking up what the script names, and asking DEBUGINFOD_URLS \.\.\.' said || bad "on a terminal, what takes so long is not said"

# A server that breaks a connection off is asked once more.
cat >breaking.py <<'X'
import socket, struct
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(20)
print(server.getsockname()[1], flush=True)
connection, _ = server.accept()
connection.recv(65536)
connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)) # an end in order is the answer that there is nothing
connection.close()
with open("served/prog.debug", "rb") as f:
    data = f.read()
while True:
    connection, _ = server.accept()
    connection.recv(65536)
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(data) + data)
    connection.close()
X
: >port
python3 breaking.py >port &
breaking=$!
trap 'kill $debuginfod $hanging $breaking; rm -rf "$work"' EXIT
tries=600
until [ -s port ] || [ $tries = 0 ]; do sleep 0.1; tries=$((tries - 1)); done
unset DEBUGINFOD_TIMEOUT
export DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)"
rm -rf "$DEBUGINFOD_CACHE_PATH"
typed || bad "a server that broke the first connection off"
exit $((failures > 0))
