// `run` where the last run of the same plan was interrupted: it may be meant to continue, and a new one would pay again for
// what that one has done.

import { createInterface } from 'node:readline'
import { ok, type Result, refuse } from '../../problem.ts'
import type { ListedRun } from '../../view.ts'
import type { Surroundings } from '../surroundings.ts'
import type { InWorkspace } from './repository.ts'

/** `interrupted`: null where there is none. Refused where nobody can be asked. */
export async function resumeOrNew(
  interrupted: ListedRun | null,
  json: boolean,
  { input, err, repeat }: Pick<InWorkspace, 'input' | 'err' | 'repeat'>,
): Promise<Result<'new' | 'cancel' | { resume: string }>> {
  if (!interrupted) return ok('new')
  const { run, counts } = interrupted
  const resume = `espalier resume ${run}${repeat}`
  const done = `${counts.landed + counts.passed} of ${counts.total} tasks done`
  const state = `run ${run} of this plan was interrupted, with ${done}`
  if (json || !input || !err.isTTY)
    return refuse(`${state}: \`${resume}\` continues it, \`espalier run --new\` starts a new one`)
  err.write(`${state}\n${CHOICES(resume)}`)
  const choice = await ask('Resume it?', { r: 'resume', n: 'new', c: 'cancel' } as const, { input, err })
  return ok(choice === 'resume' ? { resume: run } : (choice ?? 'cancel'))
}

const CHOICES = (resume: string) => `  r  resume it (${resume})
  n  start a new run, from the beginning (espalier run --new)
  c  cancel: start nothing
`

/** The first choice is meant by Enter alone. Null: they left without an answer. */
export async function ask<Choice extends string>(
  question: string,
  choices: Readonly<Record<string, Choice>>,
  { input, err }: Pick<Surroundings, 'input' | 'err'>,
): Promise<Choice | null> {
  if (!input) return null
  const letters = Object.keys(choices)
  using lines = createInterface({ input, output: err })
  lines.on('SIGINT', () => lines.close())
  const put = () => void err.write(`${question} [${letters.join('/')}] `)
  put()
  let tries = 0
  for await (const answer of lines) {
    const choice = choices[answer.trim().toLowerCase().slice(0, 1) || (letters[0] ?? '')]
    if (choice !== undefined) return choice
    if (++tries === TRIES) return null
    put()
  }
  return null
}

const TRIES = 3
