#include <libxml2/libxml/nanoftp.h>
