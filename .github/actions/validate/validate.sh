#!/usr/bin/env bash
# Checks the folder that it runs in: annotations go to standard output, a report to CAIRN_REPORT, version, bump and breaking to
# GITHUB_OUTPUT. Ends with 1 when anything failed. BASE_COMMIT is what a pull request is to be merged into; without it nothing is
# compared.
set -uo pipefail

# Of an agent in a larger repository: its folder, from the repository's top, which annotations name files from.
prefix=$(git rev-parse --show-prefix)
export prefix
cairn() { node "$CAIRN_ROOT/bin/cairn.mjs" "$@" | awk '{ sub(/^::(error|warning|notice) file=/, "&" ENVIRON["prefix"]); print; fflush() }'; }
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

# outputs <name...>: of the difference on standard input
outputs() {
  node -e '
    const { to, required } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const known = { version: to.version, bump: required, breaking: required === "major" };
    for (const name of process.argv.slice(1)) console.log(`${name}=${known[name]}`);
  ' "$@" >>"${GITHUB_OUTPUT:-/dev/null}"
}

printf '## Cairn%s\n\n' "${prefix:+: ${prefix%/}}" >"$CAIRN_REPORT"
details=$(mktemp) before=$(mktemp -d)
trap 'rm -rf "$details" "$before"' EXIT

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
  base=${BASE_COMMIT:-} head=HEAD
  if [ -n "$base" ] && [ -n "$prefix" ]; then
    head=.
    git archive "$BASE_COMMIT" . 2>/dev/null | tar -x -C "$before" 2>/dev/null && base=$before || base=none
  fi
  # Both judge by what is served, as services do; the base shows what differs from it.
  if [ -z "$base" ] || ! cairn validate --no-number "$base" >/dev/null 2>&1; then
    [ -z "$base" ] || say "- ➖ There is no valid version before this one to compare with."
    judge=(cairn validate --format github)
    cairn diff . . --format json | outputs version
  else
    judge=(cairn diff "$base" "$head" --check --format github)
    difference=$(cairn diff "$base" "$head" --check --format markdown 2>/dev/null) || true
    cairn diff "$base" "$head" --format json | outputs version bump breaking
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
