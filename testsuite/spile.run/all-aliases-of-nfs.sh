#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All aliases of NFS, of its client and its server, and of remote procedure calls, with all of their variables, while a guest mounts a folder of its own
# by versions 3, 4.0 and 4.2 and works there: what the workload knows is seen, no value of any hit is absurd, and those without hits are known.
# needs: module("nfsd").function("nfsd_write")
# needs: module("nfsv3").function("nfs3_proc_lookup")
# needs: module("nfsv4").function("nfs4_proc_lookup")
# timeout: 500
# cost: 300
. "$S/../lib/aliases_fire.sh"
# What rpcbind and mountd would answer: ports are free, and the folder's handle, which the kernel tells.
cat >"$B/answers.py" <<'X'
import os, socket, struct, sys, threading
folder = sys.argv[1]

def handle():
    f = os.open("/proc/fs/nfsd/filehandle", os.O_RDWR)
    os.write(f, b"all %s 64\n" % folder.encode())
    text = os.read(f, 1000)
    os.close(f)
    return bytes.fromhex(text.decode().strip().replace("\\x", ""))

def result(program, version, procedure):
    if procedure == 0: return b""
    if program == 100005 and procedure == 1:
        fh = handle()
        return struct.pack(">II", 0, len(fh)) + fh + bytes(-len(fh) % 4) + struct.pack(">II", 1, 1)
    return struct.pack(">I", 1) if program == 100000 and procedure <= 2 else b""

def all_of(s, n):
    data = b""
    while len(data) < n:
        piece = s.recv(n - len(data))
        if not piece: raise EOFError
        data += piece
    return data

def serve(s):
    try:
        while True:
            call = all_of(s, struct.unpack(">I", all_of(s, 4))[0] & 0x7fffffff)
            xid, _, _, program, version, procedure = struct.unpack(">6I", call[:24])
            answer = struct.pack(">6I", xid, 1, 0, 0, 0, 0) + result(program, version, procedure)
            s.sendall(struct.pack(">I", len(answer) | 0x80000000) + answer)
    except (EOFError, OSError):
        s.close()

def listen(port):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("127.0.0.1", port))
    s.listen(10)
    return s

def accept(s):
    while True: threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()

rpcbind, mountd = listen(111), listen(20048)
threading.Thread(target=accept, args=(mountd,), daemon=True).start()
print("listening", flush=True)
accept(rpcbind)
X
# Its names and numbers are in aliases.known.
cat >"$B/known10.py" <<'X'
import ctypes, fcntl, mmap, os, socket, sys
here, there, version = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(15, b"known10")
os.chdir(here)

def attempt(what):
    try: return what()
    except OSError as e: print(version, e)

os.mkdir("folder", 0o751)
attempt(lambda: os.stat("missing"))
f = os.open("file", os.O_RDWR | os.O_CREAT, 0o640)
for i in range(100): os.write(f, b"%1024d" % i)
os.fsync(f)
os.lseek(f, 7, os.SEEK_SET)
fcntl.fcntl(f, fcntl.F_SETFL, os.O_APPEND)
attempt(lambda: fcntl.lockf(f, fcntl.LOCK_EX, 20, 10))
attempt(lambda: fcntl.lockf(f, fcntl.LOCK_UN, 20, 10))
m = mmap.mmap(f, 8192)
m[100:104] = b"mmap"
m.flush()
m.close()
os.close(f)

# What is read comes from the server.
open("/proc/sys/vm/drop_caches", "w").write("3")
f = os.open("file", os.O_RDONLY)
os.read(f, 5000)
os.pread(f, 10, 50000)
out = os.open("/dev/null", os.O_WRONLY)
attempt(lambda: os.sendfile(out, f, 0, 4096))
r, w = os.pipe()
attempt(lambda: os.splice(f, w, 4096))
os.close(f)

