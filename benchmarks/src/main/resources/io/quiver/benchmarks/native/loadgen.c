/*
 * Asks one server for batches of blobs and says how fast they came.
 *
 * Every connection has a thread, one batch in flight and one buffer that takes a whole answer. The
 * order of the blobs is a permutation that the seed decides, so that every server does the same
 * work. One payload of each batch, chosen at random, is compared byte by byte with the original.
 *
 * usage: loadgen PROTOCOL PORT ITEMS NAMES BYTES COUNT BATCH CONNECTIONS WARM SECONDS SEED RATE \
 *                LATENCIES PIDS
 *   ITEMS      file with all blobs, one after the other
 *   NAMES      file with their SHA-256 hashes, 32 bytes each
 *   WARM       seconds before the measured ones
 *   SECONDS    measured seconds; 0: no warming, every blob once
 *   RATE       bytes per second to hold, all connections together; 0: as fast as it goes
 *   LATENCIES  file for the nanoseconds each answer took (64-bit numbers), or -
 *   PIDS       the server's processes, separated by commas, or -
 *
 * Prints one line: bytes seconds batches client_cpu_seconds server_cpu_seconds
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "protocols.h"

enum { WARMING, MEASURING, DONE };

static atomic_int stage;
static atomic_int ready; /* connections that have received their first answer */
static pthread_barrier_t gate; /* every connection has its memory and its socket; then: go */

struct reader {
  pthread_t thread;
  const struct work *work;
  const struct protocol *protocol;
  const uint32_t *order;
  uint32_t next;
  uint64_t random;
  int port;
  uint64_t turns; /* batches to read; 0: until told to stop */
  double rate;
  uint64_t bytes, batches;
  int64_t *latencies;
  size_t latency_count, latency_room;
};

