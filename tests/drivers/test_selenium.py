"""Selenium's Chrome, through a real chromedriver."""

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from gasoline.drivers import selenium as selenium_driver
from gasoline.drivers.observation import Observation
from gasoline.drivers.selenium import observe
from tests.drivers.browsers import BROWSER, DRIVER, FLAGS, said, snapshot_of
from tests.drivers.site import Site
from tests.servers import RunningServer

pytestmark = pytest.mark.skipif(DRIVER is None, reason="no chromedriver on the PATH")

PATIENCE_S = 10.0


def options() -> webdriver.ChromeOptions:
    chosen = webdriver.ChromeOptions()
    chosen.binary_location = BROWSER
    for flag in FLAGS:
        chosen.add_argument(flag)
    return chosen


@pytest.fixture
def driver() -> Iterator[webdriver.Chrome]:
    running = webdriver.Chrome(options=options(), service=Service(DRIVER or ""))
    yield running
    if running.service.process and running.service.process.poll() is None:
        running.quit()


def delivered(observation: Observation) -> bool:
    return observation.delivery.drain(PATIENCE_S) and observation.delivery.lost == 0


def test_every_window_is_observed_until_it_closes(
    driver: webdriver.Chrome, server: RunningServer, site: Site
) -> None:
    observation = observe(driver, port=server.port, test_id="windows")
    driver.get(f"{site.url}/strict")
    driver.execute_script("console.error('strict policy')")
    driver.switch_to.new_window("tab")
    driver.get(f"{site.url}/frames")
    driver.switch_to.frame(driver.find_element(By.TAG_NAME, "iframe"))
    driver.execute_script("console.error('from inside')")
    driver.close()
    driver.switch_to.window(driver.window_handles[0])
    driver.execute_script("console.error('last words')")

    driver.quit()

    assert delivered(observation)
    assert said(server, "windows") == [
        "strict policy",
        "in the frame",
        "from inside",
        "last words",
    ]


@pytest.fixture
def polled(driver: webdriver.Chrome) -> webdriver.Chrome:
    """As a vendor's grid answers, which runs the browser elsewhere and lends no port."""
    del driver.caps["goog:chromeOptions"]["debuggerAddress"]
    return driver


def test_without_a_debugging_port_the_drivers_own_commands_fetch_what_pages_hold(
    polled: webdriver.Chrome, server: RunningServer, site: Site
) -> None:
    observation = observe(polled, port=server.port, test_id="polled")
    polled.get(site.url)
    polled.execute_script("console.error('before')")
    polled.get(f"{site.other_url}/strict")
    polled.execute_script("console.error('after')")

    polled.quit()

    assert delivered(observation)
    assert said(server, "polled") == ["before", "after"]
    assert observation.troubles == 0


LEAVE_ON_CLICK = """document.body.innerHTML = '<button>Go</button>';
document.querySelector('button').onclick = () => {
  console.error('clicked');
  location.href = arguments[0];
};
addEventListener('pagehide', () => console.error('going'));"""


def click_away(driver: webdriver.Chrome, target: str) -> None:
    driver.execute_script(LEAVE_ON_CLICK, target)
    driver.find_element(By.TAG_NAME, "button").click()
    WebDriverWait(driver, PATIENCE_S).until(lambda driver: driver.current_url == target)


def test_what_a_page_says_between_a_click_and_the_next_page_is_taken_along(
    polled: webdriver.Chrome, server: RunningServer, site: Site
) -> None:
    observation = observe(polled, port=server.port, test_id="taken along")
    polled.get(site.url)

    click_away(polled, f"{site.url}/next")
    click_away(polled, f"{site.url}/last")
    polled.quit()

    assert delivered(observation)
    assert said(server, "taken along") == ["clicked", "going", "clicked", "going"]
    assert observation.troubles == 0


def test_what_cannot_be_taken_along_to_another_origin_is_admitted(
    polled: webdriver.Chrome, server: RunningServer, site: Site
) -> None:
    observation = observe(polled, port=server.port, test_id="left behind")
    polled.get(site.url)

    click_away(polled, f"{site.other_url}/elsewhere")
    polled.execute_script("console.error('elsewhere')")
    polled.quit()

    assert delivered(observation)
    assert said(server, "left behind") == ["elsewhere"]
    health = snapshot_of(server, "left behind")["capture"]
    assert (health["state"], health["why"]) == (
        "partial",
        "what a page said right before it gave way to another origin is missing",
    )


def test_frames_of_one_origin_are_polled_with_their_page_and_others_are_admitted(
    polled: webdriver.Chrome, server: RunningServer, site: Site
) -> None:
    observation = observe(polled, port=server.port, test_id="polled frames")
    polled.get(f"{site.other_url}/frames")
    assert observation.troubles == 0
    polled.get(f"{site.url}/frames")

    polled.quit()

    assert delivered(observation)
    assert said(server, "polled frames") == ["in the frame"]
    health = snapshot_of(server, "polled frames")["capture"]
    assert health["why"] == "what frames of another origin said is missing"


def test_a_browser_without_a_way_in_says_that_it_is_blind(
    driver: webdriver.Chrome, server: RunningServer, site: Site
) -> None:
    # What a Firefox says of itself.
    del driver.caps["goog:chromeOptions"]
    driver.caps["browserName"] = "firefox"
    observation = observe(driver, port=server.port, test_id="no way in")

    driver.get(site.url)
    driver.quit()

    assert delivered(observation)
    assert said(server, "no way in", "info") == [
        "[gasoline] Capture is blind: firefox driven by Selenium offers no debugging protocol"
    ]


def test_the_localhost_of_a_driver_elsewhere_is_not_ours(driver: webdriver.Chrome) -> None:
    config = driver.command_executor.client_config  # type: ignore[union-attr]  # not a string here
    nearby = config.remote_server_addr
    try:
        config.remote_server_addr = "http://grid.example:4444"
        assert selenium_driver._debugging_address(driver) is None
        driver.caps["se:cdp"] = "ws://grid.example:4444/session/1/se/cdp"
        assert selenium_driver._debugging_address(driver) == driver.caps["se:cdp"]
    finally:
        config.remote_server_addr = nearby
