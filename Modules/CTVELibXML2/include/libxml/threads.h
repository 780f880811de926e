#include <libxml2/libxml/threads.h>
