// Stands for UIKit's header: what the apps here use of it.
#pragma once
#import <Foundation/Foundation.h>

@interface UIViewController : NSObject
- (void)presentViewController:(UIViewController *)viewController animated:(BOOL)animated completion:(void (^)(void))completion;
- (void)dismissViewControllerAnimated:(BOOL)animated completion:(void (^)(void))completion;
@end
