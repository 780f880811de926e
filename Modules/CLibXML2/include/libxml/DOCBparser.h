#include <libxml2/libxml/DOCBparser.h>
