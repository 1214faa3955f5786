"""Secrets of no single provider: keys, passwords in URLs, schemes of HTTP, JSON Web Tokens."""

from typing import Final

from gasoline.redaction.rules.rule import WORD_STARTS, TokenRule

CREDENTIALS: Final = (
    TokenRule(
        "private-key",
        "Private key",
        # A key that was cut off has no END line.
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\+[nr])*"
        r"(?:[A-Za-z-]+: [^\r\n\\\"']*(?:\s|\\+[nr])+)*"
        r"(?:[A-Za-z0-9+/=\s]|\\+[nr]){5,}"
        r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?",
        "Replace the key pair: whoever loaded the page may have the private half. Keys stay on "
        "servers.",
        trigger=r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
        after="",
        cwe="CWE-321",
    ),
    TokenRule(
        "age-secret-key",
        "age secret key",
        r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
        "Replace the key pair, and encrypt anew what the old one opens.",
        cwe="CWE-321",
    ),
    TokenRule(
        "url-password",
        "Password in a URL",
        r"[^\s/@\"'<>\\?#\[\],]+",
        "Change the password, and pass credentials in a header from your server: URLs end up in "
        "logs, histories and referrers.",
        after=r":\\*/\\*/[^\s/@:\"'<>\\?#\[\],]*:",
        before=r"@",
        trigger=r"/\\*/[^\s/@:\"?#]*:[^\s/@\"?#]+@",
        cwe="CWE-522",
    ),
    TokenRule(
        "bearer-token",
        "Bearer token",
        r"[A-Za-z0-9._~+/=-]{6,}",
        "Let the session that it belongs to end, and keep tokens out of bodies, URLs and logs.",
        after=rf"{WORD_STARTS}(?i:bearer)(?:\s|%20|\+)+",
        trigger=r"(?i:bearer)(?:[\s\\+]|%20)",
        evidence="random",
        cwe="CWE-522",
    ),
    TokenRule(
        "basic-credentials",
        "Basic authentication credentials",
        r"[A-Za-z0-9+/]{8,}={0,2}",
        "Change the password: base64 hides nothing. Send credentials in a header, over HTTPS only.",
        after=rf"{WORD_STARTS}(?i:basic)(?:\s|%20|\+)+",
        trigger=r"(?i:basic)(?:[\s\\+]|%20)(?:[\s\\+nrtfu0-9]|%20)*[A-Za-z0-9+/\\]{8}",
        evidence="random",
        cwe="CWE-522",
    ),
    TokenRule(
        "curl-password",
        "Password on a command line",
        r"[^\s\"'\\\[]{4,}",
        "Change the password; examples that pages show or log should read it from a variable.",
        # Not past a mark: what stands behind one was looked at with it.
        after=r"\bcurl(?:\x20[^\n\"\[]{0,200}?)?\x20(?:-u|--user)[\x20=]?\\*[\"']?[\w.@+-]+:",
        trigger=r"curl(?:\x20[^\n\"]{0,200}?)?\x20(?:-u|--user)",
        cwe="CWE-522",
    ),
    TokenRule(
        "netrc-password",
        "Password in a .netrc file",
        r"[^\s\"'\\\[]{4,}",
        "Change the password, and keep the file out of what is served.",
        after=r"\bmachine\s+[^\s\"\\]+\s+login\s+[^\s\"\\]+\s+password\s+",
        trigger=r"machine[\s\\][^\"]{1,200}login[\s\\]",
        cwe="CWE-522",
    ),
    TokenRule(
        "jwt",
        "JSON Web Token",
        r"eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*)",
        "Let the session that it belongs to end, and keep tokens in httpOnly cookies or in memory, "
        "out of bodies, URLs and logs.",
        trigger=r"eyJ[\w-]{8,}\.[\w-]{8}",
        check="jwt",
        cwe="CWE-522",
    ),
)
