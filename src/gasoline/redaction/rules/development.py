"""Tokens of source hosting, package registries, CI, monitoring and the tools of teams."""

from typing import Final

from gasoline.redaction.rules.rule import TokenRule, revoke

SOURCE_HOSTING: Final = (
    TokenRule(
        "github-token",
        "GitHub token",
        r"(?:gh[pousr]_\w{30,}|github_pat_\w{22,})",
        revoke("github.com/settings/tokens"),
        trigger=r"gh[pousr]_\w{30}|github_pat_",
        check="crc32",
    ),
    TokenRule(
        "gitlab-token",
        "GitLab token",
        r"(?:gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|agent|oas|soat|ffct|wt)-[\w.-]{20,}"
        r"|GR1348941[\w-]{20,}|_gitlab_session=[0-9a-z]{32})",
        revoke("gitlab.com, access tokens"),
        trigger=(
            r"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|agent|oas|soat|ffct|wt)-[\w.-]{20}"
            r"|GR1348941[\w-]{20}|_gitlab_session=[0-9a-z]{32}"
        ),
    ),
    TokenRule(
        "atlassian-token",
        "Atlassian token",
        r"(?:AT(?:ATT3|CTT3|STT3|OTT3)[\w=-]{40,}|ATBB[A-Za-z0-9]{32}|BBDC-[A-Za-z0-9+/@_-]{40,})",
        revoke("id.atlassian.com, API tokens"),
        trigger=r"AT(?:ATT3|CTT3|STT3|OTT3)|ATBB[A-Za-z0-9]{32}|BBDC-",
    ),
    TokenRule(
        "sourcegraph-token",
        "Sourcegraph token",
        r"(?:sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}|slk_[0-9a-f]{64})",
    ),
    TokenRule("figma-token", "Figma token", r"fig[dour]h?_[\w-]{40,}"),
    TokenRule("linear-key", "Linear API key", r"lin_(?:api|oauth)_\w{32,}"),
    TokenRule("notion-token", "Notion token", r"(?:ntn_\w{40,}|secret_[A-Za-z0-9]{43})"),
    TokenRule("airtable-token", "Airtable token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    TokenRule(
        "asana-token",
        "Asana token",
        r"[0-2]\\*/[0-9]{16}(?:\\*/[0-9]{16})?:[0-9a-f]{32}",
    ),
    TokenRule("clickup-token", "ClickUp token", r"pk_[0-9]{6,9}_[0-9A-Z]{32}"),
    TokenRule("postman-key", "Postman API key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    TokenRule("readme-key", "ReadMe API key", r"rdme_[a-z0-9]{60,}"),
    TokenRule("typeform-token", "Typeform token", r"tfp_[\w.=-]{40,}"),
    TokenRule("contentful-token", "Contentful token", r"CFPAT-[\w-]{43}"),
    TokenRule("frameio-token", "Frame.io token", r"fio-u-[\w=-]{64}"),
    TokenRule("stackhawk-key", "StackHawk key", r"hawk\.[\w-]{20}\.[\w-]{20}"),
    TokenRule("prefect-key", "Prefect key", r"pn[ub]_[A-Za-z0-9]{36}"),
    TokenRule("infracost-key", "Infracost key", r"ico-[A-Za-z0-9]{32}"),
    TokenRule("adafruit-key", "Adafruit IO key", r"aio_[A-Za-z0-9]{28}"),
    TokenRule(
        "maxmind-key", "MaxMind licence key", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", trigger=r"_mmk"
    ),
    TokenRule("endorlabs-key", "Endor Labs key", r"endr\+[\w-]{16,}"),
    TokenRule("settlemint-token", "SettleMint token", r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}"),
)

REGISTRIES: Final = (
    TokenRule(
        "npm-token",
        "npm token",
        r"npm_[A-Za-z0-9]{36}",
        revoke("npm, access tokens"),
        check="crc32",
    ),
    TokenRule(
        "pypi-token",
        "PyPI token",
        r"pypi-[\w-]{50,}",
        revoke("PyPI, account settings"),
    ),
    TokenRule("rubygems-key", "RubyGems key", r"rubygems_[0-9a-f]{48}"),
    TokenRule("crates-token", "crates.io token", r"cio[A-Za-z0-9]{32}"),
    TokenRule("nuget-key", "NuGet key", r"oy2[a-z0-9]{43}"),
    TokenRule("clojars-token", "Clojars token", r"(?i:CLOJARS_)[a-z0-9]{60}"),
    TokenRule("packagist-token", "Packagist token", r"packagist_[a-z]{3}_[0-9a-f]{60,}"),
    TokenRule(
        "artifactory-key",
        "Artifactory key",
        r"(?:AKC[A-Za-z0-9]{69,}|cmVmd[A-Za-z0-9]{59})",
    ),
    TokenRule("dockerhub-token", "Docker Hub token", r"dckr_[po]at_[\w-]{27,}"),
)

BUILDS: Final = (
    TokenRule("circleci-token", "CircleCI token", r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    TokenRule("buildkite-token", "Buildkite token", r"bk(?:ua|ct|aj|pt|at|pi)_[0-9a-f]{40}"),
    TokenRule("sonar-token", "SonarQube token", r"sq[upa]_[0-9a-f]{40}"),
    TokenRule(
        "harness-token",
        "Harness token",
        r"(?:pat|sat)\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}",
    ),
    TokenRule("octopus-key", "Octopus Deploy key", r"API-[A-Z0-9]{26}"),
)

MONITORING: Final = (
    TokenRule(
        "sentry-token",
        "Sentry token",
        r"(?:sntrys_[\w+/=-]{40,}|sntryu_[0-9a-f]{64})",
        revoke("sentry.io, auth tokens"),
        trigger=r"sntry[su]_",
    ),
    TokenRule(
        "grafana-token",
        "Grafana token",
        r"(?:glc_[A-Za-z0-9+/]{32,}={0,3}|glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"
        r"|eyJrIjoi[A-Za-z0-9+/]{60,}={0,3})",
        trigger=r"glc_|glsa_|eyJrIjoi",
    ),
    TokenRule(
        "newrelic-key",
        "New Relic key",
        r"(?:NRAK-[A-Z0-9]{27}|NRI[IQ]-[\w-]{32}|[0-9a-f]{20,40}NRAL)",
        trigger=r"NRAK-|NRI[IQ]-|NRAL",
    ),
    TokenRule("posthog-key", "PostHog personal key", r"ph[xs]_[A-Za-z0-9]{30,}"),
    TokenRule("honeycomb-key", "Honeycomb key", r"hc[a-z](?:ik|lk|mk)_\w{40,}"),
    TokenRule(
        "dynatrace-token",
        "Dynatrace token",
        r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
    ),
)
