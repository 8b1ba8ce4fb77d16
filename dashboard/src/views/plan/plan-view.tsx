// A plan before it runs: one of the repository, one that is pasted or opened from a file. What is wrong with it stands where it
// is wrong; what is right is shown as waves, simulated, and started.
import '../panels.css'
import './plan.css'
import { useDeferredValue, useEffect, useState } from 'react'
import { useQueryWord } from '../../app/router.ts'
import {
  type PlanInput,
  usePlanCheck,
  usePlanFiles,
  usePlanOverview,
  useSimulation,
} from '../../data/project-queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Overview } from './overview.tsx'
import { PlanSource, type Written } from './plan-source.tsx'
import { Simulate } from './simulate.tsx'

const OWN = '-'
const SETTLE_MS = 500

export default function PlanView({ project }: { project: string }) {
  const files = usePlanFiles(project)
  const [chosen, setChosen] = useQueryWord('plan')
  const [written, setWritten] = useState<Written>({ text: '', name: 'plan.yaml' })
  const choice = chosen === '' && files.data ? (files.data[0]?.file ?? OWN) : chosen
  const settled = useSettled(written, SETTLE_MS)
  const plan: PlanInput | null = choice === OWN ? (settled.text.trim() === '' ? null : settled) : choice || null
  const check = usePlanCheck(project, plan)
  const sound = check.data?.ok ? plan : null
  const overview = usePlanOverview(project, sound)
  const simulation = useSimulation(project, sound)
  const shown = useDeferredValue(overview.data)
  return (
    <div className="sheet plan">
      <PlanSource
        files={files.data ?? []}
        choice={choice === '' ? OWN : choice}
        onChoose={setChosen}
        written={written}
        onWrite={(next) => {
          setWritten(next)
          setChosen(OWN)
        }}
        check={plan === null ? null : (check.data ?? null)}
        isChecking={check.isFetching}
      />
      {check.error && <Failure error={check.error} onRetry={() => void check.refetch()} />}
      {sound !== null && simulation.data && overview.data && (
        <Simulate project={project} plan={sound} simulation={simulation.data} slots={overview.data.slots} />
      )}
      {sound !== null && simulation.error && <Failure error={simulation.error} />}
      {sound !== null && shown && <Overview overview={shown} />}
      {sound !== null && overview.error && <Failure error={overview.error} />}
      {sound !== null && !shown && !overview.error && <p className="quiet">Reading the plan …</p>}
    </div>
  )
}

/** What somebody types, once they have stopped for a moment. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
