#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --format=json: globals that are shown at the end are tables: numbers, strings, statistics, arrays with rows by value.  What end probes
# print before is not a table, even if it looks like one.  Long rows and many of them arrive whole.
# timeout: 200
# kernel: any
cd "$B" || exit 1
cat >tables.stp <<'Y'
global number, text, stats, no_stats, pairs, names, big[5000], long, empty
probe begin {
	number = -4
	text = "a \"quoted\" line\n\xff"
	stats <<< 4
	stats <<< 1
	if (pid() < 0) { no_stats <<< 1; empty[1] = 1 }
	pairs["x", 1] <<< 3
	pairs["y", 2] <<< 10
	pairs["y", 2] <<< 20
	names[3, "b]=,"] = "lower"
	names[4, "é"] = "upper"
	for (i = 1; i <= 5000; i++) big[i] = i
	s = "12345678"
	for (i = 0; i < 5; i++) s .= s
	for (i = 0; i < 4; i++) long[s, i] = s
	exit()
}
probe end { printf("number=5\nno newline") }
Y
"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000 -D STP_BUFFER_SIZE=600 -p4 -m tables tables.stp >/dev/null || exit 1
cat >tables.sh <<Y
cd \$(mktemp -d) || exit 1
$SPILERUN -o text $B/tables.ko; echo "status \$?"
$SPILERUN --format=json -o json $B/tables.ko; echo "status \$?"
$W/json_lines <json >lines 2>rest || { echo wrong; cat rest; }
cat lines; echo
grep -v '"name":"\(big\|long\)"\|ledger' rest
big=\$(seq 5000 -1 1 | sed 's/.*/{"keys":[&],"value":&}/' | tr '\n' ,)
echo '{"type":"table","name":"big","rows":['"\${big%,}"']}' >big; grep -c -F -x -f big rest
s=\$(printf %32s | sed 's/ /12345678/g')
for i in 0 1 2 3; do grep -c -F '{"keys":["'\$s'",'\$i'],"value":"'\$s'"}' rest; grep -c -F -x 'long["'\$s'",'\$i']="'\$s'"' text; done
Y
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/tables.sh" >got 2>&1
cat >want <<'Y'
status 0
status 0
number=5
no newline
{"type":"table","name":"number","value":-4}
{"type":"table","name":"text","value":{"text":"a \"quoted\" line\n�","base64":"YSAicXVvdGVkIiBsaW5lCv8="}}
{"type":"table","name":"stats","value":{"count":2,"min":1,"max":4,"sum":5,"avg":2}}
{"type":"table","name":"no_stats","value":{"count":0}}
{"type":"table","name":"pairs","rows":[{"keys":["y",2],"value":{"count":2,"min":10,"max":20,"sum":30,"avg":15}},{"keys":["x",1],"value":{"count":1,"min":3,"max":3,"sum":3,"avg":3}}]}
{"type":"table","name":"names","rows":[{"keys":[4,"é"],"value":"upper"},{"keys":[3,"b]=,"],"value":"lower"}]}
{"type":"end","status":0}
1
1
1
1
1
1
1
1
1
Y
diff want got
