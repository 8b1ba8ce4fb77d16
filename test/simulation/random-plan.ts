import type { Plan, Task, Work } from '../../src/task.ts'
import type { Random } from './random.ts'

const PATHS = [
  'src/a/**',
  'src/a/x.ts',
  'src/b',
  'src/**/*.ts',
  'docs/*.md',
  'docs/guide.md',
  'db/{one,two}.sql',
  'db/one.sql',
  '**/lock',
]

/** A random plan without cycles: tasks only need earlier ones. */
export function randomPlan(rnd: Random): Plan {
  const size = 1 + rnd.int(24)
  const epics = Array.from({ length: rnd.int(4) }, (_, n) => ({
    ...{ id: `epic-${n}`, title: '', needs: [] },
    ...(rnd.chance(0.2) ? { budgetUsd: 1 + rnd.int(6) } : {}),
  }))
  const shared = new Set(epics.filter(() => rnd.chance(0.3)).map((epic) => epic.id))
  /** Of these: those that are only judged. */
  const unlanded = new Set([...shared].filter(() => rnd.chance(0.3)))
  const tasks: Task[] = []
  for (let n = 0; n < size; n++) {
    const epic = epics.length > 0 && rnd.chance(0.7) ? rnd.pick(epics).id : null
    const isolation = epic !== null && shared.has(epic) ? 'epic' : 'task'
    // Tasks of a shared epic look only inside it or at tasks outside of shared epics that need none of them:
    // the plan's reader refuses the rest, because the epic could never land.
    const allowed = tasks.filter((t) =>
      isolation === 'epic'
        ? t.epic === epic || (t.isolation === 'task' && t.needs.length + t.after.length === 0)
        : true,
    )
    const some = () => (allowed.length > 0 ? Array.from({ length: rnd.int(3) }, () => rnd.pick(allowed).id) : [])
    tasks.push({
      id: `t${n}`,
      title: `task ${n}`,
      epic,
      needs: [...new Set(some())],
      after: rnd.chance(0.2) ? [...new Set(some())] : [],
      claims: {
        write: rnd.chance(0.5) ? [rnd.pick(PATHS), ...(rnd.chance(0.3) ? [rnd.pick(PATHS)] : [])] : [],
        read: rnd.chance(0.2) ? [rnd.pick(PATHS)] : [],
      },
      work: rnd.chance(0.5) ? randomPrompt(rnd) : { kind: 'command', command: 'true' },
      verify: [],
      priority: rnd.chance(0.2) ? rnd.int(3) : 0,
      estimateMs: rnd.chance(0.5) ? 1000 * (1 + rnd.int(100)) : null,
      ...(rnd.chance(0.5) ? { timeoutMs: rnd.chance(0.5) ? 20_000 : 60_000 + rnd.int(60_000) } : {}),
      ...(rnd.chance(0.5) ? { retries: rnd.int(3) } : {}),
      land: isolation === 'epic' ? !unlanded.has(epic ?? '') : rnd.chance(0.9),
      isolation,
      env: {},
      tags: [],
      ...(rnd.chance(0.2) ? { uses: randomUses(rnd) } : {}),
      ...(rnd.chance(0.1) ? { labels: [rnd.pick(['gpu', 'arm'])] } : {}),
      ...(rnd.chance(0.1) ? { budgetUsd: 2 + rnd.int(4) } : {}),
      ...(rnd.chance(0.3) ? { estimateUsd: rnd.int(5) / 2 } : {}),
    })
  }
  return { name: 'random', base: null, resources: RESOURCES, epics, tasks }
}

/** The same in every plan, so that tasks of one may join another. */
export const RESOURCES = { gpu: { count: 2 }, db: { count: 1 } }

function randomUses(rnd: Random): Record<string, number> {
  return rnd.pick([{ gpu: 1 }, { gpu: 2 }, { db: 1 }, { gpu: 1, db: 1 }])
}

/** Half of them have somebody to fall back on. */
function randomPrompt(rnd: Random): Work {
  const agents = ['claude', 'codex', 'gemini']
  const agent = rnd.pick(agents)
  const fallbacks = agents.filter((other) => other !== agent && rnd.chance(0.3))
  return { kind: 'prompt', prompt: 'do it', agent, model: null, ...(fallbacks.length > 0 ? { fallbacks } : {}) }
}
