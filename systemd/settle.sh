#!/usr/bin/env bash
# After a boot in the middle of an update: does the new release come up? If not, the one from before is put back.
# The installer leaves a copy in /opt/feltside, apart from any release. feltside-settle.service starts it.
set -euo pipefail

prefix=/opt/feltside
units=(feltside-table.service feltside-web.service)
patience_s=${1:-90}

before=$(cat "$prefix/trial")
for _ in $(seq "$patience_s"); do
  if systemctl -q is-active "${units[@]:0:1}" && systemctl -q is-active "${units[@]:1:1}"; then
    echo "feltside: the update that was cut short works"
    rm -f "$prefix/trial"
    exit 0
  fi
  sleep 1
done
if [ ! -x "$before/bin/python" ]; then
  echo "feltside: the update that was cut short does not come up, and there is no release before it" >&2
  exit 1
fi
echo "feltside: the update that was cut short does not come up; the release before it is put back"
ln -sfn "$before" "$prefix/current.new"
mv -T "$prefix/current.new" "$prefix/current"
rm -f "$prefix/trial"
sync -f "$prefix"
systemctl reset-failed "${units[@]}" || true
systemctl restart "${units[@]}"
