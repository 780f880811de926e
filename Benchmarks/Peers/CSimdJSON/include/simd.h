#pragma once

// simdjson's on-demand reader: every value of a document is visited, and nothing is kept. The least cost of reading JSON on
// this machine that we know of.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct simd_document simd_document;

/// Copies a document to a place with the padding that the reader needs.
simd_document *simd_document_new(const char *bytes, long length);
void simd_document_free(simd_document *document);

/// Visits every value; how many there are, and -1 when the document is no JSON.
long simd_document_visit(simd_document *document);

/// Whether the whole document is valid JSON, by simdjson's parser of trees, which checks everything.
int simd_is_valid(const char *bytes, long length);

#ifdef __cplusplus
}
#endif
