// Stands for the Objective-C runtime, so that a compiler looks at what is written for it.
