// The projects of a server: those of the user's list, read again when it changes, and those named at its start. Each is opened by
// its first request and stays open.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import type { Settings } from '../../config.ts'
import { textIn } from '../../files/if-there.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { ID_PATTERN } from '../../task.ts'
import { parsedJson } from '../../text/json.ts'
import { slug } from '../../text/slug.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EventHub } from '../events/hub.ts'

const listed = z.object({ id: z.string().regex(ID_PATTERN), repo: z.string().min(1) })
export type ListedProject = z.infer<typeof listed>

const fileSchema = z.object({ version: z.literal(1), projects: z.array(listed) })

/** Given by the command line, which knows the home folder and the environment. */
export type OpenProject = (repo: string) => Promise<Result<{ workspace: Workspace; settings: Settings }>>

export type Project = {
  id: string
  repo: string
  workspace: Workspace
  hub: EventHub
  /** Reads the settings again at each call. */
  settings(): Promise<Result<Settings>>
}

type ProjectsOptions = {
  file: ProjectFile
  /** Paths of checkouts. */
  repos: readonly string[]
  open: OpenProject
}

export class Projects implements AsyncDisposable {
  readonly #options: ProjectsOptions
  readonly #open = new Map<string, Promise<Result<Project>>>()

  constructor(options: ProjectsOptions) {
    this.#options = options
  }

  /** Projects of the list come first and keep their ids. */
  list(): Result<ListedProject[]> {
    const { file, repos } = this.#options
    const listed = file.list()
    if (!listed.ok) return listed
    const all = [...listed.value]
    for (const repo of repos) if (!all.some((one) => one.repo === repo)) all.push({ id: freeId(repo, all), repo })
    return ok(all)
  }

  /** Null: no project has that id. */
  async get(id: string): Promise<Result<Project> | null> {
    const listed = this.list()
    if (!listed.ok) return listed
    const found = listed.value.find((one) => one.id === id)
    if (!found) return null
    let project = this.#open.get(found.repo)
    if (!project) {
      project = this.#opened(found)
      this.#open.set(found.repo, project)
    }
    const opened = await project
    if (!opened.ok) this.#open.delete(found.repo) // what was wrong with it may be put right
    return opened.ok ? ok({ ...opened.value, id }) : opened
  }

  /** All projects that can be opened. */
  async all(): Promise<Project[]> {
    const listed = this.list()
    const all = listed.ok ? await Promise.all(listed.value.map(({ id }) => this.get(id))) : []
    return all.flatMap((one) => (one?.ok ? [one.value] : []))
  }

  async #opened({ id, repo }: ListedProject): Promise<Result<Project>> {
    const found = await this.#options.open(repo)
    if (!found.ok) return found
    const { workspace } = found.value
    const settings = async () => {
      const now = await this.#options.open(repo)
      if (!now.ok) return now
      await now.value.workspace[Symbol.asyncDispose]()
      return ok(now.value.settings)
    }
    return ok({ id, repo: workspace.repo, workspace, hub: new EventHub(workspace.folder.database), settings })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opening of this.#open.values()) {
      const opened = await opening
      if (!opened.ok) continue
      await opened.value.hub[Symbol.asyncDispose]()
      await opened.value.workspace[Symbol.asyncDispose]()
    }
    this.#open.clear()
  }
}

/** The list of a user; `espalier projects` changes it. */
export class ProjectFile {
  readonly #path: string
  #known: { text: string; projects: ListedProject[] } | null = null

  /** `home`: the folder of the user's configuration. */
  constructor(home: string) {
    this.#path = join(home, 'projects.json')
  }

  list(): Result<ListedProject[]> {
    const text = existsSync(this.#path) ? textIn(this.#path) : NO_PROJECTS
    if (this.#known?.text === text) return ok(this.#known.projects)
    const read = fileSchema.safeParse(parsedJson(text))
    if (!read.success) return refuse(`${this.#path} makes no sense: put it right or move it away`)
    this.#known = { text, projects: read.data.projects }
    return ok(read.data.projects)
  }

  /** `repo`: the top of a checkout. Does nothing if the list has it. */
  async add(repo: string, id?: string | undefined): Promise<Result<ListedProject>> {
    const before = this.list()
    if (!before.ok) return before
    const known = before.value.find((one) => one.repo === repo)
    if (known && (id === undefined || id === known.id)) return ok(known)
    if (known) return refuse(`${repo} is in the list already, as ${known.id}`)
    if (id !== undefined && !ID_PATTERN.test(id))
      return refuse(`${id} is no id: use lower-case letters, digits and dashes`)
    if (id !== undefined && before.value.some((one) => one.id === id))
      return refuse(`there is a project ${id} already: choose another id`)
    const added = { id: id ?? freeId(repo, before.value), repo }
    await this.#write([...before.value, added])
    return ok(added)
  }

  /** Null: the list does not have it. */
  async remove(idOrRepo: string): Promise<Result<ListedProject | null>> {
    const before = this.list()
    if (!before.ok) return before
    const gone = before.value.find(({ id, repo }) => id === idOrRepo || repo === idOrRepo) ?? null
    if (gone) await this.#write(before.value.filter((one) => one !== gone))
    return ok(gone)
  }

  #write(projects: ListedProject[]): Promise<void> {
    return writeAtomically(this.#path, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`)
  }
}

const NO_PROJECTS = '{"version":1,"projects":[]}'

/** The name of the folder, with a number if another project has it. */
function freeId(repo: string, taken: readonly Pick<ListedProject, 'id'>[]): string {
  const name = slug(basename(repo))
  for (let number = 1; ; number++) {
    const id = number === 1 ? name : `${name}-${number}`
    if (!taken.some((one) => one.id === id)) return id
  }
}
