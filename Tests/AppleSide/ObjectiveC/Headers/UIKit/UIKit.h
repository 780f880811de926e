// Replaces UIKit's header: only the declarations that these apps use.
#pragma once
#import <Foundation/Foundation.h>

@interface UIViewController : NSObject
- (void)presentViewController:(UIViewController *)viewController animated:(BOOL)animated completion:(void (^)(void))completion;
- (void)dismissViewControllerAnimated:(BOOL)animated completion:(void (^)(void))completion;
@end
