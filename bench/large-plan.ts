// Plans of any size in the shapes that could make a scheduler slow.
import type { Plan, Task } from '../src/task.ts'
import { random } from '../test/simulation/random.ts'
import { newTask } from './espalier-run.ts'

export const SHAPES = ['independent', 'layered', 'own-claims', 'one-claim', 'epics'] as const
export type Shape = (typeof SHAPES)[number]

export const SHAPE_MEANS: Record<Shape, string> = {
  independent: 'nothing in common',
  layered: 'layers of 100, up to three needs each',
  'own-claims': 'every task claims a folder of its own',
  'one-claim': 'all tasks claim the same folder',
  epics: 'epics of 100 tasks, maxPerEpic 2',
}

export function largePlan(size: number, shape: Shape): Plan {
  const rnd = random(size)
  const tasks: Task[] = []
  for (let n = 0; n < size; n++) {
    const estimateMs = 1000 + rnd.int(600_000)
    const write = shape === 'own-claims' ? [`src/area-${n % 100}/part-${n}/`] : shape === 'one-claim' ? ['src/'] : []
    const needs = new Set<string>()
    const first = (Math.floor(n / 100) - 1) * 100
    if (shape === 'layered' && first >= 0) for (let k = rnd.int(4); k > 0; k--) needs.add(`t${first + rnd.int(100)}`)
    const epic = shape === 'epics' ? `e${Math.floor(n / 100)}` : null
    tasks.push(
      newTask(`t${n}`, { needs: [...needs], claims: { write, read: [] }, epic, estimateMs, timeoutMs: 2 ** 31 }),
    )
  }
  const epics = [...new Set(tasks.flatMap(({ epic }) => epic ?? []))].map((id) => ({ id, title: id, needs: [] }))
  return { name: 'large', base: null, epics, tasks }
}

/** What a person or a program would write for it. */
export function planText(plan: Plan, format: 'json' | 'yaml'): string {
  const tasks = plan.tasks.map(({ id, epic, needs, claims, estimateMs }) => ({
    id,
    title: `Do the work of ${id}`,
    run: 'true',
    estimate: `${Math.round((estimateMs ?? 0) / 1000)}s`,
    ...(epic === null ? {} : { epic }),
    ...(needs.length > 0 ? { needs } : {}),
    ...(claims.write.length > 0 ? { claims: claims.write } : {}),
  }))
  if (format === 'json') return JSON.stringify({ name: plan.name, tasks }, null, 1)
  const lines = tasks.map(
    ({ id, title, run, estimate, needs, claims }) =>
      `  - id: ${id}\n    title: ${title}\n    run: '${run}'\n    estimate: ${estimate}\n` +
      `${needs ? `    needs: [${needs.join(', ')}]\n` : ''}${claims ? `    claims: [${claims.join(', ')}]\n` : ''}`,
  )
  return `name: ${plan.name}\ntasks:\n${lines.join('')}`
}
