#!/usr/bin/env bash
# Brings Feltside up to date from where it came from: the same as `sudo feltside update`, and as the button on the
# table's page.
#
#   sudo systemd/update.sh [--force]
#
# Refused while a match is played (unless --force). A backup comes first (/var/lib/feltside/before-update.feltside);
# a version that does not come up is taken back.
set -euo pipefail

case ${1:-} in
  "" | --force) ;;
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "feltside: unknown option $1 (expected --force)" >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "feltside: this needs root: sudo $0" >&2; exit 2; }
[ -x /usr/local/bin/feltside ] || { echo "feltside: nothing is installed yet: sudo systemd/install.sh" >&2; exit 2; }
exec /usr/local/bin/feltside update "$@"
