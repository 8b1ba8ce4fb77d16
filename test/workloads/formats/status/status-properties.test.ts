// Whatever is written into whatever file: it is there when the file is read again, and nothing else is different.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StatusPhase } from '../../../../src/workloads/formats/format.ts'
import { applyStatus, hashOf } from '../../../../src/workloads/formats/status/write-status.ts'
import { WHOLE } from '../../../rig/sampled.ts'
import { random } from '../../../simulation/random.ts'
import { mutated } from '../fuzz.ts'
import { mutatedJson } from '../json-mutation.ts'
import { sample } from '../sample.ts'
import { entriesOf, type Given, knownFormat, statusesOf, written } from './written.ts'

const SAMPLES: Given[] = [
  { format: 'implementation-plan', file: 'implementation_plan.json' },
  { format: 'work-queue', file: 'work_queue.json' },
  { format: 'epics-and-tasks', file: 'epics-and-tasks.json' },
  { format: 'task-master', file: 'task-master.json' },
  { format: 'beads', file: 'issues.jsonl' },
  { format: 'spec-kit', file: 'tasks.md' },
  { format: 'ccpm', file: 'ccpm-epic/002.md' },
]

const RUNS = Number(process.env.FUZZ ?? (WHOLE ? 200 : 50))
const PHASES: StatusPhase[] = ['open', 'begun', 'done', 'blocked']

describe('random statuses', () => {
  for (const given of SAMPLES) {
    const { words } = knownFormat(given.format)
    for (const [ending, text] of [
      ['lines', sample(given.file).text],
      ['CRLF', sample(given.file).text.replaceAll('\n', '\r\n')],
      ['tabs', sample(given.file).text.replace(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2))],
      ['no line break at the end', sample(given.file).text.trimEnd()],
    ] as const) {
      test(`${given.format}, ${ending}`, () => {
        const ids = entriesOf(text, given).map(({ source }) => source)
        const all = (phase: StatusPhase) => Object.fromEntries(ids.map((id) => [id, phase]))
        const set = (now: string, phases: Record<string, StatusPhase>) =>
          written(text, phases, { ...given, now, wrote: PHASES })
        // With a status for every task, in the words of the format.
        const plain = set(set(text, all('begun')).text, all('open')).text
        for (let seed = 1; seed <= RUNS / 10; seed++) {
          const r = random(seed)
          const phases = Object.fromEntries(ids.map((id): [string, StatusPhase] => [id, r.pick(PHASES)]))
          const { text: after, conflicts } = set(plain, phases)
          assert.deepEqual(conflicts, [], `seed ${seed}`)
          const now = statusesOf(after, given)
          for (const id of ids) {
            const phase = phases[id] ?? 'open'
            // `done` is true or false.
            const expected = given.format === 'epics-and-tasks' && phase !== 'done' ? 'open' : phase
            assert.equal(now[id], words[expected], `seed ${seed}: ${id}`)
          }
          assert.equal(set(after, all('open')).text, plain, `seed ${seed}: and back`)
        }
      })
    }
  }
})

describe('a file with something wrong in it is written right, or not at all', () => {
  const values = ['"status": "completed",', '"id": "x",', '{', '}', '// x', '/*', '[', ',']
  const pieces = [...values, '- [ ] T002 x\n', 'status: x\n']
  for (const given of SAMPLES) {
    test(given.format, (t) => {
      const { file, text } = sample(given.file)
      const format = knownFormat(given.format)
      const entries = entriesOf(text, given)
      let changed = 0
      for (let seed = 1; seed <= RUNS; seed++) {
        const r = random(seed)
        const isJson = /\.jsonl?$/.test(file)
        let broken = text
        for (let n = 1 + r.int(3); n > 0; n--)
          broken = isJson && r.chance(0.5) ? mutatedJson(broken, r) : mutated(broken, r, pieces)
        const facts = { startedAt: 1, finishedAt: 2, session: 's', output: 'o' }
        // The text was changed too, nearly always: it counts as it is now.
        const now = format.read({ file, text: broken }, null)
        const hashNow = new Map((now.ok ? now.value : []).map(({ source, content }) => [source, hashOf(content())]))
        const tasks = entries.map(({ source, status }) => {
          const own = [status, format.words.begun]
          return { source, own, ...facts, textHash: hashNow.get(source) ?? '', phase: r.pick(PHASES) }
        })
        const applied = applyStatus(format, { file, text: broken }, { tasks, groups: [] }, null)
        if (!applied.ok || applied.value.text === broken) continue
        changed++
        assert.ok(format.read({ file, text: applied.value.text }, null).ok, `seed ${seed}`)
        const again = applyStatus(format, { file, text: applied.value.text }, { tasks, groups: [] }, null)
        assert.ok(again.ok && again.value.text === applied.value.text, `seed ${seed}: twice is the same`)
      }
      t.diagnostic(`${changed} of ${RUNS} were written`)
      assert.ok(changed > RUNS / 20, String(changed))
    })
  }
})
