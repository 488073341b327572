#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The example capture_ssl_master_secrets prints exactly the lines that programs write into their key logs: the command openssl, TLS 1.3 and 1.2, both
# sides; Python with connections in turns in one thread and in several threads, resumed ones, without the extended master secret, and with a second
# ClientHello; and git with GnuTLS.  Where the ClientHello is not known, a comment says so.
# timeout: 180
# kernel: any
# cost: 30
mkdir -p "$B/secrets" && cd "$B/secrets" || exit 1
rm -f ./*
"$SPILE" -r "$RELEASE" -p4 -m secrets_of_tls "$S/../../examples/network/capture_ssl_master_secrets.stp" >/dev/null || exit 1
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out certificate -days 30 -subj /CN=localhost 2>/dev/null || exit 1
cat key certificate >both
cat >driver <<E
SPILERUN=$SPILERUN
S=$S
. $S/../lib/session.sh
cd $B/secrets
E
cat >>driver <<'E'
# serve PORT OPTIONS
serve() {
	port=$1
	shift
	openssl s_server -accept $port -cert both -www -keylogfile server.$port "$@" >/dev/null 2>&1 & servers="$servers $!"
	await grep -q "$(printf ':%04X 0\{8,32\}:0000 0A' $port)" /proc/net/tcp /proc/net/tcp6
}
talk() { openssl s_client -connect localhost:$port -keylogfile client.$port.$1 "$@" </dev/null >/dev/null 2>&1 || bad "s_client $*"; }
handshakes() { /usr/bin/python3.11 -I -S $S/../lib/handshakes.py both "$@" || bad "handshakes.py $*"; }
ip link set lo up
handshakes late late & late=$!
await [ -e late.waits ]
session_begin secrets_of_tls
serve 4431
talk -tls1_3
talk -tls1_2
serve 4432 -tls1_2
for version in 4431 4432; do
	SSLKEYLOGFILE=gnutls.$version GIT_SSL_NO_VERIFY=1 git ls-remote https://localhost:$version/ >/dev/null 2>&1
	[ -s gnutls.$version ] || bad "git has not used TLS"
done
kill $servers
handshakes python
: >late.go
wait $late
session_end
E
"$V" -t $((150 * SLOW)) exec "$G" -- /bin/sh "$B/secrets/driver" || exit 1
cat secrets_of_tls.err
grep -v '^#' secrets_of_tls.out | sort >printed
cat server.* client.* gnutls.* python | grep -v '^#' | sort >made
comment='# [0-9]* process("[^"]*")\.[a-z]*("[^"]*")\(\.return\)\? [a-z0-9.-]*([0-9]*)'
grep -c . printed made
[ "$(grep -cx "$comment" secrets_of_tls.out)" -eq "$(grep -c . printed)" ] || { echo "wrong comments"; exit 1; }
sed -n "s/^$comment: no line for \([A-Z_0-9]*\), since the ClientHello was before this began$/\2/p" secrets_of_tls.out | sort >left_out
sed -n 's/ .*//; /^[A-Z]/p' late.after | sort >late_made
cmp printed made && cmp left_out late_made && [ "$(grep -c . made)" -gt 200 ] && grep -q EXPORTER_SECRET left_out
