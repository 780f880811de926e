import Foundation

/// Certificates made with OpenSSL for these tests, and signatures by their keys.
///
/// The private keys were discarded.
enum CertificateSamples {
    /// The signed body, which is a composed media token (wire protocol, 6.4).
    static let mediaBody = """
        <authToken><sessionGUID>9f3c0000000000000000000000000000</sessionGUID><requestorID>SBX</requestorID>\
        <resourceID>SBX-1</resourceID><ttl>420000</ttl><issueTime>2026-11-21 09:30:00 -0800</issueTime>\
        <mvpdId>sbx-cable</mvpdId></authToken>
        """

    /// The same body with an invalid signature.
    static let unsigned = token(mediaBody)

    /// A token of another kind (wire protocol, 6.3).
    static let authorization = token(
        """
        <simpleAuthorizationToken><simpleTokenRequestorID>SBX</simpleTokenRequestorID><simpleTokenResourceID>SBX-1\
        </simpleTokenResourceID><simpleTokenTTL>2026/11/22 09:30:00 GMT -0800</simpleTokenTTL><simpleTokenMsoID>\
        sbx-cable</simpleTokenMsoID><simpleTokenDeviceID><simpleTokenFingerprint>\
        fb9d78c9487a5857b617c0ff5b45198f532c639d</simpleTokenFingerprint></simpleTokenDeviceID>\
        </simpleAuthorizationToken>
        """)

    private static func token(_ body: String) -> String {
        "<signatureInfo>\(Data((0..<128).map { UInt8($0) }).base64EncodedString())<signatureInfo>\(body)"
    }

    /// A certificate with an RSA key of 2,048 bits, X.509 version 3.
    static let version3 = """
        -----BEGIN CERTIFICATE-----
        MIIDCTCCAfGgAwIBAgIUd6DfJltL6XvS1UHc7MOw77EQxx0wDQYJKoZIhvcNAQEL
        BQAwEzERMA8GA1UEAwwIdHZlIHRlc3QwIBcNMjYxMTIxMTEwNTE1WhgPMjEyNjEw
        MjgxMTA1MTVaMBMxETAPBgNVBAMMCHR2ZSB0ZXN0MIIBIjANBgkqhkiG9w0BAQEF
        AAOCAQ8AMIIBCgKCAQEAhxAZ1JGhGhlraxFyMsIqpeN4r4prnQe199UBn8wHtwOV
        u7vC/mfzp1finfc4A+z8mulT/SuBR7JKr3gPeBGHV31utXe53sw5B+9VGZkhpogH
        5qyO5AL9+b99pM4k6vrsBoH8CpKmWkJzwPTyjImGXAz3Lna+WZyfEG/et9O5Sqne
        nFsx7H9/rV7HB7BsciXPf95Qtq01CHMImWVJ2/nBu/izoTs+p2XCWHpIzRXEn77E
        KsQGaYqWMNuucKaP/VDaLK+FudXIl4/ESKBXOBn/KByAUnjnE1UGh4K6AF0Jz2ov
        IubpAmgU1RuZ/gE9OSFZ/3kRJKCbvMaCstkzc7NBNQIDAQABo1MwUTAdBgNVHQ4E
        FgQUV0VKhdMTOvHPvQ7Dsx75U2sW+uswHwYDVR0jBBgwFoAUV0VKhdMTOvHPvQ7D
        sx75U2sW+uswDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAQYgl
        zCM4fH/tXVKUhGfbaGAJ32YBrJ2rGHOtwWKvsUWAvZWGAbZlzbIR2i/9Ioe7yrXl
        e+evB8zKHpKxf/SjTdg7lpYJYlFDYjWb1AnprSoGMbKL9mZlVAfBvt9zA8Pp/m/D
        8wbs443lxe0RZsj9mJm8MxMzvRw8QJgfsASK5UFFvCY1Ys3QKVzufe8BlXm+TmP6
        hN7v8BYg7jc8QWpAyVlGXlLnJEMnTUssvobj2NGB2zjF89oyXYbFPnP0Na8BBE/C
        koNqY588EJeE4Aq8NvpB2caArm8mUr7ljiFpKrwegnZ0Ctp18SAKmHVfvpSSSOFM
        B4hJQ/J+hp+U+dYmsw==
        -----END CERTIFICATE-----
        """

    /// A certificate of X.509 version 1, which has no version field, with the same key.
    static let version1 = """
        -----BEGIN CERTIFICATE-----
        MIICtTCCAZ0CFG79H3exml0lZL5tnK8QzYC6GzfOMA0GCSqGSIb3DQEBCwUAMBYx
        FDASBgNVBAMMC3R2ZSB0ZXN0IHYxMCAXDTI2MTEyMTExMDUxNVoYDzIxMjYxMDI4
        MTEwNTE1WjAWMRQwEgYDVQQDDAt0dmUgdGVzdCB2MTCCASIwDQYJKoZIhvcNAQEB
        BQADggEPADCCAQoCggEBAIcQGdSRoRoZa2sRcjLCKqXjeK+Ka50HtffVAZ/MB7cD
        lbu7wv5n86dX4p33OAPs/JrpU/0rgUeySq94D3gRh1d9brV3ud7MOQfvVRmZIaaI
        B+asjuQC/fm/faTOJOr67AaB/AqSplpCc8D08oyJhlwM9y52vlmcnxBv3rfTuUqp
        3pxbMex/f61exwewbHIlz3/eULatNQhzCJllSdv5wbv4s6E7Pqdlwlh6SM0VxJ++
        xCrEBmmKljDbrnCmj/1Q2iyvhbnVyJePxEigVzgZ/ygcgFJ45xNVBoeCugBdCc9q
        LyLm6QJoFNUbmf4BPTkhWf95ESSgm7zGgrLZM3OzQTUCAwEAATANBgkqhkiG9w0B
        AQsFAAOCAQEAFGEmTtH74ftPEF7oYOvlxfRALu37SSUKsmulbnBVfJ2tGz3Ya0Z8
        PiyfxKo+evZuma5lE40R1+8e+tup+sgZ1clYUTETssfrMK33JePr68K4CiWavpc1
        Or5GJtwAOnpSYItN0DKcFCTALHxcqlbRTJ5bHsjK7g36gWy5p2YxfgLh95A9fKYr
        OQwMJHlYZnzbGy3myaRBIuyKouXnFiRFpGyITzXJGNGetHWUhBsBYDybuXE0Xqvo
        FgFvC/zHlPvmGwg8UQt5nQsFoTl6aQ7aZs3ly6G5ZuK2XRBaE9cqh3rZrz9NfPWY
        X8ed13haZybAWT1MykX7awxP4hE9LAjWbw==
        -----END CERTIFICATE-----
        """

