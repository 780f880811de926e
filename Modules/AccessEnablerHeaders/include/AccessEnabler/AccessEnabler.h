// The header that Objective-C code imports, under its original name: the classes and protocols that the compiler
// writes, and the constants.

#ifndef ACCESS_ENABLER_H
#define ACCESS_ENABLER_H

#import <Foundation/Foundation.h>

#if __has_include(<AccessEnabler/AccessEnabler-Swift.h>)
#import <AccessEnabler/AccessEnabler-Swift.h>
#else
@import AccessEnabler;
#endif

#import <AccessEnabler/AccessEnablerConstants.h>

#endif
