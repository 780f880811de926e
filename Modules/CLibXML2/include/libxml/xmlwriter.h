#include <libxml2/libxml/xmlwriter.h>
