"""Questions about the page that is open now, asked through a bare server."""

from contextlib import suppress

from playwright.sync_api import Error as PlaywrightError

from tests.browser_extension.asker import Asker
from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import Site
from tests.servers import wait_until


def test_it_introduces_itself_and_tells_of_tabs(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    hello = asker.wait_for("hello")
    assert asked_chrome.line == "websocket"
    assert hello["client"] == "extension"
    assert hello["debugger"] is False
    assert len(hello["session"]) == 36
    assert hello["version"]

    asked_chrome.open(f"{site.url}/?access_token=abcdefghijklmnopqrstuvwxyz")

    urls: set[str] = set()
    while not any("redacted" in url for url in urls):
        urls |= {tab["url"] for tab in asker.wait_for("tabs")["tabs"]}
    assert not any("abcdefghijklmnop" in url for url in urls)


def test_it_describes_elements(asked_chrome: ExtensionBrowser, asker: Asker, site: Site) -> None:
    asked_chrome.open(f"{site.url}/strict")

    result = asker.ask("dom", selector="button")

    assert (result["matchCount"], result["returnedCount"]) == (1, 1)
    [match] = result["matches"]
    assert (match["tag"], match["text"], match["visible"]) == ("button", "Pay now", True)
    assert match["attributes"] == {"id": "pay", "data-testid": "pay"}
    assert match["boundingBox"].keys() == {"x", "y", "width", "height"}
    assert match["styles"]["display"] == "inline-block"


def test_it_hides_what_is_typed_into_secret_fields(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(site.url)
    page.evaluate("document.querySelector('#pin').setAttribute('value', 'hunter2')")

    [field] = asker.ask("dom", selector="#pin")["matches"]

    assert field["attributes"]["value"] == "[redacted]"


def test_a_bad_selector_is_an_answer(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(site.url)

    result = asker.ask("dom", selector=">>")

    assert result["error"] == "dom_query_failed"
    assert result["message"].endswith(
        'is not a valid selector. Pass a CSS selector, such as "main button".'
    )


def test_it_describes_the_page(asked_chrome: ExtensionBrowser, asker: Asker, site: Site) -> None:
    page = asked_chrome.open(site.url)

    result = asker.ask("page_info")

    viewport = page.viewport_size
    assert viewport is not None
    assert result["url"] == page.url
    assert result["viewport"] == {"width": viewport["width"], "height": viewport["height"]}
    assert result["headings"] == ["Shop"]
    assert result["forms"] == [{"id": "login", "fields": ["mail", "password"]}]
    assert (result["links"], result["images"], result["interactiveElements"]) == (0, 1, 3)


def test_it_audits_under_a_strict_policy(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(f"{site.url}/strict")

    whole = asker.ask("a11y")
    part = asker.ask("a11y", scope="#login", tags=["wcag2a"])

    found = {violation["id"]: violation for violation in whole["violations"]}
    assert found["image-alt"]["impact"] == "critical"
    assert found["image-alt"]["nodes"][0]["selector"] == "#hero"
    assert whole["summary"]["violations"] == len(whole["violations"])
    assert "image-alt" not in {violation["id"] for violation in part["violations"]}
    assert asker.ask("a11y", scope="#nowhere") == {
        "error": "a11y_audit_failed",
        "message": "No element matches #nowhere: pass another scope, or none for the whole page.",
    }
    assert asker.ask("a11y", tags=["wcag9"]) == {
        "error": "a11y_audit_failed",
        "message": "No rule has the tag wcag9: "
        "wcag2a, wcag2aa, wcag21aa and best-practice are some that rules have.",
    }


def test_unanswerable_questions_are_answered(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(site.url)

    assert asker.ask("page_info", tab_id=999_999_999)["error"] == "no_page"
    assert asker.ask("weather")["error"] == "unknown_question"


def test_a_page_that_did_not_load_is_said_to_need_that(
    asked_chrome: ExtensionBrowser, asker: Asker
) -> None:
    page = asked_chrome.context.new_page()
    with suppress(PlaywrightError):
        page.goto("http://127.0.0.1:1/")
    asker.wait_for_page("http://127.0.0.1:1/")

    failure = asker.ask("page_info")

    page.close()
    assert failure == {
        "error": "page_info_failed",
        "message": "Frame with ID 0 is showing error page: "
        "load the page again, or bring another to the front, then ask again.",
    }


def test_without_a_page_it_says_to_open_one(asked_chrome: ExtensionBrowser, asker: Asker) -> None:
    for page in asked_chrome.context.pages[1:]:
        page.close()
    asked_chrome.context.pages[0].goto("about:blank")

    assert asker.ask("page_info") == {
        "error": "no_page",
        "message": "No page is open in this browser: "
        "open one (http, https or file), then ask again.",
    }


def test_a_page_that_closes_before_it_answered_is_an_answer(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(site.url)
    page.on("dialog", lambda _: None)
    with page.expect_event("dialog"):
        page.evaluate("void setTimeout(() => alert('nothing runs while this is open'))")
    asked = asker.put("dom", selector="h1")
    # Once a later question is answered, the page has been asked.
    asker.ask("weather")

    page.close()

    failure = asker.answer_to(asked)
    assert failure["error"] == "dom_failed"
    assert failure["message"].endswith("then ask again.")


def test_a_huge_page_is_described_in_a_moment(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(site.url)
    page.evaluate("document.body.append('  long '.repeat(3_000_000))")

    [match] = asker.ask("dom", selector="body")["matches"]

    assert match["text"].startswith("Shop Pay now long long")
    assert len(match["text"]) == 500


def test_the_server_may_override_what_is_captured(
    asked_chrome: ExtensionBrowser, asker: Asker
) -> None:
    asker.say(type="settings", captureOverrides={"log_level": "all", "network_bodies": "false"})

    overridden = {"log_level": "all", "network_bodies": "false"}
    wait_until(lambda: asked_chrome.stored().get("captureOverrides") == overridden, "the overrides")
    assert "logLevel" not in asked_chrome.stored()
