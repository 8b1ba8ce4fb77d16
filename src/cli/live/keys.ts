// Keys of a live view: a cursor over the tasks, a filter, and the question before a cancel. `pressed` is pure: the view
// carries out the action that it returns with the next state.
import type { Input } from '../surroundings.ts'

type Browsing = {
  mode: 'list' | 'filter' | 'confirm'
  /** The task under the cursor; null before a key was pressed. */
  selected: string | null
  filter: string
}

type KeyAction = { kind: 'none' | 'quit' | 'interrupt' } | { kind: 'open' | 'cancel'; task: string }

export const NOT_BROWSING: Browsing = { mode: 'list', selected: null, filter: '' }

/** `tasks`: ids of the listed tasks, in order. */
export function pressed(
  browsing: Browsing,
  key: string,
  tasks: readonly string[],
): { browsing: Browsing; action: KeyAction } {
  const stay = (changes: Partial<Browsing>, action: KeyAction = { kind: 'none' }) => {
    return { browsing: { ...browsing, ...changes }, action }
  }
  const { mode, selected, filter } = browsing
  if (key === CTRL_C) return stay({}, { kind: 'interrupt' })
  if (mode === 'confirm') {
    const isYes = key === 'y' && selected !== null && tasks.includes(selected)
    return stay({ mode: 'list' }, isYes ? { kind: 'cancel', task: selected } : { kind: 'none' })
  }
  if (mode === 'filter') {
    if (key === ESCAPE) return stay({ mode: 'list', filter: '' })
    if (key === ENTER || key === LINE_FEED) return stay({ mode: 'list' })
    if (key === DELETE || key === BACKSPACE) return stay({ filter: filter.slice(0, -1) })
    return isPrintable(key) ? stay({ filter: (filter + key).slice(0, LONGEST_FILTER), selected: null }) : stay({})
  }
  switch (key) {
    case UP:
    case 'k':
      return stay({ selected: moved(tasks, selected, -1) })
    case DOWN:
    case 'j':
      return stay({ selected: moved(tasks, selected, 1) })
    case ENTER:
    case LINE_FEED: {
      const task = selected ?? tasks[0]
      return task === undefined ? stay({}) : stay({}, { kind: 'open', task })
    }
    case 'c':
      return selected !== null && tasks.includes(selected) ? stay({ mode: 'confirm' }) : stay({})
    case '/':
      return stay({ mode: 'filter', filter: '', selected: null })
    case ESCAPE:
      return stay({ selected: null, filter: '' })
    case 'q':
      return stay({}, { kind: 'quit' })
    default:
      return stay({})
  }
}

/** One terminal read may bring several keys, and one key several bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that move the cursor begin with one
const KEYS = /\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|[\s\S]/gu

const CTRL_C = '\x03'
const ESCAPE = '\x1b'
const ENTER = '\r'
const LINE_FEED = '\n'
const DELETE = '\x7f'
const BACKSPACE = '\b'
const UP = '\x1b[A'
const DOWN = '\x1b[B'
const LONGEST_FILTER = 60

function moved(tasks: readonly string[], selected: string | null, by: 1 | -1): string | null {
  const index = selected === null ? -1 : tasks.indexOf(selected)
  if (index < 0) return (by === 1 ? tasks[0] : tasks.at(-1)) ?? null
  return tasks[Math.min(tasks.length - 1, Math.max(0, index + by))] ?? null
}

function isPrintable(key: string): boolean {
  return [...key].length === 1 && key >= ' '
}

/** Calls `onKey` for each key until disposed of. Restores the terminal then, or when the process exits. */
export function readKeys(input: Input, onKey: (key: string) => void): Disposable {
  const onData = (data: Buffer | string) => {
    for (const key of String(data).match(KEYS) ?? []) onKey(key)
  }
  const close = () => {
    process.removeListener('exit', close)
    input.removeListener('data', onData)
    input.setRawMode?.(false)
    input.pause()
  }
  input.setRawMode?.(true)
  input.on('data', onData)
  input.resume()
  input.unref?.() // waiting for keys must not keep the process alive
  process.once('exit', close)
  return { [Symbol.dispose]: close }
}
