// The templates, and the variables of each. docs/prompts.md explains them, and a test compares it with this.

/** All values are texts. Lists are bounded and formatted; a yes is `yes`, a no is empty. */
export const VARIABLES = {
  task: [
    'prompt',
    'id',
    'title',
    'epic',
    'objective',
    'planFiles',
    'conflict',
    'earlier',
    'interrupted',
    'needs',
    'expertise',
    'guidelines',
    'claims',
    'write',
    'read',
    'enforced',
    'extended',
    'protected',
    'unprotected',
    'lands',
    'mcp',
    'checks',
    'verify',
    'landing',
    'completion',
  ],
  need: ['id', 'title', 'summary', 'files', 'commit'],
  guidelines: ['id', 'title', 'epic', 'objective'],
  conflict: ['files'],
  earlier: ['attempt', 'reason', 'message', 'merged', 'paths', 'output', 'conflict'],
  /** For an attempt that continues the work of one that was interrupted. */
  interrupted: ['remembers', 'attempt', 'reason', 'message', 'work', 'output'],
  /** The prompt for an agent that ended before it was done. */
  'follow-up': ['first', 'incomplete', 'message', 'completion'],
  plan: ['objective', 'files', 'file', 'check'],
} as const

export type TemplateName = keyof typeof VARIABLES

export const TEMPLATE_NAMES = Object.keys(VARIABLES) as TemplateName[]

export type TemplateValues<Name extends TemplateName> = Record<(typeof VARIABLES)[Name][number], string>

/** The variable that a template has to have: without it an agent would not know its task. */
export const NEEDED: Partial<Record<TemplateName, string>> = {
  task: 'prompt',
  'follow-up': 'first',
  plan: 'objective',
}
