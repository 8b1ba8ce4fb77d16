// The agents, for `espalier doctor`. A missing agent is a warning only if the settings name it, or there is no other.
// `--probe` asks each installed agent for one word, as a run would start it, in an empty folder: that costs a fraction of a cent
// each, and is the only proof that its provider lets it work.
import { spawn } from 'node:child_process'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Agent, AgentResult, ProcessEnd } from '../../agents/agent.ts'
import { makeAgent, programOf } from '../../agents/agents-by-name.ts'
import type { Environment } from '../../agents/facts.ts'
import { AGENTS, isKnownAgent, KNOWN_AGENTS, type KnownAgent, programNames } from '../../agents/list.ts'
import type { Settings } from '../../config.ts'
import type { DiskUse } from '../../files/disk-use.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { agentEnvironment } from '../../process/environment.ts'
import { endGroup, findProgram, programVersion } from '../../process/program.ts'
import { formatDuration } from '../../text/duration.ts'
import { costText } from '../../text/usage-text.ts'

export async function agentChecks(settings: Settings, environment: Environment): Promise<DoctorCheck[]> {
  const found = programNames(settings).map((name) => {
    const program = programOf(name, settings)?.program ?? name
    return { name, program, path: findProgram(program, environment) }
  })
  const told = await Promise.all(
    found.map(({ name, program, path }) =>
      path === null ? notInstalled(name, program, settings) : installed(name, path, settings, environment),
    ),
  )
  const checks = told.filter((check) => check !== null)
  const isOther = ({ name, path }: (typeof found)[number]) =>
    path === null && isKnownAgent(name) && name !== settings.agent
  const missing = found.filter(isOther).map(({ name }) => name)
  if (missing.length === 0) return checks
  if (checks.length > 0 || settings.command !== null) {
    const message = `also supported, but not installed: ${missing.join(', ')}`
    return [...checks, check('agents', 'ok', message, { isReadyAgent: settings.command !== null })]
  }
  const message = `none installed (looked for ${missing.join(', ')})`
  const fix = 'for tasks with a prompt install one of them, or name any program with --command'
  return [check('agents', 'warn', message, { fix })]
}

async function installed(
  name: string,
  path: string,
  settings: Settings,
  environment: Environment,
): Promise<DoctorCheck> {
  const seen = agentEnvironment(environment, [...settings.envAllow, ...makeAgent(name, path).variables])
  const line = await programVersion(path, seen)
  const version = /\d+\.\d+\S*/.exec(line ?? '')?.[0] ?? '(its version could not be found out)'
  if (!isKnownAgent(name)) {
    // The version is that of the program, which may be a starter of others, such as npx.
    const is = name.endsWith(`:${basename(path)}`) ? name : `${name}: ${basename(path)}`
    return check('agents', 'ok', `${is} ${version} at ${path}`, { isReadyAgent: true })
  }
  const is = `${name} ${version} at ${path}`
  const login = findLogin(name, seen, environment.HOME || homedir())
  if (login !== null) return check('agents', 'ok', `${is}, login or key: ${login}`, { isReadyAgent: true })
  const message = `${is}, not ready: no login or key was found`
  return check('agents', 'warn', message, { fix: AGENTS[name].login.advice })
}

function notInstalled(name: string, program: string, { agent }: Settings): DoctorCheck | null {
  if (isKnownAgent(name) && agent !== name) return null
  const is = isKnownAgent(name) ? 'is the agent of the settings' : 'is named in the settings'
  const message = `${name} ${is}, but there is no program \`${program}\` on the PATH`
  const fix = `install it, or say where it is with \`agents.${name.replace(':', '.')}.program\` in .espalier/config.yaml`
  return check('agents', 'warn', message, { fix })
}

export type InstalledAgent = { name: KnownAgent; isLoggedIn: boolean }

/** Agents installed on this machine, those that seem to be logged in first. Login files are looked at, not read. */
export function installedAgents(settings: Settings, env: NodeJS.ProcessEnv, home: string): InstalledAgent[] {
  return KNOWN_AGENTS.filter((name) => findProgram(settings.agents[name].program, env) !== null)
    .map((name) => ({ name, isLoggedIn: findLogin(name, env, home) !== null }))
    .sort((a, b) => Number(b.isLoggedIn) - Number(a.isLoggedIn))
}

/** The variable or file that looks like a login; null: none was found. */
function findLogin(agent: KnownAgent, env: Environment, home: string): string | null {
  const { variables, files } = AGENTS[agent].login
  return variables.find((name) => env[name]) ?? files(env, home).find(hasContent) ?? null
}

function hasContent(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size > EMPTY_OBJECT_BYTES
}

/** Size of `{}` and a line end: what a logout leaves. */
const EMPTY_OBJECT_BYTES = 3

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
    const env = agentEnvironment(environment, [...settings.envAllow, ...agent.variables])
    const said = await ask(agent, model, folder, env)
    const took = formatDuration(Date.now() - startedAt)
    if (said.failure) {
      const message = `${agent.name} does not answer (after ${took}): ${said.failure.message.split('\n', 1)[0]}`
      const fix = `try \`${agent.name}\` by hand: log in, or check its key and model`
      return check('probe', 'warn', message, { fix })
    }
    const used = said.session?.model ?? model
    const cost = said.usage && said.usage.costUsd > 0 ? `, ${costText(said.usage)}` : ''
    return check('probe', 'ok', `${agent.name} answers (${took}${used ? `, model ${used}` : ''}${cost})`)
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

export function check(
  name: string,
  state: DoctorCheck['state'],
  message: string,
  more: Partial<DoctorCheck> = {},
): DoctorCheck {
  return { name, state, message, ...more }
}

export type DoctorCheck = {
  name: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  fix?: string | undefined
  isReadyAgent?: boolean | undefined
  /** The folders that the message counts, for programs. */
  parts?: DiskPart[] | undefined
}

/** `complete` is false if counting stopped early. */
export type DiskPart = DiskUse & { name: string; path: string }
