// A conflict that waits for a person: the three sides to read, and two ways to resolve it: here by hand-back, or by commands.
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useMay } from '../../data/queries.ts'
import { useConflict } from '../../data/run-queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/time.tsx'
import type { Answer } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { answerText } from './answer-text.ts'
import { TaskLinks } from './task-links.tsx'
import { ThreeSides } from './three-sides.tsx'

type Props = { conflict: Answer<'runs.queue'>['conflicts'][number] }

export function Conflict({ conflict: { task, since, paths } }: Props) {
  const { ref, state } = useRun()
  const may = useMay('run')
  const which = { ...ref, task }
  const sides = useConflict(which, since)
  const [opened, setOpened] = useState<{ path: string; files: string[] } | null>(null)
  const open = useAction(async (client) => {
    const answer = await client.tasks.openConflict(which)
    setOpened(answer)
    return `The merge of ${task} is open in ${answer.path}.`
  })
  const answer = useAction(async (client, answer: 'resolved' | 'give-up') => {
    return answerText(await client.tasks.answerConflict({ ...which, answer }), answer)
  })
  return (
    <section className="panel warn-edge conflict" aria-label={`Conflict of ${task}`}>
      <header>
        <h2>Conflict</h2>
        <span className="inline grow">
          <TaskLinks tasks={[task]} />
          <span className="soft">
            {paths.length === 1 ? paths[0] : `${paths.length} files`} · <Moment at={since} />
          </span>
        </span>
      </header>
      {may && (
        <div className="inline">
          <button type="button" className="first" onClick={() => open.mutate(undefined)} disabled={open.isPending}>
            Open in a worktree
          </button>
          <button type="button" onClick={() => answer.mutate('resolved')} disabled={answer.isPending}>
            I have resolved it
          </button>
          <ConfirmButton
            label="Give up"
            question={`Give up ${task}?`}
            yes="Give it up"
            onYes={() => answer.mutate('give-up')}
            isBusy={answer.isPending}
            className="quiet-danger"
          >
            <p>Its work is kept as a ref and does not land.</p>
          </ConfirmButton>
        </div>
      )}
      {opened ? (
        <Opened path={opened.path} files={opened.files} />
      ) : (
        <p className="soft inline">
          In a terminal: <Copy text={`espalier resolve ${task} --run ${state.run.run}`} />
        </p>
      )}
      {sides.error && <Failure error={sides.error} onRetry={() => void sides.refetch()} />}
      {sides.data && <ThreeSides sides={sides.data} />}
    </section>
  )
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** The folder is on the machine of the server: a link to an editor helps where that is this one. */
function Opened({ path, files }: { path: string; files: readonly string[] }) {
  const isHere = LOOPBACK.has(window.location.hostname)
  return (
    <div className="opened">
      <p>Resolve it in this folder, then hand it back with “I have resolved it”:</p>
      <p className="inline">
        <Copy text={`cd ${shellQuoted(path)} && git status`} />
        {isHere &&
          files.slice(0, 5).map((file) => (
            <a key={file} href={`vscode://file${encodeURI(`${path}/${file}`)}`}>
              Open {file} in VS Code
            </a>
          ))}
      </p>
    </div>
  )
}

function shellQuoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
