// A list from which a line went moves up: terminals can do that by themselves, instead of being told every line again.
import { safeText } from '../../text/safe.ts'

/** `from`: the row that went; `to`: the row that came, after it went. */
type Move = { from: number; to: number }

/** Row by row, each as the rows are after those before it. Lines are known by how they begin. */
export function movedLines(before: readonly string[], after: readonly string[]): { moves: Move[]; lines: string[] } {
  const lines = [...before]
  const moves: Move[] = []
  const names = after.map(nameOf)
  while (moves.length < MOST_MOVES) {
    const from = lines.findIndex((line, row) => nameOf(line) !== names[row])
    if (from < 0 || from + 1 >= lines.length || nameOf(lines[from + 1] ?? '') !== names[from]) break
    let to = from
    while (to + 1 < lines.length && nameOf(lines[to + 1] ?? '') === names[to]) to += 1
    lines.splice(from, 1)
    lines.splice(to, 0, '')
    moves.push({ from, to })
  }
  return { moves, lines }
}

/** From the top row and back to it. */
export function moveText({ from, to }: Move): string {
  return `${down(from)}\x1b[1M${down(to - from)}\x1b[1L${up(to)}`
}

function down(rows: number): string {
  return rows === 0 ? '' : `\x1b[${rows}B`
}

function up(rows: number): string {
  return rows === 0 ? '' : `\x1b[${rows}A`
}

/** The sign and the name of a task, without what changes all the time. */
function nameOf(line: string): string {
  return safeText(line)
    .slice(0, NAME_CHARS)
    .replace(/\d\S*s\b.*$/, '')
}

const NAME_CHARS = 24
/** As many tasks as end between two drawings, mostly. */
const MOST_MOVES = 4
