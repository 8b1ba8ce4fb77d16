// Through how many files and folders a run of two tasks goes, in the order in which it first calls something in each file.
// The sources of a checkout run as they are, with a call to a recorder in every function (data-walk-hooks.ts), and those of
// `--baseline` with the very same instrument. Only the process of the command counts, not the two files of the git runner.
//
// The bar comes from a sentence about commit 5298f26: "271 files, and changes folders 107 times". How that was counted is
// not known. All first calls of the process, those that modules make while they load included, come nearest to it
// (267 files, 109 changes), so the bar is on them; the variants beside it are printed too.
//
// One attempt is all that the process does from the millisecond of `attempt.started` in the journal to that of
// `attempt.finished`: the attempt, and what the engine and the view do beside it, which for the second task is also what
// follows from the landing of the first. The larger of the two counts. Without its last millisecond, in which the engine
// takes in the result, it is one or two files less, and not the same every time.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { atMost, type Benchmark, type Table } from './benchmark.ts'
import type { WalkEntry, WalkRecord } from './data-walk-hooks.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const REPEATS = 5
const HERE = fileURLToPath(new URL('..', import.meta.url))
const HOOKS = new URL('data-walk-hooks.ts', import.meta.url).href
const TASKS = [
  { id: 'one', run: 'echo 1 >one.txt' },
  { id: 'two', run: 'echo 2 >two.txt', needs: ['one'] },
]

const CHANGES = 'folder changes'
const ATTEMPT = 'one attempt: files of one folder'

type Walk = WalkRecord & { events: { at: number; type: string; task: string | null }[] }

/** Files in the order of their first call, by what is left out and what counts as one folder. */
const FIGURES: readonly { name: string; of: (walk: Walk) => number }[] = [
  { name: 'files', of: (walk) => firstCalls(walk).length },
  { name: CHANGES, of: (walk) => stretches(firstCalls(walk)).length - 1 },
  { name: '  without calls while modules load', of: (walk) => stretches(firstCalls(walk, notLoading)).length - 1 },
  { name: '  and without cli/', of: (walk) => stretches(firstCalls(walk, notLoading).filter(notCli)).length - 1 },
  { name: '  between folders right below src/', of: (walk) => stretches(firstCalls(walk), topFolder).length - 1 },
  { name: 'folders', of: (walk) => new Set(firstCalls(walk).map(dirname)).size },
  { name: 'one attempt: files', of: (walk) => Math.max(...attempts(walk).map((files) => files.length)) },
  { name: ATTEMPT, of: (walk) => Math.max(...attempts(walk).map(largestFolder)) },
  { name: '  the first attempt', of: (walk) => largestFolder(attempts(walk)[0] ?? []) },
  { name: '  without its last millisecond', of: (walk) => Math.max(...attempts(walk, 1).map(largestFolder)) },
]

export const dataWalk: Benchmark = {
  name: 'data-walk',
  about: 'files and folders that a run of two tasks goes through',
  async run({ scratch, full, baseline, say }) {
    const checkouts = baseline === null ? [HERE] : [HERE, baseline]
    const template = join(scratch, 'template')
    await createSampleRepository(template, 20)
    const walks = checkouts.map((): Walk[] => [])
    // What runs at the same time is entered in another order every time.
    for (let n = 0; n < REPEATS; n++)
      for (const [which, checkout] of checkouts.entries()) {
        say(`${which === 0 ? 'here' : 'baseline'}, ${n + 1} of ${REPEATS}`)
        walks[which]?.push(walk(checkout, template, join(scratch, `${n}-${which}`)))
      }
    const medians = new Map(FIGURES.map(({ name, of }) => [name, walks.map((ofOne) => median(ofOne.map(of)))]))
    const rows = [...medians].map(([name, [own = 0, before]]) => {
      return [name, own, ...(before === undefined ? [] : [before, own / before])]
    })
    const columns = ['', 'here', ...(baseline === null ? [] : ['baseline', 'of baseline'])]
    const [own = 0, before] = medians.get(CHANGES) ?? []
    const shown = walks[0]?.[0]
    return {
      tables: [
        { title: `run of two tasks, median of ${REPEATS}`, columns, rows },
        ...(shown === undefined ? [] : [attemptFolders(shown), folders(shown), ...(full ? [sequence(shown)] : [])]),
      ],
      bars: [
        ...(before === undefined ? [] : [atMost(CHANGES, own / before, 0.6, 'of baseline')]),
        atMost(ATTEMPT, medians.get(ATTEMPT)?.[0] ?? 0, 15),
      ],
    }
  },
}

