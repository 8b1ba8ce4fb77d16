// What can be done with a run from here.
import { useAction } from '../../data/actions.ts'
import { useMay, useNextSteps } from '../../data/queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useRun } from './run-context.ts'

export function RunActions() {
  const { ref, state } = useRun()
  const { run } = state
  const may = useMay('run')
  const { data } = useNextSteps(ref, run)
  const cancel = useAction(async (client) => {
    await client.runs.cancel(ref)
    return `Cancelling ${ref.run}: its agents are stopped, their work is kept.`
  })
  const resume = useAction(async (client) => {
    await client.runs.resume(ref)
    return `${ref.run} goes on.`
  })
  const retry = useAction(async (client) => {
    await client.runs.retry(ref)
    return 'Trying again what did not succeed.'
  })
  const has = (kind: string) => data?.nextSteps.some((step) => step.kind === kind)
  if (!may) return null
  return (
    <div className="run-actions">
      {has('resume') && (
        <button type="button" onClick={() => resume.mutate(undefined)} disabled={resume.isPending}>
          Continue
        </button>
      )}
      {has('retry') && (
        <button type="button" onClick={() => retry.mutate(undefined)} disabled={retry.isPending}>
          Retry what failed
        </button>
      )}
      {run.engine && (
        <ConfirmButton
          label="Cancel run"
          question="Cancel the run?"
          yes="Cancel the run"
          onYes={() => cancel.mutate(undefined)}
          isBusy={cancel.isPending}
          className="quiet-danger"
        >
          <p>
            {run.counts.running} agents are stopped. What they did is kept, and what has landed stays on{' '}
            <code>{run.branch}</code>.
          </p>
        </ConfirmButton>
      )}
    </div>
  )
}
