#include <libxml2/libxml/xmlregexp.h>
