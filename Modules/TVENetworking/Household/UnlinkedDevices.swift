/// The outcome of unlinking devices, some of which may still be linked.
public struct UnlinkedDevices: Sendable, Hashable {
    /// The ids of the devices that have left the household.
    public let unlinked: [HouseholdDevice.ID]
    /// The ids that the service did not unlink, in the order of the call.
    ///
    /// Most of them are ids of devices that the service does not know.
    public let remaining: [HouseholdDevice.ID]

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - unlinked: the ids of the devices that have left the household.
    ///   - remaining: the ids that the service did not unlink.
    public init(unlinked: [HouseholdDevice.ID], remaining: [HouseholdDevice.ID]) {
        self.unlinked = unlinked
        self.remaining = remaining
    }

    /// A Boolean value that indicates whether every device of the call was unlinked.
    public var isComplete: Bool { remaining.isEmpty }
}
