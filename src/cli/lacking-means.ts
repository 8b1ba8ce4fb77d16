// What a plan lacks so far, for the commands that look at one without running it.
import { checkMeans, type Plan, type Problem, type Settings } from '../index.ts'

/** Warnings: an agent can still be named by a flag, or installed. */
export function lackingMeans(plan: Plan, settings: Settings, environment?: NodeJS.ProcessEnv): Problem[] {
  return checkMeans(plan, settings, environment).map((one): Problem => ({ ...one, severity: 'warning' }))
}
