/// How many documents were read in which way.
package struct XMLPathCount: Sendable, Equatable {
    /// Documents that the scanner read.
    package internal(set) var scanned = 0
    /// Documents that libxml2 refused for the part at which the scanner gave up.
    package internal(set) var judgedByExcerpt = 0
    /// Documents that libxml2 read from their beginning.
    package internal(set) var parsed = 0

    /// The documents that the calling thread has read until now.
    package static var ofThisThread: XMLPathCount { XMLReader.countOfThisThread }
}
