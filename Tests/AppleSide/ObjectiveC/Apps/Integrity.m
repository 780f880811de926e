// The seed documents' own lines about statements and integrity checks.
#import <AccessEnabler/AccessEnabler.h>

AccessEnabler *makeEnabler(NSString *softwareStatement);
AccessEnabler *makeCheckedEnabler(NSString *softwareStatement);
AccessEnabler *makePlaceholder(void);

AccessEnabler *makeEnabler(NSString *softwareStatement) {
    AccessEnabler *accessEnabler = [[AccessEnabler alloc] init:softwareStatement];
    return accessEnabler;
}

AccessEnabler *makeCheckedEnabler(NSString *softwareStatement) {
    AccessEnabler *accessEnabler = [[AccessEnabler alloc] initWithStorageCheck:INTEGRITY_CHECK_ALL softwareStatement:softwareStatement];
    IntegrityCheckType others[] = { INTEGRITY_CHECK_NONE, INTEGRITY_CHECK_CLEAR };
    return others[0] == INTEGRITY_CHECK_NONE ? accessEnabler : nil;
}

AccessEnabler *makePlaceholder(void) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return [[AccessEnabler alloc] init];
#pragma clang diagnostic pop
}
