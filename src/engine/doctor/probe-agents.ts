// `espalier doctor --probe`: asks each installed agent for one word, as a run would start it, in an empty folder. That costs a
// fraction of a cent each, and is the only proof that its provider lets it work.
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Agent, AgentResult, ProcessEnd } from '../../agents/agent.ts'
import { makeAgent, programNames, programOf } from '../../agents/known-agents.ts'
import type { Settings } from '../../config.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { agentEnvironment } from '../../process/environment.ts'
import { endGroup, findProgram } from '../../process/program.ts'
import { formatDuration } from '../../text/duration.ts'
import { costText } from '../../text/usage-text.ts'
import type { DoctorCheck } from './doctor-check.ts'

export async function probeAgents(settings: Settings, environment: NodeJS.ProcessEnv): Promise<DoctorCheck[]> {
  const programs = programNames(settings).map((name) => ({ name, ...programOf(name, settings) }))
  const probes = programs.flatMap(({ name, program, args, model = null }) => {
    const isInstalled = program !== undefined && findProgram(program, environment) !== null
    return isInstalled ? [probe(makeAgent(name, program, args), model, settings, environment)] : []
  })
  return Promise.all(probes)
}

async function probe(
  agent: Agent,
  model: string | null,
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): Promise<DoctorCheck> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-probe-'))
  const startedAt = Date.now()
  try {
    const said = await ask(
      agent,
      model,
      folder,
      agentEnvironment(environment, [...settings.envAllow, ...agent.variables]),
    )
    const took = formatDuration(Date.now() - startedAt)
    if (said.failure) {
      const message = `${agent.name} does not answer (after ${took}): ${said.failure.message.split('\n', 1)[0]}`
      return {
        name: 'probe',
        state: 'warn',
        message,
        fix: `try \`${agent.name}\` by hand: log in, or check its key and model`,
      }
    }
    const used = said.session?.model ?? model
    const cost = said.usage && said.usage.costUsd > 0 ? `, ${costText(said.usage)}` : ''
    const message = `${agent.name} answers (${took}${used ? `, model ${used}` : ''}${cost})`
    return { name: 'probe', state: 'ok', message }
  } finally {
    await removeTree(folder).catch(() => {})
  }
}

async function ask(
  agent: Agent,
  model: string | null,
  folder: string,
  env: Record<string, string>,
): Promise<AgentResult> {
  const promptFile = join(folder, 'prompt.md')
  writeFileSync(promptFile, PROMPT)
  const asked = { promptFile, model, newSession: crypto.randomUUID(), resume: null, mayWrite: null, environment: env }
  const invocation = agent.invoke(asked)
  const [program = '', ...args] = invocation.argv
  const own = { ...env, ...invocation.env, ESPALIER_WORKTREE: folder, ESPALIER_PROMPT_FILE: promptFile }
  const child = spawn(program, args, { cwd: folder, env: own, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const reader = agent.reader()
  for (const output of invocation.stderr === 'merge' ? [child.stdout, child.stderr] : [child.stdout])
    createInterface({ input: output }).on('line', (line) => void reader.line(line))
  if (invocation.stderr !== 'merge') child.stderr.resume()
  child.stdin.on('error', () => {}) // it may end before it has read the prompt
  child.stdin.end(PROMPT)
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>()
  child.on('error', () => resolve({ code: 127, signal: null }))
  child.on('close', (code, signal) => resolve({ code, signal }))
  const timer = setTimeout(() => endGroup(child.pid), PATIENCE_MS)
  try {
    return reader.result(await promise)
  } finally {
    clearTimeout(timer)
    endGroup(child.pid)
  }
}

const PROMPT = 'Answer with the single word OK. Use no tools.\n'
/** A longer overload of the provider counts as no answer. */
const PATIENCE_MS = 60_000
