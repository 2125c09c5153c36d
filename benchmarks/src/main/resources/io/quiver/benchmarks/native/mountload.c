// Reads the files of a mounted folder and counts what comes back. Each file is read once, in an
// order that a seed decides, by several threads. The page cache forgets the files first, so every
// byte comes through the mount.
//
// Arguments: folder, number of files, bytes of each, readers, bytes of one read, seed.
// Prints: seconds, bytes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static long files, bytes, block;
static long *order;
static atomic_long next;
static atomic_llong total;

static void fail(const char *what, long file) {
  fprintf(stderr, "mountload: %s file %ld: %s\n", what, file, strerror(errno));
  exit(1);
}

static int open_file(long file) {
  char path[4096];
  snprintf(path, sizeof path, "%s/f%07ld", folder, file);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail("cannot open", file);
  return fd;
}

static void *read_files(void *unused) {
  (void)unused;
  char *buffer = aligned_alloc(4096, (block + 4095) / 4096 * 4096);
  if (!buffer) fail("no memory for", 0);
  long index;
  while ((index = atomic_fetch_add(&next, 1)) < files) {
    long file = order[index];
    int fd = open_file(file);
    long length = 0;
    ssize_t count;
    while ((count = read(fd, buffer, block)) > 0) {
      uint64_t number;
      memcpy(&number, buffer, sizeof number);
      if (length == 0 && number != (uint64_t)file) {
        errno = EIO;
        fail("wrong bytes in", file);
      }
      length += count;
    }
    if (count < 0 || length != bytes) fail("cannot read", file);
    atomic_fetch_add(&total, length);
    close(fd);
  }
  free(buffer);
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: mountload folder files bytes readers block seed\n");
    return 2;
  }
  folder = argv[1];
  files = atol(argv[2]);
  bytes = atol(argv[3]);
  int readers = atoi(argv[4]);
  block = atol(argv[5]);
  uint64_t random = strtoull(argv[6], NULL, 10) * 2862933555777941757ULL + 3037000493ULL;
  if (files < 1 || readers < 1 || readers > 256 || block < 8) return 2;
  order = malloc(files * sizeof *order);
  for (long i = 0; i < files; i++) order[i] = i;
  for (long i = files - 1; i > 0; i--) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    long other = (random >> 33) % (i + 1);
    long swap = order[i];
    order[i] = order[other];
    order[other] = swap;
  }
  for (long i = 0; i < files; i++) {
    int fd = open_file(i);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
  }
  double start = now();
  pthread_t threads[256];
  for (int i = 0; i < readers; i++) pthread_create(&threads[i], NULL, read_files, NULL);
  for (int i = 0; i < readers; i++) pthread_join(threads[i], NULL);
  printf("%.6f %lld\n", now() - start, (long long)total);
  return 0;
}
