#pragma once

// libxml2 as fast as it goes: one kept SAX2 context, handlers that do nothing, the input read where it lies.
// What it costs to read a document with this library at all.

typedef struct bare_parser bare_parser;

bare_parser *bare_parser_new(void);
void bare_parser_free(bare_parser *parser);

/// Parses a NUL-terminated document; 1 when it is well-formed.
int bare_parser_parse(bare_parser *parser, const char *document);

/// The date of an AuthN token read by the C library, in seconds since 1970; -1 when it is none. For peers that have
/// nothing of their own: a formatter would take longer than everything else they do.
long long c_library_date(const char *text);
