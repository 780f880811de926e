/// The membership of a device in a household.
public enum HouseholdMembership: Sendable, Hashable {
    /// The device has joined no household, or has left it.
    case none
    /// The device is a member.
    case member
    /// The device was a member, but its token has expired, and the service no longer renews it.
    ///
    /// The device must join again.
    case ended
    /// Another device of the household has unlinked this one.
    case unlinked
}
