// Messages of engine-made commits. The trailers say which tasks a commit carries: after a crash they are how a landing
// that was not recorded is found again, so they are always the last paragraph, whatever the title and body say.

export type CommitWords = {
  title: string
  body?: string | undefined
  run: string
  /** More than one where an epic lands together. */
  tasks: readonly TaskAttempt[]
}
export type TaskAttempt = { task: string; attempt: number }

export function commitMessage({ title, body, run, tasks }: CommitWords): string {
  const subject =
    title
      .replace(/[\s\0]+/g, ' ')
      .trim()
      .slice(0, MAX_TITLE_CHARS) || 'Work of a task'
  const text = (body ?? '').replaceAll('\0', '').replaceAll('\r\n', '\n').trim().slice(0, MAX_BODY_CHARS)
  const trailers = tasks.flatMap(({ task, attempt }) => [`Espalier-Task: ${task}`, `Espalier-Attempt: ${attempt}`])
  return `${[subject, text, [`Espalier-Run: ${run}`, ...trailers].join('\n')].filter((part) => part !== '').join('\n\n')}\n`
}

/** The tasks of that run which the commit carries; null if it is no commit of the run. */
export function tasksOf(message: string, run: string): TaskAttempt[] | null {
  const last =
    message
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? ''
  const tasks: TaskAttempt[] = []
  let sameRun = false
  let task: string | null = null
  for (const line of last.split('\n')) {
    const [, key, value] = /^Espalier-(Run|Task|Attempt): (\S+)$/.exec(line) ?? []
    if (value === undefined) continue
    if (key === 'Run') sameRun = value === run
    else if (key === 'Task') task = value
    else if (task !== null) {
      tasks.push({ task, attempt: Number(value) })
      task = null
    }
  }
  return sameRun ? tasks : null
}

const MAX_TITLE_CHARS = 200
const MAX_BODY_CHARS = 64_000
