/* For kernels without /dev/udmabuf and /dev/dma_heap: libcamera's virtual pipeline and picamera2 get their buffers as
   plain memory files instead. Preloaded into the trial's processes only.

   open("/dev/udmabuf") and open("/dev/dma_heap/...")  a memory file, remembered
   UDMABUF_CREATE on one of those                      a second handle of the caller's own memory file
   DMA_HEAP_IOCTL_ALLOC on one of those                a fresh memory file of the length asked for
   DMA_BUF_IOCTL_SYNC, DMA_BUF_SET_NAME on memory      nothing to do, said to have been done
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

struct create { uint32_t memfd, flags; uint64_t offset, size; };
struct alloc { uint64_t length; uint32_t fd, fd_flags; uint64_t heap_flags; };
enum { MOST = 256 };
static int doors[MOST], count;

static int asked_for(const char *path) {
  return path && (!strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", 14));
}

static int door(void) {
  int made = memfd_create("door", MFD_CLOEXEC);
  if (made >= 0 && count < MOST) doors[count++] = made;
  return made;
}

static int is_door(int handle) {
  for (int i = 0; i < count; i++)
    if (doors[i] == handle) return 1;
  return 0;
}

#define MODE(last) va_list more; va_start(more, last); mode_t mode = va_arg(more, mode_t); va_end(more)
#define REAL(name, type) static type real; if (!real) real = (type)dlsym(RTLD_NEXT, #name)
typedef int (*opens)(const char *, int, ...);
typedef int (*opens_at)(int, const char *, int, ...);
typedef int (*controls)(int, unsigned long, void *);

int open(const char *path, int flags, ...) {
  REAL(open, opens); MODE(flags);
  return asked_for(path) ? door() : real(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  REAL(open64, opens); MODE(flags);
  return asked_for(path) ? door() : real(path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
  REAL(openat, opens_at); MODE(flags);
  return asked_for(path) ? door() : real(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
  REAL(openat64, opens_at); MODE(flags);
  return asked_for(path) ? door() : real(at, path, flags, mode);
}

static int created(struct create *wanted) {
  if (wanted->offset) { errno = EINVAL; return -1; }
  return fcntl(wanted->memfd, F_DUPFD_CLOEXEC, 3);
}

static int allocated(struct alloc *wanted) {
  int made = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0 || ftruncate(made, (off_t)wanted->length)) return -1;
  wanted->fd = (uint32_t)made;
  return 0;
}

int ioctl(int handle, unsigned long request, ...) {
  REAL(ioctl, controls);
  va_list more; va_start(more, request); void *value = va_arg(more, void *); va_end(more);
  uint32_t what = (uint32_t)request;
  if (is_door(handle) && what == (uint32_t)_IOW('u', 0x42, struct create)) return created(value);
  if (is_door(handle) && what == (uint32_t)_IOWR('H', 0, struct alloc)) return allocated(value);
  if (((what >> 8) & 0xff) == 'b' && (what & 0xff) <= 1 && fcntl(handle, F_GET_SEALS) >= 0) return 0;
  return real(handle, request, value);
}
