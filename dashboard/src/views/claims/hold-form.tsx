// Holds paths, so that no agent that claims some of them starts.
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { wordsOf } from './words-of.ts'

const TIMES = { '15m': 15 * 60_000, '1h': 3_600_000, '4h': 4 * 3_600_000, '24h': 24 * 3_600_000 } as const
type Time = keyof typeof TIMES

const KEPT_NAME = 'espalier-hold-name'

export function HoldForm({ project, onDone }: { project: string; onDone: () => void }) {
  const [globs, setGlobs] = useState('')
  const [name, setName] = useState(keptName)
  const [time, setTime] = useState<Time>('1h')
  const hold = useAction(async (client) => {
    const asked = { project, globs: wordsOf(globs), name: name.trim(), forMs: TIMES[time] }
    const { holds, goingOn } = await client.claims.hold(asked)
    keepName(name.trim())
    setGlobs('')
    onDone()
    const held = `Held for ${time}: ${holds.map(({ glob }) => glob).join(', ')}.`
    return goingOn.length === 0 ? held : `${held} ${goingOn.map(({ holder }) => holder.name).join(', ')} goes on.`
  })
  const isReady = wordsOf(globs).length > 0 && name.trim() !== ''
  return (
    <section className="panel" aria-labelledby="hold">
      <h2 id="hold">Hold paths</h2>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) hold.mutate(undefined)
        }}
      >
        <label className="field">
          <span>Paths or patterns, a line each</span>
          <textarea rows={3} value={globs} onChange={({ target }) => setGlobs(target.value)} placeholder="docs/**" />
        </label>
        <div className="inline">
          <label className="field">
            <span>Your name</span>
            <input type="text" value={name} onChange={({ target }) => setName(target.value)} />
          </label>
          <label className="field">
            <span>For</span>
            <select value={time} onChange={({ target }) => setTime(target.value as Time)}>
              {Object.keys(TIMES).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        </div>
        <button type="submit" disabled={!isReady || hold.isPending}>
          Hold
        </button>
      </form>
    </section>
  )
}

function keptName(): string {
  try {
    return localStorage.getItem(KEPT_NAME) ?? ''
  } catch {
    return ''
  }
}

function keepName(name: string): void {
  try {
    localStorage.setItem(KEPT_NAME, name)
  } catch {
    // a browser that keeps nothing
  }
}
