# Sourced with the name of an artifact. Sets `number` to the open pull request whose head was run, and puts what
# that run kept into "$kept/<name>.zip"; exits, with the reason, where there is none. What a pull request's run
# made may be anything: its number and its size are checked before it is read.
kept="$(mktemp -d)"

number="$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open \
  -f head="$HEAD_OWNER:$HEAD_BRANCH" --jq '[.[] | select(.head.sha == env.HEAD_SHA)][0].number // empty')"
[[ "$number" =~ ^[0-9]+$ ]] || { echo "no open pull request is at that commit"; exit 0; }

artifact="$(gh api "repos/$GITHUB_REPOSITORY/actions/runs/$RUN_ID/artifacts" \
  --jq '[.artifacts[] | select(.name == "'"$1"'" and .size_in_bytes < 5000000)][0].id // empty')"
[[ "$artifact" =~ ^[0-9]+$ ]] || { echo "the run kept no $1"; exit 0; }
gh api "repos/$GITHUB_REPOSITORY/actions/artifacts/$artifact/zip" > "$kept/$1.zip"
