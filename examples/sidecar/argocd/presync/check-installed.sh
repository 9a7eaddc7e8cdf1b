#!/usr/bin/env bash
# Asks the sidecar of this pod whether each definition in FOLDER may take the place of the one that is
# installed. Exit code 0: all allowed; 1: one is denied; 2: one could not be judged.
#
# usage: check-installed.sh FOLDER     (OLM_GUARD_URL, default http://127.0.0.1:8181)
set -euo pipefail
url=${OLM_GUARD_URL:-http://127.0.0.1:8181}
fail() { printf 'check-installed.sh: %s\n' "$1" >&2; exit 2; }
[ -d "${1:-}" ] || fail 'usage: check-installed.sh FOLDER'

# Indented, a document is the value of a field; a JSON file is YAML too.
field() {
  printf '%s:\n' "$1"
  sed -e '1,/^[^#]/{/^---/d;}' -e 's/^/  /'
  printf '\n'
}

worst=0
shopt -s nocasematch nullglob
for file in "$1"/*.yaml "$1"/*.yml "$1"/*.json; do
  name=$(basename "$file")
  installed=$(kubectl get --filename "$file" --output yaml --ignore-not-found) || fail "$name was not found out"
  if [ -z "$installed" ]; then
    echo "$name: added"
    continue
  fi
  answer=$(
    { field old <<<"$installed" && field new <"$file"; } |
      curl --silent --show-error --include --noproxy '*' --max-time 120 --data-binary @- \
        --header 'content-type: application/yaml' --header 'expect:' "$url/v1alpha1/preflight/crd"
  ) || fail "nothing answers at $url"
  body=${answer#*$'\r\n\r\n'}
  case ${answer%%$'\r\n\r\n'*} in
    *$'\nolm-guard-allowed: true'*) echo "$name: allowed" ;;
    *$'\nolm-guard-allowed: false'*) printf '%s: denied %s\n' "$name" "$body"; worst=1 ;;
    *) fail "$name: $body" ;;
  esac
done
exit "$worst"
