/* fakegpio.c - a GPIO character device (Linux uAPI v2) for an ordinary process, by LD_PRELOAD.
 *
 * The real gpiozero and the real lgpio C library run unchanged above it; only the kernel is played. What we
 * keep true to drivers/gpio/gpiolib-cdev.c, because press times depend on it:
 *   - an edge's stamp is CLOCK_MONOTONIC; its direction is the level when the interrupt THREAD looked
 *     (edge_irq_thread), so a fast bounce can hand on "open, open, closed" (command `edge`);
 *   - every line request has its own event queue of event_buffer_size (default 16 a line, rounded up to a
 *     power of two as kfifo does); when it is full the OLDEST event is dropped (linereq_put_event);
 *   - seqno counts per request, line_seqno per line, both also through drops, so that a gap shows;
 *   - a line that somebody else holds answers EBUSY; a chip that is gone answers ENODEV.
 *
 * FELTSIDE_FAKECHIP names a Unix stream socket on which the test listens; we connect to it as we are loaded.
 * One command a line, one answer a line:
 *   level LINE 0|1|z [AT_NS]   the world drives the line (z: lets go of it); AT_NS 0 or absent: now
 *   edge LINE rise|fall [AT_NS]   an event as the kernel might report it, whatever the level is
 *   hold / go          keep events back / deliver what was kept, all at once (a burst before anybody can read)
 *   wire OUT IN [DELAY_NS]     an output drives an input, stamped DELAY_NS after the write
 *   latency STEP_NS JITTER_NS  stamps of wired inputs: the n-th line of one write is n*STEP_NS late, and up to JITTER_NS
 *   get LINE           "in 0|1", "out 0|1" or "free 0|1"
 *   busy LINE / free LINE      somebody else takes / gives back the line
 *   gone               the chip is pulled out
 *   drowse / wake      keep lgpio's thread that reads edges where it has seen no line to read and does not wait for
 *                      one yet (see `emit`) / let it go on; lines to read are given only once it is there
 *   date SECONDS       the date jumps (CLOCK_REALTIME alone; CLOCK_MONOTONIC goes on)
 *   log                every change of an output since the last `log`: "LINE VALUE AT_NS;..."
 *   stats              "events N dropped N"
 * The first line we send is "hello PID".
 * FELTSIDE_FAKECHIP_REVISION (hexadecimal) is what /proc/device-tree/system/linux,revision says.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LINES 58          /* as a BCM2711's pinctrl */
#define MOST_FDS 1024
#define MOST_LOG 65536
#define CHIP "/dev/gpiochip0"
#define GPIO_V2_LINE_EDGES (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING)
#define REVISION "/proc/device-tree/system/linux,revision"

struct request {
  int write_fd, read_fd, count;
  unsigned capacity;            /* events the queue holds */
  unsigned coming;              /* events of a burst still to be put: those that no queue could hold are dropped */
  uint32_t seqno;
  uint32_t offset[GPIO_V2_LINES_MAX], line_seqno[GPIO_V2_LINES_MAX];
};
struct line {
  int world;                    /* what the world drives: 0, 1, -1 lets go */
  int out;                      /* what we drive, when an output */
  int taken, stranger;          /* by one of our requests; by somebody else */
  uint64_t flags;
  char consumer[GPIO_MAX_NAME_SIZE];
};
struct wire { int out, in; uint64_t delay_ns; };
struct change { int line, value; uint64_t at_ns; };
struct kept { int line, rising; uint64_t at_ns; };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct request *requests[MOST_FDS];
static char is_chip[MOST_FDS];
static struct line lines[LINES];
static struct wire wires[256];
static int64_t date_jump_s;
static int wire_count, gone, holding, counting;
static uint64_t step_ns, jitter_ns, chance = 88172645463325252ull, events, dropped;
static struct change changes[MOST_LOG];
static unsigned change_count;
static struct kept kept[MOST_LOG];
static unsigned kept_count;
static int drowsy, drowsing;
static pthread_cond_t drowsed = PTHREAD_COND_INITIALIZER;

static int (*real_open)(const char *, int, ...), (*real_open64)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...), (*real_openat64)(int, const char *, int, ...);
static int (*real_ioctl)(int, unsigned long, ...), (*real_close)(int);
static int (*real_clock_gettime)(clockid_t, struct timespec *);

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static uint64_t dice(uint64_t below) {          /* xorshift: the same chance in every run */
  chance ^= chance << 13; chance ^= chance >> 7; chance ^= chance << 17;
  return below ? chance % below : 0;
}

