// Where somebody is who follows events: for one project a number, for all of them one for each (`api.17~web.42`). A client
// gives back what it got, and never looks inside.

type Position = { kind: 'one'; cursor: number } | { kind: 'each'; cursors: ReadonlyMap<string, number> }

const NUMBER = /^\d{1,15}$/
const PART = /^([a-z0-9][a-z0-9-]{0,62})\.(\d{1,15})$/

/** Null: this is none. */
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

/** Of one project. What was added since then is told from its beginning. */
export function cursorIn(position: Position, project: string): number {
  return position.kind === 'one' ? position.cursor : (position.cursors.get(project) ?? 0)
}

const MOST_PROJECTS = 1_000
