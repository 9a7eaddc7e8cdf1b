#!/bin/sh
# build/install-yaml.sh IMAGE [OVERLAY [DOCS-URL]]: the manifests (overlays/self-managed, or another) as one file on
# standard output, with the image of a release, and where its alerts find their runbook. Needs kubectl.
set -eu
[ $# -ge 1 ] || { sed -n 's/^# //; 2,3p' "$0" >&2; exit 2; }
folder=$(dirname "$0")/../manifests/${2:-overlays/self-managed}
rendered=$(kubectl kustomize "$folder")
case $rendered in
  *"image: olm-guard:"*) ;;
  *) echo "$folder names no image olm-guard" >&2; exit 1 ;;
esac
printf '%s\n' "$rendered" | sed "s|image: olm-guard:.*|image: $1|; s|https://unpkg.com/olm-guard@[^/]*/docs|${3:-&}|"
