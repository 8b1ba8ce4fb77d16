#!/bin/sh
# What a person writes instead: every task in a linked worktree of its own, merged into one branch.
# Usage: shell-version.sh REPOSITORY SCRATCH JOBS COMMANDS
# COMMANDS is a file with one shell command per line. The result is the branch "result" of REPOSITORY.
set -eu
export REPO=$1 SCRATCH=$2
jobs=$3 commands=$4

base=$(git -C "$REPO" rev-parse HEAD)
export BASE="$base"
mkdir -p "$SCRATCH"
# Merging needs a checkout; without one of its own it would happen in the person's.
git -C "$REPO" worktree add -q -B result "$SCRATCH/merge" "$BASE"

# Git trips over linked worktrees that another git is just adding or removing ("failed to read commondir"), so that is
# done one at a time; the slow parts, writing and deleting the files, go on side by side.
cat >"$SCRATCH/one" <<'END'
set -eu
number=${1%%	*} command=${1#*	}
tree=$SCRATCH/tree-$number branch=task-$number
flock "$SCRATCH/lock" git -C "$REPO" worktree add -q --no-checkout -b "$branch" "$tree" "$BASE"
git -C "$tree" reset -q --hard
(cd "$tree" && sh -c "$command")
git -C "$tree" add -A
if ! git -C "$tree" diff --cached --quiet; then
  git -C "$tree" commit -q -m "task $number"
  # One merge at a time: they share the checkout and the branch.
  flock "$SCRATCH/merge-lock" git -C "$SCRATCH/merge" merge -q --no-ff -m "merge task $number" "$branch"
fi
find "$tree" -mindepth 1 -not -path "$tree/.git" -delete
flock "$SCRATCH/lock" git -C "$REPO" worktree remove --force "$tree"
flock "$SCRATCH/lock" git -C "$REPO" branch -q -D "$branch"
END

# When the tasks began and ended: the worktree for merging is made once, however many tasks there are.
date +%s%N >"$SCRATCH/times"
nl -ba -w1 "$commands" | tr '\n' '\0' | xargs -0 -P "$jobs" -n 1 sh "$SCRATCH/one"
date +%s%N >>"$SCRATCH/times"
git -C "$REPO" worktree remove --force "$SCRATCH/merge"
