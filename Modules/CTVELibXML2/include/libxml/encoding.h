#include <libxml2/libxml/encoding.h>
