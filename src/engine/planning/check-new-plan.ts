// A program, the check of `plan new`: whether the plan that an agent has written is valid. Usage: node check.ts SPEC
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { LIMITS, type Settings } from '../../config.ts'
import { formatProblem, type Problem, problem } from '../../problem.ts'
import { readPlan } from '../../workloads/plan/read.ts'

/** `file`: the plan in the worktree. `copy`: receives its text, as last checked. */
export type NewPlanCheck = { file: string; copy: string; settings: Settings }

const SHOWN = 8

const spec = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NewPlanCheck
const problems = problemsOf(spec)
for (const one of problems.slice(0, SHOWN)) process.stdout.write(`${formatProblem(one)}\n`)
if (problems.length > SHOWN) process.stdout.write(`… and ${problems.length - SHOWN} more\n`)
process.exitCode = problems.length > 0 ? 1 : 0

function problemsOf({ file, copy, settings }: NewPlanCheck): Problem[] {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (!stat) return [problem('there is no such file: write the plan there', { file })]
  // A link may lead anywhere, and its target would be shown as the plan.
  if (!stat.isFile() || stat.size > LIMITS.yamlBytes) return [problem('is no file, or too large for a plan', { file })]
  const text = readFileSync(file, 'utf8')
  writeFileSync(copy, text, { mode: 0o600 })
  const read = readPlan(text, file, settings)
  return read.ok ? [] : read.problems.filter(({ severity }) => severity === 'error')
}
