/// The two wire dialects; an app that changes from one to the other keeps every call and callback.
public enum ServiceDialect: String, Sendable, Hashable, CaseIterable {
    /// The classic XML services, whose end is announced for the end of 2026.
    case classic
    /// REST API v2, their successor, which wants a software statement of its own.
    case restV2
}
