#include <libxml2/libxml/xmlautomata.h>
