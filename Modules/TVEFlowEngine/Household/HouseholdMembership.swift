/// Whether a device belongs to a household.
public enum HouseholdMembership: Sendable, Hashable {
    /// The device has joined no household, or has left it.
    case none
    /// The device is a member.
    case member
    /// The device was a member, and its token ended too long ago to be renewed: it must join again.
    case ended
    /// Another device of the household has unlinked this one.
    case unlinked
}