function walk(checkout: string, template: string, folder: string): Walk {
  const repo = join(folder, 'repo')
  const record = join(folder, 'walk.json')
  mkdirSync(folder)
  cpSync(template, repo, { recursive: true })
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ name: 'bench', tasks: TASKS }))
  // Compiled code that is kept would be without the recorder, or with it for others.
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env
  const env = { ...inherited, HOME: folder, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' }
  const args = ['--disable-warning=ExperimentalWarning', '--import', HOOKS, join(checkout, 'bin', 'espalier.js')]
  const { status, stderr } = spawnSync(process.execPath, [...args, 'run', '../plan.json'], {
    cwd: repo,
    env: { ...env, WALK_SOURCES: join(checkout, 'src'), WALK_RECORD: record },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the run of ${checkout} ended with ${status}: ${stderr}`)
  const store = new DatabaseSync(`${repo}.espalier/state.db`)
  const events = store.prepare('select at, type, task from event order by seq').all() as Walk['events']
  store.close()
  return { ...(JSON.parse(readFileSync(record, 'utf8')) as WalkRecord), events }
}

function firstCalls({ files, entries }: Walk, counts: (entry: WalkEntry) => boolean = () => true): string[] {
  return [...new Set(entries.filter(counts).map(([file]) => files[file] ?? ''))]
}

/** Files one after the other in the same folder. */
function stretches(files: readonly string[], folderOf: (file: string) => string = dirname): string[][] {
  const found: string[][] = []
  for (const file of files) {
    const last = found.at(-1)
    if (last?.[0] !== undefined && folderOf(last[0]) === folderOf(file)) last.push(file)
    else found.push([file])
  }
  return found
}

function attempts(walk: Walk, lessMs = 0): string[][] {
  return TASKS.map(({ id }) => {
    const [from, to] = ['attempt.started', 'attempt.finished'].map((type) => {
      const event = walk.events.find((one) => one.type === type && one.task === id)
      if (event === undefined) throw new Error(`the journal has no ${type} of ${id}`)
      return event.at
    }) as [number, number]
    return firstCalls(walk, ([, atMs]) => atMs >= from && atMs <= to - lessMs)
  })
}

function largestFolder(files: readonly string[]): number {
  return Math.max(...[...byFolder(files).values()].map((inside) => inside.length))
}

function byFolder(files: readonly string[]): Map<string, string[]> {
  return Map.groupBy(files, dirname)
}

function attemptFolders(walk: Walk): Table {
  const [one, two] = attempts(walk).map(byFolder)
  const names = [...new Set([...(one?.keys() ?? []), ...(two?.keys() ?? [])])]
  const rows = names.map((name): [string, number, number] => [
    name,
    one?.get(name)?.length ?? 0,
    two?.get(name)?.length ?? 0,
  ])
  rows.sort((a, b) => Math.max(b[1], b[2]) - Math.max(a[1], a[2]))
  return { title: 'here, files during an attempt', columns: ['folder', 'first', 'second'], rows: rows.slice(0, 8) }
}

function folders(walk: Walk): Table {
  const files = firstCalls(walk)
  const visits = Map.groupBy(stretches(files), ([file = '']) => dirname(file))
  const rows = [...byFolder(files)].map(([name, inside]) => [name, visits.get(name)?.length ?? 0, inside.length])
  rows.sort((a, b) => Number(b[1]) - Number(a[1]))
  return { title: 'here, one run, by folder', columns: ['folder', 'times entered', 'files'], rows }
}

function sequence(walk: Walk): Table {
  const rows = stretches(firstCalls(walk)).map((files) => [
    dirname(files[0] ?? ''),
    files.map((file) => file.slice(file.lastIndexOf('/') + 1, -3)).join(' '),
  ])
  return { title: 'here, one run, in order', columns: ['folder', 'files'], rows }
}

function notLoading([, , loading]: WalkEntry): boolean {
  return !loading
}

function notCli(file: string): boolean {
  return !file.startsWith('cli/')
}

function topFolder(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : ''
}
