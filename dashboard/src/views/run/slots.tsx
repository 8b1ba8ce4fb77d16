// How many tasks run at the same time, which can be changed while they do.
import { useKeys } from '../../app/keyboard.ts'
import { useAction } from '../../data/actions.ts'
import { useMay } from '../../data/queries.ts'
import { useRun } from './run-context.ts'

const MOST_SLOTS = 256

export function Slots() {
  const { ref, state } = useRun()
  const { slots, engine } = state.run
  const may = useMay('run')
  const change = useAction(async (client, maxConcurrency: number) => {
    await client.runs.change({ ...ref, maxConcurrency })
    return `${maxConcurrency} tasks at the same time from now on.`
  })
  const canChange = may && engine !== null
  const by = (step: number) => change.mutate(Math.max(1, Math.min(MOST_SLOTS, slots + step)))
  useKeys(
    canChange
      ? [
          { keys: '<', what: 'One task less at the same time', run: () => by(-1), group: 'Run' },
          { keys: '>', what: 'One task more at the same time', run: () => by(1), group: 'Run' },
        ]
      : [],
  )
  if (!canChange) return <>{slots}</>
  return (
    <span className="slots">
      {slots}
      <button
        type="button"
        className="plain"
        title="One less (<)"
        onClick={() => by(-1)}
        disabled={slots <= 1 || change.isPending}
      >
        <span aria-hidden="true">−</span>
        <span className="only-heard">One task less at the same time</span>
      </button>
      <button type="button" className="plain" title="One more (>)" onClick={() => by(1)} disabled={change.isPending}>
        <span aria-hidden="true">+</span>
        <span className="only-heard">One task more at the same time</span>
      </button>
    </span>
  )
}
