// `espalier demo`: the main job, from a plan to a landed branch, on a throw-away repository with scripted agents.

import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_SETTINGS } from '../../config.ts'
import { openRun } from '../../engine/open/open-run.ts'
import { createSampleRepository, landedLog } from '../../git/engine/sample-repository.ts'
import { builtApp } from '../../reports/built-app.ts'
import { readPlan } from '../../workloads/plan/read.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, withArguments } from '../command-line/flags.ts'
import { runToRest } from '../live/follow-run.ts'
import { DEMO_AGENT, DEMO_FILES, DEMO_PLAN, DEMO_SETTINGS } from '../plan/demo-plan.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

export const commands: Commands = {
  demo: (command, { call }) => {
    withArguments(command, 'what to run').registeredArguments[0]?.choices(['plan', 'search']).default('plan')
    command.addHelpText('after', HELP).action(call(demo))
  },
}

export async function demo(what: 'plan' | 'search', _: unknown, surroundings: Surroundings): Promise<Done> {
  if (what === 'search') return (await import('../search/demo.ts')).searchDemo(surroundings)
  const since = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'tea-shop')
  const agent = join(folder, 'agent.sh')
  await createSampleRepository(repo, DEMO_FILES)
  await writeFile(agent, DEMO_AGENT)
  const settings = { ...DEFAULT_SETTINGS, ...DEMO_SETTINGS, maxConcurrency: 4, command: `sh ${agent}` }
  const read = readPlan(DEMO_PLAN, 'tea-shop.yaml', settings)
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
  const options = { json: false, since, repeat: ` --repo ${repo}` }
  const status = await runToRest(run, options, surroundings)

  surroundings.out.write(`\nWhat landed on ${run.branch}:\n\n${indent(await landedLog(repo, run.branch))}\n`)
  const app = builtApp()
  if (app === null) surroundings.out.write(`\nThe report:  espalier report --html --repo ${repo}\n`)
  else {
    const { htmlReport } = await import('../../server/recording/html-report.ts')
    const template = await readFile(join(app, 'report.html'), 'utf8')
    const made = await htmlReport(workspace.value, { run: run.id, template })
    if (!made.ok) return made
    await mkdir(made.value.folder, { recursive: true })
    const page = join(made.value.folder, `${run.id}.html`)
    await writeFile(page, made.value.text)
    surroundings.out.write(`\nThe report:  ${page}\n`)
  }
  surroundings.out.write(`To clean up: rm -r ${folder}\n`)
  return status
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}

const HELP = help(
  'Makes a throw-away repository, runs a small plan on it with scripted agents (no model, no cost), and shows the result.',
  '0 it worked, 1 it did not.',
)
