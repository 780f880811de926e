/// Why a file for tracking events could not be opened.
public struct TrackingFileError: Error, Sendable, Hashable {
    /// The system's error number.
    public let errorNumber: Int32

    /// Makes an error.
    ///
    /// - Parameter errorNumber: the system's error number.
    public init(errorNumber: Int32) {
        self.errorNumber = errorNumber
    }
}
