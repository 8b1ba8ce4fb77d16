// `espalier demo`: from a plan to a landed branch, on a throw-away repository with scripted agents.
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DEFAULT_SETTINGS } from '../../config.ts'
import { openRun } from '../../engine/open/open-run.ts'
import { packageFile } from '../../files/package-file.ts'
import { createSampleRepository, landedLog } from '../../git/engine/sample-repository.ts'
import { builtApp } from '../../reports/built-app.ts'
import { shellWord } from '../../text/shell-word.ts'
import { readPlan } from '../../workloads/plan/read.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { call, help } from '../command-line/command.ts'
import { findWorkspace } from '../inputs/repository.ts'
import { runToRest } from '../live/follow-run.ts'
import type { Done } from '../refusal.ts'
import { runSearch } from '../search/run.ts'
import { show } from '../search/show.ts'
import type { Surroundings } from '../surroundings.ts'
import { runPage, writeText } from '../terminal/write-page.ts'

export const commands = {
  demo: call(
    {},
    help(
      'Makes a throw-away repository, runs a small plan on it with scripted agents (no model, no cost), and shows the result.',
      '0 it worked, 1 it did not.',
    ),
    async (here, _, what: 'plan' | 'search') => (what === 'plan' ? planDemo(here) : searchDemo(here)),
    {
      args: ['what to run'],
      also: (command) => command.registeredArguments[0]?.choices(['plan', 'search']).default('plan'),
    },
  ),
}

async function planDemo(surroundings: Surroundings): Promise<Done> {
  const since = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'tea-shop')
  await createSampleRepository(repo, await filesOfExample('demo/repository'))
  const command = `sh ${shellWord(packageFile('examples/demo/agent.sh'))}`
  const settings = { ...DEFAULT_SETTINGS, ...DEMO_SETTINGS, maxConcurrency: 4, command }
  const read = readPlan(await readFile(packageFile('examples/demo/tea-shop.yaml'), 'utf8'), 'tea-shop.yaml', settings)
  if (!read.ok) return read
  surroundings.out.write(
    `A small repository: ${repo}\nA plan of ${read.value.plan.tasks.length} tasks, four at a time; the agents are small scripts.\n\n`,
  )

  const workspace = await openWorkspace({ repo })
  if (!workspace.ok) return workspace
  const opened = await openRun(surroundings.resources.use(workspace.value), {
    plan: read.value.plan,
    settings,
    environment: surroundings.env,
  })
  if (!opened.ok) return opened
  await using run = opened.value
  const status = await runToRest(run, { since }, { ...surroundings, repeat: ` --repo ${repo}` })

  surroundings.out.write(
    `\nWhat landed on ${run.branch}:\n\n${(await landedLog(repo, run.branch)).replace(/^/gm, '  ')}\n`,
  )
  const built = builtApp()
  const page = built === null ? null : await runPage(workspace.value, run.id, surroundings, { built })
  if (page && !page.ok) return page
  surroundings.out.write('\nThe report:  ')
  if (page) await writeText(page.value.text, page.value.file, surroundings)
  else surroundings.out.write(`espalier report --html --repo ${repo}\n`)
  surroundings.out.write(`To clean up: rm -r ${folder}\n`)
  return status
}

const DEMO_SETTINGS = { backoff: { initialMs: 800, maxMs: 5_000 } }

async function searchDemo(surroundings: Surroundings): Promise<Done> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'primes')
  await createSampleRepository(repo, await filesOfExample('search'))
  surroundings.out.write(
    `A small repository: ${repo}\nSix ideas to find primes with fewer divisions, two at a time.\n\n`,
  )
  const found = await findWorkspace(surroundings, { repo }, { maxConcurrency: 2 })
  if (!found.ok) return found
  const status = await runSearch(found.value, {}, join(repo, 'search.yaml'))
  surroundings.out.write('\n')
  await show(found.value, {}, undefined)
  surroundings.out.write(`\nThe result:\n\n${await landedLog(repo, 'espalier/search-1')}\n`)
  surroundings.out.write(`\nTo clean up: rm -r ${folder}\n`)
  return status
}

async function filesOfExample(name: string): Promise<Record<string, string>> {
  const folder = packageFile(`examples/${name}`)
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')])
  return Object.fromEntries(await Promise.all(files))
}
