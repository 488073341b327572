/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How output gets to the loader: one relay buffer per CPU, records in a total order, nothing overwritten, every loss
 * counted.
 */
#ifndef KERNEL_TRANSPORT_H
#define KERNEL_TRANSPORT_H

#include <linux/proc_fs.h>

#include "wire.h"

/* kb: size of each CPU's buffer.  record_max: largest payload.  -ENOBUFS when there is no memory for the buffers, else -ENOMEM. */
int transport_init(unsigned int kb, unsigned int record_max);
/* Frees the buffers, and what is in them is lost.  Nothing may be written any more.  May sleep; may be called twice. */
void transport_drop(void);
/* The rest, after the files are removed. */
void transport_free(void);
/* Only this process (its tgid in the initial namespace) may open the files; before, nobody. */
void transport_serve(pid_t reader);
/* One record.  Any context. */
void transport_write(enum wire_kind kind, const void *data, unsigned int len);
/* The same, waits for room until the caller is killed.  Process context, nothing locked. */
void transport_write_waiting(enum wire_kind kind, const void *data, unsigned int len);
/* Order of the newest record, of all CPUs.  Any context. */
u64 transport_order_now(void);
/* The high-water mark: some CPU's stream has a sub-buffer that waits to be read. */
bool transport_filling(void);
/* Adds records, lost_records, lost_bytes. */
void transport_ledger(struct wire_ledger *l);

/* Of the files trace0 ...; their data is the CPU's number. */
extern const struct proc_ops transport_proc_ops;

#endif
