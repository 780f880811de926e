#include <libxml2/libxml/catalog.h>
