// Replaces the C library's header, of which nothing is used here.
