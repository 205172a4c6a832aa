# Sourced by the setup scripts: progress lines, and apt with the rights we have.
# shellcheck shell=bash

ME="$(basename "$0")"

say() { printf '%s: %s\n' "$ME" "$*"; }
warn() { printf '%s: %s\n' "$ME" "$*" >&2; }

# How to become root: "" (we are), "sudo -n" (allowed without a password), or "no".
root_rights() {
    if [ "$(id -u)" = 0 ]; then
        echo ""
    elif command -v sudo >/dev/null 2>&1 && sudo -n true >/dev/null 2>&1; then
        echo "sudo -n"
    else
        echo "no"
    fi
}

have_apt() { command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1; }

# True where packages may be installed here, without asking anybody.
can_apt() { have_apt && [ "$(root_rights)" != "no" ]; }

as_root() {
    local rights
    rights="$(root_rights)"
    [ "$rights" = "no" ] && rights="" # then it can only do what anybody may
    # shellcheck disable=SC2086  # "sudo -n" is two words
    $rights env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 "$@"
}

# Quiet while it works; everything apt said is shown if it fails.
apt_get() {
    local log status=0
    log="$(mktemp)"
    as_root apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null >"$log" 2>&1 || status=$?
    [ "$status" = 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

# Lists of the last ten minutes are new enough: several scripts follow one another. --again: the sources have changed.
apt_update() {
    local stamp="$here/../build/apt-updated"
    if [ "${1:-}" != --again ] && [ -n "$(find "$stamp" -mmin -10 2>/dev/null)" ]; then
        return
    fi
    # One broken third-party source must not stop us: the install decides.
    apt_get update || warn "apt-get update reported errors; going on with what it has"
    mkdir -p "$(dirname "$stamp")" && touch "$stamp"
}

apt_install() {
    say "apt-get install $*"
    apt_get install --no-install-recommends "$@"
}
