#!/usr/bin/env bash
# Renders the kustomization in the working directory, and asks the sidecar whether API servers would take
# each CustomResourceDefinition in it. Argo CD shows what this prints on standard error, and syncs nothing.
set -euo pipefail
url=${OLM_GUARD_URL:-http://127.0.0.1:8181}
rendered=$(kustomize build .)

# One definition after the other, indented as the value of a field.
definitions=$(mktemp -d)
trap 'rm -rf "$definitions"' EXIT
awk -v folder="$definitions" '
  function flush() {
    if (document ~ /\n  kind: CustomResourceDefinition\n/) print "new:" document > (folder "/" ++count ".yaml")
    document = ""
  }
  /^---/ { flush(); next }
  { document = document "\n  " $0 }
  END { flush() }
' <<<"$rendered"

for file in "$definitions"/*.yaml; do
  [ -e "$file" ] || continue
  answer=$(curl --silent --show-error --include --noproxy '*' --max-time 120 --data-binary "@$file" \
    --header 'content-type: application/yaml' --header 'expect:' "$url/v1alpha1/preflight/definition")
  if ! grep -qi '^olm-guard-allowed: true' <<<"$answer"; then
    printf '%s\n' "${answer#*$'\r\n\r\n'}" >&2
    exit 1
  fi
done
printf '%s\n' "$rendered"
