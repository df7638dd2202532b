#!/usr/bin/env bash
# Brings Feltside up to date from where its checkout came from.
#
#   sudo systemd/update.sh [--force]
#
# Refused while a match is played (unless --force). A backup comes first (/var/lib/feltside/before-update.feltside);
# a version that does not come up is taken back, in the checkout as well.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
fail() {
  printf 'feltside: %s\n' "$*" >&2
  exit 2
}
force=()
case ${1:-} in
  "") ;;
  --force) force=(--force) ;;
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) fail "unknown option $1 (expected --force)" ;;
esac
[ "$(id -u)" = 0 ] || fail "this needs root: sudo $0"
owner=$(stat -c %U "$source")
as_owner() { runuser -u "$owner" -- git -C "$source" "$@"; }

if [ ${#force[@]} = 0 ] && [ -x /opt/feltside/current/bin/python ] && systemctl -q is-active feltside-table; then
  /opt/feltside/current/bin/python -m pi.doors.upkeep idle --state /var/lib/feltside || exit 2
fi
before=$(as_owner rev-parse HEAD) || fail "$source is no git checkout: fetch the new version and run its systemd/install.sh"
as_owner pull --ff-only --quiet || fail "the new version could not be fetched; nothing was changed"
after=$(as_owner rev-parse HEAD)
if [ "$before" = "$after" ]; then
  echo "feltside: this is the newest version ($before)"
  exit 0
fi
# The new version's installer, not the one of this file.
if ! "$here/install.sh" "${force[@]}"; then
  as_owner reset --keep --quiet "$before"
  fail "still at version $before"
fi
echo "feltside: now at version $after"
