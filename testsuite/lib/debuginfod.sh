# SPDX-License-Identifier: GPL-2.0-or-later
# For tests: a debuginfod server of elfutils on this machine.

# debuginfod_start FOLDER WORK: serves the debug information of the files in FOLDER, and makes DEBUGINFOD_URLS name it, with a cache in WORK.
# False if there is no server.  The caller ends it: kill $debuginfod.
debuginfod_start() {
	command -v debuginfod >/dev/null || { echo "the package debuginfod is missing"; return 1; }
	local port
	for port in 18002 28003 38004 48005; do
		debuginfod -v -p $port -d "$2/debuginfod.index" -F "$1" >"$2/debuginfod.log" 2>&1 </dev/null &
		debuginfod=$!
		if debuginfod_await "$2/debuginfod.log"; then
			export DEBUGINFOD_URLS="http://127.0.0.1:$port" DEBUGINFOD_CACHE_PATH="$2/debuginfod.cache"
			return 0
		fi
		kill $debuginfod 2>/dev/null # the port may be another's
	done
	cat "$2/debuginfod.log"
	debuginfod=
	return 1
}

# debuginfod_await LOG: until the files are in its index.
debuginfod_await() {
	local tries=600
	while [ $tries -gt 0 ]; do
		kill -0 $debuginfod 2>/dev/null || return 1
		grep -q 'Failed to' "$1" && return 1
		grep -q 'traversed source paths' "$1" && return 0
		tries=$((tries - 1))
		sleep 0.05
	done
	return 1
}
