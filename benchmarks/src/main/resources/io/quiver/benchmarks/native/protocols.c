/*
 * The languages the load generator speaks. All of them receive a whole answer into one buffer; a
 * parser only finds out where the payloads begin and when the answer is complete.
 */
#define _GNU_SOURCE
#include "protocols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put32(char *at, uint32_t value) { memcpy(at, &value, 4); }

static uint32_t get32(const char *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}

static uint64_t get64(const char *at) {
  uint64_t value;
  memcpy(&value, at, 8);
  return value;
}

static enum progress broken(struct exchange *x, const char *why) {
  x->complaint = why;
  return BROKEN;
}

static const char *name_of(const struct exchange *x, uint32_t i) {
  return x->work->names + 64 * (size_t)x->wanted[i];
}

/* The end of the line that begins at x->at (behind its \r\n), or 0 when it has not arrived. */
static size_t line_end(const struct exchange *x, size_t from) {
  size_t span = x->have - from;
  if (span > 4096) span = 4096;
  const char *end = memmem(x->in + from, span, "\r\n", 2);
  return end ? (size_t)(end - x->in) + 2 : 0;
}

/* A payload of the expected length begins at x->at. Takes it, or waits until all of it is here. */
static int take_payload(struct exchange *x, size_t trailer) {
  if (x->have < x->at + x->work->bytes + trailer) return 0;
  x->offset[x->parsed++] = x->at;
  x->at += x->work->bytes + trailer;
  return 1;
}

/* ---- HTTP ---- */

static size_t content_length(const char *head, size_t bytes) {
  static const char field[] = "content-length:";
  for (size_t i = 0; i + sizeof field < bytes; i++) {
    if (strncasecmp(head + i, field, sizeof field - 1) == 0) {
      return strtoull(head + i + sizeof field - 1, NULL, 10);
    }
  }
  return (size_t)-1;
}

/* Passes the head of an HTTP answer. Returns 1 when passed, 0 to wait, -1 when it is no 200. */
static int pass_http_head(struct exchange *x, size_t *length) {
  const char *start = x->in + x->at;
  size_t span = x->have - x->at;
  const char *end = memmem(start, span > 8192 ? 8192 : span, "\r\n\r\n", 4);
  if (!end) return span > 8192 ? -1 : 0;
  if (strncmp(start, "HTTP/1.1 200", 12) != 0) return -1;
  size_t head = (size_t)(end - start) + 4;
  *length = content_length(start, head);
  if (*length == (size_t)-1) return -1;
  x->at += head;
  return 1;
}

/* ---- the cache server: one question for the whole batch ---- */

static void quiver_ask(struct exchange *x) {
  uint32_t n = x->work->batch;
  int head = sprintf(x->request,
                     "POST /v1/blobs/get HTTP/1.1\r\nHost: localhost\r\n"
                     "Content-Type: application/vnd.quiver.frame\r\n"
                     "Content-Length: %zu\r\n\r\n",
                     16 + 32 * (size_t)n);
  char *frame = x->request + head;
  memcpy(frame, "QVA1", 4);
  put32(frame + 4, 0);
  put32(frame + 8, n);
  put32(frame + 12, n);
  for (uint32_t i = 0; i < n; i++) {
    memcpy(frame + 16 + 32 * i, x->work->hashes + 32 * (size_t)x->wanted[i], 32);
  }
  x->request_bytes = (size_t)head + 16 + 32 * (size_t)n;
}

/* The rows of an answer: every one a hit of the right length, then the payloads without gaps. */
static enum progress frame_parse(struct exchange *x) {
  const struct work *w = x->work;
  size_t rows = 16 + 16 * (size_t)w->batch;
  if (x->phase == 1) {
    if (x->have < x->at + rows) return NEED_MORE;
    const char *frame = x->in + x->at;
    if (memcmp(frame, "QVR1", 4) != 0 || get32(frame + 4) != w->batch) {
      return broken(x, "not the answer frame that was asked for");
    }
    for (uint32_t i = 0; i < w->batch; i++) {
      if (frame[16 + 16 * i] != 1 || get64(frame + 16 + 16 * i + 8) != w->bytes) {
        return broken(x, "a blob is missing from the answer or has another length");
      }
      x->offset[i] = x->at + rows + i * w->bytes;
    }
    x->at += rows;
    x->phase = 2;
  }
  if (x->have < x->at + w->batch * w->bytes) return NEED_MORE;
  x->parsed = w->batch;
  x->at += w->batch * w->bytes;
  return COMPLETE;
}

static enum progress quiver_parse(struct exchange *x) {
  if (x->phase == 0) {
    size_t length;
    int passed = pass_http_head(x, &length);
    if (passed <= 0) return passed ? broken(x, "the server did not answer 200") : NEED_MORE;
    if (length != 16 + 16 * (size_t)x->work->batch + x->work->batch * x->work->bytes) {
      return broken(x, "the answer's length is not that of a full batch");
    }
    x->phase = 1;
  }
  return frame_parse(x);
}

/* ---- the reference: the same frames without HTTP; a row's first four bytes are the index ---- */

static void reference_ask(struct exchange *x) {
  uint32_t n = x->work->batch;
  memcpy(x->request, "QVA1", 4);
  put32(x->request + 4, (uint32_t)x->work->bytes);
  put32(x->request + 8, n);
  put32(x->request + 12, n);
  for (uint32_t i = 0; i < n; i++) {
    char *row = x->request + 16 + 32 * i;
    memcpy(row, x->work->hashes + 32 * (size_t)x->wanted[i], 32);
    put32(row, x->wanted[i]);
  }
  x->request_bytes = 16 + 32 * (size_t)n;
}

