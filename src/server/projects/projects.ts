// The projects of a server: those of the user's list, read again when it changes, and those named at its start. Each is opened by
// its first request and stays open.
import type { Settings } from '../../config.ts'
import { ok, type Result } from '../../problem.ts'
import { stateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EventHub } from '../events/hub.ts'
import { freeId, type ListedProject, type ProjectFile } from './project-file.ts'

/** Given by the command line, which knows the home folder and the environment. */
export type OpenProject = (repo: string) => Promise<Result<{ workspace: Workspace; settings: Settings }>>

export type Project = {
  id: string
  repo: string
  workspace: Workspace
  hub: EventHub
  /** Read again at each call. */
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
  #listed: { stamp: string; projects: Result<ListedProject[]> } | null = null

  constructor(options: ProjectsOptions) {
    this.#options = options
  }

  /** Projects of the list come first and keep their ids. */
  list(): Result<ListedProject[]> {
    const { file, repos } = this.#options
    const { stamp } = file
    if (this.#listed?.stamp !== stamp) this.#listed = { stamp, projects: file.list() }
    const listed = this.#listed.projects
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

  /** Found without opening the project. */
  stateDirOf({ repo }: ListedProject): string {
    return stateFolder(repo, null).root
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
