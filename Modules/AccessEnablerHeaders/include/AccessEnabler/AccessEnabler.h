// What Objective-C code imports, under the name that it had: classes and protocols as the compiler writes them down, and the constants.

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
