#include <libxml2/libxml/entities.h>
