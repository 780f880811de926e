#include <libxml2/libxml/SAX.h>
