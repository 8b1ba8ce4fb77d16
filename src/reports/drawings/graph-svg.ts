// The graph of tasks, drawn: levels from left to right, the longest chain emphasised.

import type { TaskStatus } from '../../status.ts'
import { fit } from '../../text/width.ts'
import { html, line } from '../html/escape.ts'
import type { Tone } from '../html/status-look.ts'
import { plural } from '../wording.ts'
import { type Edge, edgesOf, reduceEdges } from './graph-edges.ts'
import { type Layout, type LayoutNode, layoutGraph, type PlacedEdge } from './graph-layout.ts'

const MAX_DRAWN_TASKS = 400
const MAX_DRAWN_EDGES = 1_500

const NODE = { width: 200, height: 48 }
const JUNCTION = { width: 6, height: 6 }
const SPACING = { columnGap: 42, rowGap: 14, margin: 6 }
/** What fits beside the sign in the two lines: wide characters take two of these columns. */
const ID_CHARACTERS = 18
const TITLE_CHARACTERS = 24

/** Of a run, with its status, or of a plan that has not run yet. */
export type GraphTask = {
  id: string
  title: string
  needs: string[]
  after: string[]
  tone: Tone
  sign: TaskStatus
  word: string
  /** Drawn as an outline: nothing has been done yet. */
  open: boolean
  took: string
}

/** `chain`: the one to emphasise, and what it is in a sentence. */
type Emphasis = { tasks: string[]; words: string }

export function graphSvg(tasks: GraphTask[], chain: Emphasis): string {
  if (tasks.length === 0) return '<p class="note">The plan has no tasks.</p>'
  const ids = tasks.map((task) => task.id)
  if (ids.length > MAX_DRAWN_TASKS) return TOO_MANY
  const { nodes, edges } = withJunctions(ids, reduceEdges(ids, edgesOf(tasks)))
  if (edges.length > MAX_DRAWN_EDGES) return TOO_MANY
  return draw(layoutGraph(nodes, edges, SPACING), edges, tasks, chain)
}

const TOO_MANY = '<p class="note">Too many tasks to draw with their edges: the list of tasks has what each needs.</p>'

/** Where many tasks need the same many tasks (epics), the edges meet in one point instead of crossing in a web. */
function withJunctions(ids: string[], edges: Edge[]): { nodes: LayoutNode[]; edges: Edge[] } {
  const needs = Map.groupBy(
    edges.filter(({ kind }) => kind === 'needs'),
    ({ to }) => to,
  )
  const sourcesOf = (to: string) => (needs.get(to) ?? []).map(({ from }) => from)
  const groups = Map.groupBy(needs.keys(), (to) => sourcesOf(to).toSorted().join(' '))
  const nodes: LayoutNode[] = ids.map((id) => ({ id, ...NODE }))
  const joined = new Set<string>()
  const drawn: Edge[] = []
  for (const members of groups.values()) {
    const sources = sourcesOf(members[0] ?? '')
    if (sources.length * members.length <= sources.length + members.length) continue
    const id = `${members[0]} ` // no id has a space, so it cannot be a task's
    nodes.push({ id, ...JUNCTION })
    for (const from of sources) drawn.push({ from, to: id, kind: 'needs' })
    for (const to of members) drawn.push({ from: id, to, kind: 'needs' })
    for (const to of members) joined.add(to)
  }
  for (const edge of edges) if (edge.kind === 'after' || !joined.has(edge.to)) drawn.push(edge)
  return { nodes, edges: drawn }
}

function draw(layout: Layout, edges: Edge[], tasks: GraphTask[], chain: Emphasis): string {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const emphasised = new Set(chain.tasks)
  const hot = hotEdges(chain.tasks, edges)
  const kinds = new Map(edges.map((edge) => [`${edge.from}>${edge.to}`, edge.kind]))
  const paths = layout.edges.map((edge) => {
    const key = `${edge.from}>${edge.to}`
    const look = `${kinds.get(key) === 'after' ? ' after' : ''}${hot.has(key) ? ' hot' : ''}`
    return { hot: hot.has(key), text: `<path class="e${look}" d="${curve(edge)}"/>` }
  })
  const nodes = layout.nodes.map((node) => {
    const task = byId.get(node.id)
    if (!task)
      return `<circle class="j" cx="${round(node.x + node.width / 2)}" cy="${round(node.y + node.height / 2)}" r="2.5"/>`
    return drawNode(task, round(node.x), round(node.y), emphasised.has(task.id))
  })
  const width = Math.ceil(layout.width)
  const height = Math.ceil(layout.height)
  const heavy =
    chain.tasks.length > 1 ? ` The heavy line is ${chain.words}: ${plural(chain.tasks.length, 'task')}.` : ''
  const dashed = edges.some((edge) => edge.kind === 'after') ? ' Dashed lines only order.' : ''
  return [
    `<p class="soft">What is needed first is on the left.${heavy}${dashed}</p>`,
    '<div class="scroll tall" tabindex="0">',
    `<svg class="gr" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="Graph of ${tasks.length} tasks, what is needed first on the left">`,
    ...paths.filter((path) => !path.hot).map((path) => path.text),
    ...paths.filter((path) => path.hot).map((path) => path.text),
    ...nodes,
    '</svg></div>',
  ].join('')
}

/** The edges along the chain, also where they pass a junction. */
function hotEdges(chain: string[], edges: Edge[]): Set<string> {
  const next = Map.groupBy(edges, ({ from }) => from)
  const hot = new Set<string>()
  chain.forEach((from, index) => {
    const to = chain[index + 1]
    for (const { to: step } of next.get(from) ?? []) {
      if (step === to) hot.add(`${from}>${to}`)
      if (!step.endsWith(' ') || !next.get(step)?.some((edge) => edge.to === to)) continue
      hot.add(`${from}>${step}`)
      hot.add(`${step}>${to}`)
    }
  })
  return hot
}

function drawNode(task: GraphTask, x: number, y: number, hot: boolean): string {
  const { width, height } = NODE
  const { took } = task
  const title = `${task.id}: ${task.word}${took ? `, ${took}` : ''}${hot ? ', on the longest chain' : ''}\n${line(task.title, 160)}`
  const name = line(task.title.replaceAll('`', ''), 60)
  const small = took ? `${took} · ${name}` : name
  const box = `x="1.5" y="1.5" width="${width - 3}" height="${height - 3}" rx="9"`
  return [
    `<a href="#t-${html(task.id)}"><svg class="${task.tone}${task.open ? ' open' : ''}${hot ? ' hot' : ''}" x="${x}" y="${y}" width="${width}" height="${height}">`,
    `<title>${html(title)}</title><rect class="n" ${box}/><rect class="w" ${box}/>`,
    `<use href="#g-${task.sign}" x="10" y="${height / 2 - 8}" width="16" height="16"/>`,
    `<text x="34" y="21">${html(fit(task.id, ID_CHARACTERS))}</text>`,
    `<text class="t2" x="34" y="37">${html(fit(small, TITLE_CHARACTERS))}</text>`,
    '</svg></a>',
  ].join('')
}

function curve({ points }: PlacedEdge): string {
  const [first, ...rest] = points
  if (!first) return ''
  let path = `M${round(first.x)} ${round(first.y)}`
  let last = first
  for (const point of rest) {
    const middle = (last.x + point.x) / 2
    path +=
      Math.abs(last.y - point.y) < 0.5
        ? `L${round(point.x)} ${round(point.y)}`
        : `C${round(middle)} ${round(last.y)} ${round(middle)} ${round(point.y)} ${round(point.x)} ${round(point.y)}`
    last = point
  }
  return path
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
