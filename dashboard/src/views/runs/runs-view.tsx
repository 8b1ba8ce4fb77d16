// The first page: every project, its runs, what is at work, and what needs a person.
import { hrefTo } from '../../app/router.ts'
import { useLive } from '../../data/live.ts'
import { useProjects } from '../../data/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { useRunKeys } from './run-keys.ts'
import { RunRows } from './run-rows.tsx'

export function RunsView() {
  useLive(null)
  useRunKeys()
  const projects = useProjects()
  if (projects.error && !projects.data)
    return <Failure error={projects.error} onRetry={() => void projects.refetch()} />
  if (!projects.data) return <p className="quiet pad">Loading …</p>
  return (
    <div className="page">
      <h1 className="only-heard">Projects and runs</h1>
      {projects.data.length === 0 && (
        <p className="quiet">
          This server has no project yet. <code>espalier projects add</code> adds one.
        </p>
      )}
      {projects.data.map(({ id, repo, trouble }) => (
        <section key={id} className="project">
          <header>
            <h2>
              <a href={hrefTo({ kind: 'project', project: id, view: null })}>{id}</a>
            </h2>
            <span className="soft path">{repo}</span>
          </header>
          {trouble === null ? <RunRows project={id} atMost={6} /> : <p className="bad">{trouble}</p>}
        </section>
      ))}
    </div>
  )
}
