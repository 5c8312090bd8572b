/* A layer between a program and its files in which the N-th call fails once.

   Loaded before the C library (LD_PRELOAD); Python, SQLite and every other library write through it.
   Only files whose path has the chosen folder in it count, and only calls that change something. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long countdown = -1, seen = 0;

/* Let call number n in a folder fail, from 1; none for 0. */
void faulty_files(const char *where, long n) {
    snprintf(folder, sizeof folder, "%s", where);
    countdown = n;
    seen = 0;
}

/* How many calls there were since. */
long faulty_files_seen(void) { return seen; }

static int fails(const char *path) {
    if (!folder[0] || !path || !strstr(path, folder)) return 0;
    seen++;
    return countdown > 0 && seen == countdown;
}

static int fails_at(int fd) {
    char link[64], path[PATH_MAX];
    if (!folder[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MODE(flags, last) va_list rest; va_start(rest, last); \
    int mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; va_end(rest)
#define REFUSE(code) do { errno = code; return -1; } while (0)

int open(const char *path, int flags, ...) {
    MODE(flags, flags);
    if ((flags & O_CREAT) && fails(path)) REFUSE(EACCES);
    return NEXT(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags, flags);
    if ((flags & O_CREAT) && fails(path)) REFUSE(EACCES);
    return NEXT(open64)(path, flags, mode);
}
ssize_t write(int fd, const void *data, size_t size) {
    if (fails_at(fd)) REFUSE(ENOSPC);
    return NEXT(write)(fd, data, size);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    if (fails_at(fd)) REFUSE(ENOSPC);
    return NEXT(pwrite64)(fd, data, size, at);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    if (fails_at(fd)) REFUSE(ENOSPC);
    return NEXT(pwrite)(fd, data, size, at);
}
int fsync(int fd) {
    if (fails_at(fd)) REFUSE(EIO);
    return NEXT(fsync)(fd);
}
int fdatasync(int fd) {
    if (fails_at(fd)) REFUSE(EIO);
    return NEXT(fdatasync)(fd);
}
int rename(const char *old, const char *new) {
    if (fails(new)) REFUSE(EACCES);
    return NEXT(rename)(old, new);
}
int ftruncate64(int fd, off64_t size) {
    if (fails_at(fd)) REFUSE(EIO);
    return NEXT(ftruncate64)(fd, size);
}
