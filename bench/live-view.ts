// The live view in a real terminal (tmux): what it takes of a core, and whether any moment shows something that is no whole
// frame. What tmux shows is compared with what each drawing should leave on the screen.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atMost, type Benchmark } from './benchmark.ts'
import type { Watched } from './live-view-probe.ts'

const [COLUMNS, ROWS, SECONDS] = [120, 40, 12]

export const liveView: Benchmark = {
  name: 'live-view',
  about: 'the live view at 200 tasks and 20 events a second, in tmux',
  async run({ scratch, say }) {
    const cost = join(scratch, 'cost.json')
    say('what it costs')
    await inTerminal([cost], async () => until(() => existsSync(cost)))
    say('what it shows')
    const [shown, frames] = [join(scratch, 'shown.json'), join(scratch, 'frames.jsonl')]
    const captures: string[] = []
    await inTerminal([shown, frames], async (tmux) => {
      await until(() => {
        captures.push(tmux('capture-pane', '-p'))
        return existsSync(shown)
      }, CAPTURE_MS)
    })
    const whole = new Set(
      readFileSync(frames, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => visible(JSON.parse(line))),
    )
    const torn = captures.map((text) => visible(text.split('\n'))).filter((text) => text !== '' && !whole.has(text))
    const { percentOfACore, bytesPerSecond, drawings } = JSON.parse(readFileSync(cost, 'utf8')) as Watched
    return {
      tables: [
        {
          title: 'live view, 200 tasks, 40 running, 20 events/s',
          columns: ['% of a core', 'kB/s', 'drawings/s', 'captures', 'no whole frame'],
          rows: [
            [
              percentOfACore.toFixed(1),
              (bytesPerSecond / 1000).toFixed(1),
              (drawings / SECONDS).toFixed(1),
              captures.length,
              torn.length,
            ],
          ],
        },
      ],
      bars: [
        atMost('live view, of a core', percentOfACore, 5, '%'),
        atMost('captures that show no whole frame', torn.length, 0),
      ],
    }
  },
}

const CAPTURE_MS = 15

type Tmux = (...args: string[]) => string

async function inTerminal(args: string[], watch: (tmux: Tmux) => Promise<void>): Promise<void> {
  const socket = `espalier-bench-${process.pid}-${Date.now()}`
  const tmux: Tmux = (...words) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' })
  const probe = fileURLToPath(new URL('live-view-probe.ts', import.meta.url))
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', probe, String(SECONDS), ...args]
  const command = argv.map((word) => `'${word}'`).join(' ')
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), command)
  try {
    await watch(tmux)
  } finally {
    try {
      tmux('kill-server')
    } catch {
      // It has ended with its only window.
    }
  }
}

/** What of the scrollback and the screen a terminal shows, without the blanks at the ends of lines and below them. */
function visible(lines: readonly string[]): string {
  const all = lines.map((line) => line.trimEnd())
  while (all.at(-1) === '') all.pop()
  // The cursor stands on a line of its own below the block.
  return all.slice(-(ROWS - 1)).join('\n')
}

async function until(isDone: () => boolean, everyMs = 100): Promise<void> {
  const deadline = Date.now() + 3 * SECONDS * 1_000
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error('the live view has not come to its end: is tmux there?')
    await wait(everyMs)
  }
}
