#!/usr/bin/env bash
# What action.yml runs: each of the paths as a branch changes it, against the commit it starts from.
# Annotations go to the log, a table to the job's summary (and to one comment, where asked), and SARIF
# into a file for code scanning. Ends as the worst of the checks does: 0, 1 denied, 2 not judged.
#
#   OLM_GUARD  the command (default: olm-guard)     CHECK_OLD    a commit, or a branch (refs/remotes/origin/main)
#   PROFILE, POLICY  as the options                 CHECK_PATHS  one path per line
#   STRICT  true: deny all that the profile refuses
#   SARIF_FILE (default: olm-guard.sarif)           COMMENT      the pull request's number, or empty
# The steps behind it find verdict (allowed, denied, not-judged) and sarif (its files) among its outputs.
set -uo pipefail

read -ra command <<<"${OLM_GUARD:-olm-guard}"
options=()
[ -z "${PROFILE:-}" ] || options+=(--profile "$PROFILE")
[ "${STRICT:-}" != true ] || options+=(--strict)
[ -z "${POLICY:-}" ] || options+=(--policy "$POLICY")
# Of a branch, the commit where the work left it: what it has gained since is not the author's doing.
old=${CHECK_OLD:?names no commit}
sarif=${SARIF_FILE:-olm-guard.sarif}
summary=$(mktemp)
trap 'rm -f "$summary"' EXIT

worst=0
number=0
files=()
while IFS= read -r path; do
  [ -n "$path" ] || continue
  number=$((number + 1))
  check() { "${command[@]}" check crd "git:${old%...}...:$path" "$path" "${options[@]}" -o "$1"; }
  check github
  code=$?
  [ "$code" -le "$worst" ] || worst=$code
  # What cannot be judged has said why already; code scanning wants a file all the same.
  [ "$code" -gt 1 ] || check markdown >>"$summary" 2>/dev/null
  # One file per path: a run of code scanning has one category each.
  [ "$number" -eq 1 ] && file=$sarif || file=${sarif%.sarif}-$number.sarif
  # What a pull request put in its place, a link for one, is not written through.
  rm -rf -- "$file"
  files+=("$file")
  check sarif >"$file" 2>/dev/null
done <<<"${CHECK_PATHS:?names no path}"

verdicts=(allowed denied)
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf '%s\n' "verdict=${verdicts[worst]:-not-judged}" "sarif=${files[*]}" >>"$GITHUB_OUTPUT"
fi
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${COMMENT:-}" ] && [ -s "$summary" ]; then
  # A pull request from a fork may not write; the summary has the same.
  gh pr comment "$COMMENT" --edit-last --create-if-none --body-file "$summary" ||
    echo "olm-guard: no comment could be written"
fi
exit "$worst"
