#include <libxml2/libxml/dict.h>
