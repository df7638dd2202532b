/* Writes down, in their order, everything a process does to the files of one folder, and what it answers on its
 * sockets: the raw material for every disk that a power cut could have left.  LD_PRELOAD, for trials only.
 *
 *   FILELOG_FOLDER  the folder (absolute);  FILELOG_OUT  the log that is appended to
 *
 * A record: "FLOG", u8 operation, u16 length of path, u16 length of second path, i64 offset, i64 length of data,
 * path, second path, data.  Operations: C created, W written, T cut to `offset` bytes, S synced, U unlinked,
 * R renamed, A answered.  A change is logged once it was made, a sync once it has returned; one lock keeps the order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 4096
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *path_of[FILES];
static const char *folder;
static size_t folder_len;
static int out = -1;

__attribute__((constructor)) static void begin(void) {
  const char *to = getenv("FILELOG_OUT");
  folder = getenv("FILELOG_FOLDER");
  if (!to || !folder) return;
  folder_len = strlen(folder);
  out = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  unsetenv("LD_PRELOAD"); /* children are not our business */
}

static int ours(const char *path) {
  return out >= 0 && path && !strncmp(path, folder, folder_len) && (path[folder_len] == 0 || path[folder_len] == '/') &&
         !strstr(path, "-shm");
}

static const char *named(int fd) { return fd >= 0 && fd < FILES ? path_of[fd] : NULL; }

static void record(char op, const char *path, const char *other, int64_t offset, const void *data, int64_t length) {
  char head[25] = "FLOG";
  uint16_t a = path ? strlen(path) : 0, b = other ? strlen(other) : 0;
  head[4] = op;
  memcpy(head + 5, &a, 2), memcpy(head + 7, &b, 2), memcpy(head + 9, &offset, 8), memcpy(head + 17, &length, 8);
  struct iovec parts[4] = {{head, 25}, {(void *)path, a}, {(void *)other, b}, {(void *)data, length}};
  if (syscall(SYS_writev, out, parts, 4) < 0) _exit(97);
}

#define REAL(name) ({ static void *real; if (!real) real = dlsym(RTLD_NEXT, #name); (__typeof__(&name))real; })
#define LOCKED(type, call, log) ({ pthread_mutex_lock(&lock); type done_ = (call); int e_ = errno; \
    if (done_ >= 0) { log; } errno = e_; pthread_mutex_unlock(&lock); done_; })

static int opened(int fd, const char *path, int flags, int existed) {
  if (fd >= 0 && fd < FILES) {
    free(path_of[fd]);
    path_of[fd] = ours(path) ? strdup(path) : NULL;
    if (path_of[fd] && !existed) record('C', path, NULL, 0, NULL, 0);
    else if (path_of[fd] && (flags & O_TRUNC)) record('T', path, NULL, 0, NULL, 0);
  }
  return fd;
}

#define OPEN(name, params, pass) \
  int name params { \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); } \
    struct stat there; int existed = ours(path) ? !lstat(path, &there) : 1; \
    return LOCKED(int, REAL(name) pass, opened(done_, path, flags, existed)); \
  }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))

int close(int fd) {
  pthread_mutex_lock(&lock);
  if (fd >= 0 && fd < FILES) { free(path_of[fd]); path_of[fd] = NULL; }
  pthread_mutex_unlock(&lock);
  return REAL(close)(fd);
}
ssize_t write(int fd, const void *data, size_t length) {
  const char *path = named(fd);
  if (!path) return REAL(write)(fd, data, length);
  off_t at = lseek(fd, 0, SEEK_CUR);
  return LOCKED(ssize_t, REAL(write)(fd, data, length), record('W', path, NULL, at, data, done_));
}
#define PWRITE(name, offset) ssize_t name(int fd, const void *data, size_t length, offset at) { \
    const char *path = named(fd); \
    if (!path) return REAL(name)(fd, data, length, at); \
    return LOCKED(ssize_t, REAL(name)(fd, data, length, at), record('W', path, NULL, at, data, done_)); }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
#define CUT(name, offset) int name(int fd, offset length) { \
    const char *path = named(fd); \
    if (!path) return REAL(name)(fd, length); \
    return LOCKED(int, REAL(name)(fd, length), record('T', path, NULL, length, NULL, 0)); }
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)
#define SYNC(name) int name(int fd) { \
    const char *path = named(fd); \
    if (!path) return REAL(name)(fd); \
    return LOCKED(int, REAL(name)(fd), record('S', path, NULL, 0, NULL, 0)); }
SYNC(fsync)
SYNC(fdatasync)
int unlink(const char *path) {
  if (!ours(path)) return REAL(unlink)(path);
  return LOCKED(int, REAL(unlink)(path), record('U', path, NULL, 0, NULL, 0));
}
int rename(const char *from, const char *to) {
  if (!ours(from)) return REAL(rename)(from, to);
  return LOCKED(int, REAL(rename)(from, to), record('R', from, to, 0, NULL, 0));
}
ssize_t send(int fd, const void *data, size_t length, int flags) {
  if (out < 0) return REAL(send)(fd, data, length, flags);
  pthread_mutex_lock(&lock); /* logged before it leaves: whoever saw the answer finds it in the log */
  if (length > 2 && *(const char *)data == '{') record('A', NULL, NULL, 0, data, length);
  pthread_mutex_unlock(&lock);
  return REAL(send)(fd, data, length, flags);
}
