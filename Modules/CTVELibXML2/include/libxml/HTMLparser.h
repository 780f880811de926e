#include <libxml2/libxml/HTMLparser.h>
