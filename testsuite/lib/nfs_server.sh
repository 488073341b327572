# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, in a guest: a folder is served by NFS to this machine, without rpcbind and mountd: what mountd would tell the kernel is told here.

# nfs_serve FOLDER VERSION: VERSION is +3 or -3: with version 3, or only version 4; a test before may have switched it on or off
nfs_serve() {
	modprobe nfsd && ip link set lo up && mount -t nfsd nfsd /proc/fs/nfsd || return
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	echo "$2" >/proc/fs/nfsd/versions
	echo "tcp 2049" >/proc/fs/nfsd/portlist
	echo 4 >/proc/fs/nfsd/threads
	echo "nfsd 127.0.0.1 4000000000 all" >/proc/net/rpc/auth.unix.ip/channel
	echo "all $1 4000000000 $((0x2000 | 0x400 | 0x20 | 0x2)) 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
	echo "all 1 \\x00000000 4000000000 $1" >/proc/net/rpc/nfsd.fh/channel
	echo "0 4000000000 0 " >/proc/net/rpc/auth.unix.gid/channel
}

nfs_serve_end() {
	echo 0 >/proc/fs/nfsd/threads
	umount /proc/fs/nfsd
}
