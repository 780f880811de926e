// `EntitlementStatus` is declared by the header that the compiler writes; this name is for code that imports it.

#import <AccessEnabler/AccessEnabler.h>
