// The package manager does not accept a target that contains only headers.
extern const int AccessEnablerHeadersAreHere;
const int AccessEnablerHeadersAreHere = 1;
