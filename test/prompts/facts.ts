// The facts of a prompt for tests: what a test does not care about is not there.
import type { PromptFacts } from '../../src/prompts/task-prompt.ts'
import { type OwnTemplates, Templates } from '../../src/prompts/templates.ts'

type Draft = Partial<Omit<PromptFacts, 'task'>> & { task?: Partial<PromptFacts['task']> }

export function makeFacts({ task, ...draft }: Draft = {}): PromptFacts {
  return {
    task: { id: 'users', title: 'Do it.', claims: { write: [], read: [] }, verify: [], land: true, ...task },
    prompt: 'Do it.',
    epic: null,
    objective: null,
    claims: 'warn',
    landingVerify: [],
    needs: { listed: [], count: 0 },
    expertise: [],
    planFiles: [],
    mcp: false,
    conflict: null,
    earlier: null,
    ...draft,
  }
}

/** Each by its text. */
export function makeTemplates(own: Record<string, string> = {}): Templates {
  const named = Object.entries(own).map(([name, text]) => [name, { file: `${name}.md`, text }])
  const templates = Templates.of(Object.fromEntries(named) as OwnTemplates)
  if (!templates.ok) throw new Error(JSON.stringify(templates.problems))
  return templates.value
}