static enum progress reference_parse(struct exchange *x) {
  if (x->phase == 0) x->phase = 1;
  return frame_parse(x);
}

/* ---- one HTTP GET for each blob, pipelined ---- */

static void http_ask(struct exchange *x, const char *format_prefix, int fan_out) {
  char *out = x->request;
  for (uint32_t i = 0; i < x->work->batch; i++) {
    out = stpcpy(out, format_prefix);
    if (fan_out) {
      *out++ = name_of(x, i)[0];
      *out++ = '/';
    }
    memcpy(out, name_of(x, i), 64);
    out = stpcpy(out + 64, " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  x->request_bytes = (size_t)(out - x->request);
}

static void nginx_ask(struct exchange *x) { http_ask(x, "GET /", 1); }

static void single_ask(struct exchange *x) { http_ask(x, "GET /v1/blobs/", 0); }

static enum progress http_parse(struct exchange *x) {
  while (x->parsed < x->work->batch) {
    if (x->phase == 0) {
      size_t length;
      int passed = pass_http_head(x, &length);
      if (passed <= 0) return passed ? broken(x, "the server did not answer 200") : NEED_MORE;
      if (length != x->work->bytes) return broken(x, "a blob has another length");
      x->phase = 1;
    }
    if (!take_payload(x, 0)) return NEED_MORE;
    x->phase = 0;
  }
  return COMPLETE;
}

/* ---- memcached's text protocol ---- */

static void memcached_ask(struct exchange *x) {
  char *out = stpcpy(x->request, "get");
  for (uint32_t i = 0; i < x->work->batch; i++) {
    *out++ = ' ';
    memcpy(out, name_of(x, i), 64);
    out += 64;
  }
  out = stpcpy(out, "\r\n");
  x->request_bytes = (size_t)(out - x->request);
}

static enum progress memcached_parse(struct exchange *x) {
  for (;;) {
    if (x->phase == 0) {
      size_t end = line_end(x, x->at);
      if (!end) return NEED_MORE;
      if (memcmp(x->in + x->at, "END\r\n", 5) == 0) {
        x->at = end;
        return x->parsed == x->work->batch ? COMPLETE : broken(x, "memcached misses a blob");
      }
      if (x->parsed == x->work->batch || memcmp(x->in + x->at, "VALUE ", 6) != 0 ||
          memcmp(x->in + x->at + 6, name_of(x, x->parsed), 64) != 0) {
        return broken(x, "memcached answers something else than the next blob");
      }
      x->at = end;
      x->phase = 1;
    }
    if (!take_payload(x, 2)) return NEED_MORE;
    x->phase = 0;
  }
}

/* ---- Redis ---- */

static void mget_ask(struct exchange *x) {
  char *out = x->request + sprintf(x->request, "*%u\r\n$4\r\nMGET\r\n", x->work->batch + 1);
  for (uint32_t i = 0; i < x->work->batch; i++) {
    out = stpcpy(out, "$64\r\n");
    memcpy(out, name_of(x, i), 64);
    out = stpcpy(out + 64, "\r\n");
  }
  x->request_bytes = (size_t)(out - x->request);
}

static void get_ask(struct exchange *x) {
  char *out = x->request;
  for (uint32_t i = 0; i < x->work->batch; i++) {
    out = stpcpy(out, "*2\r\n$3\r\nGET\r\n$64\r\n");
    memcpy(out, name_of(x, i), 64);
    out = stpcpy(out + 64, "\r\n");
  }
  x->request_bytes = (size_t)(out - x->request);
}

static enum progress get_parse(struct exchange *x) {
  while (x->parsed < x->work->batch) {
    if (x->phase == 0) {
      size_t end = line_end(x, x->at);
      if (!end) return NEED_MORE;
      if (x->in[x->at] != '$' || strtoul(x->in + x->at + 1, NULL, 10) != x->work->bytes) {
        return broken(x, "redis misses a blob");
      }
      x->at = end;
      x->phase = 1;
    }
    if (!take_payload(x, 2)) return NEED_MORE;
    x->phase = 0;
  }
  return COMPLETE;
}

static enum progress mget_parse(struct exchange *x) {
  if (x->at == 0) {
    size_t end = line_end(x, 0);
    if (!end) return NEED_MORE;
    if (x->in[0] != '*' || strtoul(x->in + 1, NULL, 10) != x->work->batch) {
      return broken(x, "redis does not answer with one array of the batch's length");
    }
    x->at = end;
  }
  return get_parse(x);
}

/* ---- */

static const struct protocol protocols[] = {
    {"quiver", quiver_ask, quiver_parse},       {"quiver-single", single_ask, http_parse},
    {"reference", reference_ask, reference_parse}, {"memcached", memcached_ask, memcached_parse},
    {"redis-mget", mget_ask, mget_parse},       {"redis-pipelined", get_ask, get_parse},
    {"nginx", nginx_ask, http_parse},
};

const struct protocol *find_protocol(const char *name) {
  for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
    if (strcmp(protocols[i].name, name) == 0) return &protocols[i];
  }
  return NULL;
}

size_t request_room(const struct work *work) { return 512 + (size_t)work->batch * 160; }

size_t answer_room(const struct work *work) {
  return 65536 + (size_t)work->batch * (work->bytes + 1024);
}
