#!/usr/bin/env bash
# Comments on the pull request of a run that compared; see action.yml for its environment.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
source "$root/.github/artifact_of_pull_request.sh" comparison

"$root/.venv/bin/python" -m perfpress.host.accepting.compared_comment "$kept/comparison.zip" > "$kept/comment.md"
gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file "$kept/comment.md" \
  --edit-last --create-if-none
