# SPDX-License-Identifier: GPL-2.0-or-later
# aliases_fire.awk -v kinds=REGEXP aliases.holds aliases.known ROWS: a script with a probe for each alias whose name matches, that counts its hits, and
# notes the first value of each of its variables of which the condition in aliases.holds does not hold, and which conditions of aliases.known held at
# a hit.  ROWS: what aliases.awk prints.

# All names that braces stand for, into names[].
function expand(s,   from, to, part, i, c, depth) {
	from = index(s, "{")
	if (!from) {
		names[++n_names] = s
		return
	}
	for (to = from; substr(s, to, 1) != "}"; to++) ;
	part = from + 1
	for (i = from + 1; i <= to; i++) {
		c = substr(s, i, 1)
		if (c == "," || c == "}") {
			expand(substr(s, 1, from - 1) substr(s, part, i - part) substr(s, to + 1))
			part = i + 1
		}
	}
}

function condition(alias, variable,   i, text) {
	for (i = 1; i <= n_rules; i++)
		if (variable ~ "^(" of_variable[i] ")$" && alias ~ "^(" of_alias[i] ")$") {
			text = holds[i]
			gsub(/@/, variable, text)
			gsub(/ALIAS/, alias, text)
			return text
		}
	print "nothing is said of " alias " " variable >"/dev/stderr"
	failed = 1
	return "1"
}

FILENAME == ARGV[1] {
	if ($0 ~ /^#/ || NF < 3)
		next
	n_rules++
	of_variable[n_rules] = $1
	of_alias[n_rules] = $2
	sub(/^[^ ]+ [^ ]+ /, "")
	holds[n_rules] = $0
	next
}

FILENAME == ARGV[2] {
	if ($0 ~ /^#/ || NF < 2)
		next
	n_known++
	known_of[n_known] = $1
	sub(/^[^ ]+ /, "")
	known[n_known] = $0
	next
}

# What a workload makes known: it must be seen at a hit.
function note_known(alias,   i) {
	for (i = 1; i <= n_known; i++)
		if (alias ~ "^(" known_of[i] ")$")
			printf "\tif (!([\"%s\", %d] in known) && (%s)) known[\"%s\", %d] = 1\n", alias, i, known[i], alias, i
}

function ask_known(alias,   i, text) {
	for (i = 1; i <= n_known; i++)
		if (alias ~ "^(" known_of[i] ")$") {
			text = known[i]
			gsub(/["\\]/, "\\\\&", text)
			asked[++n_asked] = sprintf("\tif (\"%s\" in hits && !([\"%s\", %d] in known)) println(\"never %s: %s\")", alias, alias, i, alias, text)
		}
}

{
	n_names = 0
	split($0, part, "|")
	expand(part[1])
	n_variables = split(part[2], variables, ", ")
	for (j = 1; j <= n_names; j++) {
		alias = names[j]
		if (alias !~ "^(" kinds ")")
			continue
		printf "probe %s ? {\n\thits[\"%s\"] <<< 1\n", alias, alias
		variables[++n_variables] = "name"
		for (v = 1; v <= n_variables; v++)
			printf "\tif (!(%s) && !([\"%s\", \"%s\"] in wrong)) wrong[\"%s\", \"%s\"] = sprint(%s)\n", condition(alias, variables[v]), alias,
				variables[v], alias, variables[v], variables[v]
		note_known(alias)
		ask_known(alias)
		print "}"
	}
}

END {
	print "probe end {"
	for (i = 1; i <= n_asked; i++)
		print asked[i]
	print "}"
	exit failed
}
