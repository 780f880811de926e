/// A configuration in types with synthesized decoding, which is never lenient and converts nothing.
package struct PlainConfiguration: Decodable {
    package struct Requestor: Decodable {
        struct Domain: Decodable {
            let name: String
            let mvpdInitiated: Bool
        }

        let id: String
        let name: String
        let domains: [Domain]
        package let mvpds: [Provider]
    }

    package struct Provider: Decodable {
        let id: String
        let displayName: String?
        let logoUrl: String?
        let isTempPass: Bool?
        let isProxy: Bool?
        let authPerAggregator: Bool?
        let authPerBrowserSession: Bool?
        let passiveAuthnEnabled: Bool?
        let boardingStatus: String?
        let platformMappingId: String?
        let enablePlatformServices: Bool?
        let displayInPlatformPicker: Bool?
        let enforcePlatformPermissions: Bool?
    }

    let device: String?
    let clientType: String?
    let os: String?
    package let requestor: Requestor
}

/// A profile answer in the simplest types that can represent it.
package struct PlainProfiles: Decodable {
    package struct Profile: Decodable {
        /// The simplest types that can represent the attributes of the document, each of which has a different one.
        struct Attributes: Decodable {
            struct Attribute<Value: Decodable>: Decodable {
                let value: Value
                let state: String
            }

            private enum CodingKeys: String, CodingKey {
                case userID, householdID, zip, upstreamUserID, channelID
                case parentalControls = "parental-controls"
            }

            let userID: Attribute<String>
            let householdID: Attribute<String>
            let zip: Attribute<[String]>
            let parentalControls: Attribute<[String: String]>
            let upstreamUserID: Attribute<String>
            let channelID: Attribute<[String]>
        }

        let notBefore: Int64
        let notAfter: Int64
        let issuer: String
        let type: String
        let attributes: Attributes
    }

    package let profiles: [String: Profile]
}

/// A decision answer in the simplest types that can represent it.
package struct PlainDecisions: Decodable {
    package struct Decision: Decodable {
        package struct Token: Decodable {
            let notBefore: Int64
            let notAfter: Int64
            let serializedToken: String
        }

        let resource: String
        let serviceProvider: String
        let mvpd: String
        let source: String
        let authorized: Bool
        package let token: Token?
        let notBefore: Int64
        let notAfter: Int64
    }

    package let decisions: [Decision]
}
