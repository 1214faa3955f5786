"""Tokens of payment, mail, chat, AI, maps, social networks and customer tools."""

from typing import Final

from gasoline.redaction.rules.rule import WORD_STARTS, TokenRule, revoke

_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

PAYMENT: Final = (
    TokenRule(
        "stripe-secret-key",
        "Stripe secret key",
        r"(?:[sr]k_(?:live|test|prod)_\w{16,}|whsec_[\w+/=]{16,})",
        revoke("dashboard.stripe.com/apikeys"),
        trigger=r"[sr]k_(?:live|test|prod)_|whsec_",
    ),
    TokenRule(
        "square-token",
        "Square token",
        r"(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[E-Z][\w-]{55,})",
        revoke("developer.squareup.com"),
    ),
    TokenRule(
        "braintree-token",
        "Braintree access token",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    TokenRule("plaid-token", "Plaid token", rf"access-(?:sandbox|development|production)-{_UUID}"),
    TokenRule("flutterwave-key", "Flutterwave secret key", r"FLWSECK(?:_TEST)?-\w{12,}(?:-X)?"),
    TokenRule("shippo-token", "Shippo token", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    TokenRule("easypost-key", "EasyPost key", r"EZ[AT]K[A-Za-z0-9]{54}"),
    TokenRule("duffel-token", "Duffel token", r"duffel_(?:live|test)_[\w=-]{43}"),
    TokenRule("paddle-key", "Paddle key", r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_\w{20,}"),
    TokenRule("polar-token", "Polar token", r"polar_[a-z]{2,4}_[A-Za-z0-9]{40,}"),
    TokenRule("shopify-token", "Shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    TokenRule("live-payment-key", "Live payment key", r"live_(?:[0-9a-f]{35}|[A-Za-z0-9]{30,40})"),
)

MAIL: Final = (
    TokenRule(
        "sendgrid-key",
        "SendGrid API key",
        r"SG\.[\w-]{16,}\.[\w-]{16,}",
        revoke("app.sendgrid.com/settings/api_keys"),
        trigger=r"SG\.[\w-]{16,}\.",
    ),
    TokenRule(
        "mailgun-key",
        "Mailgun API key",
        r"(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})",
        revoke("app.mailgun.com, API security"),
        trigger=rf"key-[0-9a-f]{{32}}|{WORD_STARTS}[0-9a-f]{{32}}-[0-9a-f]{{8}}-[0-9a-f]{{8}}",
    ),
    TokenRule(
        "mailchimp-key",
        "Mailchimp API key",
        r"[0-9a-f]{32}-us[0-9]{1,2}",
        trigger=rf"{WORD_STARTS}[0-9a-f]{{32}}-us[0-9]",
    ),
    TokenRule("mandrill-key", "Mandrill API key", r"md-[A-Za-z0-9_-]{22}"),
    TokenRule("resend-key", "Resend API key", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    TokenRule("brevo-key", "Brevo key", r"(?:xkeysib|xsmtpsib)-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    TokenRule("mailersend-key", "MailerSend key", r"mlsn\.[0-9a-f]{64}"),
    TokenRule("klaviyo-key", "Klaviyo private key", r"pk_[0-9a-f]{34}"),
    TokenRule(
        "hubspot-token",
        "HubSpot token",
        rf"pat-(?:na|eu|ap)[0-9]-{_UUID}",
        revoke("HubSpot, private apps"),
    ),
    TokenRule(
        "intercom-token",
        "Intercom token",
        r"dG9rO[A-Za-z0-9+/]{54}=?",
        trigger=r"dG9rO[A-Za-z0-9+\\/]{54}",
    ),
)

CHAT: Final = (
    TokenRule(
        "slack-token",
        "Slack token",
        r"(?:xox[a-z](?:\.xox[a-z])?|xapp)-[\w-]{10,}",
        revoke("api.slack.com/apps"),
        trigger=r"(?:xox[a-z]|xapp)-",
    ),
    TokenRule(
        "slack-webhook",
        "Slack webhook address",
        r"\w{2,}(?:\\*/\w+)*",
        revoke("api.slack.com/apps, incoming webhooks"),
        after=r"hooks\.slack\.com\\*/(?:services|workflows|triggers)\\*/",
        trigger=r"hooks\.slack\.com",
    ),
    TokenRule(
        "discord-token",
        "Discord bot token",
        # It begins with the bot's number in base64; each four characters stand for three digits.
        r"(?:[MNO][DTjz][AEIMQUYcgk][wxyz0-5]){5,}[\w-]{0,8}\.[\w-]{6}\.[\w-]{27,}",
        revoke("discord.com/developers/applications"),
        trigger=r"(?:[MNO][DTjz][AEIMQUYcgk][wxyz0-5]){3}",
    ),
    TokenRule(
        "discord-webhook",
        "Discord webhook address",
        r"[0-9]{10,}\\*/[\w-]{40,}",
        revoke("Discord, channel settings, integrations"),
        after=r"discord(?:app)?\.com\\*/api\\*/(?:v[0-9]+\\*/)?webhooks\\*/",
        trigger=r"discord(?:app)?\.com\\*/api\\*/",
    ),
    TokenRule(
        "teams-webhook",
        "Microsoft Teams webhook address",
        r"[\w@-]{30,}\\*/IncomingWebhook\\*/[\w-]{20,}(?:\\*/[\w-]+)*",
        after=r"office\.com\\*/webhook(?:b2)?\\*/",
        trigger=r"office\.com\\*/webhook",
    ),
    TokenRule(
        "telegram-token",
        "Telegram bot token",
        r"(?:bot)?[0-9]{8,10}:AA[\w-]{32,34}",
        revoke("@BotFather, /revoke"),
        trigger=r"[0-9]:AA[\w-]{32}",
    ),
    TokenRule("twilio-key", "Twilio API key", r"SK[0-9a-f]{32}", revoke("console.twilio.com")),
)

AI: Final = (
    TokenRule(
        "anthropic-key",
        "Anthropic API key",
        r"sk-ant-[\w-]{20,}",
        revoke("console.anthropic.com/settings/keys"),
        trigger=r"sk-ant-",
    ),
    TokenRule(
        "langfuse-key",
        "Langfuse secret key",
        rf"sk-lf-{_UUID}",
    ),
    TokenRule(
        "openai-key",
        "OpenAI API key",
        r"sk-(?:(?:proj|svcacct|admin|or|or-v1|None|service)-[\w-]{20,}|[A-Za-z0-9]{32,})",
        revoke("platform.openai.com/api-keys"),
        trigger=r"sk-(?:(?:proj|svcacct|admin|or|None|service)-|[A-Za-z0-9]{32})",
    ),
    TokenRule(
        "huggingface-token",
        "Hugging Face token",
        r"(?:hf_|api_org_)[A-Za-z0-9]{30,}",
        revoke("huggingface.co/settings/tokens"),
    ),
    TokenRule("groq-key", "Groq API key", r"gsk_\w{40,}"),
    TokenRule("xai-key", "xAI API key", r"xai-\w{40,}"),
    TokenRule("perplexity-key", "Perplexity API key", r"pplx-\w{40,}"),
    TokenRule("replicate-token", "Replicate token", r"r8_[A-Za-z0-9]{37}"),
    TokenRule("together-key", "Together AI key", r"tgp_v1_[\w-]{40,}"),
    TokenRule("fireworks-key", "Fireworks AI key", r"fw_[A-Za-z0-9]{22,}"),
    TokenRule("elevenlabs-key", "ElevenLabs key", r"sk_[0-9a-f]{48}"),
    TokenRule("langsmith-key", "LangSmith key", r"lsv2_[ps][tk]_[0-9a-f]{32}_[0-9a-f]{10}"),
    TokenRule("pinecone-key", "Pinecone key", r"pcsk_\w{40,}"),
    TokenRule("nvidia-key", "NVIDIA API key", r"nvapi-[\w-]{50,}"),
    TokenRule("cerebras-key", "Cerebras key", r"csk-[a-z0-9]{40,}"),
    TokenRule("jina-key", "Jina AI key", r"jina_[A-Za-z0-9]{32}[\w-]{20,}"),
    TokenRule("tavily-key", "Tavily key", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    TokenRule("firecrawl-key", "Firecrawl key", r"fc-[0-9a-f]{32}"),
    TokenRule("ebtwob-key", "E2B key", r"e2b_[0-9a-f]{40}"),
)

SOCIAL: Final = (
    TokenRule(
        "facebook-token",
        "Facebook access token",
        r"(?:EAA[MCB][A-Za-z0-9]{60,}|[0-9]{15,16}\|[\w-]{27,40})",
        revoke("developers.facebook.com"),
        trigger=r"EAA[MCB][A-Za-z0-9]{60}|[0-9]{15}\|[\w-]{27}",
    ),
    TokenRule("instagram-token", "Instagram access token", r"IG(?:QV|AA)[\w-]{60,}"),
    TokenRule(
        "twitter-bearer", "Twitter bearer token", r"A{20,24}[A-Za-z0-9%]{60,}", trigger=r"A{20}"
    ),
    TokenRule("dropbox-token", "Dropbox token", r"sl\.(?:u\.)?[\w-]{100,}"),
    TokenRule("zoho-token", "Zoho token", r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    TokenRule("salesforce-token", "Salesforce token", r"00D[A-Za-z0-9]{12,15}![\w.]{60,}"),
    TokenRule(
        "okta-token",
        "Okta API token",
        r"00[\w-]{40}",
        after=r"(?i:\bSSWS)\x20",
        trigger=r"(?i:ssws)\x20",
    ),
    TokenRule("stytch-secret", "Stytch secret", r"secret-(?:live|test)-[\w=-]{36,}"),
    TokenRule(
        "mapbox-secret-token",
        "Mapbox secret token",
        r"sk\.eyJ1[\w-]{20,}\.[\w-]{20,}",
        revoke("account.mapbox.com/access-tokens"),
    ),
)
