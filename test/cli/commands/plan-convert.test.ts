// `espalier plan convert --agent`: a plan in words becomes a plan that a person reads before anything of it is run.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'

const WORDS = '# Roadmap\n\nFirst we need a {{mail}} sender, then a page that uses it. The logo is done.\n'
const PLAN = `tasks:
  - id: mail
    prompt: Send the mail.
    verify: [npm test]
  - id: page
    needs: [mail]
    prompt: Build the page.
`

/** An agent that keeps what it is told and writes this plan. */
function agent(rig: Rig, plan: string): string {
  return `cat > '${join(rig.top, '..', 'told.md')}'; cat > espalier-plan.yaml <<'END'\n${plan}END`
}

function told(rig: Rig): string {
  return readFileSync(join(rig.top, '..', 'told.md'), 'utf8')
}

test('the agent is told the words and what a plan looks like, and what it makes is written', async () => {
  await using rig = await Rig.open()
  writeFileSync(join(rig.top, 'roadmap.md'), WORDS)
  const convert = ['plan', 'convert', 'roadmap.md', '--command', agent(rig, PLAN)]
  const made = await espalierHere(rig.top, [...convert, '-o', 'made/out.yaml'])
  assert.equal(made.status, 0, made.out + made.err)
  assert.equal(readFileSync(join(rig.top, 'made/out.yaml'), 'utf8'), PLAN)
  assert.match(made.out, /^wrote made\/out\.yaml\. Nothing of it has been run\.\nPlan OK: 2 tasks\n/)
  assert.match(made.out, /\n {2}espalier run made\/out\.yaml --command /)
  assert.match(told(rig), /<objective>\nCarry out the plan in roadmap\.md\.\n<\/objective>/)
  assert.ok(told(rig).includes(`<plan>\n${WORDS}</plan>`), told(rig))
  assert.match(told(rig), /What the plan looks like/)
  assert.equal(existsSync(join(rig.state, 'state.db')), false, 'no run appears')
  const again = await espalierHere(rig.top, [...convert, '-o', 'made/out.yaml'])
  assert.deepEqual([again.status, again.err], [2, 'made/out.yaml: is there already: name another file with -o\n'])
})

test('several files are told apart; a plan that is not sound is not written', async () => {
  await using rig = await Rig.open()
  mkdirSync(join(rig.top, 'words'))
  writeFileSync(join(rig.top, 'words', 'a.md'), 'Mail first.\n')
  writeFileSync(join(rig.top, 'words', 'b.md'), 'Then the page.\n')
  const bad = agent(rig, PLAN.replace('[mail]', '[mial]'))
  const made = await espalierHere(rig.top, ['plan', 'convert', 'words', '--command', bad])
  assert.equal(made.status, 1)
  assert.match(made.err, /no plan was made: the agent wrote a plan with problems/)
  assert.match(made.err, /plan\.rejected\.yaml:6:\d+: .*mial/)
  assert.equal(existsSync(join(rig.top, 'plan.yaml')), false)
  assert.ok(told(rig).includes('### words/a.md\n\nMail first.\n\n### words/b.md\n\nThen the page.'))
})

test('what cannot be done is refused before an agent is started', async () => {
  await using rig = await Rig.open()
  writeFileSync(join(rig.top, 'roadmap.md'), WORDS)
  writeFileSync(join(rig.top, 'empty.md'), '\n')
  writeFileSync(join(rig.top, 'long.md'), 'word '.repeat(50_000))
  const convert = (...args: string[]) => espalierHere(rig.top, ['plan', 'convert', '--command', 'exit 7', ...args])
  const refusals: [args: string[], says: RegExp][] = [
    [[], /^name the file that an agent is to make a plan of\n$/],
    [['nobody.md'], /^nobody\.md: no such file\n$/],
    [['empty.md'], /^empty\.md: is empty\n$/],
    [['long.md'], /^it has 249999 characters, and 200000 are allowed: convert a part of it\n$/],
    [['roadmap.md', '-o', '-'], /^what an agent makes is written to a file: name it with -o\n$/],
    [['roadmap.md', '--json'], /cannot be used with option '--json'/],
  ]
  for (const [args, says] of refusals) {
    const refused = await convert(...args)
    assert.equal(refused.status, 2, args.join(' '))
    assert.match(refused.err, says)
  }
  mkdirSync(join(rig.top, '.espalier', 'prompts'), { recursive: true })
  writeFileSync(join(rig.top, '.espalier', 'prompts', 'plan.md'), 'Our way: {{objective}}\n')
  assert.match((await convert('roadmap.md')).err, /^\.espalier\/prompts\/plan\.md does not put in `\{\{files\}\}`/)
})
