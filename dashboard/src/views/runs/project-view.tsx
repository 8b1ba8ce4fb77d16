// One project: all its runs, and the views that belong to the repository rather than to one run.
import { Suspense } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { go, hrefTo, type Place } from '../../app/router.ts'
import { useLive } from '../../data/live.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { PROJECT_VIEWS } from '../project-views.ts'
import { useRunKeys } from './run-keys.ts'
import { RunRows } from './run-rows.tsx'

type Props = { place: Extract<Place, { kind: 'project' }> }

export function ProjectView({ place }: Props) {
  const { project, view } = place
  useLive(null)
  useRunKeys()
  useKeys(
    [{ name: null, title: 'Runs', key: 'r' }, ...PROJECT_VIEWS].map(({ name, title, key }) => ({
      keys: `g ${key}`,
      what: `Go to ${title.toLowerCase()}`,
      run: () => go({ kind: 'project', project, view: name }),
      group: 'Project',
    })),
  )
  const shown = PROJECT_VIEWS.find(({ name }) => name === view)
  const tabs = [
    { href: hrefTo({ kind: 'project', project, view: null }), title: 'Runs', isShown: !shown },
    ...PROJECT_VIEWS.map(({ name, title }) => ({
      href: hrefTo({ kind: 'project', project, view: name }),
      title,
      isShown: name === view,
    })),
  ]
  return (
    <div className="page">
      <h1 className="only-heard">{project}</h1>
      {PROJECT_VIEWS.length > 0 && <Tabs label="Views of the project" tabs={tabs} />}
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
