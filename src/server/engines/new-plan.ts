// Plans that agents make: `espalier plan new` as a process of its own, in a folder of its own, so that it goes on and is found
// again when the server was killed in between.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type Problem, problem } from '../../problem.ts'
import { isAlive, processIdentity } from '../../process/tree/identity.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { espalierCommand } from './command.ts'
import { placed } from './start.ts'

const jobFile = z.object({
  repo: z.string(),
  objective: z.string(),
  startedAt: z.number(),
  process: z.looseObject({ pid: z.number() }).nullable(),
})

type NewPlanJob = {
  job: string
  status: 'running' | 'done' | 'failed'
  objective: string
  startedAt: number
  plan: string | null
  rejected: string | null
  problems: Problem[]
}

type NewPlanRequest = { repo: string; objective: string; words: readonly string[] }

/** Its name. `words`: those of the command, without where it writes. */
export async function startNewPlan(
  folder: string,
  { repo, objective, words }: NewPlanRequest,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const job = randomBytes(8).toString('hex')
  const jobFolder = join(folder, job)
  mkdirSync(jobFolder, { recursive: true, mode: 0o700 })
  forgetOldest(folder)
  const [program = '', ...first] = espalierCommand()
  const [command = '', what = '', ...rest] = words
  const said = openSync(join(jobFolder, 'said'), 'w', 0o600)
  const child = spawn(program, [...first, command, what, `--output=${join(jobFolder, 'plan.yaml')}`, ...rest], {
    cwd: repo,
    env: { ...environment, NO_COLOR: '1' },
    detached: true,
    stdio: ['ignore', 'ignore', said],
  })
  child.on('error', () => {}) // seen by what it did not write
  child.unref()
  closeSync(said)
  const process = child.pid === undefined ? null : processIdentity(child.pid)
  await writeAtomically(
    join(jobFolder, 'job.json'),
    JSON.stringify({ repo, objective, startedAt: Date.now(), process }),
  )
  return job
}

/** Null: there is no such job for that repository. */
export function readNewPlan(folder: string, repo: string, job: string): NewPlanJob | null {
  const jobFolder = join(folder, job)
  const read = jobFile.safeParse(parsed(textOf(join(jobFolder, 'job.json'))))
  if (!read.success || read.data.repo !== repo) return null
  const { objective, startedAt, process } = read.data
  // Looked at first: what it writes last is there when it is gone.
  const isRunning = process !== null && isAlive(process as Parameters<typeof isAlive>[0])
  const plan = isRunning ? null : textOf(join(jobFolder, 'plan.yaml'))
  const rejected = isRunning ? null : textOf(join(jobFolder, 'plan.rejected.yaml'))
  const status = isRunning ? 'running' : plan === null ? 'failed' : 'done'
  return { job, status, objective, startedAt, plan, rejected, problems: status === 'failed' ? saidIn(jobFolder) : [] }
}

function saidIn(jobFolder: string): Problem[] {
  const lines = (textOf(join(jobFolder, 'said')) ?? '').split('\n').filter((line) => line.trim() !== '')
  // Before it stands what its agent was doing.
  const why = lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('no plan was made')),
    ),
  )
  return why.length > 0 ? why.slice(-MOST_LINES).map(placed) : [problem('it ended without a word')]
}

const MOST_LINES = 100

function textOf(path: string): string | null {
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8')
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

function forgetOldest(folder: string): void {
  const jobs = readdirSync(folder).map((name) => join(folder, name))
  if (jobs.length <= SERVER_LIMITS.plansKept) return
  const dated = jobs.map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  dated.sort((a, b) => a.at - b.at)
  for (const { path } of dated.slice(0, jobs.length - SERVER_LIMITS.plansKept))
    rmSync(path, { recursive: true, force: true })
}
