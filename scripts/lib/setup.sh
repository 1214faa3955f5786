# Sourced by the scripts: finds Python and Node, and installs what is locked, once.
# shellcheck shell=bash

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
PYTHON="$ROOT/.venv/bin/python"
STAMPS="$ROOT/.cache/setup"

say() { printf 'setting up: %s\n' "$1" >&2; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit 1
}

# A stamp holds a copy of the inputs it was made from: fresh means nothing has changed since.

is_fresh() { # STAMP INPUTS
  [[ -f "$STAMPS/$1" && "$(<"$STAMPS/$1")" == "$2" ]]
}

write_stamp() { # STAMP INPUTS
  mkdir -p "$STAMPS"
  printf '%s\n' "$2" >"$STAMPS/$1.$$"
  mv "$STAMPS/$1.$$" "$STAMPS/$1"
}

# Runs a command while no other set-up of this tree runs. The kernel drops the lock with the process, so none is ever stale:
# Python locks a file that this shell holds open. `9>&-` keeps the lock from whatever the command leaves running.
alone() {
  local python
  python="$(find_python)"
  mkdir -p "$STAMPS"
  exec 9>"$STAMPS/lock"
  "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null || {
    say "waiting for another set-up of this folder"
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
  }
  "$@" 9>&-
  exec 9>&-
}

is_recent_python() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
  local name
  if [[ -n "${GASOLINE_PYTHON:-}" ]]; then
    is_recent_python "$GASOLINE_PYTHON" || die "GASOLINE_PYTHON=$GASOLINE_PYTHON is not a Python 3.11 or newer; point it at one or unset it"
    printf '%s\n' "$GASOLINE_PYTHON"
    return
  fi
  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if is_recent_python "$name"; then
      printf '%s\n' "$name"
      return
    fi
  done
  die "Python 3.11 or newer is needed and none was found; install it (apt install python3 python3-venv, brew install python) or set GASOLINE_PYTHON to its path"
}

# A virtual environment names its own path in its scripts, so a moved or copied one has to be made anew.
venv_works() {
  is_recent_python "$PYTHON" && grep -qF "$ROOT/.venv/bin/python" "$ROOT/.venv/bin/pip" 2>/dev/null || return 1
  [[ -z "${GASOLINE_PYTHON:-}" || "$(base_of "$PYTHON")" == "$(base_of "$GASOLINE_PYTHON")" ]]
}

base_of() { "$1" -c 'import sys; print(sys.base_prefix, sys.version)'; }

make_venv() {
  local python
  python="$(find_python)"
  "$python" -c 'import ensurepip, venv' 2>/dev/null || die "$python lacks the venv module: apt install python3-venv"
  say "virtual environment in .venv ($("$python" --version))"
  "$python" -m venv --clear "$ROOT/.venv"
}

python_inputs() { # runtime|dev
  printf '%s\n' "$ROOT"
  "$PYTHON" -c 'import sys; print(sys.version)'
  cat "$ROOT/pyproject.toml" "$ROOT/requirements/runtime.txt"
  if [[ "$1" == dev ]]; then cat "$ROOT/requirements/dev.txt"; fi
}

python_is_fresh() { # runtime|dev
  venv_works && [[ -x "$ROOT/.venv/bin/gasoline" ]] && is_fresh "python-$1" "$(python_inputs "$1")"
}

install_python() { # runtime|dev
  if python_is_fresh "$1"; then return; fi
  rm -f "$STAMPS"/python-*
  venv_works || make_venv
  say "Python packages ($1)"
  pip_install --require-hashes -r "$ROOT/requirements/$1.txt"
  pip_install --no-deps --no-build-isolation -e "$ROOT"
  write_stamp "python-$1" "$(python_inputs "$1")"
  if [[ "$1" == dev ]]; then write_stamp python-runtime "$(python_inputs runtime)"; fi
}

pip_install() {
  "$PYTHON" -m pip install --quiet --no-input --disable-pip-version-check "$@" >&2 ||
    die "pip could not install the packages above; check the network and run this again"
}

set_up_python() { # runtime|dev
  python_is_fresh "$1" || alone install_python "$1"
}

require_node() {
  local found
  found="$(node --version 2>/dev/null || true)"
  [[ "$found" =~ ^v([0-9]+)\. && "${BASH_REMATCH[1]}" -ge 20 ]] ||
    die "Node.js 20 or newer is needed and ${found:-none} was found; get it from https://nodejs.org or your package manager"
  command -v npm >/dev/null || die "npm is needed (it comes with Node.js 20 or newer) and was not found; apt install npm, or reinstall Node.js"
}

node_inputs() {
  printf '%s\n' "$ROOT"
  node --version
  cat "$ROOT/package.json" "$ROOT/package-lock.json"
}

node_is_fresh() {
  [[ -f "$ROOT/node_modules/.package-lock.json" ]] && is_fresh node "$(node_inputs)"
}

install_node_packages() {
  if node_is_fresh; then return; fi
  rm -f "$STAMPS/node"
  say "npm packages"
  npm ci --prefix "$ROOT" --loglevel=error >&2 || die "npm ci could not install the packages above; check the network and run this again"
  write_stamp node "$(node_inputs)"
}

set_up_node() {
  require_node
  node_is_fresh || alone install_node_packages
}
