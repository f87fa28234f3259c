#!/usr/bin/env bash
# Compares two surfaces: annotations go to standard output, a report to the job's summary. Each server is asked once.
set -euo pipefail

token=$SURFACE_TOKEN
# What a pull request brings runs below, and must not find it.
unset SURFACE_TOKEN
cd "$SURFACE_PATH"
work="$RUNNER_TEMP/cairn-surface"
cairn() { node "$work/node_modules/cairn-gitops/bin/cairn.mjs" "$@"; }

case "$SURFACE_FAIL_ON" in
  version) demand=(--check) ;;
  major) demand=(--expect minor) ;;
  minor) demand=(--expect patch) ;;
  patch) demand=(--expect none) ;;
  never) demand=() ;;
  *)
    echo "::error::\`fail-on\` is version, major, minor, patch or never, not $SURFACE_FAIL_ON"
    exit 1
    ;;
esac

case "$SURFACE_MCP" in
  http://* | https://*)
    if [ -n "$token" ]; then
      SURFACE_TOKEN=$token cairn surface save "$work/after.json" --mcp "$SURFACE_MCP" --token-env SURFACE_TOKEN
    else
      cairn surface save "$work/after.json" --mcp "$SURFACE_MCP"
    fi
    ;;
  *) cairn surface save "$work/after.json" --mcp "$SURFACE_MCP" ;;
esac
against=$SURFACE_AGAINST
case "$against" in
  *.json) ;;
  *)
    cairn surface save "$work/before.json" --mcp "$against"
    against="$work/before.json"
    ;;
esac

compare() {
  cairn diff --mcp "$work/after.json" --against "$against" --compare "$SURFACE_COMPARE" "${demand[@]}" --format "$1"
}
failed=0
compare github || failed=$?
# A command line that is wrong has said so; there is nothing to report.
[ "$failed" -le 1 ] || exit "$failed"
for format in json markdown sarif; do compare "$format" >"$work/report.$format" || true; done
bump=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).required' "$work/report.json")
{
  printf '## Surface of the MCP server\n\n'
  cat "$work/report.markdown"
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
{
  echo "bump=$bump"
  if [ "$bump" = major ]; then echo "breaking=true"; else echo "breaking=false"; fi
  echo "report=$work/report.markdown"
  echo "sarif=$work/report.sarif"
} >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$failed"
