// Claims held at a moment, for `espalier claims` and people or programs that ask before they change something.

/** `name`: of a task, or what a person calls themselves. */
export type ClaimHolder = { kind: 'task' | 'person'; name: string }

export type HeldClaim = {
  holder: ClaimHolder
  glob: string
  mode: 'write' | 'read'
  /**
   * Times in ms since the epoch. `until`: set for people only; a task holds its claims until its work has landed or was
   * ejected.
   */
  since: number
  until: number | null
  /**
   * Origin of the claim: the plan, a request of the agent, an undeclared change (`claims: extend`), an earlier
   * conflict, or a person.
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
