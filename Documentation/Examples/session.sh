#!/usr/bin/env bash
# A whole web session with curl alone: registration, login, authorization, and the signature of the media token.
# Its last lines are OpenSSL's verdict, `Verified OK`, and the median times of forty exchanges on one connection.
#
#   bash session.sh [ADDRESS]    in an empty folder; a sandbox answers at http://127.0.0.1:8080 by default
set -euo pipefail

# Facts about the sandbox, and two helpers.
base=${1:-http://127.0.0.1:8080}
json() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
field() { sed -n "s/.*name=\"$1\" value=\"\([^\"]*\)\".*/\1/p"; }

info=$(curl -s $base/sandbox/info)
statement=$(json softwareStatement <<<"$info")
json mediaTokenPublicKey <<<"$info" | awk '{ gsub(/\\n/, "\n"); print }' > key.pem

# Register the application, get an access token.
client=$(curl -s $base/o/client/register -H 'Content-Type: application/json' -d "{\"software_statement\":\"$statement\"}")
token=$(curl -s $base/o/client/token -d grant_type=client_credentials \
    -d client_id=$(json client_id <<<"$client") -d client_secret=$(json client_secret <<<"$client") | json access_token)
bearer="Authorization: Bearer $token"

# A device id; from now on the headers identify this browser.
device=$(curl -s -D headers.txt $base/indiv/devices -H 'Content-Type: application/json' -d '{"fingerprint":"my-browser"}' \
    | json deviceId)
signature=$(tr -d '\r' < headers.txt | sed -n 's/^pass_sfp: //p')
browser=(-H "ap_42: anonymous" -H "ap_11: Linux x86_64" -H "ap_z: curl" -H "ap_21: $device" -H "pass_sfp: $signature")

# The configuration, and a registration code.
curl -s $base/adobe-services/config/DEMO -H "$bearer"; echo
code=$(curl -s $base/reggie/v1/DEMO/regcode -H "$bearer" -d requestor=DEMO -d deviceId=$device -d format=json | json code)

# Log in: each page's form, as a browser would send it.
page=$(curl -s -G $base/adobe-services/authenticate/saml -d noflash=true -d mso_id=demo-cable -d requestor_id=DEMO \
    -d no_iframe=false -d domain_name=adobe.com -d reg_code=$code --data-urlencode redirect_url=$base/)
page=$(curl -s $base/idp/demo-cable/sso --data-urlencode "SAMLRequest=$(field SAMLRequest <<<"$page")" \
    -d RelayState=$(field RelayState <<<"$page"))
page=$(curl -s $base/idp/demo-cable/login -d requestID=$(field requestID <<<"$page") \
    -d RelayState=$(field RelayState <<<"$page") -d username=viewer -d password=secret -d action=login)
curl -s -o /dev/null -w '%{http_code} %{redirect_url}\n' $base/sp/saml/SAMLAssertionConsumer \
    --data-urlencode "SAMLResponse=$(field SAMLResponse <<<"$page")" -d RelayState=$(field RelayState <<<"$page")

# The AuthN token, which is escaped once inside the answer.
text() { sed -n "s/.*<$1>\(.*\)<\/$1>.*/\1/p" | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g'; }
authn=$(curl -s $base/adobe-services/session -H "$bearer" "${browser[@]}" \
    -d _method=GET -d requestor_id=DEMO -d reg_code=$code | text authnToken)

# Authorize a resource, get a media token.
authz=$(curl -s $base/adobe-services/authorize -H "$bearer" "${browser[@]}" -d resource_id=DEMO-1 -d requestor_id=DEMO \
    -d mso_id=demo-cable -d generic_data= -d userMeta=1 --data-urlencode "authentication_token=$authn" | text authzToken)
media=$(curl -s $base/adobe-services/shortAuthorize -H "$bearer" "${browser[@]}" -d requestor_id=DEMO \
    -d session_guid=any -d hashed_guid=false -d generic_data={} --data-urlencode "authz_token=$authz")

# Check its signature as a back end does: everything after the second marker is signed, byte for byte.
sed 's/^<signatureInfo>\([^<]*\)<.*/\1/' <<<"$media" | base64 -d > signature.bin
printf %s "${media#<signatureInfo>*<signatureInfo>}" > body.xml
openssl dgst -sha256 -verify key.pem -signature signature.bin body.xml

# The median of forty exchanges on one connection, in seconds.
curl -s -o /dev/null -w '%{time_total}\n' "$base/sandbox/info?[1-40]" | sort -n | sed -n 20p
curl -s -o /dev/null -w '%{time_total}\n' -H "$bearer" "$base/adobe-services/config/DEMO?[1-40]" | sort -n | sed -n 20p
