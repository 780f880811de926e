#include <libxml2/libxml/xmlmodule.h>
