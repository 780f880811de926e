package import Foundation

/// The storage of a throttle's state between processes, supplied by the code that creates the transport.
///
/// Services count the requests of a device. Without this storage, each process of the device begins with a burst of its
/// own.
package struct PaceKeeper: Sendable {
    /// The state of a throttle at one time.
    package struct Pace: Sendable, Codable, Equatable {
        /// The number of requests that may be sent at once, which is negative if requests wait.
        package let left: Double
        /// The time of this state, by the device's clock.
        package let time: Date

        /// Creates a state.
        package init(left: Double, time: Date) {
            self.left = left
            self.time = time
        }
    }

    /// A closure that reads the state that an earlier process stored, and returns nil if there is none or if it is
    /// unreadable.
    package var load: @Sendable () -> Pace?
    /// A closure that stores the state if that is possible.
    package var save: @Sendable (Pace) -> Void

    /// Creates a keeper from functions.
    package init(load: @escaping @Sendable () -> Pace?, save: @escaping @Sendable (Pace) -> Void) {
        self.load = load
        self.save = save
    }
}
