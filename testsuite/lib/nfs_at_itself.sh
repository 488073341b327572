#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Serves a folder by NFS, version 4, mounts it from itself, and works there: without rpcbind and mountd, so what mountd would tell the kernel is told here.
#	nfs_at_itself.sh FOLDER [COMMANDS | quick]
# COMMANDS are carried out there too, when there is a file "file".  quick: only folders are made and looked up.  All else the server refuses until it has
# given clients of before ten seconds to come back.
at=$1 commands=$2
modprobe nfsd && modprobe nfsv4 || exit
mkdir -p "$at/there" "$at/here"
ip link set lo up
mount -t nfsd nfsd /proc/fs/nfsd || exit
echo 10 >/proc/fs/nfsd/nfsv4leasetime
echo 10 >/proc/fs/nfsd/nfsv4gracetime
echo -3 >/proc/fs/nfsd/versions
echo "tcp 2049" >/proc/fs/nfsd/portlist
echo 2 >/proc/fs/nfsd/threads
echo "nfsd 127.0.0.1 4000000000 all" >/proc/net/rpc/auth.unix.ip/channel
echo "all $at/there 4000000000 $((0x2000 | 0x400 | 0x20 | 0x2)) 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
echo "all 1 \\x00000000 4000000000 $at/there" >/proc/net/rpc/nfsd.fh/channel
echo "0 4000000000 0 " >/proc/net/rpc/auth.unix.gid/channel
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
echo 0 >/proc/fs/nfsd/threads
umount /proc/fs/nfsd
rm -r "$at/there" "$at/here"
