#pragma once

// libxml2 at its fastest: one kept SAX2 context, handlers that do nothing, the input parsed in place. The least cost of
// parsing a document with this library.

typedef struct bare_parser bare_parser;

bare_parser *bare_parser_new(void);
void bare_parser_free(bare_parser *parser);

/// Parses a NUL-terminated document; 1 when it is well-formed.
int bare_parser_parse(bare_parser *parser, const char *document);

/// The date of an AuthN token, parsed by the C library, in seconds since 1970; -1 when it is invalid. For peers without
/// a date parser: a formatter would take longer than everything else they do.
long long c_library_date(const char *text);
