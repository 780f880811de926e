/// The two wire dialects; an app that changes from one to the other keeps every call and callback.
public enum ServiceDialect: String, Sendable, Hashable, CaseIterable {
    /// The classic XML services, which end at the end of 2026 as announced.
    case classic
    /// REST API v2, their successor, which needs its own software statement.
    case restV2
}
