/*
 * The limit: a server that does nothing but map a file and answer with gathered writes. Like the
 * cache server it sends long answers in slices and lets others run in between: the kernel paces a
 * whole batch handed over at once, and the peer reads what has left the processor's caches.
 *
 * usage: reference FILE
 * Prints its port. A request is a 16-byte header (magic, blob length, n, n) and n rows of 32 bytes
 * whose first four bytes are a blob's place in the file; the answer is a header of 16 bytes, n rows
 * of 16 bytes and the n blobs: the frames of the cache server without HTTP.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_BATCH = 16384, WHOLE_BYTES = 2 << 20, SLICE_BYTES = 512 << 10 };

static char *file;
static size_t file_bytes;

static int receive(int fd, char *to, size_t bytes) {
  while (bytes > 0) {
    ssize_t got = recv(fd, to, bytes, 0);
    if (got <= 0) return 0;
    to += got;
    bytes -= (size_t)got;
  }
  return 1;
}

/* Writes one slice; returns the bytes that were taken, 0 or less if the peer is gone. */
static ssize_t write_slice(int fd, struct iovec *parts, int count, size_t slice) {
  size_t bytes = 0, surplus;
  int end = 0;
  while (end < count && end < IOV_MAX && bytes < slice) bytes += parts[end++].iov_len;
  surplus = bytes > slice ? bytes - slice : 0;
  parts[end - 1].iov_len -= surplus;
  ssize_t sent = writev(fd, parts, end);
  parts[end - 1].iov_len += surplus;
  return sent;
}

static int send_gathered(int fd, struct iovec *parts, int count, size_t bytes) {
  size_t slice = bytes <= WHOLE_BYTES ? WHOLE_BYTES : SLICE_BYTES;
  while (count > 0) {
    ssize_t sent = write_slice(fd, parts, count, slice);
    if (sent <= 0) return 0;
    while (count > 0 && (size_t)sent >= parts->iov_len) {
      sent -= (ssize_t)parts->iov_len;
      parts++;
      count--;
    }
    if (count > 0) {
      parts->iov_base = (char *)parts->iov_base + sent;
      parts->iov_len -= (size_t)sent;
      sched_yield();
    }
  }
  return 1;
}

static int answer(int fd, char *rows, struct iovec *parts, const char *request) {
  uint32_t bytes, n;
  memcpy(&bytes, request + 4, 4);
  memcpy(&n, request + 8, 4);
  uint64_t payload = (uint64_t)bytes * n, length = bytes;
  memcpy(rows, "QVR1", 4);
  memcpy(rows + 4, &n, 4);
  memcpy(rows + 8, &payload, 8);
  parts[0] = (struct iovec){rows, 16 + 16 * (size_t)n};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t place;
    memcpy(&place, request + 16 + 32 * i, 4);
    if ((uint64_t)place * bytes + bytes > file_bytes) return 0;
    memset(rows + 16 + 16 * i, 0, 8);
    rows[16 + 16 * i] = 1;
    memcpy(rows + 16 + 16 * i + 8, &length, 8);
    parts[i + 1] = (struct iovec){file + (uint64_t)place * bytes, bytes};
  }
  return send_gathered(fd, parts, (int)n + 1, parts[0].iov_len + payload);
}

static void *serve(void *argument) {
  int fd = (int)(intptr_t)argument, one = 1;
  char *request = malloc(16 + 32 * MAX_BATCH), *rows = malloc(16 + 16 * MAX_BATCH);
  struct iovec *parts = malloc((MAX_BATCH + 1) * sizeof *parts);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  while (request && rows && parts && receive(fd, request, 16)) {
    uint32_t n;
    memcpy(&n, request + 8, 4);
    if (n > MAX_BATCH || !receive(fd, request + 16, 32 * (size_t)n) ||
        !answer(fd, rows, parts, request))
      break;
  }
  free(request);
  free(rows);
  free(parts);
  close(fd);
  return NULL;
}

int main(int argc, char **argv) {
  struct stat status;
  int in = argc == 2 ? open(argv[1], O_RDONLY) : -1;
  if (in < 0 || fstat(in, &status) != 0) return perror("reference"), 1;
  file_bytes = (size_t)status.st_size;
  file = mmap(NULL, file_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, in, 0);
  struct sockaddr_in at = {.sin_family = AF_INET};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t room = sizeof at;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (file == MAP_FAILED || bind(listener, (struct sockaddr *)&at, room) != 0 ||
      listen(listener, 64) != 0 || getsockname(listener, (struct sockaddr *)&at, &room) != 0)
    return perror("reference"), 1;
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  for (;;) {
    pthread_t thread;
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) continue;
    if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) != 0) {
      close(fd);
    } else {
      pthread_detach(thread);
    }
  }
}
