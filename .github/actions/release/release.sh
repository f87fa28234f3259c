#!/usr/bin/env bash
# Releases what is checked out: the tag's notes go to CAIRN_NOTES, empty when nothing was released, and the outputs to GITHUB_OUTPUT.
set -euo pipefail

# Who the tag and the commit that gathers change fragments are by, unless git knows.
if ! git config user.email >/dev/null; then
  export GIT_AUTHOR_NAME="github-actions[bot]"
  export GIT_AUTHOR_EMAIL="41898282+github-actions[bot]@users.noreply.github.com"
  export GIT_COMMITTER_NAME="github-actions[bot]"
  export GIT_COMMITTER_EMAIL="41898282+github-actions[bot]@users.noreply.github.com"
fi
egress=()
[ -z "${EGRESS_MAP:-}" ] || egress=(--egress-map "$EGRESS_MAP")
node "$CAIRN_ROOT/bin/cairn.mjs" release --push --if-new --branch "$BRANCH" --outputs "$GITHUB_OUTPUT" "${egress[@]}" >"$CAIRN_NOTES"
cat "$CAIRN_NOTES" >>"$GITHUB_STEP_SUMMARY"