/* ---- lines and events (all under `guard`) ---- */

static int level_of(int l) {
  if (lines[l].flags & GPIO_V2_LINE_FLAG_OUTPUT) return lines[l].out;
  if (lines[l].world >= 0) return lines[l].world;
  return !!(lines[l].flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
}

static void put_event(struct request *r, int i, int rising, uint64_t at_ns) {
  struct gpio_v2_line_event e;
  int waiting = 0;
  if (counting) { r->coming++; return; }
  memset(&e, 0, sizeof e);
  e.timestamp_ns = at_ns;
  e.id = rising ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE;
  e.offset = r->offset[i];
  e.line_seqno = ++r->line_seqno[i];
  e.seqno = r->count == 1 ? e.line_seqno : ++r->seqno;
  events++;
  if (r->coming && r->coming-- > r->capacity) { dropped++; return; }
  if (!real_ioctl(r->read_fd, FIONREAD, &waiting) && (unsigned)waiting / sizeof e >= r->capacity) {
    struct gpio_v2_line_event oldest;
    if (read(r->read_fd, &oldest, sizeof oldest) == (ssize_t)sizeof oldest) dropped++;
  }
  if (write(r->write_fd, &e, sizeof e) != (ssize_t)sizeof e) dropped++;
}

static void edge(int l, int physical_rise, uint64_t at_ns) {
  if (holding) {
    if (kept_count < MOST_LOG) kept[kept_count++] = (struct kept){l, physical_rise, at_ns};
    return;
  }
  for (int fd = 0; fd < MOST_FDS; fd++) {
    struct request *r = requests[fd];
    if (!r) continue;
    for (int i = 0; i < r->count; i++) {
      uint64_t flags = lines[l].flags;
      if ((int)r->offset[i] != l) continue;
      int rising = physical_rise ^ !!(flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
      if (flags & (rising ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING)) put_event(r, i, rising, at_ns);
    }
  }
}

static void set_world(int l, int value, uint64_t at_ns) {
  int before = level_of(l);
  lines[l].world = value;
  int after = level_of(l);
  if (before != after) edge(l, after, at_ns ? at_ns : now_ns());
}

static void set_out(int l, int value) {
  uint64_t at = now_ns();
  int changed = lines[l].out != value, nth = 0;
  lines[l].out = value;
  if (!changed) return;
  if (change_count < MOST_LOG) changes[change_count++] = (struct change){l, value, at};
  for (int w = 0; w < wire_count; w++) {
    if (wires[w].out != l) continue;
    set_world(wires[w].in, value, at + wires[w].delay_ns + (uint64_t)nth++ * step_ns + dice(jitter_ns));
  }
}

/* ---- what the kernel offers on the chip's file and on a request's file ---- */

static uint64_t flags_of(const struct gpio_v2_line_config *c, int i) {
  for (unsigned k = 0; k < c->num_attrs; k++)
    if (c->attrs[k].attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS && (c->attrs[k].mask >> i & 1)) return c->attrs[k].attr.flags;
  return c->flags;
}

static void configure(struct request *r, const struct gpio_v2_line_config *c) {
  for (int i = 0; i < r->count; i++) {
    int l = (int)r->offset[i];
    lines[l].flags = flags_of(c, i);
    if (!(lines[l].flags & GPIO_V2_LINE_FLAG_OUTPUT)) continue;
    for (unsigned k = 0; k < c->num_attrs; k++)
      if (c->attrs[k].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES && (c->attrs[k].mask >> i & 1))
        set_out(l, (int)(c->attrs[k].attr.values >> i & 1) ^ !!(lines[l].flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW));
  }
}

static int fail(int error) { errno = error; return -1; }

static int chip_info(struct gpiochip_info *info) {
  memset(info, 0, sizeof *info);
  strcpy(info->name, "gpiochip0");
  strcpy(info->label, "pinctrl-bcm2711");
  info->lines = LINES;
  return 0;
}

static int line_info(struct gpio_v2_line_info *info) {
  uint32_t l = info->offset;
  if (l >= LINES) return fail(EINVAL);
  memset(info, 0, sizeof *info);
  info->offset = l;
  snprintf(info->name, sizeof info->name, "GPIO%u", l);
  info->flags = lines[l].flags ? lines[l].flags : GPIO_V2_LINE_FLAG_INPUT;
  if (lines[l].taken || lines[l].stranger) {
    info->flags |= GPIO_V2_LINE_FLAG_USED;
    snprintf(info->consumer, sizeof info->consumer, "%s", lines[l].stranger ? "stranger" : lines[l].consumer);
  }
  return 0;
}

static unsigned power_of_two(unsigned n) { unsigned p = 1; while (p < n) p <<= 1; return p; }

static int request_lines(struct gpio_v2_line_request *q) {
  int ends[2];
  struct request *r;
  while (drowsy && !drowsing && q->config.flags & GPIO_V2_LINE_EDGES) pthread_cond_wait(&drowsed, &guard);
  if (q->num_lines < 1 || q->num_lines > GPIO_V2_LINES_MAX) return fail(EINVAL);
  for (unsigned i = 0; i < q->num_lines; i++) {
    if (q->offsets[i] >= LINES) return fail(EINVAL);
    if (lines[q->offsets[i]].taken || lines[q->offsets[i]].stranger) return fail(EBUSY);
  }
  /* Non-blocking at both ends for our own drop of the oldest; lgpio reads only after ppoll. */
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return -1;
  if (ends[0] >= MOST_FDS || !(r = calloc(1, sizeof *r))) { real_close(ends[0]); real_close(ends[1]); return fail(ENOMEM); }
  r->read_fd = ends[0];
  r->write_fd = ends[1];
  r->count = (int)q->num_lines;
  unsigned most = q->num_lines * 16, wanted = q->event_buffer_size ? q->event_buffer_size : most;
  r->capacity = power_of_two(wanted > GPIO_V2_LINES_MAX * 16 ? GPIO_V2_LINES_MAX * 16 : wanted);
  for (int i = 0; i < r->count; i++) {
    r->offset[i] = q->offsets[i];
    lines[r->offset[i]].taken = 1;
    memcpy(lines[r->offset[i]].consumer, q->consumer, sizeof q->consumer);
    lines[r->offset[i]].consumer[sizeof q->consumer - 1] = 0;
  }
  configure(r, &q->config);
  requests[ends[0]] = r;
  q->fd = ends[0];
  return 0;
}

static int get_values(struct request *r, struct gpio_v2_line_values *v) {
  uint64_t bits = 0;
  for (int i = 0; i < r->count; i++) {
    int l = (int)r->offset[i], low = !!(lines[l].flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
    if (v->mask >> i & 1) bits |= (uint64_t)(level_of(l) ^ low) << i;
  }
  v->bits = bits;
  return 0;
}

static int set_values(struct request *r, const struct gpio_v2_line_values *v) {
  for (int i = 0; i < r->count; i++) {
    int l = (int)r->offset[i];
    if (!(v->mask >> i & 1)) continue;
    if (!(lines[l].flags & GPIO_V2_LINE_FLAG_OUTPUT)) return fail(EPERM);
    set_out(l, (int)(v->bits >> i & 1) ^ !!(lines[l].flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW));
  }
  return 0;
}

static int chip_ioctl(unsigned long what, void *p) {
  switch (what) {
    case GPIO_GET_CHIPINFO_IOCTL: return chip_info(p);
    case GPIO_V2_GET_LINEINFO_IOCTL: return line_info(p);
    case GPIO_V2_GET_LINE_IOCTL: return request_lines(p);
    default: return fail(ENOTTY);
  }
}

static int request_ioctl(struct request *r, unsigned long what, void *p) {
  switch (what) {
    case GPIO_V2_LINE_GET_VALUES_IOCTL: return get_values(r, p);
    case GPIO_V2_LINE_SET_VALUES_IOCTL: return set_values(r, p);
    case GPIO_V2_LINE_SET_CONFIG_IOCTL: configure(r, p); return 0;
    default: return fail(ENOTTY);
  }
}

/* ---- the calls we stand in for ---- */

static int open_chip(void) {
  if (gone) return fail(ENOENT);
  int fd = real_open("/dev/null", O_RDWR | O_CLOEXEC);
  if (fd >= 0 && fd < MOST_FDS) is_chip[fd] = 1;
  return fd;
}

static int open_revision(void) {
  const char *text = getenv("FELTSIDE_FAKECHIP_REVISION");
  uint32_t value = (uint32_t)strtoul(text ? text : "c03111", NULL, 16);
  unsigned char bytes[4] = {value >> 24, value >> 16 & 255, value >> 8 & 255, value & 255};
  int fd = memfd_create("revision", MFD_CLOEXEC);
  if (fd >= 0 && (write(fd, bytes, 4) != 4 || lseek(fd, 0, SEEK_SET))) { real_close(fd); return -1; }
  return fd;
}

static int ours(const char *path, int *fd) {
  if (!path) return 0;
  if (!strcmp(path, CHIP)) { *fd = open_chip(); return 1; }
  if (!strncmp(path, "/dev/gpiochip", 13)) { *fd = fail(ENOENT); return 1; }
  if (!strcmp(path, REVISION)) { *fd = open_revision(); return 1; }
  return 0;
}

#define MODE(last) va_list a; va_start(a, last); mode_t mode = va_arg(a, mode_t); va_end(a); int fd
int open(const char *p, int f, ...) { MODE(f); return ours(p, &fd) ? fd : real_open(p, f, mode); }
int open64(const char *p, int f, ...) { MODE(f); return ours(p, &fd) ? fd : real_open64(p, f, mode); }
int openat(int d, const char *p, int f, ...) { MODE(f); return ours(p, &fd) ? fd : real_openat(d, p, f, mode); }
int openat64(int d, const char *p, int f, ...) { MODE(f); return ours(p, &fd) ? fd : real_openat64(d, p, f, mode); }
int __open_2(const char *p, int f) { int fd; return ours(p, &fd) ? fd : real_open(p, f); }
int __open64_2(const char *p, int f) { int fd; return ours(p, &fd) ? fd : real_open64(p, f); }

int close(int fd) {
  if (fd >= 0 && fd < MOST_FDS && (requests[fd] || is_chip[fd])) {
    pthread_mutex_lock(&guard);
    struct request *r = requests[fd];
    requests[fd] = NULL;
    is_chip[fd] = 0;
    if (r) {
      for (int i = 0; i < r->count; i++) { lines[r->offset[i]].taken = 0; lines[r->offset[i]].flags = 0; }
      real_close(r->write_fd);
      free(r);
    }
    pthread_mutex_unlock(&guard);
  }
  return real_close(fd);
}

int ioctl(int fd, unsigned long what, ...) {
  va_list a;
  va_start(a, what);
  void *p = va_arg(a, void *);
  va_end(a);
  if (fd < 0 || fd >= MOST_FDS || (!is_chip[fd] && !requests[fd])) return real_ioctl(fd, what, p);
  if (what == FIONREAD) return real_ioctl(fd, what, p);
  pthread_mutex_lock(&guard);
  int result = gone ? fail(ENODEV) : is_chip[fd] ? chip_ioctl(what, p) : request_ioctl(requests[fd], what, p);
  pthread_mutex_unlock(&guard);
  return result;
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  if (!real_clock_gettime) real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real_clock_gettime(clock, t);
  if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) t->tv_sec += date_jump_s;
  return result;
}

/* lgpio's own: hands on edges in order of time. Its thread calls it with (0, -1) when there is no line to read, and then
   waits for a signal. A line claimed between the two signals nobody (xWaitForSignal asks for nothing before it waits). */
int emit(int count, uint64_t until) {
  static int (*real_emit)(int, uint64_t);
  if (!real_emit) {
    Dl_info caller;
    void *theirs = dladdr(__builtin_return_address(0), &caller) ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!theirs || !(real_emit = dlsym(theirs, "emit"))) abort();
  }
  int sent = real_emit(count, until);
  if (count || until != UINT64_MAX) return sent;
  pthread_mutex_lock(&guard);
  while (drowsy) {
    drowsing = 1;
    pthread_cond_broadcast(&drowsed);
    pthread_cond_wait(&drowsed, &guard);
  }
  pthread_mutex_unlock(&guard);
  return sent;
}

/* ---- the test's side ---- */

static void let_go(void) {
  unsigned n = kept_count;
  holding = 0;
  kept_count = 0;
  for (counting = 1; counting >= 0; counting--)
    for (unsigned i = 0; i < n; i++) edge(kept[i].line, kept[i].rising, kept[i].at_ns);
  counting = 0;
}

static void obey(const char *text, FILE *out) {
  int l = -1, b = -1;
  char word[16] = "";
  unsigned long long n = 0, m = 0;
  if (sscanf(text, "level %d %15s %llu", &l, word, &n) >= 2 && l >= 0 && l < LINES) set_world(l, word[0] == 'z' ? -1 : word[0] == '1', n);
  else if (sscanf(text, "edge %d %15s %llu", &l, word, &n) >= 2 && l >= 0 && l < LINES) edge(l, word[0] == 'r', n ? n : now_ns());
  else if (sscanf(text, "wire %d %d %llu", &l, &b, &n) >= 2 && wire_count < 256) wires[wire_count++] = (struct wire){l, b, n};
  else if (sscanf(text, "latency %llu %llu", &n, &m) == 2) { step_ns = n; jitter_ns = m; }
  else if (!strncmp(text, "hold", 4)) holding = 1;
  else if (!strncmp(text, "go\n", 3)) let_go();
  else if (sscanf(text, "get %d", &l) == 1 && l >= 0 && l < LINES) {
    const char *how = !lines[l].taken ? "free" : lines[l].flags & GPIO_V2_LINE_FLAG_OUTPUT ? "out" : "in";
    fprintf(out, "%s %d\n", how, level_of(l));
    return;
  }
  else if (sscanf(text, "busy %d", &l) == 1 && l >= 0 && l < LINES) lines[l].stranger = 1;
  else if (sscanf(text, "free %d", &l) == 1 && l >= 0 && l < LINES) lines[l].stranger = 0;
  else if (!strncmp(text, "gone", 4)) gone = 1;
  else if (!strncmp(text, "drowse", 6)) drowsy = 1;
  else if (!strncmp(text, "wake", 4)) { drowsy = 0; pthread_cond_broadcast(&drowsed); }
  else if (sscanf(text, "date %llu", &n) == 1) date_jump_s = strtoll(text + 5, NULL, 10);
  else if (!strncmp(text, "log", 3)) {
    for (unsigned i = 0; i < change_count; i++) fprintf(out, "%d %d %llu;", changes[i].line, changes[i].value, (unsigned long long)changes[i].at_ns);
    fputc('\n', out);
    change_count = 0;
    return;
  }
  else if (!strncmp(text, "stats", 5)) { fprintf(out, "events %llu dropped %llu\n", (unsigned long long)events, (unsigned long long)dropped); return; }
  else { fprintf(out, "? %s", text); return; }
  fputs("ok\n", out);
}

static void *serve(void *socket_fd) {
  int fd = (int)(intptr_t)socket_fd;
  FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
  char text[160];
  while (in && out && fgets(text, sizeof text, in)) {
    pthread_mutex_lock(&guard);
    obey(text, out);
    pthread_mutex_unlock(&guard);
    fflush(out);
  }
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  real_open = dlsym(RTLD_NEXT, "open");
  real_open64 = dlsym(RTLD_NEXT, "open64");
  real_openat = dlsym(RTLD_NEXT, "openat");
  real_openat64 = dlsym(RTLD_NEXT, "openat64");
  real_ioctl = dlsym(RTLD_NEXT, "ioctl");
  real_close = dlsym(RTLD_NEXT, "close");
  for (int l = 0; l < LINES; l++) lines[l].world = -1;
  const char *path = getenv("FELTSIDE_FAKECHIP");
  unsetenv("LD_PRELOAD");       /* the chip is this process's alone, not its children's */
  if (!path) return;
  struct sockaddr_un where = {.sun_family = AF_UNIX};
  snprintf(where.sun_path, sizeof where.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&where, sizeof where)) { perror("fakegpio: no test listens"); _exit(70); }
  char hello[64];
  int n = snprintf(hello, sizeof hello, "hello %d\n", getpid());
  if (write(fd, hello, (size_t)n) != n) _exit(70);
  /* Whoever listens may give its first orders before anything is opened: it ends them with "start". */
  char one, text[160];
  unsigned used = 0;
  while (read(fd, &one, 1) == 1) {
    if (used < sizeof text - 1) text[used++] = one;
    if (one != '\n') continue;
    text[used] = 0;
    used = 0;
    if (!strncmp(text, "start", 5)) break;
    char answer[256] = "";
    FILE *out = fmemopen(answer, sizeof answer, "w");
    obey(text, out);
    fclose(out);
    if (write(fd, answer, strlen(answer)) < 0) _exit(70);
  }
  if (write(fd, "ok\n", 3) != 3) _exit(70);
  pthread_t thread;
  pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd);
  pthread_detach(thread);
}
