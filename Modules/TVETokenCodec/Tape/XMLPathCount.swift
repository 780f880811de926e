/// How many documents were parsed in which way.
package struct XMLPathCount: Sendable, Equatable {
    /// Documents that the scanner parsed.
    package internal(set) var scanned = 0
    /// Documents that libxml2 rejected after reading only the part at which the scanner gave up.
    package internal(set) var judgedByExcerpt = 0
    /// Documents that libxml2 parsed from their beginning.
    package internal(set) var parsed = 0

    /// The counts of the calling thread so far.
    package static var ofThisThread: XMLPathCount { XMLReader.countOfThisThread }
}
