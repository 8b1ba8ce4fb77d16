// The statuses of tasks and of the exit, as --help explains them.

export const EXIT_STATUSES = `
Exit status:
  0    everything landed or passed, or is not to be done any more
  1    something failed, was blocked or was cancelled, or the machine did not let the run go on
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    everything else is done, and the rest waits for you: a conflict (\`espalier resolve TASK\`), or more money
       (\`espalier resume --budget-usd N\`)
  130  interrupted`

export const TASK_STATUSES_HELP = `
Task statuses:
  · pending    waits for its needs, its wave or the time of its next try
  ○ ready      waits for a slot or for paths that another task has claimed
  ● running
  ↑ landing    its work is done and waits to land
  ! conflict   its work is done, does not merge with what has landed, and waits for you
  ✓ landed     its work is on the run's branch
  ✓ passed     it succeeded and there is nothing to land
  ✗ failed
  ■ blocked    something it needs did not succeed
  – cancelled`
