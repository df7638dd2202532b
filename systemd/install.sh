#!/usr/bin/env bash
# Installs Feltside on Raspberry Pi OS or Debian 12/13 (64 bit), brings it up to date, and repairs it: run it again
# whenever something looks broken. Matches, pictures and settings are never touched.
#
#   sudo systemd/install.sh [--name NAME] [--hotspot | --no-hotspot] [--no-start] [--force]
#
#   --name NAME   be found as NAME.local (default: feltside)
#   --hotspot     open a Wi-Fi network of the table's own where no known one is in reach (--no-hotspot: no more)
#   --no-start    put everything in place but start nothing
#   --force       even while a match is being played
#
# Each run makes a new release under /opt/feltside/releases, tries it, and only then lets /opt/feltside/current
# point to it: at any moment, also when the plug is pulled, the old or the new one is whole. A release that does
# not come up is taken back. Without the internet: PIP_NO_INDEX=1 PIP_FIND_LINKS=/folder/of/wheels sudo -E ...
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
prefix=/opt/feltside
state=/var/lib/feltside
settings=/etc/feltside/feltside.toml
units=(feltside-web.socket feltside-web.service feltside-table.service)
# What may come up or not without the table being any worse for it.
helpers=(feltside-upkeep.path feltside-upkeep.service feltside-settle.service feltside-neighbours.service
  feltside-boot.service)
name=feltside
hotspot=keep
start=yes
force=no

say() { printf 'feltside: %s\n' "$*"; }
fail() {
  printf 'feltside: %s\n' "$*" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --name) name=${2:?--name needs a name}; shift ;;
    --hotspot) hotspot=on ;;
    --no-hotspot) hotspot=off ;;
    --no-start) start=no ;;
    --force) force=yes ;;
    -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option $1 (expected --name, --hotspot, --no-hotspot, --no-start or --force)" ;;
  esac
  shift
