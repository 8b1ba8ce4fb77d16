// Who holds which paths of a repository at a moment, for `espalier claims` and whoever asks before they change something.

/** `name`: of a task, or what a person calls themselves. */
export type ClaimHolder = { kind: 'task' | 'person'; name: string }

export type HeldClaim = {
  holder: ClaimHolder
  glob: string
  mode: 'write' | 'read'
  /** In ms since the epoch. `until`: only of a person; a task holds it until its work has landed or was sent away. */
  since: number
  until: number | null
  /**
   * Where it comes from: the plan; asked for while it worked; changed without a claim (`claims: extend`); what its
   * earlier work collided on; or a person holds it.
   */
  origin: 'plan' | 'asked' | 'extended' | 'learned' | 'person'
}

/** A task that could start, were it not for what somebody holds. */
export type ClaimWait = { task: string; glob: string; holder: ClaimHolder }

export type ClaimsView = {
  /** The run at work; null: none is. */
  run: string | null
  held: HeldClaim[]
  /** The first of them; `waitingCount`: how many there are. */
  waiting: ClaimWait[]
  waitingCount: number
  /** Tasks at work that have claimed nothing: they may change anything. */
  undeclared: string[]
}

/** The answer to whoever wants to change some paths. The names are those of the pre-flight check other tools know. */
export type ClaimCheck = {
  has_conflicts: boolean
  conflicts: (HeldClaim & { path: string })[]
  warnings: string[]
  can_proceed: boolean
}
