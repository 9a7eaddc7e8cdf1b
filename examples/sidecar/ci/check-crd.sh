#!/usr/bin/env bash
# Asks the sidecar whether OLD may become NEW: files with one CustomResourceDefinition each, YAML or JSON.
# Prints the answer as JSON. Exit code 0: allowed; 1: denied; 2: the question could not be answered.
#
# usage: check-crd.sh OLD NEW     (OLM_GUARD_URL, default http://127.0.0.1:8181)
set -euo pipefail
url=${OLM_GUARD_URL:-http://127.0.0.1:8181}
fail() { printf 'check-crd.sh: %s\n' "$1" >&2; exit 2; }
[ $# -eq 2 ] || fail 'usage: check-crd.sh OLD NEW'
for file in "$@"; do [ -f "$file" ] && [ -r "$file" ] || fail "$file: there is no such file"; done

# Indented, a document is the value of a field. A second document in the file is an error of the YAML then.
field() {
  printf '%s:\n' "$1"
  sed -e '1,/^[^#]/{/^---/d;}' -e 's/^/  /' "$2"
  printf '\n'
}

# A proxy of the CI's network does not know this pod's loopback, and "100 Continue" would be one header more.
answer=$(
  { field old "$1" && field new "$2"; } |
    curl --silent --show-error --include --noproxy '*' --max-time 120 --data-binary @- \
      --header 'content-type: application/yaml' --header 'expect:' "$url/v1alpha1/preflight/crd"
) || fail "nothing answers at $url"

shopt -s nocasematch
body=${answer#*$'\r\n\r\n'}
case ${answer%%$'\r\n\r\n'*} in
  *$'\nolm-guard-allowed: true'*) printf '%s\n' "$body" ;;
  *$'\nolm-guard-allowed: false'*) printf '%s\n' "$body"; exit 1 ;;
  *) fail "$body" ;;
esac
