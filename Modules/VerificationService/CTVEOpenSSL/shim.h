#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros of OpenSSL that Swift does not see.
static inline long tve_ssl_ctx_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

// OpenSSL would ask the terminal of the service for the pass phrase of an encrypted key.
static inline int tve_no_pass_phrase(char *buffer, int size, int is_writing, void *data) {
    (void)buffer;
    (void)size;
    (void)is_writing;
    (void)data;
    return -1;
}

static inline void tve_ssl_ctx_never_ask(SSL_CTX *context) {
    SSL_CTX_set_default_passwd_cb(context, tve_no_pass_phrase);
}

static inline long tve_ssl_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name);
}
