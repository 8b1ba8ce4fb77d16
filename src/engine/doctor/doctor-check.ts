import type { DiskUse } from '../../files/disk-use.ts'

export type DoctorCheck = {
  name: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  fix?: string | undefined
  /** True: an agent that can be given prompts. */
  isReadyAgent?: boolean | undefined
  /** The folders that the message counts, for programs. */
  parts?: DiskPart[] | undefined
}

/** `complete` is false if counting stopped early. */
export type DiskPart = DiskUse & { name: string; path: string }
