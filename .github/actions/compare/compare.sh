#!/usr/bin/env bash
# Measures the base against the checkout that it is called in; see action.yml for its environment.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
out="${RUNNER_TEMP:-$(mktemp -d)}/comparison"
python="$root/.venv/bin/python"

commit="$(git rev-parse --verify --quiet --end-of-options "$BASE^{commit}")" || {
  echo "no commit $BASE here: check out with fetch-depth: 2, on pull_request" >&2
  exit 1
}
base="$(mktemp -d)/base"
git worktree add --quiet --detach "$base" "$commit"
trap 'git worktree remove --force "$base"' EXIT

"$python" -m perfpress.host.comparing.alternate "$base" . --out "$out" \
  --build "$BUILD" --command "$COMMAND" --log "$LOG" \
  --format "$FORMAT" --minutes "$MINUTES"
"$python" -m perfpress compare --markdown "$out/base" "$out/head" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
COLUMNS=120 "$python" -m perfpress compare ${FAIL_ON:+--fail-on "$FAIL_ON"} "$out/base" "$out/head"
