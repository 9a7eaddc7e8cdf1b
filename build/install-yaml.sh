#!/bin/sh
# build/install-yaml.sh IMAGE: manifests/overlays/default as one file on standard output, with the image of a release.
# Needs kubectl.
set -eu
[ $# -eq 1 ] || { sed -n 's/^# //; 2,3p' "$0" >&2; exit 2; }
folder=$(dirname "$0")/../manifests/overlays/default
rendered=$(kubectl kustomize "$folder")
case $rendered in
  *"image: olm-guard:"*) ;;
  *) echo "$folder names no image olm-guard" >&2; exit 1 ;;
esac
printf '%s\n' "$rendered" | sed "s|image: olm-guard:.*|image: $1|"
