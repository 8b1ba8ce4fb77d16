// The files of a conflict: what each was, what the branch and the work made of it, and how far git could bring them together.
import { useId, useMemo, useState } from 'react'
import type { ConflictFile, ConflictSides } from '../../shared.ts'
import { changedLines, markedLines } from './side-lines.ts'

export function ThreeSides({ sides }: { sides: ConflictSides }) {
  const [path, setPath] = useState(sides.files[0]?.path ?? '')
  const field = useId()
  const file = sides.files.find((one) => one.path === path) ?? sides.files[0]
  return (
    <div className="three">
      {sides.files.length > 1 && (
        <label className="inline" htmlFor={field}>
          <span className="soft">File</span>
          <select id={field} value={path} onChange={({ target }) => setPath(target.value)}>
            {sides.files.map((one) => (
              <option key={one.path}>{one.path}</option>
            ))}
          </select>
          {sides.leftOut > 0 && <span className="soft">and {sides.leftOut} more</span>}
        </label>
      )}
      {file?.kind === 'text' ? <Sides file={file} sides={sides} /> : <p className="quiet">Not a text that is shown.</p>}
    </div>
  )
}

function Sides({ file, sides }: { file: ConflictFile; sides: ConflictSides }) {
  const [isMerged, setMerged] = useState(false)
  return (
    <>
      <div className="inline">
        <b className="mono">{file.path}</b>
        <span className="choice" role="group" aria-label="What is shown">
          <button type="button" aria-pressed={!isMerged} onClick={() => setMerged(false)}>
            Three sides
          </button>
          <button type="button" aria-pressed={isMerged} onClick={() => setMerged(true)}>
            With markers
          </button>
        </span>
      </div>
      {isMerged ? (
        <Merged text={file.merged} />
      ) : (
        <div className="sides">
          <Side title="On the branch" commit={sides.branch} text={file.branch} base={file.base} />
          <Side title="As it was" commit={sides.base} text={file.base} base={file.base} />
          <Side title="In the work" commit={sides.work} text={file.work} base={file.base} />
        </div>
      )}
    </>
  )
}

type SideProps = { title: string; commit: string; text: string | null; base: string | null }

function Side({ title, commit, text, base }: SideProps) {
  const lines = useMemo(() => changedLines(text ?? '', base), [text, base])
  return (
    <figure>
      <figcaption>
        {title} <code className="soft">{commit.slice(0, 10)}</code>
      </figcaption>
      {text === null ? <p className="quiet">There is no such file.</p> : <Lines label={title} lines={lines} />}
    </figure>
  )
}

function Merged({ text }: { text: string | null }) {
  const lines = useMemo(() => markedLines(text ?? ''), [text])
  if (text === null) return <p className="quiet">There is no merged file.</p>
  return (
    <figure>
      <figcaption>As far as git could merge it</figcaption>
      <Lines label="With markers" lines={lines} />
    </figure>
  )
}

const MOST_LINES = 3_000

function Lines({ label, lines }: { label: string; lines: ReturnType<typeof changedLines> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0} role="region" aria-label={label}>
      {lines.slice(0, MOST_LINES).map(({ text, look }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <span key={index} className={look}>
          {text || ' '}
          {'\n'}
        </span>
      ))}
      {lines.length > MOST_LINES && <span className="soft">… {lines.length - MOST_LINES} more lines</span>}
    </pre>
  )
}
