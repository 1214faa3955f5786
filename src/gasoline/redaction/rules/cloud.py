"""Tokens of clouds, hosting, databases and whatever keeps secrets for them."""

from typing import Final

from gasoline.redaction.rules.rule import TokenRule, revoke

_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

CLOUD: Final = (
    TokenRule(
        "aws-access-key-id",
        "AWS access key id",
        r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[0-9A-Z]{16}",
        revoke("IAM console, security credentials"),
    ),
    TokenRule(
        "aws-bedrock-key",
        "Amazon Bedrock API key",
        r"ABSK[A-Za-z0-9+/]{100,}={0,2}",
        revoke("IAM console, API keys for Bedrock"),
        trigger=r"ABSK[A-Za-z0-9+\\/]{100}",
    ),
    TokenRule(
        "google-oauth-secret",
        "Google OAuth secret",
        r"(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1\\*/\\*/0[\w-]{40,})",
        revoke("console.cloud.google.com, credentials"),
        trigger=r"ya29\.[\w-]{20}|GOCSPX-|1\\*/\\*/0[\w-]{40}",
    ),
    TokenRule(
        "azure-client-secret",
        "Azure client secret",
        r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        revoke("Azure portal, app registrations, certificates and secrets"),
        trigger=r"[0-9]Q~[A-Za-z0-9_~.-]{31}",
    ),
    TokenRule(
        "azure-devops-token",
        "Azure DevOps token",
        r"[A-Za-z0-9]{60,}AZDO[A-Za-z0-9]{4}",
        revoke("dev.azure.com, personal access tokens"),
        trigger=r"AZDO[A-Za-z0-9]{4}",
    ),
    TokenRule(
        "alibaba-access-key",
        "Alibaba Cloud access key",
        r"LTAI[A-Za-z0-9]{12,26}",
        revoke("RAM console, AccessKey"),
    ),
    TokenRule("tencent-secret-id", "Tencent Cloud secret id", r"AKID[A-Za-z0-9]{32}"),
    TokenRule(
        "yandex-token",
        "Yandex token",
        r"(?:AQVN[\w-]{35,38}|y[0-3]_[\w-]{50,}|t1\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{60,}={0,2})",
    ),
    TokenRule(
        "digitalocean-token",
        "DigitalOcean token",
        r"do[opr]_v1_[0-9a-f]{64}",
        revoke("cloud.digitalocean.com/account/api"),
    ),
    TokenRule(
        "heroku-key", "Heroku API key", r"HRKU-[\w-]{30,}", revoke("Heroku account settings")
    ),
    TokenRule(
        "fly-token",
        "Fly.io token",
        r"(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3})",
        revoke("fly tokens revoke"),
        trigger=r"fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+\\/]{60}",
    ),
    TokenRule(
        "cloudflare-key",
        "Cloudflare key",
        r"(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf(?:k|ut|at)_[A-Za-z0-9]{40,})",
        revoke("dash.cloudflare.com/profile/api-tokens"),
    ),
    TokenRule(
        "vercel-token",
        "Vercel token",
        r"(?:vercel_blob_rw_\w{30,}|vc[apirk]_[A-Za-z0-9]{24,})",
        revoke("vercel.com/account/tokens"),
    ),
    TokenRule("netlify-token", "Netlify token", r"nf[pcoub]_[A-Za-z0-9]{36,}"),
    TokenRule("scalingo-token", "Scalingo token", r"tk-us-[\w-]{48}"),
    TokenRule("scaleway-key", "Scaleway access key", r"SCW[A-Z0-9]{17}"),
    TokenRule(
        "supabase-key",
        "Supabase secret key",
        r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})",
        revoke("Supabase dashboard, API keys"),
    ),
    TokenRule(
        "planetscale-token",
        "PlanetScale token",
        r"pscale_(?:tkn|oauth|pw)_[\w.=-]{32,}",
    ),
    TokenRule("neon-key", "Neon API key", r"napi_[a-z0-9]{40,}"),
    TokenRule("xata-key", "Xata API key", r"xau_[A-Za-z0-9]{36,}"),
    TokenRule("fauna-key", "Fauna key", r"fnA[CEF][\w-]{36,}"),
    TokenRule("databricks-token", "Databricks token", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    TokenRule(
        "vault-token",
        "HashiCorp Vault token",
        r"hv[sbr]\.[\w-]{24,}",
        revoke("vault token revoke"),
    ),
    TokenRule(
        "terraform-token",
        "HCP Terraform token",
        r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}",
        trigger=r"\.atlasv1\.",
    ),
    TokenRule("pulumi-token", "Pulumi token", r"pul-[0-9a-f]{40}"),
    TokenRule(
        "doppler-token",
        "Doppler token",
        r"dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    TokenRule(
        "onepassword-token",
        "1Password token",
        r"(?:ops_eyJ[A-Za-z0-9+/]{100,}={0,3}"
        r"|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3})",
        trigger=r"ops_eyJ|A3-[A-Z0-9]{6}-",
    ),
    TokenRule("openshift-token", "OpenShift token", r"sha256~[\w-]{43}"),
    TokenRule(
        "tailscale-key",
        "Tailscale key",
        r"tskey-(?:[a-z]+-)?[A-Za-z0-9]{8,}-?[A-Za-z0-9]{8,}",
        revoke("login.tailscale.com/admin/settings/keys"),
    ),
    TokenRule("defined-networking-key", "Defined Networking key", r"dnkey-[\w=-]{26}-[\w=-]{52}"),
    TokenRule("clickhouse-key", "ClickHouse Cloud key", r"4b1d[A-Za-z0-9]{38}"),
    TokenRule("appwrite-key", "Appwrite key", r"standard_[0-9a-f]{128,}"),
    TokenRule(
        "cloudinary-secret",
        "Cloudinary URL",
        r"[0-9]{10,}:[\w-]{20,}",
        after=r"cloudinary:\\*/\\*/",
        trigger=r"cloudinary:\\*/",
    ),
    TokenRule(
        "launchdarkly-key",
        "LaunchDarkly key",
        rf"(?:sdk|api)-{_UUID}",
        revoke("LaunchDarkly account settings"),
        trigger=rf"(?:sdk|api)-{_UUID}",
    ),
)
