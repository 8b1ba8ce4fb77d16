// What `espalier init --search` writes: a search that is ready to be filled in, and a word about everything it uses.

export const STARTER_SEARCH = `# A search for Espalier. Check it with \`espalier search check\`, see what it would try with \`espalier search run --dry-run\`.
# docs/search.md explains all of it.

# What it is for. Agents that propose ideas are told.
objective: a smaller bundle

# Where it starts: a branch or a commit. Without it: HEAD.
# root: main

# Each file is an idea, tried on every node of the tree.
ideas: ideas/*.md

# Or let an agent propose some for each node:
# propose: { count: 3, prompt: Propose ways to make the bundle smaller., agent: claude }

# What makes a candidate of an idea: prompts for agents, or shell commands ($ESPALIER_IDEA is the file of the idea).
evaluate:
  - name: implement
    run: sh "$ESPALIER_IDEA"
  # - { name: implement, prompt: Carry out the idea below., agent: claude }
  # - { name: review, prompt: Review what was changed and put right what is wrong. }

# Must pass before a candidate is measured.
gates: [sh test.sh]

# The number: the last one printed, or with \`key\`, \`keys\`, \`pattern\`, \`file\`.
score: { run: sh score.sh, goal: min }

# How often it is measured; the median counts, and a gain within the spread is none.
# repeats: 5

# What candidates are measured with: they may change it, and are measured with that of the root all the same.
protected: [test.sh, score.sh]

# How many nodes of a depth are kept, and how many ideas are tried on top of each other.
beam: 3
depth: 2

# What a candidate has to be better by than its node: an amount or a percentage.
# minImprovement: 1%

# How many evals run at the same time, how long one may take, how often one that fails is tried again, what all may cost.
# maxParallel: 4
# timeout: 30m
# retries: 1
# budgetUsd: 20

# Run in every new worktree.
# setup: [npm ci]
`
