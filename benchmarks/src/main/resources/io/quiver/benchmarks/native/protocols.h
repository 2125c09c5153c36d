/* What the load generator needs to know of each server's language. */
#ifndef QUIVER_PROTOCOLS_H
#define QUIVER_PROTOCOLS_H

#include <stddef.h>
#include <stdint.h>

/* The blobs that are asked for: equally long, one after the other, known to both sides. */
struct work {
  const char *items;           /* count x bytes */
  const unsigned char *hashes; /* count x 32: the names, binary */
  const char *names;           /* count x 64: the names in hexadecimal digits */
  size_t bytes;
  uint32_t count;
  uint32_t batch;
};

/* One request in flight and the part of its answer that has arrived. */
struct exchange {
  const struct work *work;
  uint32_t *wanted; /* which blobs, in order */
  char *request;
  size_t request_bytes;
  char *in;   /* the whole answer, received into the same place every time */
  size_t cap; /* room in it */
  size_t have; /* bytes received */
  size_t at;   /* bytes understood */
  size_t *offset; /* where each payload begins */
  uint32_t parsed; /* payloads found */
  int phase;      /* for the protocol's own use */
  const char *complaint;
};

enum progress { NEED_MORE, COMPLETE, BROKEN };

struct protocol {
  const char *name;
  void (*ask)(struct exchange *); /* writes the request */
  enum progress (*parse)(struct exchange *);
};

const struct protocol *find_protocol(const char *name);

/* Room that one request and one answer can take at most. */
size_t request_room(const struct work *work);
size_t answer_room(const struct work *work);

#endif
