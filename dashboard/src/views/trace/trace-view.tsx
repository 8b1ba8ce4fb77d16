// From the objective to what landed: for one task or commit as a chain, and for the run as a list.
import '../panels.css'
import './trace.css'
import { useRef, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { useTrace } from '../../data/run-queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { useRun } from '../run/run-context.ts'
import { Chain, CommitPart } from './chain.tsx'
import { TraceList } from './trace-list.tsx'

export default function TraceView() {
  const { ref, state, plan, place } = useRun()
  const [of, setOf] = useQueryWord('of')
  // A task that is open beside the view is what is asked about.
  const asked = of === '' ? (place.task ?? '') : of
  const trace = useTrace(ref, asked, state.run)
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState(of)
  useKeys([
    { keys: '/', what: 'Trace a task or a commit', run: () => field.current?.focus(), group: 'Trace' },
    { keys: 'u', what: 'Back to all tasks', run: () => setOf(''), group: 'Trace' },
  ])
  return (
    <div className="sheet trace">
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault()
          setOf(words.trim())
        }}
      >
        <input
          ref={field}
          type="search"
          aria-label="Task or commit"
          placeholder="Task or commit  /"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <button type="submit">Trace</button>
        {asked !== '' && (
          <button
            type="button"
            onClick={() => {
              setOf('')
              setWords('')
            }}
          >
            All tasks
          </button>
        )}
      </form>
      {asked === '' ? (
        <TraceList objective={plan?.objective ?? null} onChoose={setOf} />
      ) : trace.error ? (
        <Failure error={trace.error} />
      ) : trace.data ? (
        <>
          {trace.data.commit && <CommitPart commit={trace.data.commit} />}
          {trace.data.tasks.map((task) => (
            <Chain key={task.task} trace={task} />
          ))}
          {trace.data.tasks.length === 0 && <p className="quiet">The run it comes from is not kept any more.</p>}
        </>
      ) : (
        <p className="quiet">Loading …</p>
      )}
    </div>
  )
}
