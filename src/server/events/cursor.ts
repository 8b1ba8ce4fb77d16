// Positions in the events: a number for one project, one for each for all projects (`api.17~web.42`). Clients give them back
// and never look inside.

type Position = { kind: 'one'; cursor: number } | { kind: 'each'; cursors: ReadonlyMap<string, number> }

const NUMBER = /^\d{1,15}$/
const PART = /^([a-z0-9][a-z0-9-]{0,62})\.(\d{1,15})$/

/** Null: the text is no position. */
export function parsePosition(text: string): Position | null {
  if (NUMBER.test(text)) return { kind: 'one', cursor: Number(text) }
  const parts = text.split('~').map((part) => PART.exec(part))
  if (parts.length > MOST_PROJECTS || parts.some((part) => part === null)) return null
  return { kind: 'each', cursors: new Map(parts.map((part) => [part?.[1] as string, Number(part?.[2])])) }
}

export function formatPosition(cursors: ReadonlyMap<string, number>, isOne: boolean): string {
  if (isOne) return String([...cursors.values()][0] ?? 0)
  return [...cursors].map(([project, cursor]) => `${project}.${cursor}`).join('~')
}

/** 0 for a project that was added since. */
export function cursorIn(position: Position, project: string): number {
  return position.kind === 'one' ? position.cursor : (position.cursors.get(project) ?? 0)
}

const MOST_PROJECTS = 1_000
