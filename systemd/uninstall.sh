#!/usr/bin/env bash
# Takes Feltside away. Matches, pictures and settings stay, unless told otherwise.
#
#   sudo systemd/uninstall.sh [--delete-data]
set -euo pipefail

fail() {
  printf 'feltside: %s\n' "$*" >&2
  exit 2
}
data=keep
case ${1:-} in
  "") ;;
  --delete-data) data=delete ;;
  -h | --help) sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) fail "unknown option $1 (expected --delete-data)" ;;
esac
[ "$(id -u)" = 0 ] || fail "this needs root: sudo $0"

units=(feltside-table.service feltside-web.service feltside-web.socket feltside-neighbours.service
  feltside-upkeep.path feltside-upkeep.service feltside-settle.service feltside-boot.service)
systemctl -q disable "${units[@]}" 2>/dev/null || true
if [ -d /run/systemd/system ]; then systemctl stop "${units[@]}" 2>/dev/null || true; fi
for unit in "${units[@]}"; do rm -f "/etc/systemd/system/$unit"; done
rm -f /usr/lib/sysusers.d/feltside.conf /usr/lib/tmpfiles.d/feltside.conf /usr/lib/udev/rules.d/60-feltside.rules
rm -f /etc/systemd/journald.conf.d/feltside.conf /etc/avahi/services/feltside.service /usr/local/bin/feltside
rm -f /etc/NetworkManager/conf.d/feltside.conf /etc/NetworkManager/system-connections/feltside-hotspot.nmconnection
rm -f /boot/firmware/feltside-refused.txt /boot/feltside-refused.txt
rmdir --ignore-fail-on-non-empty /etc/systemd/journald.conf.d /etc/NetworkManager/conf.d /etc/NetworkManager 2>/dev/null || true
[ -f /etc/avahi/avahi-daemon.conf ] && sed -i -E 's/^host-name=/#host-name=/' /etc/avahi/avahi-daemon.conf
rm -rf /opt/feltside /run/feltside-upkeep /run/feltside-install.lock
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl reset-failed "${units[@]}" 2>/dev/null || true
  systemctl try-restart systemd-journald avahi-daemon 2>/dev/null || true
  nmcli connection reload 2>/dev/null || true
fi
if [ "$data" = delete ]; then
  rm -rf /var/lib/feltside /var/lib/feltside-web /etc/feltside
  # The users own nothing any more; the groups gpio and video are the system's.
  userdel feltside-web 2>/dev/null || true
  userdel feltside 2>/dev/null || true
  groupdel feltside-web 2>/dev/null || true
  groupdel feltside 2>/dev/null || true
  echo "feltside: everything is gone"
else
  echo "feltside: gone; matches and pictures are kept in /var/lib/feltside, settings in /etc/feltside"
fi
