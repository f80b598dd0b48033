#!/usr/bin/env bash
# Comments on the pull request of a run of Check; see workflows/comment.yml for its environment.
set -euo pipefail
source .github/artifact_of_pull_request.sh verdicts

make --silent published-verdicts PUBLISHED="$kept/published.json"
{
  .venv/bin/python -m perfpress.host.accepting.changed_verdicts "$kept/published.json" "$kept/verdicts.zip"
  echo
  echo "The built site is among the artifacts of [this run]($RUN_URL), as \`preview\`."
} > "$kept/comment.md"
gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file "$kept/comment.md" \
  --edit-last --create-if-none
