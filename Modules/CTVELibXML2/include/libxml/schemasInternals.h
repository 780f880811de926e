#include <libxml2/libxml/schemasInternals.h>
