// Fields on landing in plans and settings.
import * as z from 'zod'
import { type LayerSettings, LIMITS } from '../../config.ts'
import { commands, conflict, env, listOf, timeLimit, toEnv, toMs } from '../document/field.ts'

export const landingFields = {
  verify: commands
    .optional()
    .describe('Commands that must pass on the merged result before the branch moves to it, such as npm test'),
  timeout: timeLimit.optional().describe('After this time a verification has failed: 90s, 30m, 2h'),
  window: z
    .int()
    .min(1)
    .max(LIMITS.window)
    .optional()
    .describe('How many verifications run at once where slots are free: faster, but more of them'),
  batch: z
    .int()
    .min(1)
    .max(LIMITS.batch)
    .optional()
    .describe('How many tasks are merged and verified together at most; 1: one by one'),
  allgreen: z.boolean().optional().describe('true: every commit is verified, not only the last of a batch'),
  reruns: z
    .int()
    .min(0)
    .max(LIMITS.reruns)
    .optional()
    .describe('How often a verification that failed is repeated before work is sent away for it'),
  merge: z
    .enum(['regular', 'squash', 'rebase'])
    .optional()
    .describe("What lands: a merge commit, one commit of the whole work, or the agent's commits one by one"),
  signoff: z
    .boolean()
    .nullable()
    .optional()
    .describe('true: commits get a Signed-off-by line with your name; default: what format.signOff of your git says'),
  env: env.optional().describe('Environment variables of these commands'),
  conflict: conflict
    .optional()
    .describe('What happens to work that does not merge: do it again, let its agent resolve it, wait for you, or fail'),
}

const landing = z.strictObject(landingFields)

export function toLanding(input: z.infer<typeof landing> | undefined): LayerSettings['landing'] {
  if (!input) return undefined
  const { verify, timeout, env, ...same } = input
  const said = { ...same, verify: listOf(verify), timeoutMs: toMs(timeout), env: env && toEnv(env) }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
