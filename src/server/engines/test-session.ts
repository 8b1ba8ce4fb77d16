// Joins several test plans into one: each is an epic whose tasks share a worktree, and nothing lands. Pure.
import * as z from 'zod'

const converted = z.looseObject({
  epics: z.array(z.looseObject({ id: z.string(), needs: z.array(z.string()).optional() })).default([]),
  tasks: z.array(
    z.looseObject({
      id: z.string(),
      epic: z.string().optional(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      after: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  ),
})

/** `document`: in Espalier's own format, as `plan convert --json` prints it. */
export type TestPlan = { file: string; document: unknown }

/** Null: a document is no plan. */
export function sessionPlan(name: string, plans: readonly TestPlan[]): object | null {
  const epics: object[] = []
  const tasks: object[] = []
  for (const [index, { file, document }] of plans.entries()) {
    const read = converted.safeParse(document)
    if (!read.success) return null
    const prefix = testId(index)
    epics.push({ id: prefix, title: file, isolation: 'epic' })
    tasks.push(...tasksOf(read.data, prefix))
  }
  return { name, epics, tasks }
}

/** The id of its epic, and the prefix of its tasks. */
export function testId(index: number): string {
  return `test-${index + 1}`
}

function tasksOf({ epics, tasks }: z.output<typeof converted>, prefix: string): object[] {
  const needsOf = new Map(epics.map(({ id, needs = [] }) => [id, needs]))
  const inEpics = (ids: readonly string[]) => tasks.filter(({ epic }) => ids.includes(epic ?? '')).map(({ id }) => id)
  return tasks.map(({ id, epic, needs, after, ...rest }) => {
    const all = [...listOf(needs), ...inEpics(needsOf.get(epic ?? '') ?? [])]
    return {
      ...rest,
      id: renamed(id, prefix),
      epic: prefix,
      needs: [...new Set(all)].map((one) => renamed(one, prefix)),
      ...(after === undefined ? {} : { after: listOf(after).map((one) => renamed(one, prefix)) }),
      land: false,
    }
  })
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

/** Ids have 63 characters at most. */
function renamed(id: string, prefix: string): string {
  return `${prefix}-${id}`.slice(0, 63)
}
