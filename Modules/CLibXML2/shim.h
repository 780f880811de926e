// Debian's libxml2 headers pull in the system's ICU, whose types clash with the ICU inside Foundation in any target that
// sees both. Nothing here converts encodings through ICU, so the switch is taken back before the other headers read it.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
