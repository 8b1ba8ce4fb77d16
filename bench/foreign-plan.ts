// Large plans in the JSON formats of others, as their programs would write them.
import { random } from '../test/simulation/random.ts'

export const JSON_FORMATS = ['implementation-plan', 'work-queue', 'epics-and-tasks', 'task-master', 'beads'] as const
export type JsonFormat = (typeof JSON_FORMATS)[number]

/** Tasks in groups of so many: phases, epics, tasks with subtasks. */
const GROUP = 100

/** Every tenth task is done; needs go back to earlier ones; every task names files of its own. */
export function foreignPlanText(size: number, format: JsonFormat): string {
  const rnd = random(size)
  const numbers = Array.from({ length: size }, (_, n) => n)
  const groups = numbers.filter((n) => n % GROUP === 0).map((first) => numbers.slice(first, first + GROUP))
  const words = (n: number): string => `Do the work of number ${n}, and say what was done about it.`
  const before = (n: number): number[] => (n < GROUP ? [] : [n - 1 - rnd.int(GROUP), n - 1 - rnd.int(GROUP)])
  const isDone = (n: number): boolean => n % 10 === 0
  switch (format) {
    case 'implementation-plan':
      return JSON.stringify(
        {
          feature: 'Large',
          workflow_type: 'feature',
          phases: groups.map((group, i) => ({
            phase: i + 1,
            name: `Phase ${i + 1}`,
            depends_on: i === 0 ? [] : [i],
            parallel_safe: i % 2 === 0,
            subtasks: group.map((n) => ({
              id: `subtask-${n}`,
              description: words(n),
              status: isDone(n) ? 'completed' : 'pending',
              files_to_modify: [`src/area-${n}/index.ts`],
              patterns_from: ['src/pattern.ts'],
              verification: { type: 'command', run: 'npm test' },
            })),
          })),
        },
        null,
        2,
      )
    case 'work-queue':
      return JSON.stringify(
        {
          project: 'large',
          features: numbers.map((n) => ({
            id: `FEAT-${n}`,
            description: words(n),
            file: `src/area-${n % 1000}/index.ts`,
            tests: [`tests/area-${n}.test.ts`],
            status: isDone(n) ? 'complete' : 'pending',
            max_iterations: 10,
            dependencies: before(n).map((other) => `FEAT-${other}`),
          })),
        },
        null,
        2,
      )
    case 'epics-and-tasks':
      return JSON.stringify(
        {
          project: 'large',
          epics: groups.map((_, i) => ({ id: i + 1, name: `Epic ${i + 1}`, depends_on: i === 0 ? [] : [i] })),
          tasks: numbers.map((n) => ({
            id: n + 1,
            epic_id: Math.floor(n / GROUP) + 1,
            description: words(n),
            action: 'Implement it as described.',
            done: isDone(n),
            depends_on: n % GROUP === 0 ? [] : [n],
            dependency_type: n % 3 === 0 ? 'soft' : 'hard',
          })),
        },
        null,
        2,
      )
    case 'task-master':
      return JSON.stringify(
        {
          master: {
            tasks: groups.map((group, i) => ({
              id: i + 1,
              title: `Task ${i + 1}`,
              description: words(i),
              status: 'pending',
              dependencies: i === 0 ? [] : [i],
              subtasks: group.map((n, k) => ({
                id: k + 1,
                title: `Subtask ${k + 1}`,
                description: words(n),
                status: isDone(n) ? 'done' : 'pending',
                dependencies: k === 0 ? [] : [k],
              })),
            })),
          },
        },
        null,
        2,
      )
    case 'beads':
      return numbers
        .map((n) =>
          JSON.stringify({
            id: `large-${n}`,
            title: `Issue ${n}`,
            description: words(n),
            status: isDone(n) ? 'closed' : 'open',
            priority: n % 5,
            issue_type: 'task',
            dependencies: before(n).map((other) => {
              return { issue_id: `large-${n}`, depends_on_id: `large-${other}`, type: 'blocks' }
            }),
          }),
        )
        .join('\n')
  }
}
