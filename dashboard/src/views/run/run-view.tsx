// One run: its verdict, its views, and a task beside them. The view stays where it is while tasks are opened and closed.
import { type ComponentType, lazy, Suspense, useMemo } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { currentQuery, go, hrefTo, type RunPlace } from '../../app/router.ts'
import { useLive } from '../../data/live.ts'
import { type RunState, usePlan, useRunState } from '../../data/queries.ts'
import { useData } from '../../data/source.ts'
import { Failure } from '../../parts/failure.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { OPEN, type Task, type TaskView, waitOf, waitText } from '../../shared.ts'
import { runViews } from '../run-views.ts'
import { PlanHeader } from './plan-header.tsx'
import { RunActions } from './run-actions.tsx'
import { RunContext, type RunValue } from './run-context.ts'
import { RunHeader } from './run-header.tsx'

const TaskPanel = lazy(() => import('../task/task-panel.tsx'))

export function RunView({ place }: { place: RunPlace }) {
  const ref = useMemo(() => ({ project: place.project, run: place.run }), [place.project, place.run])
  useLive(ref)
  const state = useRunState(ref)
  const plan = usePlan(ref)
  const value = useRunValue(place, ref, state.data, plan.data ?? null)
  const { recording } = useData()
  const isPlan = recording?.kind === 'plan' || recording?.kind === 'simulation'
  const views = runViews(recording?.kind ?? null)
  useKeys([
    ...views.map(({ name, title, key }) => ({
      keys: `g ${key}`,
      what: `Go to ${title.toLowerCase()}`,
      run: () => go({ ...place, view: name }),
      group: 'Run',
    })),
    ...(place.task === null
      ? []
      : [{ keys: 'Escape', what: 'Close the task', run: () => value?.openTask(null), group: 'Task' }]),
  ])
  if (state.error && !state.data) return <Failure error={state.error} onRetry={() => void state.refetch()} />
  if (!value) return <p className="quiet pad">Loading …</p>
  const shown = views.find(({ name }) => name === place.view) ?? views[0]
  const View: ComponentType | undefined = shown?.Component
  return (
    <RunContext value={value}>
      <div className={place.task === null ? 'run' : 'run with-task'}>
        {isPlan ? <PlanHeader /> : <RunHeader />}
        <div className="run-bar">
          <Tabs
            label="Views of the run"
            tabs={views.map(({ name, title, key }) => ({
              href: hrefTo({ ...place, view: name }),
              title,
              isShown: name === shown?.name,
              key: `g ${key}`,
            }))}
          />
          <RunActions />
        </div>
        <div className="run-body">
          <div className="view">
            <Suspense fallback={<p className="quiet pad">Loading …</p>}>{View && <View />}</Suspense>
          </div>
          {place.task !== null && (
            <Suspense fallback={<aside className="task" aria-busy="true" />}>
              <TaskPanel key={place.task} task={place.task} part={place.part} />
            </Suspense>
          )}
        </div>
      </div>
    </RunContext>
  )
}

function useRunValue(
  place: RunPlace,
  ref: RunValue['ref'],
  state: RunValue['state'] | undefined,
  plan: RunValue['plan'],
): RunValue | null {
  const tasks = useMemo(() => {
    if (!state) return []
    return state.order.flatMap((id): TaskView[] => {
      const task = state.byId.get(id)
      return task ? [task] : []
    })
  }, [state])
  const planned = useMemo(() => new Map(plan?.tasks.map((task) => [task.id, task])), [plan])
  return useMemo(() => {
    if (!state) return null
    const placeOf = (task: string | null, part?: string): RunPlace => ({ ...place, task, part: part ?? null })
    return {
      ...{ ref, place, state, tasks, plan },
      waitOf: (task) => waitWords(task, state, planned.get(task.id)),
      openTask: (task, part) => go(placeOf(task, part), { query: currentQuery(), replace: place.task !== null }),
      hrefOfTask: (task, part) => hrefTo(placeOf(task, part), currentQuery()),
    }
  }, [place, ref, state, tasks, plan, planned])
}

function waitWords(task: TaskView, { run, byId }: RunState, planned: Task | undefined): string | null {
  const isOpen = (id: string) => OPEN.has(byId.get(id)?.status ?? 'cancelled')
  const wait = waitOf(task, { view: run, isOpen, known: { now: Date.now() }, planned })
  return wait && waitText(wait, Date.now())
}
