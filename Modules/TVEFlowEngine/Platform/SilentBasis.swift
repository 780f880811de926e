import TVEModels

/// What was stored when the platform was asked silently: its answer counts as long as this is unchanged.
struct SilentBasis: Sendable {
    /// The valid login.
    let valid: AuthenticationToken?
    /// The login that the viewer chose; nil when it could not be read.
    let chosen: ChosenLogin?
}
