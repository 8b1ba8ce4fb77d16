// Locations of the files of this package: beside their TypeScript in a checkout, below dist/ where it was built. This file and
// every file that scripts/bundle.ts makes of it lie two folders below the top of the package.
import { fileURLToPath } from 'node:url'

const top = new URL('../../', import.meta.url)
/** The TypeScript runs as it is. */
export const isCheckout = import.meta.url.endsWith('.ts')

/** Programs that run as processes of their own, by the names of their files in dist/programs/. */
export const PROGRAMS = {
  'acp-driver': 'src/agents/acp/driver.ts',
  'claim-hook': 'src/agents/outside-claims-hook.ts',
  'git-runner': 'src/git/run/runner-process.ts',
  'plan-check': 'src/engine/planning/check-new-plan.ts',
} as const

export type Program = keyof typeof PROGRAMS

export function programFile(name: Program): string {
  return packageFile(isCheckout ? PROGRAMS[name] : `dist/programs/${name}.js`)
}

/** The words of a command that starts it, with the Node that runs this process: none has to be on the agent's PATH. */
export function programCommand(name: Program): string[] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', programFile(name)]
}

/** A file that is read as it is; `path` from src/. */
export function sourceFile(path: string): string {
  return packageFile(`${isCheckout ? 'src' : 'dist'}/${path}`)
}

export function packageFile(path: string): string {
  return fileURLToPath(new URL(path, top))
}