    /// A certificate with an RSA key of 1,024 bits.
    static let short = """
        -----BEGIN CERTIFICATE-----
        MIIB/jCCAWegAwIBAgIUFnWlSl9dduAhnJVuoE81/8N+zdAwDQYJKoZIhvcNAQEL
        BQAwEDEOMAwGA1UEAwwFc2hvcnQwIBcNMjYxMTIxMTEwNTE1WhgPMjEyNjEwMjgx
        MTA1MTVaMBAxDjAMBgNVBAMMBXNob3J0MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB
        iQKBgQC9ESWtu3+M/7uM7RlJiVVr56yIoRVKrGJ2T20i/GPPs18tCI+hx840tIMC
        PLXo2jpYtQSXijz+9AaYQwpCeHHpv8RucOnDqYNrUkJdIxeaNw7iJatISCBO1mgq
        M0BEEUyn6EP6Bt5wpSPSKaajFbwSda7Z3sNlIQRRcTIxzAScVQIDAQABo1MwUTAd
        BgNVHQ4EFgQU/n4FCI9a5caVxhgzhMy5YrlMeKQwHwYDVR0jBBgwFoAU/n4FCI9a
        5caVxhgzhMy5YrlMeKQwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOB
        gQAWwUwJNNztEsQh2JrRc/hZ7CKW5mHGrEGGel+T3haH50n3EVxa1v5xkmQXDbR6
        5g/BV64IWe+0pg3FDWeb6sVgwim1rA1vXjI10xjjQqd7MRTL5HmdVfm1J51Ma5xk
        Z7oeo/mjqsDVoZwgHXIUnrT7v731KCNRi5q7lX+KCyt8vw==
        -----END CERTIFICATE-----
        """

    /// A certificate whose key is not an RSA key.
    static let ellipticCurve = """
        -----BEGIN CERTIFICATE-----
        MIIBcDCCARegAwIBAgIUXZP3f1Ub7AQ41igDeCkJjDQJOqAwCgYIKoZIzj0EAwIw
        DTELMAkGA1UEAwwCZWMwIBcNMjYxMTIxMTEwNTE1WhgPMjEyNjEwMjgxMTA1MTVa
        MA0xCzAJBgNVBAMMAmVjMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENvSCFwG3
        Ie59PrYCQA6UL48wOIN/VegV+yQlj79ndd3tUn2yZvLeEb8gSYMQ7FUPAJO0QwAG
        Xb3/xHVAYdjczKNTMFEwHQYDVR0OBBYEFAE5LPCzMDKR6dB7Q68M5hwx2LuMMB8G
        A1UdIwQYMBaAFAE5LPCzMDKR6dB7Q68M5hwx2LuMMA8GA1UdEwEB/wQFMAMBAf8w
        CgYIKoZIzj0EAwIDRwAwRAIgFvtfqCA2JyZoGYlNkiax6KKFJZcBmgqlZFwHVrw8
        3UoCID7+ddcxpGuYRkYo5eclqIpxknjDG8VnohC3mRSNvwMv
        -----END CERTIFICATE-----
        """

    static let signature = """
        ICl8oEhQsO1DwEoQKAXw8TiQmGpdAvbgHIKvmVrjmtW02LKFlGomdBugpx+ZVMaLBWF9vctPZsu8SzZRkG2JzkAQkc5X+0iT6z1D\
        y1LQUNRb8b4rvIwfyeVynO8gtopwwu+A8lVya6FJtxkirGNvpV3+pFNzgUowBtjyD4Sw+P7ne5IRTefPFvzZO77P4EFMlDGfbTTw\
        +FW+nIo+rd+UkjsQLNZfzpFq/yv3QzY0gHECTvJEWuoMM6LvowWH7Vn1iMGWBuZmnYdZ/B/jLkGo7gilxYnkWpUvE6cGj7+Wlsul\
        aPSmzlJnye00J6RJ3WRBF5lqas13kx6h4uy8A6EDrQ==
        """

    static let shortSignature = """
        UAL4UzcGBpH5VZsjxaqRiVZ1SdP2N2+G2HSTgIWLnv88dIt5EVIicTDCXeF0HLmtPTkyyaCqO4bfHMe+Pi9OukYHOxdz0p0KxaKX\
        zMVtrGvsmAmJPtpq/pE6m9Fc7iqqzOdHd05kMOixag3iN0kEWoHCawprhTPuJipIk7eaUr4=
        """
}
