// Whether some paths can be changed now without meeting anybody: the question a task's claims answer before it starts.
import type { ClaimCheck, ClaimsView, HeldClaim } from '../../claim.ts'
import type { Task } from '../../task.ts'
import { type Claim, claimOfPath, conflicts, toClaims } from './overlap.ts'

export type AskedPaths = {
  paths: readonly string[]
  /** Who asks, a task or a person: what they hold themselves does not stand in their way. */
  as: string | null
  /** Those that may still start. */
  open: readonly Task[]
}

export function checkClaims(view: ClaimsView, { paths, as, open }: AskedPaths): ClaimCheck {
  const others = view.held.filter(({ holder }) => holder.name !== as)
  const found = paths.flatMap((path) => others.filter((held) => meets(path, held)).map((held) => ({ ...held, path })))
  const warnings = [
    ...view.undeclared
      .filter((task) => task !== as)
      .map((task) => `${task} is running without a claim and may change anything`),
    ...paths.flatMap((path) => {
      const later = open.filter(({ id, claims }) => id !== as && wants(path, toClaims(claims))).map(({ id }) => id)
      return later.length > 0 ? [`${path} is claimed by what is to start later: ${some(later)}`] : []
    }),
  ]
  const has = found.length > 0
  return { has_conflicts: has, conflicts: found, warnings, can_proceed: !has }
}

function meets(path: string, { glob, mode }: HeldClaim): boolean {
  return wants(path, toClaims({ write: [], read: [], [mode]: [glob] }))
}

function wants(path: string, claims: readonly Claim[]): boolean {
  const mine = claimOfPath(path)
  return claims.some((claim) => conflicts(mine, claim))
}

/** `a, b and 4 more` */
function some(tasks: readonly string[]): string {
  const more = tasks.length - SHOWN
  return more > 0 ? `${tasks.slice(0, SHOWN).join(', ')} and ${more} more` : tasks.join(', ')
}

const SHOWN = 5
