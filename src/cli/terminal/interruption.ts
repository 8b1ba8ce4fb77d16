// Ctrl-C. Once: nothing new starts, running agents are asked to end and soon made to, and `resume` goes on from there.
// Twice: this process lets go at once. Agents that have not ended by then go on under their supervisors, and `resume`
// takes them over.
// SIGTERM asks like the first Ctrl-C: whoever sends it rarely asks twice, so it never abandons a run.
// SIGHUP, a closed terminal: a lost connection is no reason to throw away what agents are paid for. Those that `resume`
// can take over go on alone, others are asked to end.
import type { Run } from '../../index.ts'
import { count } from '../live/event-line.ts'

type Options = {
  run: Pick<Run, 'interrupt' | 'abandon'>
  running: () => number
  note: (text: string) => void
  /** After the run was let go: ends the process. */
  leave: (signal: 'SIGINT' | 'SIGHUP') => void
  /** What a closed terminal does; without one there is nothing to do about it. */
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
        : `stopping: ${count(agents, 'agent')} asked to end; press Ctrl-C again to leave without waiting for that`,
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
