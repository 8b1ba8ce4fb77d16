// A verification of the landing queue as plain data: the `landing.verify` commands on one commit, for this process or for a worker.
import type { Settings } from '../config.ts'
import type { Fact } from '../event.ts'

export type VerificationOrder = {
  kind: 'verification'
  run: string
  /** The commit the run began with; the setup of a worktree depends on it. */
  runBase: string
  number: number
  /** The one that would land. */
  commit: string
  /** It is the branch itself: whether anything can pass at all. */
  isOfBranch: boolean
  worker: string
  slot: number
  /** Carried by every process of the verification. */
  token: string
  settings: VerificationSettings
  /** A verification has failed on this commit: setup is done anew, in case that was why. */
  isRepeated: boolean
}

export const VERIFICATION_SETTINGS = [
  ...(['envAllow', 'graceMs', 'keep', 'landing', 'logs', 'maxConcurrency', 'ports', 'setup', 'setupInputs'] as const),
]
export type VerificationSettings = Pick<Settings, (typeof VERIFICATION_SETTINGS)[number]>

export type Verified = Extract<Fact, { type: 'landing.verified' }>

export interface RunningVerification {
  /** Rejects with what kept the verification from being carried out at all. */
  readonly result: Promise<Verified>
  /** Ends it: then there is no verdict. */
  halt(): void
  letGo(): void
}
