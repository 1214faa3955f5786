"""Names that promise a secret, in any spelling. The first rule that fits names the kind."""

from typing import Final

from gasoline.redaction.rules.rule import (
    EVERYWHERE,
    IN_HEADERS,
    IN_LOGS,
    IN_TEXT,
    IN_URLS,
    NameRule,
)

_CHOSEN = (
    "Change it, and let it travel in request bodies over HTTPS only, never in answers, URLs, logs."
)
_SESSION = (
    "Let the session that it belongs to end, and keep it in an httpOnly cookie or a header, out of "
    "bodies, URLs and logs."
)
_CARD = "Do not send it back: the last digits tell a user enough, and a payment provider the rest."

# What may follow the telling part of a name: `password_confirmation`, `tokenHash`, `password2`.
NAME_TAIL: Final = (
    r"(?:[_-]?(?:confirm(?:ation|ed)?|repeat(?:ed)?|again|new|old|current|value|hash(?:ed)?"
    r"|digest|plain(?:text)?|raw|encrypted|base64|[0-9]{1,2}))*"
)

# One of these is in everything that a rule of the page finds, however it is spelled.
TELLING_WORDS: Final = (
    *("pass", "pwd", "key", "otp", "code", "secret", "token", "pin", "cvv", "cvc"),
    # No more than needed: addresses say "session" and answers "author", and neither is a secret.
    *("sessid", "sess_id", "sess-id", "sessionid", "session_id", "session-id", "-sess"),
    *("authoriz", "-auth", "card", "ccn", "cc_n", "cc-n", "ssn", "social", "-sign", "-cred"),
    *("cookie", "jwt", "bearer", "basic", "srf"),
)

# Names that end like a secret and hold none.
HARMLESS_NAMES: Final = (
    r"(?:page|next|prev|previous|continuation|start|end|cancel|cancellation|design|sync|valid"
    r"|invalid|syntax|expected|unexpected)[_-]?token"
    r"|(?:public|publishable|site|anon)[_-]?(?:(?:api|access)[_-]?)?(?:key|token)"
    r"|token[_-]?(?:type|name|endpoint|count|limit|expir\w*)"
)

# A key is as secret as the service that it opens is worth.
_SERVICES = (
    r"adafruit|adobe|ai21|airtable|algolia|alibaba|aliyun|amplitude|anthropic|artifactory|asana|asaas"
    r"|atlassian|auth0|aws|azure|beamer|binance|bitbucket|bitfinex|bitly|bittrex|blynk|box|braintree"
    r"|bugsnag|circleci|claude|clearbit|clerk|cloudflare|cloudinary|cloudsmith|codeclimate|codecov"
    r"|cohere|coinbase|confluence|confluent|consul|contentful|coveralls|databricks|datadog|deepgram"
    r"|deepseek|digitalocean|discord|docker|docusign|drone|droneci|dropbox|duffel|dynatrace|easypost"
    r"|elastic|etsy|facebook|fastly|fcm|figma|finicity|finnhub|firebase|flickr|flutterwave|freshbooks"
    r"|gcp|gemini|giphy|github|gitlab|gitter|gocardless|google|grafana|hashicorp|helpscout|heroku"
    r"|honeycomb|hubspot|huggingface|ibm|imgur|infura|instagram|intercom|ipstack|jenkins|jfrog|jira"
    r"|keen|klaviyo|kraken|kubernetes|kucoin|launchdarkly|line|linear|linkedin|lob|logdna|logz|looker"
    r"|mailchimp|mailgun|mailjet|mandrill|mapbox|mattermost|maxmind|messagebird|mistral|mixpanel"
    r"|mongo|moralis|mux|nasa|netlify|new[_-]?relic|nexmo|npm|nuget|nytimes|okta|onelogin|openai"
    r"|openweather|opsgenie|pagerduty|particle|paypal|paystack|pendo|percy|pinecone|plaid|planetscale"
    r"|postmark|posthog|pubnub|pulumi|pusher|quay|quickbooks|rapidapi|razorpay|readme|recaptcha"
    r"|recurly|replicate|rollbar|salesforce|sauce|scaleway|segment|sendbird|sendgrid|sentry|shippo"
    r"|shodan|shopify|sidekiq|slack|snyk|sonar|sparkpost|splunk|spotify|square|squarespace|stripe"
    r"|sumo|supabase|tatum|teamcity|telegram|terraform|tiktok|tmdb|travis|trello|twilio|twitch"
    r"|twitter|typeform|unsplash|vault|vercel|virustotal|vonage|wakatime|weather|wechat|workday"
    r"|yandex|yelp|youtube|zapier|zendesk|zoho|zoom"
)

