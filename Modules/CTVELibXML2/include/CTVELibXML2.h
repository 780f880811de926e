// Linux distributions and Apple's SDKs keep libxml2's headers in a folder that compilers do not search, and these headers
// include each other as <libxml/…>. The headers in libxml/ forward to those that another one includes, in any of the
// versions 2.9 to 2.15, so that no build needs a flag or pkg-config.
#if !__has_include(<libxml2/libxml/parser.h>)
#error "The headers of libxml2 are missing. On Debian and Ubuntu: apt-get install libxml2-dev"
#endif

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
