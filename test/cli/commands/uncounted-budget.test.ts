// A budget that cannot count what is spent says so: before the run, in every total, and it is refused where that is wanted.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { type AcpStep, SCRIPTED_ACP_AGENT } from '../../agents/scripted-acp-agent.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'

/** Two tasks of an agent nobody knows: one of them tells what it has cost, the other does not. */
async function project(): Promise<TestRepository> {
  const work = (...steps: AcpStep[]) => JSON.stringify(JSON.stringify(steps))
  const told = work({ do: 'write', path: 'told.txt', text: 'x' }, { do: 'cost', usd: 0.5 })
  const quiet = work({ do: 'write', path: 'quiet.txt', text: 'x' })
  const program = JSON.stringify(process.execPath)
  return makeRepository({
    files: {
      '.espalier/config.yaml': `agents: { acp: { mine: { program: ${program}, args: [${JSON.stringify(SCRIPTED_ACP_AGENT)}] } } }\n`,
      'espalier.yaml': `name: shop\nagent: acp:mine\ntasks:\n  - { id: told, prompt: ${told} }\n  - { id: quiet, prompt: ${quiet} }\n`,
    },
  })
}

const UNTOLD =
  /^warning: there is a budget, but acp:mine may not tell what it uses: .*`\+ unknown` \(of told, quiet\)$/m

test('what it may not count is said before the run, and every total of it says `+ unknown`', async () => {
  await using repository = await project()
  const espalier = async (...args: string[]) => {
    const said = await espalierHere(repository.top, args)
    assert.equal(said.status, 0, said.err)
    return said
  }
  assert.match((await espalier('run', '--dry-run', '--budget-usd', '1')).err, UNTOLD)
  const run = await espalier('run', '--budget-usd', '1')
  assert.match(run.err, UNTOLD)

  const spent = /Spent \$0\.50 \+ unknown of \$1\.00 \(50% or more\)/
  const total = /\$0\.50 \+ unknown/
  for (const [what, text] of [
    ['the end of the run', run.err + run.out],
    ['status', (await espalier('status')).out],
    ['report', (await espalier('report')).out],
  ] as const) {
    assert.match(text, total, what)
    // A sum without the mark would say that this is all.
    assert.doesNotMatch(text, /\$0\.50 of \$1|[Ss]pent:? \$0\.50(?! \+ unknown)/, what)
  }
  assert.match((await espalier('status')).out, spent)
  assert.match((await espalier('sessions')).out, /^quiet\/1 .* unknown$/m)
  const { usage, budgets } = JSON.parse((await espalier('status', '--json')).out)
  assert.deepEqual([usage.costUsd, usage.costUnknown, budgets.unknown], [0.5, true, true])
  const report = JSON.parse((await espalier('report', '--json')).out)
  assert.match(JSON.stringify(report), /"costUnknown":true/)
})

test('with --strict-budget, or as the settings say, such a run is refused and nothing is written', async () => {
  await using repository = await project()
  const refused = UNTOLD.source.replace('warning: ', '(error: )?')
  const flags = ['run', '--budget-usd', '1', '--strict-budget']
  const { status, err } = await espalierHere(repository.top, flags)
  assert.equal(status, 2, err)
  assert.match(err, new RegExp(refused, 'm'))
  assert.equal(existsSync(`${repository.top}.espalier`), false, 'no run was begun')
  await repository.write('.espalier/config.yaml', `${await settingsOf(repository)}strictBudget: true\n`)
  assert.equal((await espalierHere(repository.top, ['run', '--budget-usd', '1'])).status, 2)
  assert.equal((await espalierHere(repository.top, ['run'])).status, 0, 'without a budget there is nothing to count')
  const more = await espalierHere(repository.top, ['resume', '--budget-usd', '1'])
  assert.equal(more.status, 2, 'nor is one put on it later')
})

async function settingsOf(repository: TestRepository): Promise<string> {
  return repository.git('show', 'HEAD:.espalier/config.yaml').concat('\n')
}
