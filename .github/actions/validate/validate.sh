#!/usr/bin/env bash
# Checks what is checked out: annotations go to standard output, a report to CAIRN_REPORT. Ends with 1 when anything failed.
# BASE_COMMIT is what a pull request is to be merged into; without it nothing is compared.
set -uo pipefail

cairn() { node "$CAIRN_ROOT/bin/cairn.mjs" "$@"; }
# Four spaces make it a code block that no line of it can end.
quote() { sed 's/^/    /'; }

failed=0
say() { printf '%s\n' "$1" >>"$CAIRN_REPORT"; }
# check <passed> <failed> <command...>
check() {
  local passed=$1 broken=$2
  shift 2
  if "$@"; then say "- ✅ $passed"; else
    say "- ❌ $broken"
    failed=1
    return 1
  fi
}

printf '## Cairn\n\n' >"$CAIRN_REPORT"
details=$(mktemp)
trap 'rm -f "$details"' EXIT

if check "The manifests are valid." "The manifests are wrong." cairn validate --no-number --format github; then
  egress=()
  [ -z "${EGRESS_MAP:-}" ] || egress=(--egress-map "$EGRESS_MAP")
  if ! cairn test --format github "${egress[@]}" | tee "$details"; then
    say "- ❌ Tools do not answer as their examples say."
    failed=1
  else
    skipped=$(sed -n 's/^unknown: .*, \([1-9][0-9]*\) skipped.*$/\1/p' "$details" | tail -n 1)
    if [ -z "$skipped" ]; then say "- ✅ Tools answer as their examples say."; else
      say "- ➖ Tools answer as their examples say, but for $skipped that show nothing: \`cairn test --record\` records what they ask."
    fi
  fi
  # Both judge by what is served, as services do; the base shows what differs from it.
  if [ -z "${BASE_COMMIT:-}" ] || ! cairn validate --no-number "$BASE_COMMIT" >/dev/null 2>&1; then
    [ -z "${BASE_COMMIT:-}" ] || say "- ➖ There is no valid version before this one to compare with."
    judge=(cairn validate --format github)
  else
    judge=(cairn diff "$BASE_COMMIT" HEAD --check --format github)
    difference=$(cairn diff "$BASE_COMMIT" HEAD --format markdown)
  fi
  check "The version claims what its changes need." "The version claims less than its changes need." "${judge[@]}" || true
  say ""
  [ -z "${difference:-}" ] || say "$difference"$'\n'
  say "<details><summary>Examples</summary>"$'\n'
  grep -v '^::' "$details" | quote >>"$CAIRN_REPORT"
  say ""$'\n'"</details>"
else
  say ""
  cairn validate --no-number 2>/dev/null | quote >>"$CAIRN_REPORT"
fi

cat "$CAIRN_REPORT" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$failed"
