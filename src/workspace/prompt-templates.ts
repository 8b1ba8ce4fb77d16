// The prompt templates of a project, read once and kept with the run, so that all of its attempts are told the same way.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../problem.ts'
import { type OwnTemplates, TEMPLATE_NAMES, type TemplateName, Templates } from '../prompts/templates.ts'
import type { Store } from '../store/store.ts'
import type { Views } from '../store/views.ts'
import { suggestion } from '../text/nearest.ts'
import { controlCharacter } from '../workloads/document/control-character.ts'

export type FoundTemplates = { templates: Templates; own: OwnTemplates }

/** `top`: of the checkout. All problems at once. */
export async function readTemplates(top: string): Promise<Result<FoundTemplates>> {
  const folder = join(top, '.espalier', 'prompts')
  const problems: Problem[] = []
  const own: OwnTemplates = {}
  for (const name of await namesIn(folder)) {
    const file = join(folder, name)
    const template = TEMPLATE_NAMES.find((known) => `${known}.md` === name)
    const text = template ? await readText(file) : refuse<string>(problem(notATemplate(name), { file }))
    if (!text.ok) problems.push(...text.problems)
    else if (template) own[template] = { file, text: text.value }
  }
  const templates = Templates.of(own)
  if (!templates.ok) problems.push(...templates.problems)
  return templates.ok && problems.length === 0 ? ok({ templates: templates.value, own }) : { ok: false, problems }
}

const NAME = 'prompts'

export async function keepTemplates(store: Pick<Store, 'putNote'>, run: string, own: OwnTemplates): Promise<void> {
  if (Object.keys(own).length > 0) await store.putNote(run, NAME, own)
}

export async function keptTemplates(store: Pick<Views, 'note'>, run: string): Promise<Result<Templates>> {
  return Templates.of(((await store.note(run, NAME)) ?? {}) as OwnTemplates)
}

/** Other files than Markdown, and a README, are the project's own affair. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .slice(0, LIMITS.problems)
}

async function readText(file: string): Promise<Result<string>> {
  try {
    const { size } = await stat(file)
    if (size > LIMITS.templateBytes)
      return refuse(problem(`has ${size} bytes; a prompt template may have ${LIMITS.templateBytes}`, { file }))
    const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
    const control = controlCharacter(text)
    if (control === null) return ok(text)
    return refuse(problem(control.message, { file, line: text.slice(0, control.offset).split('\n').length }))
  } catch (error) {
    return refuse(problem(`cannot be read: ${(error as Error).message}`, { file }))
  }
}

function notATemplate(name: string): string {
  const known = TEMPLATE_NAMES.map((one: TemplateName) => `${one}.md`)
  return `rename or remove it: there is no such prompt template, only ${known.join(', ')}${suggestion(name, known)}`
}
