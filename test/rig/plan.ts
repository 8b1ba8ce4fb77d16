// Plans and settings for tests: what a test does not care about is filled in.
import { type LayerSettings, resolveSettings, type Settings } from '../../src/config.ts'
import type { Plan, Task } from '../../src/task.ts'

/** `run` is a shell command, `prompt` goes to the `command` agent of the settings; without either the rig's puppet works. */
export type TaskDraft = Partial<Task> & { id: string; run?: string; prompt?: string }

export function makePlan(drafts: TaskDraft[], defaultCommand = 'true', name = 'plan'): Plan {
  const epics = [...new Set(drafts.flatMap((draft) => draft.epic ?? []))]
  return {
    name,
    base: null,
    epics: epics.map((id) => ({ id, title: id, needs: [] })),
    tasks: drafts.map(({ run, prompt, ...draft }) => ({
      title: `do ${draft.id}`,
      epic: null,
      needs: [],
      after: [],
      claims: { write: [], read: [] },
      work:
        prompt === undefined
          ? { kind: 'command', command: run ?? defaultCommand }
          : { kind: 'prompt', prompt, agent: 'command', model: null },
      verify: [],
      priority: 0,
      estimateMs: null,
      timeoutMs: 60_000,
      retries: 0,
      land: true,
      isolation: 'task',
      env: {},
      tags: [],
      ...draft,
    })),
  }
}

export function makeSettings(more: LayerSettings = {}): Settings {
  const quick = { maxConcurrency: 4, backoff: { initialMs: 1, maxMs: 5 }, graceMs: 200 }
  const layers = [quick, more].map((settings) => ({ from: 'test', settings }))
  return resolveSettings(layers).settings
}
