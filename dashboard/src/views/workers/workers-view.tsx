// The machines that execute tasks for this project: whether they are there, how much they have to do, and what.
import { TableScroll } from '../../parts/table-scroll.tsx'
import '../panels.css'
import { hrefTo } from '../../app/router.ts'
import { useWorkers } from '../../data/project-queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { type Answer, formatDuration } from '../../shared.ts'

type Worker = Answer<'workers.list'>['workers'][number]

export default function WorkersView({ project }: { project: string }) {
  const { data, error, refetch } = useWorkers(project)
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <p className="quiet">Loading …</p>
  const { workers, none } = data
  if (none) return <p className="quiet no-workers">All tasks run on this machine: {none}.</p>
  const there = workers.filter(({ isThere }) => isThere)
  const [busy, slots] = [sumOf(there, 'load'), sumOf(there, 'slots')]
  return (
    <div className="sheet workers">
      <section className="panel" aria-labelledby="workers">
        <header>
          <h2 id="workers">
            Workers <span className="soft">{there.length}</span>
          </h2>
          {slots > 0 && (
            <p className="soft">
              {busy} of {slots} slots at work
            </p>
          )}
        </header>
        {workers.length === 0 && (
          <p className="quiet">
            No worker has joined. <code>espalier worker --server URL --token …</code> starts one on any machine.
          </p>
        )}
        {workers.length > 0 && <Table project={project} workers={workers} />}
      </section>
    </div>
  )
}

function Table({ project, workers }: { project: string; workers: readonly Worker[] }) {
  return (
    <TableScroll label="Workers">
      <table>
        <thead>
          <tr>
            <th>Worker</th>
            <th>State</th>
            <th className="number">Slots at work</th>
            <th>Has</th>
            <th>Heard of</th>
            <th>Clock</th>
            <th>Version</th>
            <th>Host</th>
            <th>Works on</th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <Row key={worker.name} project={project} worker={worker} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

function Row({ project, worker }: { project: string; worker: Worker }) {
  const { name, load, slots, labels, resources, silentMs, skewMs, machine, doing } = worker
  const { word, tone } = stateOf(worker)
  const has = [...labels, ...Object.entries(resources).map(([what, count]) => `${count} ${what}`)]
  const isClockWrong = Math.abs(skewMs) >= WRONG_CLOCK_MS
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={tone}>{word}</td>
      <td className="number">
        {load} of {slots}
      </td>
      <td>{has.join(', ') || <span className="soft">nothing special</span>}</td>
      <td>{silentMs < 1_000 ? 'just now' : `${formatDuration(silentMs)} ago`}</td>
      <td className={isClockWrong ? 'warn' : ''}>
        {isClockWrong ? `${formatDuration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead' : 'behind'}` : 'right'}
      </td>
      <td>{machine.version}</td>
      <td>{machine.host}</td>
      <td className="wrap">
        {doing.length === 0 && <span className="soft">nothing</span>}
        {doing.map((what) => (
          <Doing key={what} project={project} what={what} />
        ))}
      </td>
    </tr>
  )
}

/** `run/task` */
function Doing({ project, what }: { project: string; what: string }) {
  const [run = '', task = ''] = what.split('/')
  const place = { kind: 'run', project, run, view: 'list', task, part: null } as const
  return (
    <>
      <a href={hrefTo(place)} className="mono">
        {task}
      </a>{' '}
    </>
  )
}

const WRONG_CLOCK_MS = 5_000

function stateOf({ hasLeft, isThere, slots }: Worker): { word: string; tone: string } {
  if (hasLeft) return { word: 'left', tone: 'soft' }
  if (!isThere) return { word: 'not heard of', tone: 'bad' }
  return slots === 0 ? { word: 'finishes what it has', tone: 'warn' } : { word: 'there', tone: 'good' }
}

function sumOf(workers: readonly Worker[], key: 'load' | 'slots'): number {
  return workers.reduce((sum, worker) => sum + worker[key], 0)
}
