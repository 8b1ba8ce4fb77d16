import { resolve } from 'node:path'
import { refuse } from '../../../problem.ts'
import { ProjectFile } from '../../../server/projects/projects.ts'
import { call, flag, ONE_OBJECT } from '../../command-line/command.ts'
import { findWorkspace } from '../../inputs/repository.ts'
import { serverHome } from '../../inputs/settings-layers.ts'
import { lookOf } from '../../surroundings.ts'
import { tableLines } from '../../terminal/table.ts'

const HELP = `
The list is kept in ~/.config/espalier/projects.json. A server notices changes at once.

Exit status: 0, or 2 if it is no repository or not in the list.

Examples:
  espalier projects add
  espalier projects add ../shop --id shop
  espalier projects remove shop`

export const commands = {
  list: call({ json: ONE_OBJECT }, HELP, async (here) => {
    const listed = new ProjectFile(serverHome(here)).list()
    if (!listed.ok) return listed
    const lines = tableLines(
      null,
      listed.value.map(({ id, repo }) => [id, repo]),
      lookOf(here),
    )
    return { json: { projects: listed.value }, lines, none: 'no projects yet: `espalier projects add DIR` adds one' }
  }),
  add: call(
    { id: flag('--id <id>', 'what it is called; default: the name of its folder'), json: ONE_OBJECT },
    HELP,
    async (here, flags, folder: string | undefined) => {
      const found = await findWorkspace(here, folder === undefined ? {} : { repo: folder })
      if (!found.ok) return found
      const added = await new ProjectFile(serverHome(here)).add(found.value.workspace.repo, flags.id)
      return added.ok ? { json: added.value, lines: [`${added.value.id}  ${added.value.repo}`] } : added
    },
    { args: ['default: the one around this folder'] },
  ),
  remove: call(
    { json: ONE_OBJECT },
    HELP,
    async (here, _, project: string) => {
      const file = new ProjectFile(serverHome(here))
      const byId = await file.remove(project)
      const removed = byId.ok && byId.value === null ? await file.remove(resolve(here.cwd, project)) : byId
      if (!removed.ok) return removed
      if (!removed.value) return refuse(`${project} is not in the list: \`espalier projects\` shows it`)
      const { id, repo } = removed.value
      return { json: { removed: id, repo }, lines: [`removed ${id}; nothing of ${repo} was changed`] }
    },
    { args: ['its id or folder'] },
  ),
}
