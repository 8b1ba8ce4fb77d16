import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseModel, type Tier } from '../../src/learning/model-choice.ts'
import { experienceOf } from './sample.ts'

const TIERS: Tier[] = [1, 3, 15].map((input, n) => ({
  model: ['small', 'medium', 'large'][n] as string,
  price: { input, output: 5 * input, cacheRead: input / 10 },
}))

const LOOKS = { domain: 'api', complexity: 0.4, words: ['invoice'] }

function choice(more: Partial<Parameters<typeof chooseModel>[0]> = {}) {
  return chooseModel({
    ...{ looks: LOOKS, tiers: TIERS, past: [], tries: 2 },
    ...{ after: null, budgetUsd: null, tolerance: 0.02 },
    ...more,
  })
}

function outcomes(model: string, succeeded: boolean, count: number, more = {}) {
  return Array.from({ length: count }, () => experienceOf({ model, succeeded, ...more }))
}

test('an easy task goes to the cheapest, one that looks hard does not', () => {
  assert.equal(choice({ looks: { ...LOOKS, complexity: 0.05 } }).model, 'small')
  assert.notEqual(choice({ looks: { ...LOOKS, complexity: 0.95 } }).model, 'small')
})

test('failures of a model move similar tasks up, successes down again', () => {
  const failed = choice({ past: outcomes('small', false, 6) })
  const succeeded = choice({ past: [...outcomes('small', true, 20), ...outcomes('medium', true, 10)] })
  assert.ok(failed.tier > 1, failed.why)
  assert.equal(succeeded.model, 'small')
  assert.match(succeeded.why, /did 20 of 20 such tasks/)
})

test('a retry goes one tier up, and stays at the top', () => {
  assert.equal(choice({ after: 0 }).model, 'medium')
  assert.equal(choice({ after: 1 }).model, 'large')
  assert.equal(choice({ after: 2 }).model, 'large')
  assert.match(choice({ after: 0 }).why, /small failed before/)
})

test('with one try left there is nobody to climb to: the success of the model itself counts', () => {
  const looks = { ...LOOKS, complexity: 0.55 }
  assert.ok(choice({ looks, tries: 1 }).tier >= choice({ looks, tries: 3 }).tier)
})

test('a short budget makes do with less, and says so', () => {
  const looks = { ...LOOKS, complexity: 0.8 }
  const rich = choice({ looks })
  const poor = choice({ looks, budgetUsd: rich.expectedUsd / 50 })
  assert.ok(poor.tier < rich.tier, `${poor.tier} ${rich.tier}`)
  assert.match(poor.why, /budget is short/)
})

test('measured costs count for more than the price list', () => {
  const listed = choice().expectedUsd
  const dear = choice({ past: outcomes('small', true, 30, { costUsd: 100 * listed }) })
  assert.ok(dear.expectedUsd > 20 * listed)
})

test('a stronger model is never held to be worse', () => {
  const unpaid = { costUsd: null }
  const past = [...outcomes('large', false, 9, unpaid), ...outcomes('small', true, 9, unpaid)]
  const all = [null, 0, 1].map((after) => choice({ past, after, tolerance: 1 }))
  assert.deepEqual(
    all.map(({ model }) => model),
    ['small', 'medium', 'large'],
  )
  const [small = 0, medium = 0, large = 0] = all.map(({ success }) => success)
  assert.ok(small <= medium && medium <= large, `${small} ${medium} ${large}`)
})

test('what a word meant for one model counts for the weaker ones', () => {
  const past = outcomes('medium', false, 10, { words: ['reconcile'] })
  const of = (words: string[]) => choice({ past, tries: 1, looks: { ...LOOKS, words } })
  assert.equal(of(['reconcile']).model, 'large')
  assert.equal(of(['other']).tier, choice({ tries: 1 }).tier)
})

test('probabilities stay probabilities after a thousand outcomes of one kind', () => {
  for (const succeeded of [true, false]) {
    const { success } = choice({ past: outcomes('small', succeeded, 1000) })
    assert.ok(success >= 0 && success <= 1, `${success}`)
  }
})

test('one tier is always chosen', () => {
  const tiers = TIERS.slice(1, 2)
  assert.equal(choice({ tiers }).model, 'medium')
})

test('outcomes of models that are no tier say nothing', () => {
  assert.deepEqual(choice({ past: outcomes('other', false, 50) }), choice())
})
