// What a ccpm task waits for: `depends_on` at the top of its file, or one of the other names there are for it. Brackets behind a
// name explain it, and may say that it only orders: `002 (soft)`.

import { saysSoft } from '../common/soft-remark.ts'
import { BLOCKS, mayBeName, WAIT_FIELDS } from '../common/waits-for.ts'
import type { FrontMatter } from '../markdown/front-matter.ts'
import { type FrontLists, type FrontName, frontNames } from '../markdown/front-names.ts'

/** `isSoft`: it only orders. `isTask`: nothing but a task can be meant; `field` is where it stands. */
export type FrontWait = FrontName & { isSoft: boolean; isTask: boolean; field: string }

/** The tasks that wait for this one, by its own word. */
export function frontBlocks(front: FrontMatter, lists: FrontLists): FrontName[] {
  return frontNames(front, BLOCKS, lists).map((name) => ({ ...name, text: explained(name.text).text }))
}

export function frontWaits(front: FrontMatter, lists: FrontLists): FrontWait[] {
  return WAIT_FIELDS.flatMap((field) =>
    frontNames(front, field, lists)
      .flatMap(eachNumber)
      .map((name) => {
        const { text, isSoft } = explained(name.text)
        return { ...name, text, isSoft, isTask: field === OWN && mayBeName(text), field }
      }),
  )
}

/** `001 and 002` are two; words are left as they are. */
function eachNumber(name: FrontName): FrontName[] {
  const parts = name.text.split(/\s{1,9}(?:and|&)\s{1,9}/i)
  return parts.every((text) => NUMBER.test(text)) ? parts.map((text) => ({ ...name, text })) : [name]
}

const NUMBER = /^(?:task\s{1,9})?#?\d+(?:\.md)?$/i

const OWN = 'depends_on'

function explained(text: string): { text: string; isSoft: boolean } {
  const [, before = '', bare = text] = /^(soft|optional)\s*:\s*(.*)$/i.exec(text) ?? []
  const start = bare.search(/[([]/)
  const end = start > 0 && /[)\]]$/.test(bare) ? start : bare.length
  const isSoft = before !== '' || saysSoft(bare.slice(end))
  return { text: bare.slice(0, end).trim(), isSoft }
}