# Past the page cache.
f = os.open("file", os.O_RDWR | os.O_DIRECT)
m = mmap.mmap(-1, 8192)
attempt(lambda: os.preadv(f, [m], 4096))
attempt(lambda: os.pwritev(f, [m], 8192))
os.close(f)

# Two parts of one page that nobody has read: the first must go before the second can come.
f = os.open("file", os.O_WRONLY)
os.pwrite(f, b"a" * 11, 20480)
os.pwrite(f, b"b" * 12, 20480 + 2000)
os.close(f)

# A part of a page that must be read first.
open("/proc/sys/vm/drop_caches", "w").write("3")
f = os.open("file", os.O_RDWR)
os.pwrite(f, b"c" * 13, 40960)
os.close(f)

if version == "4.2":
    f, g = os.open("file", os.O_RDONLY), os.open("copy", os.O_WRONLY | os.O_CREAT, 0o600)
    attempt(lambda: os.copy_file_range(f, g, 50000))
    os.close(f)
    os.close(g)
os.symlink("file", "link")
os.mknod("made", 0o100604)
os.listdir(".")

# A program on the server has a lease of a file: whoever reads it must wait until it is ended, by the signal that the kernel sends it.
open("leased", "w").write("leased")
open("/proc/sys/vm/drop_caches", "w").write("3")
r, w = os.pipe()
if os.fork() == 0:
    f = os.open(there + "/leased", os.O_RDWR)
    import time
    for _ in range(600):
        # The server keeps a file open for some seconds, and there is no lease meanwhile.
        try:
            fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            break
        except BlockingIOError: time.sleep(0.1)
    os.write(w, b"x")
    import signal
    signal.alarm(60)
    while True: signal.pause()
os.read(r, 1)
open("leased").read()
os.wait()

# A name of a file that is open is removed, and a name becomes another's.
f = os.open("leased", os.O_RDONLY)
os.remove("leased")
os.close(f)
os.rename("file", "folder/other")
os.rename("folder/other", "renamed")
for name in os.listdir("."): # the client itself removes .nfs*, what the names of removed open files became
    if name != "folder" and not name.startswith(".nfs"): os.remove(name)
os.rmdir("folder")

# A call that is too short to be one.
s = socket.create_connection(("127.0.0.1", 2049))
s.send(bytes([128, 0, 0, 12]) + bytes([0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 2]))
s.settimeout(10)
attempt(lambda: s.recv(1))
X
aliases_fire 'nfsd?|sunrpc' '
d=/dev/shm/nfs10
. $S/../lib/nfs_server.sh
for m in nfsd nfsv3 nfsv4; do modprobe $m; done
mkdir -p $d/there $d/here
ip link set lo up
python3 $B/answers.py $d/there >answers & answers=$!
await grep -q listening answers
nfs_serve $d/there +3
# What is refused here is over already, or the client asks once more.
echo Y >/proc/fs/nfsd/v4_end_grace
cat /proc/fs/nfsd/versions /proc/fs/nfsd/portlist /proc/fs/nfsd/threads
all=addr=127.0.0.1,port=2049,proto=tcp,soft,timeo=100,rsize=16384,wsize=16384
for version in 3 4.0 4.2; do
	case $version in
	3) options="vers=3,nolock,mountaddr=127.0.0.1,mountport=20048,mountproto=tcp,mountvers=3" ;;
	*) options="vers=$version,clientaddr=127.0.0.1" ;;
	esac
	[ $version = 3 ] && type=nfs from=127.0.0.1:$d/there || type=nfs4 from=127.0.0.1:/
	timeout -s KILL 60 mount -i -t $type -o $all,$options $from $d/here || continue
	timeout -s KILL 90 python3 $B/known10.py $d/here $d/there $version
	timeout -s KILL 60 umount $d/here || umount -f -l $d/here
	rm -rf $d/there/*
done
nfs_serve_end
kill $answers; wait $answers
rm -r $d
sleep 1
'