# The first rule that fits names the kind.
NAME_RULES: Final = (
    NameRule(
        kind="password",
        recommendation=_CHOSEN,
        title="Password",
        pattern=(r"pass[_-]?(?:word|wd|phrase|code)|pwd|(?:user|db|smtp|ftp|auth|login)[_-]?pass"),
        seen_in=EVERYWHERE,
        in_page=True,
    ),
    NameRule(
        kind="private-key",
        title="Private key",
        pattern=r"private[_-]?key(?:[_-]?pem)?",
        seen_in=EVERYWHERE,
        in_page=True,
    ),
    NameRule(
        kind="api-key",
        title="API key",
        pattern=(
            r"api[_-]?(?:key|secret|token)"
            r"|(?:auth|account|master|encryption|signing|subscription|service[_-]?role)[_-]?key"
        ),
        seen_in=EVERYWHERE,
        in_page=True,
    ),
    NameRule(
        kind="one-time-code",
        recommendation=_CHOSEN,
        title="One-time code",
        pattern=(
            r"(?:(?:sms|email|user|login|mfa|phone|new)[_-]?)?t?otp(?:[_-]?(?:code|token|secret))?"
            r"|(?:mfa|2fa|tfa|two[_-]?factor|verification|one[_-]?time|sms|backup|recovery)[_-]?code"
        ),
        whole_name=True,
        in_page=True,
    ),
    NameRule(
        kind="secret",
        title="Secret",
        pattern=r"secret(?:[_-]?(?:access[_-]?)?key|[_-]?token)?",
        seen_in=EVERYWHERE,
        in_page=True,
    ),
    NameRule(
        kind="csrf-token",
        recommendation=_SESSION,
        title="CSRF token",
        pattern=(
            r"(?:csrf|xsrf)[_-]?(?:middleware)?[_-]?token"
            r"|authenticity[_-]?token|request[_-]?verification[_-]?token"
        ),
        in_page=True,
    ),
    NameRule(
        kind="token",
        recommendation=_SESSION,
        title="Access token",
        pattern=(
            r"(?:access|refresh|id|auth|authentication|authorization|session|bearer|security|user"
            r"|login|reset|remember(?:[_-]?me)?|verification|oauth|jwt|device|push|bot)[_-]?token"
        ),
        seen_in=EVERYWHERE,
        in_page=True,
    ),
    NameRule(
        kind="session-id",
        recommendation=_SESSION,
        title="Session identifier",
        pattern=r"session[_-]?(?:id|key)|sess[_-]?id",
        in_page=True,
    ),
    NameRule(
        kind="authorization",
        recommendation=_SESSION,
        title="Authorization credentials",
        pattern=r"authorization",
        seen_in=EVERYWHERE,
        in_page=True,
    ),
    NameRule(
        kind="cookie",
        recommendation=_SESSION,
        title="Cookie",
        pattern=r"(?:set[_-]?)?cookie",
        seen_in=EVERYWHERE,
        evidence="pairs",
        whole_name=True,
        in_page=True,
    ),
    NameRule(
        kind="pin",
        recommendation=_CHOSEN,
        title="PIN",
        pattern=(
            r"(?:(?:user|card|account|new|old|current|confirm|login|security|atm|debit|sim)[_-]?)?"
            r"pin(?:[_-]?number)?"
        ),
        whole_name=True,
        in_page=True,
    ),
    NameRule(
        kind="card-security-code",
        recommendation=_CARD,
        title="Card security code",
        pattern=r"cvv|cvc|card[_-]?(?:security[_-]?)?code",
        in_page=True,
    ),
    NameRule(
        kind="card-number",
        recommendation=_CARD,
        title="Card number",
        pattern=r"card[_-]?(?:number|num|no)",
        in_page=True,
    ),
    NameRule(
        kind="card-number",
        recommendation=_CARD,
        title="Card number",
        pattern=r"cc[_-]?(?:number|num)",
        whole_name=True,
        in_page=True,
    ),
    NameRule(
        kind="ssn",
        recommendation=_CARD,
        title="Social security number",
        pattern=(
            r"(?:(?:user|customer|patient|employee|applicant|tax)[_-]?)?ssn"
            r"|social[_-]?security(?:[_-]?(?:number|no))?"
        ),
        whole_name=True,
        in_page=True,
    ),
    NameRule(
        kind="signature",
        recommendation=_SESSION,
        title="Signed URL",
        pattern=r"x-(?:amz|goog)-(?:signature|credential)",
        in_page=True,
    ),
    NameRule(
        kind="service-key",
        title="Service credentials",
        pattern=(
            rf"(?:{_SERVICES})[\w.-]{{0,24}}?"
            r"(?:key|token|secret|auth|pat|pass|pw|pwd|api|credentials?|access|sid|license)"
        ),
        seen_in=IN_TEXT,
        evidence="random",
    ),
    NameRule(
        kind="token",
        recommendation=_SESSION,
        title="Token",
        pattern=r"token|jwt|bearer|csrf|xsrf|access[_-]?key",
        evidence="random",
        in_page=True,
    ),
    NameRule(
        kind="url-secret",
        title="Secret in a URL",
        pattern=r"key|code|session|sid|sig|signature|auth|ticket",
        seen_in=IN_URLS,
        evidence="random",
        whole_name=True,
    ),
    NameRule(
        kind="header",
        title="Credentials in a header",
        pattern=r"token|api-?key|x-auth|x-auth-key|x-functions-key|cookie2?|csrf|xsrf|x-session",
        seen_in=IN_HEADERS,
        in_page=True,
    ),
    NameRule(
        kind="token",
        recommendation=_SESSION,
        title="Token",
        pattern=r"token|jwt|bearer|access[_-]?key",
        seen_in=IN_LOGS,
        evidence="random",
    ),
    NameRule(
        kind="password",
        recommendation=_CHOSEN,
        title="Password",
        pattern=r"(?:[_-]|my|ldap|root|admin|mail|email|redis|mysql|pg|sql)(?:pass|pw)|credentials?",
        seen_in=IN_TEXT,
        evidence="mixed",
    ),
    NameRule(
        kind="api-key",
        title="API key",
        pattern=(
            r"(?:app|application|consumer|customer|client|licen[cs]e|hmac|shared|server|admin|deploy"
            r"|webhook|root|jwt|cookie|session|aes|cipher|functions?|merchant|partner|project|org|team"
            r"|integration|write|ingest(?:ion)?|agent|registration|user|secret|personal|developer"
            r"|storage[_-]?account)[_-]?key|[_-]pat"
        ),
        seen_in=IN_TEXT,
        evidence="random",
    ),
    NameRule(
        kind="url-secret",
        title="Secret in a URL",
        pattern=r"\w*(?:secret|passw(?:or)?d|token)\w*",
        seen_in=IN_URLS,
        evidence="random",
        whole_name=True,
    ),
)
