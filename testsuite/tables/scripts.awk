# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of tables as files, for what runs many scripts: awk -v dir=FOLDER [-v accepted=1] -f scripts.awk TABLE...
# makes FOLDER/TABLE-N.stp of each case with a script, its options in a comment "# run:"; with "accepted" only of those without an error.
function done(    file) {
	if (script != "" && !(accepted && refused)) {
		file = dir "/" table "-" n ".stp"
		printf "%s%s", (options == "" ? "" : "# run:" options "\n"), script >file
		close(file)
	}
	script = options = ""
	refused = block = 0
}
FNR == 1 {
	done()
	table = FILENAME
	gsub(/^.*\/|\.cases$/, "", table)
	n = 0
}
/^=== / { done(); n++; next }
!n { next }
/^>> error / { refused = 1 }
/^>> options:/ { options = substr($0, 12) }
/^>> (file|output):/ { block = 1 }
/^>>/ { next }
!block { script = script $0 "\n" }
END { done() }
