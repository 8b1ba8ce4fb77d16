// The agents, for `espalier doctor`. A missing one is a warning only if the settings name it, or there is no other.
import { homedir } from 'node:os'
import { basename } from 'node:path'
import { acpAgent } from '../../agents/acp/agent.ts'
import { AGENTS, KNOWN_AGENTS, type KnownAgent } from '../../agents/list.ts'
import { findLogin } from '../../agents/login.ts'
import type { Settings } from '../../config.ts'
import { agentEnvironment } from '../../process/environment.ts'
import { findProgram, programVersion } from '../../process/program.ts'
import type { DoctorCheck } from './doctor-check.ts'

export async function agentChecks(settings: Settings, environment: NodeJS.ProcessEnv): Promise<DoctorCheck[]> {
  const found = KNOWN_AGENTS.map((name) => ({ name, path: findProgram(settings.agents[name].program, environment) }))
  const checks = await Promise.all(found.map(({ name, path }) => checkOf(name, path, settings, environment)))
  const missing = found.filter(({ name, path }) => path === null && name !== settings.agent).map(({ name }) => name)
  const told = checks.filter((check) => check !== null)
  const named = Object.entries(settings.agents.acp)
  const acp = await Promise.all(named.map(([name, { program }]) => acpCheck(name, program, settings, environment)))
  if (missing.length === 0) return [...told, ...acp]
  const hasNone = told.length + acp.length === 0 && settings.command === null
  if (!hasNone)
    return [
      ...told,
      ...acp,
      {
        name: 'agents',
        state: 'ok',
        isReadyAgent: settings.command !== null,
        message: `also supported, but not installed: ${missing.join(', ')}`,
      },
    ]
  const message = `none installed (looked for ${missing.join(', ')})`
  const fix = 'for tasks with a prompt install one of them, or name any program with --command'
  return [{ name: 'agents', state: 'warn', message, fix }]
}

async function acpCheck(
  name: string,
  program: string,
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): Promise<DoctorCheck> {
  const path = findProgram(program, environment)
  if (path !== null) {
    const { variables } = acpAgent(name, path, [])
    const version = await versionOf(path, agentEnvironment(environment, [...settings.envAllow, ...variables]))
    // The version is that of the program, which may be one that starts others, such as npx.
    const is = basename(path) === name ? `acp:${name}` : `acp:${name}: ${basename(path)}`
    return { name: 'agents', state: 'ok', isReadyAgent: true, message: `${is} ${version} at ${path}` }
  }
  const message = `acp:${name} is named in the settings, but there is no program \`${program}\` on the PATH`
  const fix = `install it, or say where it is with \`agents.acp.${name}.program\` in .espalier/config.yaml`
  return { name: 'agents', state: 'warn', message, fix }
}

async function checkOf(
  name: KnownAgent,
  path: string | null,
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): Promise<DoctorCheck | null> {
  const isChosen = settings.agent === name
  if (path === null) return isChosen ? notInstalled(name, settings.agents[name].program) : null
  const seen = agentEnvironment(environment, [...settings.envAllow, ...AGENTS[name].variables])
  const login = findLogin(name, seen, environment.HOME || homedir())
  const is = `${name} ${await versionOf(path, seen)} at ${path}`
  if (login !== null)
    return { name: 'agents', state: 'ok', isReadyAgent: true, message: `${is}, login or key: ${login}` }
  const message = `${is}, not ready: no login or key was found`
  return { name: 'agents', state: 'warn', message, fix: AGENTS[name].login.advice }
}

function notInstalled(name: KnownAgent, program: string): DoctorCheck {
  const message = `${name} is the agent of the settings, but there is no program \`${program}\` on the PATH`
  const fix = `install it, or say where it is with \`agents.${name}.program\` in .espalier/config.yaml`
  return { name: 'agents', state: 'warn', message, fix }
}

async function versionOf(path: string, environment: Record<string, string>): Promise<string> {
  const line = await programVersion(path, environment)
  return /\d+\.\d+\S*/.exec(line ?? '')?.[0] ?? '(its version could not be found out)'
}
