import TVEModels

/// What was there when the platform was asked without the viewer: its answer counts as long as that is still so.
struct SilentBasis: Sendable {
    /// The login that counted.
    let valid: AuthenticationToken?
    /// The login that the viewer chose; nil when that could not be read.
    let chosen: ChosenLogin?
}
