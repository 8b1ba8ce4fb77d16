// `blocks` of a task says the other way round what `blocked_by` says: the tasks it names wait for this one.
import type { Path } from '../../place.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item, Named } from '../json/json-values.ts'
import { BLOCKS, namesOfField, noTaskWords, saysNone } from './waits-for.ts'

type Blocking = { item: Item; state: Entry['state'] }

/** For every task that is named so: by whom, and where that is said. What is done holds nothing up. */
export function blockersOf<T extends Blocking>(
  reader: JsonReader,
  tasks: readonly T[],
  named: (name: Named, by: T) => T | undefined,
): Map<T, Map<T, Path>> {
  const found = new Map<T, Map<T, Path>>()
  for (const by of tasks.filter(({ state }) => state !== 'done')) {
    for (const name of namesOfField(reader, by.item, BLOCKS)) {
      const task = named(name, by)
      if (task) found.set(task, (found.get(task) ?? new Map<T, Path>()).set(by, name.path))
      else if (!saysNone(name)) reader.warn(name.path, noTaskWords(BLOCKS, name.text))
    }
  }
  return found
}
