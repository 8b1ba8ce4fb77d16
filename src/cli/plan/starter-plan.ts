// What `espalier init` writes: a plan that runs as it is, and a word about everything it uses.

export const STARTER_PLAN = `# A plan for Espalier. Check it with \`espalier plan check\`, see its shape with \`espalier plan show\`, run it with \`espalier run\`.

# Becomes part of the run's name and of its branch, espalier/<name>-…
name: my-plan

# Where the work starts: a branch or a commit. Without it: HEAD.
# base: main

# How many tasks run at the same time, each in a worktree of its own.
maxConcurrency: 3

# The agent of tasks with a prompt: claude, codex, opencode or gemini, where they are installed (espalier doctor).
# agent: claude

# Or any program that reads the prompt on stdin and edits the files where it runs:
# command: my-agent --flag

# Run once in every new worktree, and what of it to keep between tasks.
# setup: [npm ci]
# keep: [node_modules]

# What a task says where it says nothing itself.
defaults:
  retries: 1
  timeout: 30m

tasks:
  # The smallest task: a name and a shell command. Whatever it changes is committed and lands on the run's branch.
  - id: notes
    run: echo "Notes" > NOTES.md

  - id: list
    title: List the files
    # Starts once the work of \`notes\` has landed, and sees it.
    needs: [notes]
    run: git ls-files > FILES.txt
    # Paths it may write. Tasks whose claims overlap never run at the same time.
    claims: [FILES.txt]
    # Must pass in the task's worktree before its work counts.
    verify: [test -s FILES.txt]

  # A task for an agent has a prompt instead of \`run\`:
  # - id: tests
  #   title: Test the parser
  #   prompt: |
  #     Write tests for src/parser. Cover the error messages.
  #   claims: [test/parser/**]
  #   verify: [npm test]
`
