# SPDX-License-Identifier: GPL-2.0-or-later
# handshakes.py CERTIFICATE KEYLOG [few | late | talk]: TLS handshakes within this process, both sides of each, without sockets: steps of some in turns in
# one thread, then others in several threads.  Python writes into KEYLOG what secrets they had.  few: only two; late: one, which waits in the middle for
# the file KEYLOG.go, and whose secrets are then written into KEYLOG.after; talk: one, then data of 15 and of 202 bytes.
import os, ssl, sys, threading, time

certificate, keylog = sys.argv[1:3]
TLS12, TLS13 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
NO_EXTENDED_MASTER_SECRET = 1

def contexts(version, options=0, curve=None):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    if curve:
        server.set_ecdh_curve(curve)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_mode = ssl.CERT_NONE
    for context in server, client:
        context.minimum_version = context.maximum_version = version
        context.options |= options
        context.keylog_filename = keylog
    return server, client

class Connection:
    def __init__(self, server, client, session=None):
        self.to_client, self.to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = client.wrap_bio(self.to_client, self.to_server, session=session)
        self.server = server.wrap_bio(self.to_server, self.to_client, server_side=True)
        self.sides = [self.client, self.server]

    def step(self):
        for side in list(self.sides):
            try:
                side.do_handshake()
                self.sides.remove(side)
            except ssl.SSLWantReadError:
                pass
        return self.sides

def in_turns(connections):
    while any([c.step() for c in connections]):
        pass
    return connections

# The client has seen no more than the ServerHello when this waits for a file.
def late():
    c = Connection(*contexts(TLS13))
    c.sides = [c.client]
    c.step()
    c.sides = [c.server]
    c.step()
    flight = c.to_client.read()
    server_hello = 5 + int.from_bytes(flight[3:5], "big")
    c.to_client.write(flight[:server_hello])
    c.sides = [c.client]
    c.step()
    for context in c.server.context, c.client.context:
        context.keylog_filename = keylog + ".after"
    open(keylog + ".waits", "w").close()
    while not os.path.exists(keylog + ".go"):
        time.sleep(0.02)
    c.to_client.write(flight[server_hello:])
    c.sides = [c.client, c.server]
    in_turns([c])

if sys.argv[3:] == ["few"]:
    in_turns([Connection(*contexts(version)) for version in (TLS12, TLS13)])
    sys.exit()
if sys.argv[3:] == ["talk"]:
    [c] = in_turns([Connection(*contexts(TLS13))])
    c.client.write(b"Who is there?\r\n")
    c.server.read(100)
    c.server.write(b"\0\xff" + 200 * b"x")
    c.client.read(1000)
    sys.exit()
if sys.argv[3:] == ["late"]:
    late()
    sys.exit()
kinds = contexts(TLS13), contexts(TLS12), contexts(TLS12, NO_EXTENDED_MASTER_SECRET), contexts(TLS13, 0, "secp384r1")
first = in_turns([Connection(*kind) for kind in kinds + kinds[:1]])
for c in first:
    c.server.write(b"and tickets")
    c.client.read()
again = in_turns([Connection(*kind, session=c.client.session) for kind, c in zip(kinds[:3], first)])
assert all(c.client.session_reused for c in again)
threads = [threading.Thread(target=lambda: [in_turns([Connection(*kind), Connection(*kind)]) for i in range(2)]) for kind in kinds]
for t in threads:
    t.start()
for t in threads:
    t.join()
