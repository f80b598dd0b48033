#!/usr/bin/env bash
# Comments on the pull request of a run that compared; see action.yml for its environment.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
kept="$(mktemp -d)"

number="$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open \
  -f head="$HEAD_OWNER:$HEAD_BRANCH" --jq '[.[] | select(.head.sha == env.HEAD_SHA)][0].number // empty')"
[[ "$number" =~ ^[0-9]+$ ]] || { echo "no open pull request is at that commit"; exit 0; }

artifact="$(gh api "repos/$GITHUB_REPOSITORY/actions/runs/$RUN_ID/artifacts" \
  --jq '[.artifacts[] | select(.name == "comparison" and .size_in_bytes < 5000000)][0].id // empty')"
[[ "$artifact" =~ ^[0-9]+$ ]] || { echo "no comparison was kept"; exit 0; }
gh api "repos/$GITHUB_REPOSITORY/actions/artifacts/$artifact/zip" > "$kept/comparison.zip"

"$root/.venv/bin/python" -m perfpress.host.accepting.compared_comment "$kept/comparison.zip" > "$kept/comment.md"
gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file "$kept/comment.md" \
  --edit-last --create-if-none
