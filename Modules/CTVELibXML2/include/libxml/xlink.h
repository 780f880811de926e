#include <libxml2/libxml/xlink.h>
