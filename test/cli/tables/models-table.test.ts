import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelLines } from '../../../src/cli/tables/models-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { ModelsView } from '../../../src/engine/expertise/model-records.ts'
import type { ChosenModel } from '../../../src/facts/model-choices.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { CHOICE } from '../sample-run.ts'

const WIDE = { width: Number.POSITIVE_INFINITY, palette: palette(false) }
const NOTHING = { tasks: 0, costUsd: 0, dearestUsd: 0, savedUsd: 0 }
const chosen = (more: Partial<ChosenModel>): ChosenModel => ({
  ...CHOICE,
  ...{ task: 'a', attempt: 1, agent: 'claude', outcome: 'changed', succeeded: true, costUsd: 0.12 },
  ...{ atDearestUsd: 1.5, didTask: false },
  ...more,
})

const VIEW: ModelsView = {
  pricesDated: '2025-10-01',
  agents: [
    {
      agent: 'claude',
      tiers: [
        { model: 'small', price: { input: 1, cacheRead: 0.1, output: 5 }, pricedBy: 'list' },
        { model: 'large', price: { input: 15, cacheRead: 15, output: 75 }, pricedBy: 'settings' },
        { model: 'odd', price: null, pricedBy: null },
      ],
      records: [
        {
          ...{ model: 'small', domain: 'api', complexity: 'low', attempts: 12, succeeded: 11 },
          ...{ meanUsd: 0.11, meanMs: 70_000 },
        },
        {
          ...{ model: null, domain: 'general', complexity: 'high', attempts: 1, succeeded: 0 },
          ...{ meanUsd: null, meanMs: 5_000 },
        },
      ],
    },
  ],
  newest: {
    run: 'shop-1',
    choices: [
      chosen({ succeeded: false }),
      chosen({ attempt: 2, model: 'large', tier: 3, expectedUsd: 1.5, costUsd: 1.25, why: 'small\nfailed before' }),
      chosen({ task: 'b', succeeded: null, costUsd: null }),
    ],
    saved: { tasks: 1, costUsd: 1.37, dearestUsd: 1.5, savedUsd: 0.13 },
  },
  saved: { tasks: 3, costUsd: 4, dearestUsd: 3, savedUsd: -1, runs: 2 },
}

test('what there is to choose from, how it did, what was chosen and what that saved', () => {
  assert.deepEqual(modelLines(VIEW, WIDE), [
    'claude',
    '  Prices: US dollars per million tokens, as published on 2025-10-01.',
    '  Tier      In  Cached  Out  Price',
    '  1 small   $1    $0.1   $5',
    '  2 large  $15     $15  $75  by your settings',
    '  3 odd                      not known',
    '',
    'Results of claude',
    '  Model           Tasks          Attempts  Succeeded  Mean cost  Mean time',
    '  small           api, low             12        92%      $0.11     1m 10s',
    '  its own choice  general, high         1         0%                  5.0s',
    '',
    'Chosen in run shop-1',
    '  1 task cost $1.37. With the dearest model for each, at its first try, it would probably have been $1.50: about $0.13 saved.',
    '  Task  Model                      Success expected  Came out   Cost expected   Cost  Why',
    '  a/1   claude-haiku-4-5 (1 of 3)               90%  failed             $0.10  $0.12  general, complexity 0.20',
    '  a/2   large (3 of 3)                          90%  succeeded          $1.50  $1.25  small failed before',
    '  b/1   claude-haiku-4-5 (1 of 3)               90%  running            $0.10         general, complexity 0.20',
    '',
    'In the newest 2 runs: 3 tasks cost $4.00. With the dearest model for each, at its first try, it would probably have been $3.00, about $1.00 less.',
  ])
})

test('where nothing was chosen it says how to', () => {
  const lines = modelLines({ ...VIEW, agents: [], newest: null, saved: { ...NOTHING, runs: 0 } }, WIDE)
  assert.deepEqual(lines, ['No run has chosen a model yet: set `model: auto` in a plan'])
})

test('no row of a table is wider than the terminal', () => {
  for (const line of modelLines(VIEW, { ...WIDE, width: 50 }).filter((one) => one.startsWith('  ')))
    assert.ok(displayWidth(line) <= 50, line)
})
