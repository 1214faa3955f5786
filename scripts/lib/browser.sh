# Sourced after setup.sh: finds a Chromium for the tests, or installs one, and exports as GASOLINE_BROWSER what starts it.
# shellcheck shell=bash

starts() { "$1" --version >/dev/null 2>&1; }

# Chromium before Chrome: Chrome ignores --load-extension since version 137.
# Starting it tells a browser from a stub: Ubuntu's chromium-browser only says to install a snap.
find_browser() {
  local name path
  for name in chromium chromium-browser google-chrome-stable google-chrome \
    "/Applications/Chromium.app/Contents/MacOS/Chromium" \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
    "$HOME/Applications/Chromium.app/Contents/MacOS/Chromium" \
    "$HOME/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    path="$(command -v "$name" || true)"
    if [[ -n "$path" ]] && starts "$path"; then
      printf '%s\n' "$path"
      return
    fi
  done
  return 1
}

can_use_apt() { [[ "$(id -u)" == 0 ]] && command -v apt-get >/dev/null; }

apt_get_install() { # PACKAGE
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
  "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$1"
}

apt_install() { # PACKAGE
  can_use_apt || return 1
  say "$1 from the system's packages"
  { apt_get_install "$1" || apt_get_install "$1"; } >"$STAMPS/apt.log" 2>&1 || {
    tail -n 5 "$STAMPS/apt.log" >&2
    return 1
  }
}

install_from_apt() { apt_install chromium && find_browser; }

install_from_playwright() {
  local path
  say "Chromium from Playwright"
  "$PYTHON" -m playwright install chromium >&2 || return 1
  path="$("$PYTHON" -c 'from playwright.sync_api import sync_playwright as p
with p() as playwright: print(playwright.chromium.executable_path)')"
  starts "$path" && printf '%s\n' "$path"
}

install_browser() {
  local path
  path="$(find_browser || install_from_apt || install_from_playwright)" ||
    die "no browser for the tests was found or could be installed; install Chromium (apt install chromium, brew install --cask chromium) or set GASOLINE_BROWSER to its path"
  write_stamp browser "$path"
}

set_up_browser() {
  if [[ -n "${GASOLINE_BROWSER:-}" ]]; then
    [[ -f "$GASOLINE_BROWSER" && -x "$GASOLINE_BROWSER" ]] ||
      die "GASOLINE_BROWSER=$GASOLINE_BROWSER is not an executable file; point it at Chromium or Chrome, or unset it"
    return
  fi
  [[ -f "$STAMPS/browser" && -x "$(<"$STAMPS/browser")" ]] || alone install_browser
  GASOLINE_REAL_BROWSER="$(<"$STAMPS/browser")"
  GASOLINE_BROWSER="$ROOT/scripts/lib/chromium"
  export GASOLINE_BROWSER GASOLINE_REAL_BROWSER
}

# Only Debian's own driver fits Debian's Chromium; whoever has another browser has its driver on the PATH.
install_driver() {
  if [[ "${GASOLINE_REAL_BROWSER:-$GASOLINE_BROWSER}" == "$(command -v chromium || true)" ]]; then apt_install chromium-driver || true; fi
  command -v chromedriver >/dev/null || say "no chromedriver on the PATH: the tests of Selenium are skipped"
  write_stamp driver "$(command -v chromedriver || echo none)"
}

set_up_driver() {
  command -v chromedriver >/dev/null || [[ -f "$STAMPS/driver" ]] || alone install_driver
}

# A screen for browsers with windows. Whoever has none on the machine and cannot install one misses one test.
install_display() {
  { apt_install xvfb && apt_install xauth; } || true
  command -v xvfb-run >/dev/null || say "no xvfb-run on the PATH: the test of a browser with windows is skipped"
  write_stamp display "$(command -v xvfb-run || echo none)"
}

set_up_display() {
  command -v xvfb-run >/dev/null || [[ -f "$STAMPS/display" ]] || alone install_display
}
