/// A configuration in types with synthesized decoding: nothing is lenient, nothing is translated.
package struct PlainConfiguration: Decodable {
    package struct Requestor: Decodable {
        package struct Domain: Decodable {
            package let name: String
            package let mvpdInitiated: Bool
        }

        package let id: String
        package let name: String
        package let domains: [Domain]
        package let mvpds: [Provider]
    }

    package struct Provider: Decodable {
        package let id: String
        package let displayName: String?
        package let logoUrl: String?
        package let isTempPass: Bool?
        package let isProxy: Bool?
        package let authPerAggregator: Bool?
        package let authPerBrowserSession: Bool?
        package let passiveAuthnEnabled: Bool?
        package let boardingStatus: String?
        package let platformMappingId: String?
        package let enablePlatformServices: Bool?
        package let displayInPlatformPicker: Bool?
        package let enforcePlatformPermissions: Bool?
    }

    package let device: String?
    package let clientType: String?
    package let os: String?
    package let requestor: Requestor
}

/// A profile answer in the plainest types that hold it.
package struct PlainProfiles: Decodable {
    package struct Profile: Decodable {
        /// The plainest types that hold the attributes of the document: each has another one.
        package struct Attributes: Decodable {
            package struct Attribute<Value: Decodable>: Decodable {
                package let value: Value
                package let state: String
            }

            private enum CodingKeys: String, CodingKey {
                case userID, householdID, zip, upstreamUserID, channelID
                case parentalControls = "parental-controls"
            }

            package let userID: Attribute<String>
            package let householdID: Attribute<String>
            package let zip: Attribute<[String]>
            package let parentalControls: Attribute<[String: String]>
            package let upstreamUserID: Attribute<String>
            package let channelID: Attribute<[String]>
        }

        package let notBefore: Int64
        package let notAfter: Int64
        package let issuer: String
        package let type: String
        package let attributes: Attributes
    }

    package let profiles: [String: Profile]
}

/// A decision answer in the plainest types that hold it.
package struct PlainDecisions: Decodable {
    package struct Decision: Decodable {
        package struct Token: Decodable {
            package let notBefore: Int64
            package let notAfter: Int64
            package let serializedToken: String
        }

        package let resource: String
        package let serviceProvider: String
        package let mvpd: String
        package let source: String
        package let authorized: Bool
        package let token: Token?
        package let notBefore: Int64
        package let notAfter: Int64
    }

    package let decisions: [Decision]
}
