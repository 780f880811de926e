// A target of C needs a source. This one shows whether the headers are there before any Swift is compiled.
#include "CTVELibXML2.h"
