#include <libxml2/libxml/xmlerror.h>
