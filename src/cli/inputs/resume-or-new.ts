// Asks what to do if the last run of the same plan was interrupted: a new run would pay again for
// its finished work.

import { createInterface } from 'node:readline'
import { ok, type Result, refuse } from '../../problem.ts'
import type { ListedRun } from '../../view.ts'
import type { Input, Output } from '../surroundings.ts'
import type { InWorkspace } from './repository.ts'

type Choice = 'resume' | 'new' | 'cancel'

/** Refused without a terminal. */
export async function resumeOrNew(
  { run, counts }: ListedRun,
  { input, err, repeat }: Pick<InWorkspace, 'input' | 'err' | 'repeat'>,
  json = false,
): Promise<Result<Choice>> {
  const resume = `espalier resume ${run}${repeat}`
  const done = `${counts.landed + counts.passed} of ${counts.total} tasks done`
  const state = `run ${run} of this plan was interrupted, with ${done}`
  if (json || !input || !err.isTTY)
    return refuse(`${state}: \`${resume}\` continues it, \`espalier run --new\` starts a new one`)
  err.write(`${state}
  r  resume it (${resume})
  n  start a new run, from the beginning (espalier run --new)
  c  cancel: start nothing
`)
  return ok(await answerFrom(input, err))
}

const CHOICES: Readonly<Record<string, Choice>> = { r: 'resume', n: 'new', c: 'cancel' }

/** Enter selects the first choice; an invalid answer repeats the question. */
async function answerFrom(input: Input, err: Output): Promise<Choice> {
  using lines = createInterface({ input, output: err })
  lines.on('SIGINT', () => lines.close())
  const ask = () => void err.write('Resume it? [r/n/c] ')
  ask()
  let tries = 0
  for await (const answer of lines) {
    const choice = CHOICES[answer.trim().toLowerCase().slice(0, 1) || 'r']
    if (choice !== undefined) return choice
    if (++tries === TRIES) break
    ask()
  }
  return 'cancel'
}

const TRIES = 3
