// Whatever is written into whatever file: it is there when the file is read again, and nothing else is different.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatusPhase } from '../../../../src/workloads/formats/format.ts'
import { applyStatus, hashOf } from '../../../../src/workloads/formats/status/write-status.ts'
import { WHOLE } from '../../../rig/sampled.ts'
import { random } from '../../../simulation/random.ts'
import { mutated } from '../fuzz.ts'
import { mutatedJson } from '../json-mutation.ts'
import { sample } from '../sample.ts'
import { entriesOf, knownFormat, SAMPLES, statusesOf, written } from './written.ts'

const RUNS = Number(process.env.FUZZ ?? (WHOLE ? 200 : 50))
const PHASES: StatusPhase[] = ['open', 'begun', 'done', 'blocked']

for (const given of SAMPLES) {
  const { words } = knownFormat(given.format)
  const lines = sample(given.file).text
  const CRLF = lines.replaceAll('\n', '\r\n')
  const tabs = lines.replace(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2))
  for (const [ending, text] of Object.entries({ lines, CRLF, tabs, 'no line break at the end': lines.trimEnd() }))
    test(`${given.format}, ${ending}: random statuses`, () => {
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
        for (const [id, phase] of Object.entries(phases)) {
          // `done` is true or false.
          const expected = given.format === 'epics-and-tasks' && phase !== 'done' ? 'open' : phase
          assert.equal(now[id], words[expected], `seed ${seed}: ${id}`)
        }
        assert.equal(set(after, all('open')).text, plain, `seed ${seed}: and back`)
      }
    })
}

const values = ['"status": "completed",', '"id": "x",', '{', '}', '// x', '/*', '[', ',']
const pieces = [...values, '- [ ] T002 x\n', 'status: x\n']
for (const given of SAMPLES)
  test(`${given.format}: a file with something wrong in it is written right, or not at all`, () => {
    const { file, text } = sample(given.file)
    const format = knownFormat(given.format)
    const entries = entriesOf(text, given)
    const isJson = /\.jsonl?$/.test(file)
    let changed = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const r = random(seed)
      let broken = text
      for (let n = 1 + r.int(3); n > 0; n--)
        broken = isJson && r.chance(0.5) ? mutatedJson(broken, r) : mutated(broken, r, pieces)
      // The text was changed too, nearly always: it counts as it is now.
      const now = format.read({ file, text: broken }, null)
      const hashNow = new Map((now.ok ? now.value : []).map(({ source, content }) => [source, hashOf(content())]))
      const facts = { startedAt: 1, finishedAt: 2, session: 's', output: 'o' }
      const tasks = entries.map(({ source, status }) => {
        const own = [status, format.words.begun]
        return { source, own, ...facts, textHash: hashNow.get(source) ?? '', phase: r.pick(PHASES) }
      })
      const write = (text: string) => applyStatus(format, { file, text }, { tasks, groups: [] }, null)
      const after = write(broken)
      if (!after.ok || after.value.text === broken) continue
      changed++
      const again = write(after.value.text)
      assert.ok(
        again.ok && again.value.text === after.value.text,
        `seed ${seed}: it can be read, and twice is the same`,
      )
    }
    assert.ok(changed > RUNS / 20, `${changed} of ${RUNS} were written`)
  })
