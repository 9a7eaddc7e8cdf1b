#!/usr/bin/env bash
# Asks the sidecar whether OLD may become NEW, both a CustomResourceDefinition as JSON.
# Exit code 0: allowed; 1: denied; 2: the question could not be answered.
#
# usage: check-crd.sh OLD.json NEW.json     (OLM_GUARD_URL, default http://127.0.0.1:8181)
set -euo pipefail
old=${1:?usage: check-crd.sh OLD.json NEW.json} new=${2:?usage: check-crd.sh OLD.json NEW.json}
url=${OLM_GUARD_URL:-http://127.0.0.1:8181}

answer=$(
  { printf '{"old":'; cat "$old"; printf ',"new":'; cat "$new"; printf '}'; } |
    curl --silent --show-error --fail-with-body --data-binary @- \
      --header 'content-type: application/json' "$url/v1alpha1/preflight/crd"
) || { printf '%s\n' "$answer" >&2; exit 2; }

printf '%s\n' "$answer"
case $answer in
  '{"verdict":{"allowed":true,'*) exit 0 ;;
  *) exit 1 ;;
esac
