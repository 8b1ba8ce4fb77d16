import { resolve } from 'node:path'
import { refuse } from '../../../problem.ts'
import { ProjectFile } from '../../../server/projects/project-file.ts'
import type { Commands } from '../../command-line/calls.ts'
import { withArguments } from '../../command-line/flags.ts'
import { EXIT } from '../../exit-status.ts'
import { findWorkspace } from '../../inputs/repository.ts'
import { projectsPath } from '../../inputs/server-home.ts'
import type { Done } from '../../refusal.ts'
import { lookOf, type Surroundings } from '../../surroundings.ts'
import { printJson, printLines } from '../../terminal/print.ts'
import { tableLines } from '../../terminal/table.ts'

export const commands: Commands = {
  list: (list, { call }) =>
    list.option('--json', 'print a list as JSON').addHelpText('after', HELP).action(call(listProjects)),
  add: (add, { call }) =>
    withArguments(add, 'default: the one around this folder')
      .option('--id <id>', 'what it is called; default: the name of its folder')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(call(addProject)),
  remove: (remove, { call }) =>
    withArguments(remove, 'its id or folder')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(call(removeProject)),
}

async function listProjects(flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
  const listed = fileOf(surroundings).list()
  if (!listed.ok) return listed
  if (flags.json) return printJson({ projects: listed.value }, surroundings)
  const rows = listed.value.map(({ id, repo }) => [id, repo])
  if (rows.length > 0) return printLines(tableLines(null, rows, lookOf(surroundings)), surroundings)
  surroundings.err.write('no projects yet: `espalier projects add DIR` adds one\n')
  return EXIT.done
}

async function addProject(
  folder: string | undefined,
  flags: { id?: string; json?: boolean },
  surroundings: Surroundings,
): Promise<Done> {
  const found = await findWorkspace(surroundings, folder === undefined ? {} : { repo: folder })
  if (!found.ok) return found
  const added = await fileOf(surroundings).add(found.value.workspace.repo, flags.id)
  if (!added.ok) return added
  if (flags.json) return printJson(added.value, surroundings)
  surroundings.out.write(`${added.value.id}  ${added.value.repo}\n`)
  return EXIT.done
}

async function removeProject(project: string, flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
  const file = fileOf(surroundings)
  const byId = await file.remove(project)
  const removed = byId.ok && byId.value === null ? await file.remove(resolve(surroundings.cwd, project)) : byId
  if (!removed.ok) return removed
  if (!removed.value) return refuse(`${project} is not in the list: \`espalier projects\` shows it`)
  if (flags.json) return printJson({ removed: removed.value.id, repo: removed.value.repo }, surroundings)
  surroundings.out.write(`removed ${removed.value.id}; nothing of ${removed.value.repo} was changed\n`)
  return EXIT.done
}

function fileOf(surroundings: Surroundings): ProjectFile {
  return new ProjectFile(projectsPath(surroundings))
}

const HELP = `
The list is kept in ~/.config/espalier/projects.json. A server notices changes at once.

Exit status: 0, or 2 if it is no repository or not in the list.

Examples:
  espalier projects add
  espalier projects add ../shop --id shop
  espalier projects remove shop`
