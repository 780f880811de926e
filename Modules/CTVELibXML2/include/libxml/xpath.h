#include <libxml2/libxml/xpath.h>
