// Parts of help texts that several commands share.
export const EXIT_STATUSES = `
Exit status:
  0    every task landed, or passed if it has nothing to land
  1    something failed, was blocked or was cancelled, or the machine stopped the run (full disk, missing rights)
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    something waits for you, even if other tasks failed: resolve a conflict (\`espalier resolve TASK\`),
       or raise the budget (\`espalier resume --budget-usd N\`)
  130  interrupted`

export const INTERRUPTION = `
Ctrl-C once: no new task starts, running agents are asked to stop; \`espalier resume\` continues the run.
Ctrl-C twice: leaves at once; agents that still run keep running, and \`espalier resume\` adopts them.`
