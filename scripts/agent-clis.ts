// The coding agents that `npm run test:agents` tries (about 1.2 GB), each in a folder of its own.
import { join } from 'node:path'
import { forEachAgent } from '../src/agents/list.ts'
import { fetchPackage, packageCache, succeeds } from './fetched-package.ts'

export const AGENT_CLIS = forEachAgent((_, { testedPackage }) => testedPackage)

/** The folder that holds them: `<folder>/claude/node_modules/.bin/claude` and so on. */
export function agentClisFolder(): string {
  const versions = Object.values(AGENT_CLIS).map((one) => one.slice(one.lastIndexOf('@') + 1))
  return join(packageCache(), 'agent-clis', versions.join('_'))
}

/** Fetches what is not there yet, all at the same time. Gives what went wrong, one sentence for each. */
export async function fetchClis(folder: string, specs: Readonly<Record<string, string>>): Promise<string[]> {
  const troubles = await Promise.all(
    Object.entries(specs).map(([name, spec]) =>
      fetchPackage(join(folder, name), spec, async (place) => {
        // npm calls it a success, too, when the part that holds the program could not be fetched.
        const works = await succeeds(join(place, 'node_modules', '.bin', name), ['--version'], place)
        return works
          ? null
          : `${spec} was fetched, but \`${name} --version\` fails: is there a version of it for this machine?`
      }),
    ),
  )
  return troubles.filter((trouble) => trouble !== null)
}
