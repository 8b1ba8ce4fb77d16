// The graph as Mermaid text, for places that draw it: GitHub, GitLab, many editors.

import { edgesOf, reduceEdges } from '../facts/graph-edges.ts'
import type { TaskStatus } from '../status.ts'
import type { Plan } from '../task.ts'
import { STATUS_SIGN, STATUS_TONE, type Tone } from '../text/status-look.ts'
import type { RunView } from '../view.ts'
import { line, mermaid } from './escape.ts'

const LABEL_CHARS = 60

/** The tones of the dashboard on a light ground (dashboard/src/styles/theme.css). */
const FILL: Record<Tone, string> = {
  good: '#21744a',
  calm: '#0e6f80',
  bad: '#b3271e',
  warn: '#8f5600',
  live: '#1f5fb8',
  mute: '#5d6762',
}

/** `chain`: tasks to emphasise, such as the critical path. */
export function renderMermaid(plan: Plan, view?: RunView, chain: readonly string[] = []): string {
  const status = new Map(view?.tasks.map((task) => [task.id, task.status]))
  // Numbers, because `end` and a few other words are fine ids for tasks but not for Mermaid.
  const name = new Map(plan.tasks.map((task, index) => [task.id, `t${index}`]))
  const node = (id: string, title: string) => `${name.get(id)}["${label(id, title, status.get(id))}"]`
  const lines = ['flowchart LR']
  for (const [index, epic] of plan.epics.entries()) {
    const members = plan.tasks.filter((task) => task.epic === epic.id)
    if (members.length === 0) continue
    lines.push(`  subgraph e${index}["${mermaid(line(epic.title || epic.id, LABEL_CHARS))}"]`)
    for (const task of members) lines.push(`    ${node(task.id, task.title)}`)
    lines.push('  end')
  }
  const epics = new Set(plan.epics.map((epic) => epic.id))
  for (const task of plan.tasks) {
    if (task.epic === null || !epics.has(task.epic)) lines.push(`  ${node(task.id, task.title)}`)
  }
  const ids = plan.tasks.map((task) => task.id)
  for (const { from, to, kind } of reduceEdges(ids, edgesOf(plan.tasks))) {
    lines.push(`  ${name.get(from)} ${kind === 'after' ? '-.->' : '-->'} ${name.get(to)}`)
  }
  return `${[...lines, ...classes(plan, status, name), ...emphasis(chain, name)].join('\n')}\n`
}

function label(id: string, title: string, status: TaskStatus | undefined): string {
  const sign = status ? `${mermaid(STATUS_SIGN[status])} ` : ''
  const text = line(title, LABEL_CHARS)
  return text === '' || text === id ? `${sign}${mermaid(id)}` : `${sign}${mermaid(id)}<br/>${mermaid(text)}`
}

function classes(plan: Plan, status: Map<string, TaskStatus>, name: Map<string, string>): string[] {
  const shown = plan.tasks.flatMap(({ id }) => {
    const now = status.get(id)
    return now ? [{ tone: STATUS_TONE[now], node: name.get(id) }] : []
  })
  return [...Map.groupBy(shown, ({ tone }) => tone)].flatMap(([tone, nodes]) => [
    `  classDef ${tone} fill:${FILL[tone]},stroke:#dedcd2,color:#ffffff`,
    `  class ${nodes.map(({ node }) => node).join(',')} ${tone}`,
  ])
}

function emphasis(chain: readonly string[], name: Map<string, string>): string[] {
  const nodes = chain.flatMap((id) => name.get(id) ?? [])
  return nodes.length === 0 ? [] : ['  classDef critical stroke-width:4px', `  class ${nodes.join(',')} critical`]
}
