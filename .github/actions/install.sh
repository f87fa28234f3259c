#!/usr/bin/env bash
# Finds and installs Cairn for an action, without the packages of its developers.
# CAIRN_VERSION: a version of the package `cairn-gitops`; empty: Cairn as it is beside the action.
#   install.sh plan   writes `cache` (npm's folder) and `key` (what will be installed) to the step's outputs
#   install.sh        installs, and writes `root`, the folder of Cairn
set -euo pipefail

beside=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

case "${CAIRN_VERSION:-}" in *[!0-9A-Za-z.+-]*)
  echo "::error::\`version\` is no version: $CAIRN_VERSION"
  exit 1
  ;;
esac
# Outside the repository, whose .npmrc could name another registry or cache.
folder="$RUNNER_TEMP/cairn"
mkdir -p "$folder"
cd "$folder"

if [ "${1:-}" = plan ]; then
  {
    echo "cache=$(npm config get cache)"
    echo "key=${CAIRN_VERSION:-$(git hash-object "$beside/package-lock.json")}"
  } >>"$GITHUB_OUTPUT"
  exit
fi

if [ -n "${CAIRN_VERSION:-}" ]; then
  npm install --prefix . --omit=dev --no-audit --no-fund --loglevel=error "cairn-gitops@$CAIRN_VERSION"
  root="$folder/node_modules/cairn-gitops"
else
  root=$beside
  # Another step of the job may have installed it.
  node "$root/scripts/setup.mjs" --check || (cd "$root" && npm ci --omit=dev --no-audit --no-fund --loglevel=error)
fi
echo "root=$root" >>"$GITHUB_OUTPUT"
