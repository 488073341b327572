#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Serves a folder by NFS, version 4, mounts it from itself, and works there.
#	nfs_at_itself.sh FOLDER [COMMANDS | quick]
# COMMANDS are carried out there too, when there is a file "file".  quick: only folders are made and looked up.  All else the server refuses until it has
# given clients of before ten seconds to come back.
. "${0%/*}/nfs_server.sh"
at=$1 commands=$2
modprobe nfsv4 || exit
mkdir -p "$at/there" "$at/here"
nfs_serve "$at/there" -3 || exit
[ "$commands" = quick ] || sleep 12 # until it takes what clients open
mount -i -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,soft,timeo=50 127.0.0.1:/ "$at/here" && (
	cd "$at/here" || exit
	mkdir folder
	if [ "$commands" = quick ]; then
		mkdir folder/within
		ls -l missing folder/missing folder
		exit
	fi
	dd if=/dev/zero of=file bs=1k count=100 conv=fsync 2>/dev/null
	eval "$commands"
	mv file other
	echo 3 >/proc/sys/vm/drop_caches
	cat other >/dev/null
	rm other
	rmdir folder
)
umount "$at/here"
nfs_serve_end
rm -r "$at/there" "$at/here"
