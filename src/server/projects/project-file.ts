// The list of repositories that a user's server has; `espalier projects` changes it.
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { ID_PATTERN } from '../../task.ts'
import { slug } from '../../text/slug.ts'

const listed = z.object({ id: z.string().regex(ID_PATTERN), repo: z.string().min(1) })
export type ListedProject = z.infer<typeof listed>

const fileSchema = z.object({ version: z.literal(1), projects: z.array(listed) })

export class ProjectFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Changes with the file. */
  get stamp(): string {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    return stat ? `${stat.ino}:${stat.mtimeNs}:${stat.size}` : ''
  }

  list(): Result<ListedProject[]> {
    try {
      const read = fileSchema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')))
      if (read.success) return ok(read.data.projects)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok([])
    }
    return refuse(`${this.#path} makes no sense: put it right or move it away`)
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

/** The name of the folder, with a number if another project has it. */
export function freeId(repo: string, taken: readonly Pick<ListedProject, 'id'>[]): string {
  const name = slug(basename(repo))
  for (let number = 1; ; number++) {
    const id = number === 1 ? name : `${name}-${number}`
    if (!taken.some((one) => one.id === id)) return id
  }
}
