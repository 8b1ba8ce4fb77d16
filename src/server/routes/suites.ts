// Suites: started as a person starts one, and read from the store.
import { readEntryHistory } from '../../engine/suite/history.ts'
import { readSuiteStatus } from '../../engine/suite/status.ts'
import { ok, type Result } from '../../problem.ts'
import { fileInside, planArgument } from '../engines/plan-argument.ts'
import { flag, settingFlags } from '../engines/run-arguments.ts'
import { startEngine } from '../engines/start.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Call, type Handlers, withProject, withRun } from './call.ts'
import { give, giveResult, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `suites.${string}`>

export const suiteHandlers: Handlers<Names> = {
  'suites.start': (call) =>
    withProject(call, async (project) => {
      const words = await suiteWords(call, project)
      if (!words.ok) return refusedBy(words.problems)
      const workers = flag('--max-concurrency', call.input.maxConcurrency)
      const args = ['suite', 'run', ...workers, ...words.value]
      return giveResult(await startEngine(project.workspace, args, call.context.environment))
    }),

  'suites.get': (call) =>
    withRun(call, async ({ workspace }, { run }) => giveResult(await readSuiteStatus(workspace, { run }))),

  'suites.history': (call) =>
    withProject(call, async ({ workspace }) => {
      const { entry, limit } = call.input
      const history = await readEntryHistory(workspace, { entry, limit })
      return history.ok ? give({ entries: history.value }) : refusedBy(history.problems)
    }),
}

/** The words of a command that say which suite, and how. */
async function suiteWords({ input, context }: Call<'suites.start'>, { repo }: Project): Promise<Result<string[]>> {
  const { suite, entries = [], base, dirty, compare, shards, repeat, untilFail, model } = input
  const { retries, timeoutMs, agent, command } = input
  const files = await suiteFiles(suite, repo, context.plansFolder)
  if (!files.ok) return files
  return ok([
    ...settingFlags({ retries, timeoutMs, agent, command }),
    ...flag('--model', model),
    ...flag('--base', base),
    ...(dirty ? ['--dirty'] : []),
    ...flag('--compare', compare),
    ...flag('--shards', shards),
    ...flag('--repeat', repeat),
    ...(untilFail ? ['--until-fail'] : []),
    ...entries.flatMap((entry) => flag('--entry', entry)),
    ...(files.value.length > 0 ? ['--', ...files.value] : []),
  ])
}

/** A pattern names files of the repository, none outside of it. */
async function suiteFiles(
  suite: Call<'suites.start'>['input']['suite'],
  repo: string,
  folder: string,
): Promise<Result<string[]>> {
  if (!Array.isArray(suite)) {
    const file = await planArgument(suite, repo, folder)
    return file.ok ? ok(file.value === null ? [] : [file.value]) : file
  }
  const files: string[] = []
  for (const name of suite) {
    const isPattern = /[*?[\]{}!()]/.test(name) && !name.startsWith('/') && !name.split('/').includes('..')
    const found = isPattern ? ok(`./${name}`) : await fileInside(name, repo)
    if (!found.ok) return found
    files.push(found.value)
  }
  return ok(files)
}
