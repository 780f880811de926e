#include <libxml2/libxml/xmlversion.h>
// Debian's libxml2 headers pull in the system's ICU, whose types clash with the ICU inside Foundation in any target that
// sees both. Nothing here converts encodings through ICU, so the switch is taken back before the other headers read it.
#undef LIBXML_ICU_ENABLED
