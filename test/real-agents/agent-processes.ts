// Which processes of an attempt are the agent itself.
import { readFileSync, readlinkSync } from 'node:fs'
import type { Started } from '../rig/rig.ts'

export function agentProcesses(run: Started, task: string, attempt: number): number[] {
  return run.processes(task, attempt).filter(isAgent)
}

/** The program itself, or the Node that runs it: not the shell that watches over it, nor what its tools started. */
function isAgent(pid: number): boolean {
  const clis = process.env.AGENT_CLIS ?? ''
  const program = programOf(pid)
  return program.startsWith(clis) || (program.endsWith('/node') && commandOf(pid).includes(clis))
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return '' // it is gone
  }
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
