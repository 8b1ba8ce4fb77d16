// Lands branches one after the other with the code of one checkout, this one or another of any age, and prints how long
// each took and how many git processes it started. Usage: node landing-probe.ts CHECKOUT REPO RUN BASE WORK…
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Landings = { ms: number[]; processes: number }

const [, , checkout = '', repo = '', run = '', base = '', ...works] = process.argv

const sources = readdirSync(join(checkout, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(checkout, 'src', name))

/** Files move; what they export has kept its name. */
async function imported(name: string): Promise<(...args: unknown[]) => Promise<unknown>> {
  const exported = new RegExp(`^export (async )?(function|const) ${name}\\b`, 'm')
  const file = sources.find((path) => exported.test(readFileSync(path, 'utf8')))
  if (file === undefined) throw new Error(`nothing in ${checkout} exports ${name}`)
  return (await import(pathToFileURL(file).href))[name]
}

const user = (await (await imported('inspect'))(repo)) as { ok: boolean; value: unknown }
if (!user.ok) throw new Error(JSON.stringify(user))
const engine = await (await imported('openEngineRepository'))(`${repo}.${run}`, user.value)
const ref = `refs/heads/espalier/${run}`
await (await imported('moveBranch'))(engine, { ref, to: base, from: null })
const landBatch = await imported('landBatch')
const commands = (await imported('gitCommands')) as unknown as { subscribe(on: () => void): void }
let processes = 0
commands.subscribe(() => processes++)
/** What is only started once does not count: the third landing is like the hundredth. */
const WARM = 2
const landings: Landings = { ms: [], processes: 0 }
let onto = base
for (const [n, work] of works.entries()) {
  if (n === WARM) processes = 0
  const items = [{ tasks: [{ id: `t${n}`, title: `task ${n}`, attempt: 1, base }], work }]
  const start = performance.now()
  const facts = (await landBatch({ engine, run, items, onto, head: onto, conflict: 'fail' })) as { commit: string }[]
  landings.ms.push(performance.now() - start)
  onto = facts[0]?.commit ?? onto
}
landings.processes = processes / (works.length - WARM)
process.stdout.write(JSON.stringify({ ...landings, ms: landings.ms.slice(WARM) }))
process.exit(0)
