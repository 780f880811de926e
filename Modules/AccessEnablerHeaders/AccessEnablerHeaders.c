// The package manager takes no target of headers alone.
extern const int AccessEnablerHeadersAreHere;
const int AccessEnablerHeadersAreHere = 1;
