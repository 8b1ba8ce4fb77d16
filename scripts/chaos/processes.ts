// The processes of a round: everything that works in its folder or names it, but for this script.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Kind = 'engine' | 'supervisor' | 'git' | 'agent' | 'other'
export type Found = { pid: number; kind: Kind; task: string | null }

export function processesOf(folder: string): Found[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const [line, env] = [textOf(pid, 'cmdline'), textOf(pid, 'environ')]
    const isOurs = [line, env, cwdOf(pid)].some((text) => text.includes(folder))
    if (line === '' || !isOurs) return []
    // What a supervisor starts looks like the supervisor until it is what it will be.
    const [, parent = ''] = /\) \S+ (\d+) /.exec(textOf(pid, 'stat')) ?? []
    if (parent !== '' && textOf(Number(parent), 'cmdline') === line) return [{ pid, kind: 'other', task: null }]
    const [, task = null] = /(?:^|\0)ESPALIER_TASK=([^\0]*)/.exec(env) ?? []
    return [{ pid, kind: kindOf(line, env), task }]
  })
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended meanwhile
  }
}

function kindOf(line: string, env: string): Kind {
  if (line.includes('espalier-supervisor')) return 'supervisor'
  if (line.includes('chaos/agent.sh') && env.includes('\0ESPALIER_TOKEN=')) return 'agent'
  const [program = ''] = line.split('\0')
  if (/(^|\/)git(-|$)/.test(program)) return 'git'
  return line.includes('bin/espalier.js') ? 'engine' : 'other'
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