static void die(const char *what) {
  fprintf(stderr, "loadgen: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
  exit(1);
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

static const void *map(const char *path, size_t bytes) {
  int fd = open(path, O_RDONLY);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) die(path);
  if ((size_t)status.st_size < bytes) die("the file of blobs or names is too short");
  void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (at == MAP_FAILED) die("mmap");
  close(fd);
  return at;
}

static int dial(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  struct timeval patience = {.tv_sec = 10};
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0) die("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return fd;
}

static void send_all(int fd, const char *from, size_t bytes) {
  while (bytes > 0) {
    ssize_t sent = send(fd, from, bytes, MSG_NOSIGNAL);
    if (sent <= 0) die("send");
    from += sent;
    bytes -= (size_t)sent;
  }
}

static void receive_answer(struct reader *r, struct exchange *x, int fd) {
  x->have = x->at = 0;
  x->parsed = 0;
  x->phase = 0;
  for (;;) {
    if (x->have == x->cap) die("an answer is longer than it should be");
    errno = 0;
    ssize_t got = recv(fd, x->in + x->have, x->cap - x->have, 0);
    if (got <= 0) die(got == 0 ? "the server closed the connection" : "recv");
    x->have += (size_t)got;
    enum progress progress = r->protocol->parse(x);
    if (progress == BROKEN) {
      errno = 0;
      fprintf(stderr, "loadgen: answer begins: %.*s\n", (int)(x->have < 120 ? x->have : 120), x->in);
      die(x->complaint);
    }
    if (progress == COMPLETE) break;
  }
  if (x->at != x->have) die("bytes after the end of an answer");
}

static void check_sample(struct reader *r, const struct exchange *x) {
  const struct work *w = r->work;
  uint32_t i = (uint32_t)(next_random(&r->random) % w->batch);
  if (memcmp(x->in + x->offset[i], w->items + x->wanted[i] * w->bytes, w->bytes) != 0) {
    errno = 0;
    die("a payload is not the blob that was asked for");
  }
}

static void choose(struct reader *r, struct exchange *x) {
  for (uint32_t i = 0; i < r->work->batch; i++) {
    x->wanted[i] = r->order[r->next];
    r->next = r->next + 1 == r->work->count ? 0 : r->next + 1;
  }
}

static void note_latency(struct reader *r, int64_t nanos) {
  if (r->latencies && r->latency_count < r->latency_room) {
    r->latencies[r->latency_count++] = nanos;
  }
}

static void *room(size_t bytes) {
  void *at;
  if (posix_memalign(&at, bytes < (1 << 20) ? 4096 : 2 << 20, bytes) != 0) die("no memory");
  madvise(at, bytes, MADV_HUGEPAGE);
  memset(at, 0, bytes);
  return at;
}

/* Waits until the bytes received so far may have been received at the rate that is asked for. */
static void hold_rate(const struct reader *r, int64_t start, uint64_t bytes) {
  if (r->rate <= 0) return;
  int64_t due = start + (int64_t)((double)bytes / r->rate * 1e9);
  int64_t wait = due - now();
  if (wait > 0) {
    struct timespec t = {wait / 1000000000LL, wait % 1000000000LL};
    nanosleep(&t, NULL);
  }
}

static void *read_batches(void *argument) {
  struct reader *r = argument;
  const struct work *w = r->work;
  struct exchange x = {.work = w, .cap = answer_room(w)};
  x.wanted = room(w->batch * sizeof *x.wanted);
  x.offset = room(w->batch * sizeof *x.offset);
  x.request = room(request_room(w));
  char *buffer = room(x.cap + 4096);
  int fd = dial(r->port);
  pthread_barrier_wait(&gate);
  pthread_barrier_wait(&gate);
  int64_t start = now();
  uint64_t received = 0, turn = 0;
  int seen;
  while ((seen = atomic_load(&stage)) != DONE && (r->turns == 0 || turn < r->turns)) {
    /*
     * Copies are three times slower when the target lies 1 to 31 bytes behind the source modulo
     * 4096. The start moves with every batch so that no server has constant bad or good luck.
     */
    x.in = buffer + 64 * (turn * 37 % 64);
    choose(r, &x);
    int64_t asked = now();
    r->protocol->ask(&x);
    send_all(fd, x.request, x.request_bytes);
    receive_answer(r, &x, fd);
    int64_t took = now() - asked;
    check_sample(r, &x);
    received += w->batch * w->bytes;
    if (seen == MEASURING) {
      r->bytes += w->batch * w->bytes;
      r->batches++;
      note_latency(r, took);
    }
    if (turn++ == 0) atomic_fetch_add(&ready, 1);
    hold_rate(r, start, received);
  }
  close(fd);
  return NULL;
}

static double client_cpu(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double process_cpu(long pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  int fd = open(path, O_RDONLY);
  if (fd < 0) return 0;
  ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  if (got <= 0) return 0;
  text[got] = 0;
  unsigned long user = 0, system = 0;
  char *after = strrchr(text, ')');
  if (!after ||
      sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
    return 0;
  return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double server_cpu(const char *pids) {
  double sum = 0;
  for (const char *at = pids; at && *at && *at != '-'; at = strchr(at, ',')) {
    if (*at == ',') at++;
    sum += process_cpu(atol(at));
  }
  return sum;
}

static void pause_for(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&t, &t) != 0 && errno == EINTR) {
  }
}

static char *hexadecimal(const unsigned char *hashes, uint32_t count) {
  static const char digits[] = "0123456789abcdef";
  char *names = room((size_t)count * 64);
  for (size_t i = 0; i < (size_t)count * 32; i++) {
    names[2 * i] = digits[hashes[i] >> 4];
    names[2 * i + 1] = digits[hashes[i] & 15];
  }
  return names;
}

static uint32_t *shuffled(uint32_t count, uint64_t seed) {
  uint32_t *order = room(count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  for (uint32_t i = count - 1; i > 0; i--) {
    uint32_t j = (uint32_t)(next_random(&seed) % (i + 1)), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  return order;
}

static void save_latencies(const char *path, const struct reader *readers, int count) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) die(path);
  for (int i = 0; i < count; i++) {
    size_t bytes = readers[i].latency_count * sizeof(int64_t);
    if (write(fd, readers[i].latencies, bytes) != (ssize_t)bytes) die("write");
  }
  close(fd);
}

int main(int argc, char **argv) {
  if (argc != 15) die("wrong number of arguments");
  struct work work = {.bytes = strtoull(argv[5], NULL, 10),
                      .count = (uint32_t)strtoul(argv[6], NULL, 10),
                      .batch = (uint32_t)strtoul(argv[7], NULL, 10)};
  const struct protocol *protocol = find_protocol(argv[1]);
  int connections = atoi(argv[8]);
  if (!protocol) die("unknown protocol");
  if (connections < 1 || connections > 64 || work.batch < 1 || work.count < work.batch) {
    die("bad numbers");
  }
  work.items = map(argv[3], work.bytes * work.count);
  work.hashes = map(argv[4], (size_t)work.count * 32);
  work.names = hexadecimal(work.hashes, work.count);
  uint64_t seed = strtoull(argv[11], NULL, 10);
  uint32_t *order = shuffled(work.count, seed);
  int keep = strcmp(argv[13], "-") != 0;
  int once = atof(argv[10]) <= 0;
  if (once) atomic_store(&stage, MEASURING);
  if (pthread_barrier_init(&gate, NULL, (unsigned)connections + 1) != 0) die("barrier");
  struct reader *readers = room((size_t)connections * sizeof *readers);
  for (int i = 0; i < connections; i++) {
    struct reader *r = &readers[i];
    r->work = &work;
    r->protocol = protocol;
    r->order = order;
    r->next = (uint32_t)((uint64_t)work.count * (uint64_t)i / (uint64_t)connections);
    r->random = seed + (uint64_t)i;
    r->port = atoi(argv[2]);
    r->rate = atof(argv[12]) / connections;
    r->turns = once ? work.count / work.batch / (uint32_t)connections : 0;
    if (once && r->turns == 0) die("too few blobs for one batch on each connection");
    r->latency_room = 1 << 20;
    r->latencies = keep ? room(r->latency_room * sizeof(int64_t)) : NULL;
    if (pthread_create(&r->thread, NULL, read_batches, r) != 0) die("pthread_create");
  }
  pthread_barrier_wait(&gate);
  double client = client_cpu(), server = server_cpu(argv[14]);
  int64_t start = now();
  pthread_barrier_wait(&gate);
  if (!once) {
    while (atomic_load(&ready) < connections) pause_for(0.001);
    pause_for(atof(argv[9]));
    client = client_cpu();
    server = server_cpu(argv[14]);
    start = now();
    atomic_store(&stage, MEASURING);
    pause_for(atof(argv[10]));
    atomic_store(&stage, DONE);
  }
  uint64_t bytes = 0, batches = 0;
  for (int i = 0; i < connections; i++) {
    pthread_join(readers[i].thread, NULL);
    bytes += readers[i].bytes;
    batches += readers[i].batches;
  }
  double seconds = (double)(now() - start) * 1e-9;
  client = client_cpu() - client;
  server = server_cpu(argv[14]) - server;
  if (keep) save_latencies(argv[13], readers, connections);
  printf("%llu %.6f %llu %.6f %.6f\n", (unsigned long long)bytes, seconds,
         (unsigned long long)batches, client, server);
  return 0;
}
