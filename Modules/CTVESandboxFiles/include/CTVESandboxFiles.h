// The files that the sandbox and its console serve, inside the program: `tve` is one file, which runs anywhere.
//
// The compiler of C copies a file into the program at once. Swift has only arrays of numbers for this, which it takes
// half a minute to read.

/// Returns the text of a file, which ends with a zero; null if no file has this name.
const char *_Nullable tve_sandbox_file(const char *_Nonnull name);