done
[[ $name =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || fail "$name is no name for a computer (small letters, digits, -)"
[ "$(id -u)" = 0 ] || fail "this needs root: sudo $0"
[ "$(getconf LONG_BIT)" = 64 ] || fail "this system is 32 bit (expected the 64-bit Raspberry Pi OS)"
[ -f "$source/pyproject.toml" ] || fail "$source is no checkout of Feltside"

running() { [ -d /run/systemd/system ]; }

# -- one at a time --------------------------------------------------------------------------------------------
exec 9>/run/feltside-install.lock
flock -n 9 || fail "another installation is under way (expected one at a time); wait for its end"

# -- a match is not interrupted -------------------------------------------------------------------------------
if [ "$force" = no ] && [ -x "$prefix/current/bin/python" ] && running && systemctl -q is-active feltside-table; then
  "$prefix/current/bin/python" -m pi.doors.upkeep idle --state "$state" || exit 2
fi

# -- Debian's packages ----------------------------------------------------------------------------------------
wanted=(python3-venv libgl1 libglib2.0-0 avahi-daemon git)
# Only Raspberry Pi OS (and newer Debians) have these two; elsewhere there is no such camera, and lgpio comes by pip.
for package in python3-picamera2 python3-lgpio; do
  if apt-cache show "$package" >/dev/null 2>&1; then wanted+=("$package"); fi
done
# Who comes onto the table's own network gets an address from dnsmasq, which NetworkManager starts.
[ "$hotspot" != on ] || wanted+=(network-manager dnsmasq-base)
missing=()
for package in "${wanted[@]}"; do
  # Debian 13 calls some libraries by their old name and t64.
  # (dpkg-query ends with an error when it does not know one of the two names; its answer is what counts.)
  found=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" "${package}t64" 2>/dev/null || true)
  grep -qx installed <<<"$found" || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

# -- users, folders, settings ---------------------------------------------------------------------------------
put() { install -D -m 0644 "$here/$1" "$2"; }
put sysusers.conf /usr/lib/sysusers.d/feltside.conf
put tmpfiles.conf /usr/lib/tmpfiles.d/feltside.conf
put udev.rules /usr/lib/udev/rules.d/60-feltside.rules
put journald.conf /etc/systemd/journald.conf.d/feltside.conf
put networkmanager.conf /etc/NetworkManager/conf.d/feltside.conf
systemd-sysusers feltside.conf
systemd-tmpfiles --create feltside.conf
[ -e "$settings" ] || put feltside.toml "$settings"

# -- the new release ------------------------------------------------------------------------------------------
release=$prefix/releases/$(date -u +%Y%m%dT%H%M%SZ)
[ ! -e "$release" ] || release=$release-$$ # a clock may stand still
before=$(readlink -f "$prefix/current" 2>/dev/null || true)
both_up() { systemctl -q is-active feltside-table.service && systemctl -q is-active feltside-web.service; }
if [ -e "$prefix/trial" ] && ! { running && both_up; }; then
  before=$(cat "$prefix/trial") # an update was cut short, and its release does not work
fi
install -d -m 0755 "$prefix/releases"
cleanup() { rm -rf "$release"; }
trap cleanup EXIT
say "making $release"
# Built from a copy, so that nothing is left behind in the checkout.
copy=$(mktemp -d)
trap 'rm -rf "$copy"; cleanup' EXIT
tar -C "$source" --exclude=./.git --exclude=./.venv --exclude=__pycache__ -cf - pyproject.toml README.md pi vision web |
  tar -C "$copy" -xf -
ours() { "$release/bin/python" -m pip install --quiet --disable-pip-version-check "${copy}[mqtt]"; }
works() { "$release/bin/feltside" count --json >/dev/null <<<"1 2 3" && "$release/bin/python" -c "import cv2, flask, waitress"; }
anew() {
  rm -rf "$release"
  python3 -m venv --system-site-packages "$release"
  ours
}
# An update takes over the libraries of the release before as they are (pip replaces files, it never writes into them):
# seconds instead of minutes. A run by hand is a repair, and makes everything anew.
taken_over() {
  local site
  site=lib/python$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')/site-packages
  [ -n "${FELTSIDE_COMMIT:-}" ] && [ -n "$before" ] && [ -d "$before/$site" ] || return 1
  python3 -m venv --without-pip --system-site-packages "$release" &&
    rm -rf "${release:?}/$site" && cp -al "$before/$site" "$release/$site" && ours && works
}
taken_over || anew
rm -rf "$copy"
works
"$release/bin/python" -m pi.doors.boot_settings || say "settings on the boot partition were refused; the text beside them says why"
if ! "$release/bin/python" -m pi.doors.upkeep settings --config "$settings"; then
  # An update must not end in safe mode; a repair by hand goes on all the same, for what is broken may be something else.
  [ -z "${FELTSIDE_COMMIT:-}" ] || fail "the settings do not hold; nothing was changed"
  say "the settings do not hold: the table will come up in safe mode, without camera and buttons, until they do"
fi
# Which version this is, and where the next one comes from (`feltside update` reads both).
as_owner() { runuser -u "$(stat -c %U "$source")" -- git -C "$source" "$@" 2>/dev/null; }
commit=${FELTSIDE_COMMIT:-$(as_owner rev-parse HEAD || true)}
[ -z "$commit" ] || printf '%s\n' "$commit" >"$release/COMMIT"
if [ -z "${FELTSIDE_COMMIT:-}" ]; then
  branch=$(as_owner symbolic-ref --short HEAD || true)
  address=$(as_owner remote get-url origin || true)
  if [ -n "$branch" ] && [ -n "$address" ]; then
    printf '%s\n%s\n' "$address" "$branch" >"$prefix/origin.new"
    mv -T "$prefix/origin.new" "$prefix/origin"
  fi
fi
trap - EXIT

# -- a backup, then the switch --------------------------------------------------------------------------------
if [ -n "$before" ] && [ -e "$state/feltside.sqlite" ]; then
  "$release/bin/feltside" backup --state "$state" --no-pictures --force "$state/before-update.feltside" ||
    if [ -n "${FELTSIDE_COMMIT:-}" ] && [ "$force" = no ]; then
      rm -rf "$release"
      fail "no backup could be made, and without one there is no update; nothing was changed"
    else
      say "no backup could be made; going on, nothing of the matches is touched"
    fi
fi
switch() {
  ln -sfn "$1" "$prefix/current.new"
  mv -T "$prefix/current.new" "$prefix/current"
  sync -f "$prefix"
}
sync -f "$release"
install -D -m 0755 "$here/settle.sh" "$prefix/settle.sh"
# While this stands, the release is on trial: should the plug be pulled now, the next boot tries it and takes it back
# when it does not come up (feltside-settle.service).
if [ -n "$before" ] && [ -d "$before" ]; then
  printf '%s\n' "$before" >"$prefix/trial.new"
  mv -T "$prefix/trial.new" "$prefix/trial"
fi
switch "$release"
for unit in "${units[@]}" "${helpers[@]}"; do put "$unit" "/etc/systemd/system/$unit"; done
put avahi.service /etc/avahi/services/feltside.service
ln -sfn "$prefix/current/bin/feltside" /usr/local/bin/feltside
avahi=/etc/avahi/avahi-daemon.conf
if [ -f "$avahi" ] && ! grep -qx "host-name=$name" "$avahi"; then
  sed -i -E "0,/^#?host-name=.*/s//host-name=$name/" "$avahi"
fi

# -- start ----------------------------------------------------------------------------------------------------
up() {
  systemctl reset-failed "${units[@]}" 2>/dev/null || true
  systemctl restart feltside-web.socket && systemctl restart feltside-table.service feltside-web.service
}
if running; then
  systemctl daemon-reload
  udevadm control --reload 2>/dev/null || true
  systemctl try-restart systemd-journald avahi-daemon || true
fi
systemctl -q enable "${units[@]}" feltside-upkeep.path feltside-settle.service feltside-neighbours.service \
  feltside-boot.service
systemctl -q enable avahi-daemon 2>/dev/null || true
settled() {
  rm -f "$prefix/trial"
  sync -f "$prefix"
}
if running && [ "$start" = yes ]; then
  if ! up; then
    journalctl -q --no-pager -n 20 -u feltside-table -u feltside-web >&2 || true
    if [ -n "$before" ] && [ -d "$before" ]; then
      switch "$before"
      up || true
      settled
      rm -rf "$release"
      fail "the new release did not come up; the one from before is back at work"
    fi
    fail "the services did not come up; the lines above say why (and so does: sudo feltside doctor)"
  fi
  systemctl restart feltside-upkeep.path || say "the button for updates does not work: see systemctl status feltside-upkeep.path"
  systemctl restart --no-block feltside-neighbours.service || true
fi
settled

# -- a network of its own -------------------------------------------------------------------------------------
if [ "$hotspot" != keep ]; then
  "$release/bin/python" -m pi.doors.hotspot "$hotspot"
  # Known to NetworkManager from now on, used from the next boot on: nobody is cut off by an installer.
  if running; then nmcli connection reload 2>/dev/null || true; fi
fi

# -- old releases ---------------------------------------------------------------------------------------------
for old in "$prefix"/releases/*; do
  [ "$old" = "$release" ] || [ "$old" = "$before" ] || rm -rf "$old"
done
say "installed. The pages: http://$name.local/   What is well here and what not: sudo feltside doctor"
