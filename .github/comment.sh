#!/usr/bin/env bash
# Comments on the pull request of a run of Check; see workflows/comment.yml for its environment.
set -euo pipefail
kept="$(mktemp -d)"

number="$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open \
  -f head="$HEAD_OWNER:$HEAD_BRANCH" --jq '[.[] | select(.head.sha == env.HEAD_SHA)][0].number // empty')"
[[ "$number" =~ ^[0-9]+$ ]] || { echo "no open pull request is at that commit"; exit 0; }

artifact="$(gh api "repos/$GITHUB_REPOSITORY/actions/runs/$RUN_ID/artifacts" \
  --jq '[.artifacts[] | select(.name == "verdicts" and .size_in_bytes < 5000000)][0].id // empty')"
[[ "$artifact" =~ ^[0-9]+$ ]] || { echo "no verdicts were kept"; exit 0; }
gh api "repos/$GITHUB_REPOSITORY/actions/artifacts/$artifact/zip" > "$kept/verdicts.zip"

make --silent published-verdicts PUBLISHED="$kept/published.json"
{
  .venv/bin/python -m perfpress.host.accepting.changed_verdicts "$kept/published.json" "$kept/verdicts.zip"
  echo
  echo "The built site is among the artifacts of [this run]($RUN_URL), as \`preview\`."
} > "$kept/comment.md"
gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file "$kept/comment.md" \
  --edit-last --create-if-none
