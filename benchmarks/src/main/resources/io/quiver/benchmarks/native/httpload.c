// Asks an HTTP server for objects on kept connections and counts what comes back.
//
// Arguments: port, connections, seconds, bytes of each object, file with one path a line, seed.
// Object number i (line i) begins with i as a little-endian number of 8 bytes, which is checked.
// Prints: seconds, bytes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_PATHS 100000
#define MAX_HEAD 65536

static int port;
static double duration, begin;
static long bytes, paths;
static char *path[MAX_PATHS];
static uint64_t seed;
static atomic_llong total;

static void fail(const char *what) {
  fprintf(stderr, "httpload: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void send_all(int fd, const char *data, size_t length) {
  while (length > 0) {
    ssize_t count = send(fd, data, length, MSG_NOSIGNAL);
    if (count <= 0) fail("cannot send");
    data += count;
    length -= count;
  }
}

static void ask(int fd, char *buffer, long number) {
  char head[MAX_HEAD];
  int length = snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
                        path[number], port);
  if (length >= MAX_HEAD) fail("a path is too long");
  send_all(fd, head, length);
  long have = 0;
  char *end = NULL;
  while (!end) {
    ssize_t count = recv(fd, buffer + have, MAX_HEAD + bytes - have, 0);
    if (count <= 0) fail("no answer");
    have += count;
    end = memmem(buffer, have, "\r\n\r\n", 4);
    if (!end && have >= MAX_HEAD) fail("the head of an answer is too long");
  }
  *end = 0;
  if (strncmp(buffer, "HTTP/1.1 200", 12) != 0) {
    fprintf(stderr, "httpload: %s\n%s\n", buffer, end + 4);
    exit(1);
  }
  char *field = strcasestr(buffer, "\r\ncontent-length:");
  if (!field || atol(field + 17) != bytes) fail("an answer has another length");
  long body = end + 4 - buffer;
  while (have < body + bytes) {
    ssize_t count = recv(fd, buffer + have, body + bytes - have, 0);
    if (count <= 0) fail("an answer ends early");
    have += count;
  }
  uint64_t first;
  memcpy(&first, buffer + body, sizeof first);
  if (first != (uint64_t)number) fail("wrong bytes");
}

static void *work(void *argument) {
  uint64_t random = seed * 2862933555777941757ULL + (uintptr_t)argument * 3037000493ULL;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("cannot connect");
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  char *buffer = malloc(MAX_HEAD + bytes);
  if (!buffer) fail("no memory");
  do {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    ask(fd, buffer, (random >> 33) % paths);
    atomic_fetch_add(&total, bytes);
  } while (now() - begin < duration);
  close(fd);
  free(buffer);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: httpload port connections seconds bytes paths seed\n");
    return 2;
  }
  port = atoi(argv[1]);
  int connections = atoi(argv[2]);
  duration = atof(argv[3]);
  bytes = atol(argv[4]);
  seed = strtoull(argv[6], NULL, 10);
  if (connections < 1 || connections > 256 || bytes < 8) return 2;
  FILE *file = fopen(argv[5], "r");
  if (!file) fail(argv[5]);
  size_t capacity = 0;
  char *line = NULL;
  ssize_t length;
  while (paths < MAX_PATHS && (length = getline(&line, &capacity, file)) > 1) {
    line[length - 1] = 0;
    path[paths++] = strdup(line);
  }
  fclose(file);
  if (paths == 0) return 2;
  begin = now();
  pthread_t threads[256];
  for (long i = 0; i < connections; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < connections; i++) pthread_join(threads[i], NULL);
  printf("%.6f %lld\n", now() - begin, (long long)total);
  return 0;
}
