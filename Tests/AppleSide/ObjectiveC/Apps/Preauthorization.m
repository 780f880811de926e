// The newer call, with reasons.
#import <AccessEnabler/AccessEnabler.h>

void mark(AccessEnabler *accessEnabler, NSArray<NSString *> *resources);

void mark(AccessEnabler *accessEnabler, NSArray<NSString *> *resources) {
    PreauthorizeRequest *request = [PreauthorizeRequest requestWithResources:resources localCache:NO remoteCache:YES];
    AccessEnablerCallback *callback = [[AccessEnablerCallback alloc]
        initWithOnResponse:^(PreauthorizeResponse *response) {
          for (NSUInteger index = 0; index < [response getDecisions].count; index++) {
              Decision *decision = [response getDecisions][index];
              if (![decision isAuthorized]) NSLog(@"%@: %@", [decision getId], [[decision getError] getDetails]);
          }
        }
        onFailure:^(PreauthorizeResponse *response) {
          Status *status = [response getStatus];
          NSLog(@"%ld %@ %@ %@ %@ %@", [status getStatus], [status getCode], [status getMessage], [status getHelpUrl], [status getTrace],
                [status getAction]);
        }];
    [accessEnabler preauthorize:request didCompleteWith:callback];
}
