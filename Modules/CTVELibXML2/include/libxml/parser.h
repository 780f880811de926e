#include <libxml2/libxml/parser.h>
