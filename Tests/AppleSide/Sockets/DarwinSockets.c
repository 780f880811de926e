// Gives Linux the sockets of Darwin, for the code of the program itself (`.ci/apple/no-signal-flag`): no flag
// MSG_NOSIGNAL, and in its place the option SO_NOSIGPIPE, which accepted sockets inherit (xnu, sonewconn). Shared
// libraries keep the flag: on Darwin, libcurl and Foundation have their own means against the signal.
//
// The option is stored as SO_BROADCAST, which has no meaning for TCP: Linux keeps it as long as the socket, and
// accepted sockets inherit it too. With DARWIN_SOCKETS=ignore-option it has no effect, as if nobody set it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SO_NOSIGPIPE = 0x1022 };

static int flags_of(int socket, int flags, void *caller)
{
    Dl_info here, program;
    int is_set = 0;
    socklen_t size = sizeof is_set;
    if (!dladdr(caller, &here) || !dladdr((void *)getauxval(AT_ENTRY), &program)) return flags;
    if (here.dli_fbase != program.dli_fbase) return flags;
    getsockopt(socket, SOL_SOCKET, SO_BROADCAST, &is_set, &size);
    return is_set ? flags | MSG_NOSIGNAL : flags & ~MSG_NOSIGNAL;
}

ssize_t send(int socket, const void *bytes, size_t count, int flags)
{
    return syscall(SYS_sendto, socket, bytes, count, flags_of(socket, flags, __builtin_return_address(0)), NULL, 0);
}

ssize_t sendto(int socket, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t size)
{
    return syscall(SYS_sendto, socket, bytes, count, flags_of(socket, flags, __builtin_return_address(0)), to, size);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    return syscall(SYS_sendmsg, socket, message, flags_of(socket, flags, __builtin_return_address(0)));
}

int setsockopt(int socket, int level, int name, const void *value, socklen_t size)
{
    if (level == SOL_SOCKET && name == SO_NOSIGPIPE) {
        const char *mode = getenv("DARWIN_SOCKETS");
        if (mode && !strcmp(mode, "ignore-option")) return 0;
        name = SO_BROADCAST;
    }
    return syscall(SYS_setsockopt, socket, level, name, value, size);
}
