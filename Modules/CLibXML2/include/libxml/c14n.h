#include <libxml2/libxml/c14n.h>
