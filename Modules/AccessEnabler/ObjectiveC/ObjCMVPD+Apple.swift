#if canImport(ObjectiveC)
public import Foundation

/// `MVPD` for Objective-C; see the Swift class of that name.
@objc(MVPD)
public final class ObjCMVPD: NSObject, Sendable {
    private let mvpd: MVPD

    init(_ mvpd: MVPD) {
        self.mvpd = mvpd
    }

    /// The MVPD id.
    @objc(ID) public var id: String { mvpd.id }
    /// The name to show in a picker.
    @objc public var displayName: String { mvpd.displayName }
    /// Where the logo is.
    @objc public var logoURL: String { mvpd.logoURL }
    /// Whether the platform's own sign-on is on for this provider.
    @objc public var enablePlatformServices: Bool { mvpd.enablePlatformServices }
    /// `SUPPORTED`, `PICKER` or nil.
    @objc public var boardingStatus: String? { mvpd.boardingStatus }
    /// The service that supplied this entry.
    @objc public var spUrl: String? { mvpd.spUrl }
    /// Whether a login for one requestor does not count for another.
    @objc public var hasAuthNPerRequestor: Bool { mvpd.hasAuthNPerRequestor }
    /// Whether a silent login may be tried.
    @objc public var passiveAuthnEnabled: Bool { mvpd.passiveAuthnEnabled }
    /// Whether this is a TempPass.
    @objc public var tempPass: Bool { mvpd.tempPass }
    /// Whether the platform's picker shows the provider.
    @objc public var displayInPlatformPicker: Bool { mvpd.displayInPlatformPicker }
    /// The provider's id on the platform.
    @objc public var platformMappingId: String? { mvpd.platformMappingId }
    /// Attributes to ask of the platform's sign-on.
    @objc public var requiredMetadataFields: [String] { mvpd.requiredMetadataFields }
    /// Id and name.
    @objc public override var description: String { mvpd.description }
}
#endif
