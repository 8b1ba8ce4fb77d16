import type { DiskUse } from '../../files/disk-use.ts'

export type DoctorCheck = {
  name: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  fix?: string | undefined
  /** An agent that can be given prompts. */
  isReadyAgent?: boolean | undefined
  /** What the message counts, for programs. */
  parts?: DiskPart[] | undefined
}

/** `complete` is false where there is more than was counted. */
export type DiskPart = DiskUse & { name: string; path: string }
