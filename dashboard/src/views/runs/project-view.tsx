// One project: all its runs, and the views that belong to the repository rather than to one run.
import { Suspense } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { go, hrefTo, type Place } from '../../app/router.ts'
import { useLive } from '../../data/live.ts'
import { useData } from '../../data/source.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { projectViews } from '../project-views.ts'
import { useRunKeys } from './run-keys.ts'
import { RunRows } from './run-rows.tsx'

type Props = { place: Extract<Place, { kind: 'project' }> }

export function ProjectView({ place }: Props) {
  const { project, view } = place
  const { recording } = useData()
  const views = projectViews(recording?.kind ?? null)
  useLive(null)
  useRunKeys()
  useKeys(
    [{ name: null, title: 'Runs', key: 'r' }, ...views].map(({ name, title, key }) => ({
      keys: `g ${key}`,
      what: `Go to ${title.toLowerCase()}`,
      run: () => go({ kind: 'project', project, view: name }),
      group: 'Project',
    })),
  )
  const shown = views.find(({ name }) => name === view)
  const tabs = [
    { href: hrefTo({ kind: 'project', project, view: null }), title: 'Runs', isShown: !shown },
    ...views.map(({ name, title }) => ({
      href: hrefTo({ kind: 'project', project, view: name }),
      title,
      isShown: name === view,
    })),
  ]
  return (
    <div className="page">
      <h1 className="only-heard">{project}</h1>
      {views.length > 0 && <Tabs label="Views of the project" tabs={tabs} />}
      {shown ? (
        <Suspense fallback={<p className="quiet">Loading …</p>}>
          <shown.Component project={project} />
        </Suspense>
      ) : (
        <RunRows project={project} atMost={Number.POSITIVE_INFINITY} />
      )}
    </div>
  )
}
