// The statuses of tasks and of the exit, as --help explains them.

export const EXIT_STATUSES = `
Exit status:
  0    every task landed, or passed if it has nothing to land
  1    something failed, was blocked or was cancelled, or the machine stopped the run (full disk, missing rights)
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    something waits for you, even if other tasks failed: resolve a conflict (\`espalier resolve TASK\`),
       or raise the budget (\`espalier resume --budget-usd N\`)
  130  interrupted`

export const TASK_STATUSES_HELP = `
Task statuses:
  · pending    waits for its needs, its wave or its next retry
  ○ ready      waits for a slot, or for paths that another task has claimed
  ● running
  ↑ landing    its work is done and waits to land
  ! conflict   its work does not merge with what has landed, and waits for you
  ✓ landed     its work is on the run's branch
  ✓ passed     it succeeded and changed nothing, or has land: false
  ✗ failed
  ■ blocked    something it needs did not succeed
  – cancelled`
