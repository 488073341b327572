/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between a client on the host and the agent in the guest, over one virtio-serial port.
 *
 * A guest has PROTO_PORTS ports; a client claims one with a file lock and holds one session on it, so execs
 * that run at once never share a stream and each has its own back-pressure. A session is: proto_start and its
 * strings to the guest; the nonce back; then frames both ways until F_EXIT or F_FAIL, the last frame of a
 * session.
 *
 * A client may die in the middle of a frame. The next one on that port sends PROTO_FLUSH zero bytes (they
 * complete any frame; type 0 frames mean nothing) and then its start; the agent finds the start by the
 * guest's cookie, the client finds the beginning of the answer by its own nonce, and both skip everything before it.
 */
#ifndef VM_PROTO_H
#define VM_PROTO_H

#include <assert.h>
#include <stdint.h>

enum {
	PROTO_VERSION = 2,
	PROTO_PORTS = 8,
	PROTO_CHUNK = 32768,             /* virtio_console moves at most this much per write */
	PROTO_PAYLOAD = PROTO_CHUNK - 8, /* largest payload of a frame */
	PROTO_FLUSH = PROTO_CHUNK,
	PROTO_WINDOW = 8 * PROTO_CHUNK, /* bytes of stdin that may be sent without credit */
	PROTO_MAX_START = 4 << 20,      /* strings of a start: arguments and environment */
};

#define PROTO_PORT_NAME "spile." /* and the number of the port */

struct proto_start {
	uint8_t cookie[16]; /* of this guest: in its state folder, and on the guest's command line */
	uint8_t nonce[16];  /* of this session */
	uint32_t version;
	uint32_t kind; /* enum proto_kind */
	uint32_t flags;
	uint32_t argc, envc;
	uint32_t len; /* bytes that follow: current directory, argv, environment, each NUL-terminated */
};
static_assert(sizeof(struct proto_start) == 56, "wire format");

enum proto_kind { KIND_EXEC = 1, KIND_PING, KIND_POWEROFF };
enum {
	START_MERGE = 1, /* stderr goes where stdout goes, in order */
	START_FILE = 2,  /* the command has a descriptor 3 to write to */
};

struct proto_frame {
	uint8_t type; /* enum proto_type */
	uint8_t pad[3];
	uint32_t len; /* of the payload that follows */
};
static_assert(sizeof(struct proto_frame) == 8, "wire format");

enum proto_type {
	F_NOP,
	/* to the guest */
	F_STDIN,     /* bytes */
	F_STDIN_EOF, /* nothing */
	F_SIGNAL,    /* uint32_t signal, for the command's process group */
	/* to the host */
	F_STDOUT, /* bytes */
	F_STDERR, /* bytes */
	F_CREDIT, /* uint32_t: so many more bytes of stdin were consumed; UINT32_MAX: stdin was closed */
	F_EXIT,   /* uint32_t exit status, 128 + signal */
	F_FAIL,   /* uint32_t exit status to use, then text: the command could not be started */
	/* to the guest again */
	F_CLOSED, /* uint32_t 1, 2 or 3: what the command writes to this descriptor is not read any more */
	/* to the host again */
	F_FILE, /* bytes of descriptor 3 */
	F_TYPES
};

enum { PROTO_STREAMS = 3 };
/* What the command writes to descriptor 1 + i. */
static inline enum proto_type proto_stream(unsigned i)
{
	return i ? i == 1 ? F_STDERR : F_FILE : F_STDOUT;
}

#endif
