// Ctrl-C. Once: no new task starts, running agents are asked to stop and soon killed, and `resume` continues the run.
// Twice: this process leaves at once. Agents that still run keep running under their supervisors, and `resume` adopts them.
// SIGTERM acts like the first Ctrl-C: it is rarely sent twice, so it never abandons a run.
// SIGHUP, a closed terminal: a lost connection is no reason to throw away paid work. Agents that `resume` can adopt keep
// running, others are asked to stop.
import type { Run } from '../../engine/run/run.ts'
import { count } from '../../text/figures.ts'

type Options = {
  run: Pick<Run, 'interrupt' | 'abandon'>
  running: () => number
  note: (text: string) => void
  leave: (signal: 'SIGINT' | 'SIGHUP') => void
  /** Reaction to SIGHUP; `ignore` without a terminal. */
  hangUp: 'leave' | 'interrupt' | 'ignore'
  signals: Pick<NodeJS.EventEmitter, 'on' | 'removeListener'>
}

export function handleInterruption({ run, running, note, leave, hangUp, signals }: Options): Disposable {
  let asked = false
  const interrupt = () => {
    if (asked) return
    asked = true
    const agents = running()
    note(
      agents === 0
        ? 'stopping; press Ctrl-C again to leave at once'
        : `stopping: ${count(agents, 'agent')} asked to stop; press Ctrl-C again to leave without waiting`,
    )
    run.interrupt()
  }
  const press = () => {
    if (!asked) return interrupt()
    run.abandon()
    leave('SIGINT')
  }
  const onHangUp = () => {
    if (hangUp === 'ignore') return
    if (hangUp === 'interrupt') return interrupt()
    run.abandon()
    leave('SIGHUP')
  }
  signals.on('SIGINT', press)
  signals.on('SIGTERM', interrupt)
  signals.on('SIGHUP', onHangUp)
  return {
    [Symbol.dispose]() {
      signals.removeListener('SIGINT', press)
      signals.removeListener('SIGTERM', interrupt)
      signals.removeListener('SIGHUP', onHangUp)
    },
  }
}
