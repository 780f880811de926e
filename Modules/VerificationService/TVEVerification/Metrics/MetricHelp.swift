/// The help texts of the service's own metrics on the page for Prometheus.
enum MetricHelp {
    static let texts = [
        "tve_caller_keys": "Keys of callers that are admitted.",
        "tve_caller_problems": "Problems of the file of callers' keys.",
        "tve_issuer_clock_lead_seconds":
            "Seconds by which the clock of the service that issues tokens is ahead of the memory's.",
        "tve_issuer_clock_skew_seconds":
            "Seconds by which that clock may be ahead of the memory's, as configured (issuerClockSkew).",
        "tve_key_failures_total": "Checks of a key directory that found a problem.",
        "tve_key_problems": "Problems of the key directory of a requestor.",
        "tve_key_uses_total": "Tokens with a valid signature, by the key that signed them.",
        "tve_keys": "Keys in use for a requestor.",
        "tve_memory_clock_lead_seconds": "Seconds by which the clock of Redis is ahead of this machine's.",
        "tve_memory_connected": "1 while a server of Redis is connected.",
        "tve_memory_excess_replicas": "Replicas that a primary has beyond replicaCount.",
        "tve_memory_file_problems":
            "Files for the connection to Redis that others can change or read, or that lack the password.",
        "tve_memory_unavailable_share": "Share of tokens for which no server of Redis is connected.",
        "tve_request_seconds": "Time from the head of a request to its answer.",
        "tve_requests_total": "Requests by route and status.",
        "tve_spend_failures_total": "Failures to find out whether a token was spent, by reason.",
        "tve_spends_total": "Results of spending valid tokens.",
        "tve_tls_certificate_end_seconds":
            "Earliest end of tls.certificate, or latest one of tls.clientAuthority, in seconds since 1970.",
        "tve_verdicts_total": "Verdicts by requestor.",
        "tve_verifier_build_info": "1, with the version of the program.",
    ]
}
