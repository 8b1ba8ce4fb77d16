// The machine a measurement was made on: what matters for the figures, nothing that names it.
import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'

export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  system: string
  node: string
  git: string
  fileSystem: string
  /** Of the minute before: what others did at the same time. */
  load: number
}

export function machine(scratch: string): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.versions.node,
    git: execFileSync('git', ['--version'], { encoding: 'utf8' }).replace('git version', '').trim(),
    fileSystem: FILE_SYSTEMS.get(statfsSync(scratch).type) ?? 'unknown',
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

const FILE_SYSTEMS = new Map([
  [0xef53, 'ext4'],
  [0x01021994, 'tmpfs'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlayfs'],
])

export function machineText(m: Machine): string {
  return `${m.cores} cores (${m.processor}), ${m.memoryGb} GB, ${m.system}, Node ${m.node}, git ${m.git}, ${m.fileSystem}, load ${m.load}`
}
