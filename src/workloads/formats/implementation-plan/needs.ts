// Phases wait for phases, subtasks for what they name; in a phase that is not parallel-safe they follow each other too.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Named } from '../json/values.ts'
import { groupWaits, waitsOf } from '../order/dependency-fields.ts'
import type { GroupNeed } from '../order/group-dependencies.ts'
import { inOrder } from '../order/sort-by-needs.ts'
import { isOpen, type Phase, type Subtask } from './phases.ts'

export function phaseNeeds(reader: JsonReader, phases: readonly Phase[]): (phase: Phase) => GroupNeed<Phase>[] {
  const names = namesOf(phases)
  const is = { isOpen, isEmpty: ({ subtasks }: Phase) => subtasks.length === 0 }
  return groupWaits(reader, 'phase', (name) => phaseNamed(name, names), is)
}

export type SubtaskNeeds = Map<Subtask, Map<Subtask, Path>>

export function subtaskNeeds(reader: JsonReader, phases: readonly Phase[]): (phase: Phase) => SubtaskNeeds {
  const names = namesOf(phases)
  const subtasks = new Map(phases.flatMap((phase) => phase.subtasks.map((one) => [one.source, one] as const)))
  return (phase) => {
    const open = phase.subtasks.filter(({ state }) => state === 'open')
    const needs: SubtaskNeeds = new Map(open.map((subtask) => [subtask, namedBy(subtask, phase)]))
    if (!reader.truth(phase.item, 'parallel_safe')) chain(reader, phase, needs)
    return needs
  }

  function namedBy(subtask: Subtask, own: Phase): Map<Subtask, Path> {
    const { item } = subtask
    const found = new Map<Subtask, Path>()
    const isKnown = ({ text }: Named): boolean => subtasks.has(text) || phaseNamed(text, names) !== undefined
    for (const { text, path } of waitsOf(reader, item, { own: [], isKnown })) {
      const [one, phase] = [subtasks.get(text), phaseNamed(text, names)]
      if (one?.state === 'open') found.set(one, path)
      else if (one?.state === 'skipped') reader.assume(path, `subtask ${shown(text)} is left out: nothing waits for it`)
      else if (!one && phase === own)
        reader.assume(path, `this subtask is part of phase ${shown(text)}: it does not wait for it`)
      else if (!one && phase && reader.takeEdges(phase.subtasks.length, path))
        for (const each of phase.subtasks) if (each.state === 'open') found.set(each, path)
    }
    return found
  }
}

function chain(reader: JsonReader, { item, id }: Phase, needs: SubtaskNeeds): void {
  const inFile = [...needs.keys()]
  const inside = (subtask: Subtask): Subtask[] =>
    [...(needs.get(subtask)?.keys() ?? [])].filter((one) => needs.has(one))
  const position = new Map(inFile.map((subtask, i) => [subtask, i]))
  const isKept = inFile.every((subtask, i) => inside(subtask).every((one) => (position.get(one) ?? 0) < i))
  // Where they wait for each other in a circle there is no order; the reader of the plan shows the circle.
  const order = isKept ? inFile : (inOrder(inFile, inside) ?? [])
  const message = `the subtasks of phase ${shown(id)} follow what they depend on, not the order of the file`
  if (!isKept && order.length > 0) reader.assume(item.path, message)
  for (const [i, subtask] of order.entries()) {
    const before = order[i - 1]
    const known = needs.get(subtask)
    if (before && known && !known.has(before)) known.set(before, subtask.item.path)
  }
}

type Names = { ids: Map<string, Phase>; numbers: Map<string, Phase> }

function namesOf(phases: readonly Phase[]): Names {
  const ids = new Map(phases.map((phase) => [phase.id, phase]))
  return { ids, numbers: new Map(phases.map((phase) => [phase.number ?? phase.id, phase])) }
}

/** By id first, then by number; `phase-1` is a way to write the number, too. */
function phaseNamed(name: string, { ids, numbers }: Names): Phase | undefined {
  return ids.get(name) ?? numbers.get(/^phase[-_ ]?(\d+)$/i.exec(name)?.[1] ?? name)
}
