#define _GNU_SOURCE
#include "bare.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bare_parser {
    xmlParserCtxtPtr context;
};

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **namespace_list, int attributes, int defaulted, const xmlChar **attribute_list) {}
static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}
static void characters(void *context, const xmlChar *text, int count) {}
static void error(void *context, xmlErrorPtr error) {}

bare_parser *bare_parser_new(void) {
    bare_parser *parser = malloc(sizeof *parser);
    parser->context = xmlNewParserCtxt();
    xmlCtxtUseOptions(parser->context, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlSAXHandler handlers;
    memset(&handlers, 0, sizeof handlers);
    handlers.initialized = XML_SAX2_MAGIC;
    handlers.startElementNs = start;
    handlers.endElementNs = end;
    handlers.characters = characters;
    handlers.ignorableWhitespace = characters;
    handlers.cdataBlock = characters;
    handlers.serror = error;
    *parser->context->sax = handlers;
    return parser;
}

void bare_parser_free(bare_parser *parser) {
    xmlFreeParserCtxt(parser->context);
    free(parser);
}

int bare_parser_parse(bare_parser *parser, const char *document) {
    xmlSetupParserForBuffer(parser->context, (const xmlChar *)document, NULL);
    xmlParseDocument(parser->context);
    return parser->context->wellFormed;
}

long long c_library_date(const char *text) {
    struct tm parts = {0};
    if (!strptime(text, "%Y/%m/%d %H:%M:%S GMT %z", &parts)) return -1;
    long offset = parts.tm_gmtoff;
    return (long long)timegm(&parts) - offset;
}
