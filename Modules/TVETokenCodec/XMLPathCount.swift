/// How many documents were read in which way.
package struct XMLPathCount: Sendable, Equatable {
    /// Documents that the scanner read.
    package internal(set) var scanned = 0
    /// Documents that were handed to libxml2.
    package internal(set) var parsed = 0

    /// The documents that the calling thread has read until now.
    package static var ofThisThread: XMLPathCount { XMLReader.countOfThisThread }
}
