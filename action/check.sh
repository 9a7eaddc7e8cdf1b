#!/usr/bin/env bash
# What action.yml runs: each of the paths as a branch changes it, against the commit it starts from; and
# manifests under their definitions, as the branch has them and as that commit had them.
# Annotations go to the log, a table to the job's summary (and to one comment, where asked), and SARIF
# into a file for code scanning. Ends as the worst of the checks does: 0, 1 denied, 2 not judged.
#
#   OLM_GUARD  the command (default: olm-guard)     CHECK_OLD    a commit, a branch (refs/remotes/origin/main) or release
#   PROFILE, POLICY  as the options                 CHECK_BRANCH  the branch where CHECK_OLD is empty
#                                                   CHECK_PATHS  definitions, one path per line
#   STRICT, NETWORK  true: as the options           CHECK_OBJECTS  manifests, one path per line
#   SARIF_FILE (default: olm-guard.sarif)           CHECK_CRDS, CHECK_SCHEMAS  the definitions of these, likewise
#   ACKNOWLEDGE_LABEL  a label in GITHUB_EVENT_PATH by which breaks of definitions only warn
#   COMMENT  the pull request's number, or empty
# The steps behind it find verdict (allowed, denied, not-judged) and sarif (its files) among its outputs.
set -uo pipefail

# Only the comment needs it: what is checked was written by others.
token=${GH_TOKEN:-}
unset GH_TOKEN
read -ra command <<<"${OLM_GUARD:-olm-guard}"
options=()
[ "${STRICT:-}" != true ] || options+=(--strict)
[ "${NETWORK:-}" != true ] || options+=(--network)
[ -z "${POLICY:-}" ] || options+=(--policy "$POLICY")
sarif=${SARIF_FILE:-olm-guard.sarif}
summary=$(mktemp)
trap 'rm -f "$summary"' EXIT

worst=0
number=0
files=()
# Runs one check, given by its command and arguments, in each format.
report() {
  number=$((number + 1))
  check() { "${command[@]}" check "$1" "${options[@]}" -o "$format" "${@:2}"; }
  local format=github code file
  check "$@"
  code=$?
  [ "$code" -le "$worst" ] || worst=$code
  # What cannot be judged has said why already; code scanning wants a file all the same.
  format=markdown
  [ "$code" -gt 1 ] || check "$@" >>"$summary" 2>/dev/null
  # One file per check: a run of code scanning has one category each.
  [ "$number" -eq 1 ] && file=$sarif || file=${sarif%.sarif}-$number.sarif
  # What a pull request put in its place, a link for one, is not written through.
  rm -rf -- "$file"
  files+=("$file")
  format=sarif
  check "$@" >"$file" 2>/dev/null
}

# As the event has it: nothing is asked of the network, and a pull request cannot write it.
is_labeled() {
  node -e '
    const { GITHUB_EVENT_PATH, ACKNOWLEDGE_LABEL } = process.env;
    const event = JSON.parse(require("node:fs").readFileSync(GITHUB_EVENT_PATH, "utf8"));
    const labels = event.pull_request?.labels ?? [];
    const isLabeled = labels.some(({ name }) => name === ACKNOWLEDGE_LABEL);
    process.exitCode = isLabeled ? 0 : event.merge_group === undefined ? 3 : 4;
  ' 2>/dev/null
}
acknowledged=()
hint=
if [ -n "${ACKNOWLEDGE_LABEL:-}" ]; then
  is_labeled
  case $? in
  0) acknowledged=(--acknowledge "label \"$ACKNOWLEDGE_LABEL\"") ;;
  3) ;;
  4) hint="olm-guard: the event of a merge queue has no labels, so \"$ACKNOWLEDGE_LABEL\" acknowledges nothing here. The pull request was checked with its labels: leave this job out of the queue (if: github.event_name != 'merge_group'; GitHub counts a skipped job as passed), or exempt the break in the policy with a reason." ;;
  *) echo "olm-guard: the labels of the event cannot be read: nothing is acknowledged" >&2 ;;
  esac
fi

# Of a branch, the commit where the work left it: what it has gained since is not the author's doing.
old_of() { echo "git:${CHECK_OLD%...}...:$1"; }

profile=()
[ -z "${PROFILE:-}" ] || profile+=(--profile "$PROFILE")
if [ -z "${CHECK_PATHS:-}${CHECK_OBJECTS:-}" ]; then
  # Definitions and their old side are those of the policy.
  case "${CHECK_OLD:-}" in
  '') old=() ;;
  release) old=(--old release) ;;
  *) old=(--old "git:${CHECK_OLD%...}...") ;;
  esac
  report crd "${profile[@]}" "${acknowledged[@]}" "${old[@]}"
fi
CHECK_OLD=${CHECK_OLD:-${CHECK_BRANCH:-}}
[ -z "${CHECK_PATHS:-}" ] || : "${CHECK_OLD:?names no commit}"
while IFS= read -r path; do
  [ -n "$path" ] || continue
  if [ "$CHECK_OLD" = release ]; then old=(--old release); else old=("$(old_of "$path")"); fi
  report crd "${profile[@]}" "${acknowledged[@]}" "${old[@]}" "$path"
done <<<"${CHECK_PATHS:-}"

# Together: a definition beside the manifests of one path may be that of another path's.
objects=()
definitions=()
while IFS= read -r path; do [ -z "$path" ] || objects+=("$path"); done <<<"${CHECK_OBJECTS:-}"
while IFS= read -r path; do
  [ -n "$path" ] || continue
  definitions+=(--crds "$path")
  # What the old ones refuse too is a warning, and a field that only they have is an error.
  [ -z "${CHECK_OLD:-}" ] || [ "$CHECK_OLD" = release ] || definitions+=(--against "$(old_of "$path")")
done <<<"${CHECK_CRDS:-}"
while IFS= read -r path; do
  [ -z "$path" ] || definitions+=(--schema-location "$path")
done <<<"${CHECK_SCHEMAS:-}"
[ "${#objects[@]}" -eq 0 ] || report objects "${definitions[@]}" "${objects[@]}"

if [ "$number" -eq 0 ]; then
  echo "olm-guard: CHECK_PATHS names no path" >&2
  worst=2
fi
[ "$worst" -ne 1 ] || [ -z "$hint" ] || echo "$hint" >&2
verdicts=(allowed denied)
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf '%s\n' "verdict=${verdicts[worst]:-not-judged}" "sarif=${files[*]}" >>"$GITHUB_OUTPUT"
fi
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${COMMENT:-}" ] && [ -s "$summary" ]; then
  # A pull request from a fork may not write; the summary has the same.
  GH_TOKEN=$token gh pr comment "$COMMENT" --edit-last --create-if-none --body-file "$summary" ||
    echo "olm-guard: no comment could be written"
fi
exit "$worst"
