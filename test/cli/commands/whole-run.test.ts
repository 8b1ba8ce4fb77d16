// The command line as people use it: the real program, real git, real child processes.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { espalierHere } from '../../rig/espalier.ts'

const bin = fileURLToPath(new URL('../../../bin/espalier.js', import.meta.url))
const NODE = ['--disable-warning=ExperimentalWarning', bin]

/** A folder with a repository `shop`, and a home of its own so that nobody's settings get in. */
function project(context: TestContext, plan: string) {
  const root = mkdtempSync(join(tmpdir(), 'espalier-whole-'))
  context.after(() => rmSync(root, { recursive: true, force: true }))
  const repo = join(root, 'shop')
  mkdirSync(repo)
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const identity = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' }
  const env = { PATH, TMPDIR, NODE_COMPILE_CACHE, HOME: root, ...identity, ...committer }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repo, env, encoding: 'utf8' }).trim()
  git('init', '-q', '-b', 'main')
  writeFileSync(join(repo, 'README.md'), 'shop\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  const file = join(root, 'plan.yaml')
  writeFileSync(file, plan)

  const espalier = (...args: string[]) =>
    new Promise<{ status: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [...NODE, ...args], { cwd: repo, env }, (error, out, err) => {
        resolve({ status: error ? Number(error.code) : 0, out, err })
      })
    })
  /** What a command says and does can be seen in this process as well, without loading it anew each time. */
  const here = (...args: string[]) => espalierHere(repo, args, { home: root })
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [...NODE, ...args], { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'] })
    context.after(() => child.kill('SIGKILL'))
    return child
  }
  return { root, repo, file, env, git, espalier, here, start }
}

type Line = { type: string; task?: string; message?: string }

/** Reads the events of a running `--json` until one fits, and keeps what it has read. */
function eventsOf(child: ReturnType<ReturnType<typeof project>['start']>) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const seen: Line[] = []
  const until = async (fits: (line: Line) => boolean) => {
    for (;;) {
      const next = await lines.next()
      assert.ok(!next.done, `the events ended: ${JSON.stringify(seen.at(-1))}`)
      const line = JSON.parse(next.value) as Line
      seen.push(line)
      if (fits(line)) return line
    }
  }
  const rest = async () => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) seen.push(JSON.parse(next.value))
    return seen
  }
  return { until, rest }
}

const MIXED = `
name: shop
tasks:
  - {id: one, run: echo 1 > one.txt}
  - {id: two, run: echo 2 > two.txt, needs: [one]}
  - {id: bad, run: echo nope; exit 3, retries: 0}
  - {id: late, run: 'true', needs: [bad]}
`

test('a run, and everything one does with it afterwards', async (context) => {
  const { root, repo, file, git, espalier } = project(context, MIXED)
  const run = await espalier('run', file, '-j', '2')
  assert.equal(run.status, 1, run.err)
  assert.match(run.out, /✓ two landed as [0-9a-f]{8}/)
  assert.match(run.out, /✗ bad: command-failed: .*status 3/)
  assert.match(run.out, /■ blocked by bad: late/)
  assert.match(run.out, /espalier land shop-1/)

  const status = await espalier('status', '--json')
  assert.equal(status.status, 0)
  const view = JSON.parse(status.out)
  assert.equal(view.status, 'failed')
  assert.deepEqual(
    view.tasks.map((task: { id: string; status: string }) => `${task.id} ${task.status}`),
    ['one landed', 'two landed', 'bad failed', 'late blocked'],
  )
  assert.match((await espalier('status')).out, /✗ bad\s+failed\s/)
  assert.equal((await espalier('logs', 'bad')).out, 'nope\n')

  const html = join(root, 'report.html')
  assert.equal((await espalier('report', '--html', html)).out, `${html}\n`)
  assert.match(readFileSync(html, 'utf8'), /^<!doctype html>/i)
  assert.match((await espalier('report')).out, /shop/)

  assert.equal(git('status', '--porcelain'), '')
  const landed = await espalier('land')
  assert.equal(landed.status, 0)
  assert.match(landed.out, /^Landed 2\/4 tasks of run shop-1 on .*\nNot landed: bad \(failed\), late \(blocked\)\n$/)
  assert.deepEqual(readdirSync(repo).sort(), ['.git', 'README.md', 'one.txt', 'two.txt'])
  assert.match((await espalier('clean', '--all')).out, /removed .*shop-1/)
  assert.equal((await espalier('status')).status, 2)
})

test('everything landed: exit status 0, and with --json the last line is the result', async (context) => {
  const { file, espalier } = project(context, 'tasks: [{id: one, run: echo 1 > one.txt}]')
  const { status, out, err } = await espalier('run', file, '--json')
  assert.equal(status, 0, err)
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(lines[0].type, 'run.started')
  assert.equal(lines.filter(({ type }) => type === 'run.finished').length, 1)
  assert.equal(lines[0].run, 'plan-1')
  const { type, run, counts, completedTasks } = lines.at(-1)
  assert.deepEqual([type, run, counts.landed, completedTasks], ['run.finished', 'plan-1', 1, 1])
})

const KEPT = `
name: shop
tasks:
  - {id: audit, run: echo 1 > audit.txt, land: false}
  - id: bad
    run: echo 2 > bad.txt
    retries: 0
    verify: ['true', 'echo ${'no '.repeat(60)}; exit 1']
`

test('work that did not land: every output names its ref, and git knows it', async (context) => {
  const { file, git, here: espalier } = project(context, KEPT)
  const none = 'no runs here yet: `espalier run PLAN` starts one, `espalier init` writes a plan to start from\n'
  assert.equal((await espalier('status', '--all')).out, none)
  const resumed = await espalier('resume')
  assert.deepEqual([resumed.status, resumed.err], [2, none])
  const run = await espalier('run', file)
  const status = await espalier('status')
  const reports = await Promise.all([[], ['--json']].map((flags) => espalier('report', ...flags)))
  for (const ref of ['refs/espalier/shop-1/failed/bad/1', 'refs/espalier/shop-1/kept/audit/1']) {
    assert.match(git('show', '--stat', ref), /1 file changed/)
    for (const { out } of [run, ...reports]) assert.ok(out.includes(`git show ${ref}`), ref)
  }
  assert.ok(status.out.includes('git show refs/espalier/shop-1/failed/bad/1'))
  for (const { out } of [run, status]) {
    assert.match(out, /✗ bad: verify-failed: .*(no ){59}no/, 'in full, in a pipe')
    assert.ok(out.includes('espalier logs bad --run shop-1') && !out.includes('…'))
  }
  for (const { out } of reports) assert.ok(out.includes('espalier logs bad --run shop-1'))
  assert.match((await espalier('logs', 'bad')).out, /^── verify: echo no .*; exit 1 ──$/m)
  assert.match((await espalier('doctor')).out, /\([\d.]+ MB used, [\d.]+ [GM]B free\)/)
  const config = await espalier('config')
  assert.match(config.out, /^timeout {2,}30m .*\n(.*\n)*grace {2,}5s/m)
})

test('the plan is also found at the top of the repository, and a folder is none', async (context) => {
  const { root, repo } = project(context, '')
  mkdirSync(join(repo, 'src'))
  writeFileSync(join(repo, 'espalier.yaml'), 'tasks: [{id: a, run: x}]')
  const inside = (...args: string[]) => espalierHere(join(repo, 'src'), args, { home: root })
  assert.match((await inside('plan', 'check')).out, /^Plan OK: 1 task$/m)
  const folder = await inside('run', '../src')
  assert.equal(folder.status, 2)
  assert.match(folder.err, /^\.\.\/src: there is no plan in this folder, nor where tools put theirs: .*\n$/)
  writeFileSync(join(repo, 'src', 'espalier.yaml'), 'tasks: [{id: a, run: x}, {id: b, run: x}]')
  assert.match((await inside('plan', 'check')).out, /^Plan OK: 2 tasks$/m)
})

test('to check a plan needs no agent: a missing one is told last, and only where one is named', async (context) => {
  const { file, here: espalier } = project(context, 'command: no-such-agent\ntasks: [{id: a, prompt: x}]')
  const unnamed = project(context, 'tasks: [{id: a, prompt: x}]')
  const sound = { status: 0, out: 'Plan OK: 1 task\n', err: '' }
  assert.deepEqual(await unnamed.here('plan', 'check', unnamed.file), sound)
  const [checked, asJson, run] = await Promise.all([
    espalier('plan', 'check', file),
    espalier('plan', 'check', file, '--json'),
    espalier('run', file),
  ])
  assert.equal(run.status, 2)
  assert.deepEqual([checked.status, checked.err], [0, `warning: ${run.err}`])
  assert.match(checked.out, /^Plan OK: 1 task$/m)
  const { ok, problems } = JSON.parse(asJson.out)
  const told = problems.map(({ severity, message }: Record<string, string>) => [severity, `${message}\n`])
  assert.deepEqual([asJson.status, ok, told], [0, true, [['warning', run.err]]])
})

test('plan check refuses a model that run refuses, in the same words', async (context) => {
  const { file, here: espalier } = project(context, 'agent: claude\ntasks: [{id: a, prompt: x, model: gpt-5}]')
  const [checked, asJson, run] = await Promise.all([
    espalier('plan', 'check', file),
    espalier('plan', 'check', file, '--json'),
    espalier('run', file),
  ])
  assert.deepEqual([checked.status, asJson.status, run.status, checked.out], [2, 2, 2, ''])
  const refused = /^no model `gpt-5` \(of a\) is known for claude; known: claude-haiku-5-5, .*$/m
  assert.match(run.err, refused)
  assert.equal(refused.exec(checked.err)?.[0], refused.exec(run.err)?.[0])
  const { ok, problems } = JSON.parse(asJson.out)
  assert.deepEqual([ok, problems[0].severity], [false, 'error'])
})

test('config shows what the plan sets: the one that is named, or the default one', async (context) => {
  const { repo, file, here: espalier } = project(context, 'maxConcurrency: 5\ntasks: [{id: a, run: x}]')
  assert.match((await espalier('config')).out, /^maxConcurrency {2,30}3 {2,50}default$/m, 'also beside a long list')
  assert.match((await espalier('config', file)).out, /^maxConcurrency +5 +\/.*plan\.yaml$/m)
  assert.match((await espalier('config', file)).out, /^maxConcurrency +5 /m)
  writeFileSync(join(repo, 'espalier.yaml'), 'maxConcurrency: 7\ntasks: [{id: a, run: x}]')
  assert.match((await espalier('config')).out, /^maxConcurrency +7 +espalier\.yaml$/m)
})

const refused: { name: string; plan: string; args: string[]; says: RegExp }[] = [
  { name: 'a plan with a cycle', plan: 'tasks: [{id: a, run: x, needs: [a]}]', args: [], says: /plan\.yaml:1:\d+: / },
  { name: 'a plan that is not there', plan: '', args: ['none.yaml'], says: /^none\.yaml: no such file/ },
  { name: 'no plan', plan: '', args: ['run'], says: /there is no espalier\.yaml here .*: .*espalier init/ },
  { name: 'a base that is not there', plan: 'tasks: [{id: a, run: x}]', args: ['--base', 'nowhere'], says: /nowhere/ },
  { name: 'an agent nobody knows', plan: 'tasks: [{id: a, prompt: x}]', args: ['--agent', 'nobody'], says: /nobody/ },
]
for (const { name, plan, args, says } of refused) {
  test(`${name}: exit status 2, what is wrong, and nothing written`, async (context) => {
    const { root, file, here: espalier } = project(context, plan)
    const [first] = args
    const { status, out, err } = await espalier(
      'run',
      ...(first === 'run' ? [] : first?.endsWith('.yaml') ? args : [file, ...args]),
    )
    assert.equal(status, 2)
    assert.equal(out, '')
    assert.match(err, says)
    assert.ok(!err.includes('    at '), 'no stack trace')
    assert.ok(!existsSync(join(root, 'shop.espalier')))
  })
}

test('--dry-run shows the order and writes nothing', async (context) => {
  const { root, file, git, here: espalier } = project(context, MIXED)
  const { status, out } = await espalier('run', file, '--dry-run')
  assert.equal(status, 0)
  assert.match(out, /can start at once\n {2}one .*\n {2}bad .*\n\nafter tasks above\n {2}two {2}needs one/)
  assert.ok(!existsSync(join(root, 'shop.espalier')))
  assert.equal(git('for-each-ref', 'refs/heads/espalier', 'refs/espalier'), '')
})

test('--dry-run needs no agent: it says that there is none', async (context) => {
  const { root, file, espalier } = project(context, 'tasks: [{id: a, prompt: x}, {id: b, prompt: x, agent: codex}]')
  const { status, out, err } = await espalier('run', file, '--dry-run')
  assert.equal(status, 0)
  assert.match(out, /can start at once\n {2}a {2}agent: none named\n {2}b {2}agent: codex\n/)
  assert.match(err, /^warning: a task has a prompt \(a\) but no agent to give it to: name one with/)
  assert.ok(!existsSync(join(root, 'shop.espalier')))
})

const dry: { name: string; plan: string; args: string[] }[] = [
  { name: 'a base that is not there', plan: 'base: nosuch\ntasks: [{id: a, run: x}]', args: [] },
  { name: 'a folder that is no repository', plan: 'tasks: [{id: a, run: x}]', args: ['--repo', '..'] },
]
for (const { name, plan, args } of dry) {
  test(`--dry-run refuses what run refuses: ${name}`, async (context) => {
    const { root, file, here: espalier } = project(context, plan)
    const dryRun = await espalier('run', file, '--dry-run', ...args)
    const run = await espalier('run', file, ...args)
    assert.deepEqual(dryRun, run)
    assert.deepEqual([run.status, run.out], [2, ''])
    assert.ok(!existsSync(join(root, 'shop.espalier')))
  })
}

test('settings: the repository, then the plan, then the environment, then flags', async (context) => {
  const { root, repo, here: espalier } = project(context, 'maxConcurrency: 5\ntasks: [{id: a, run: x}]')
  const inForce = async (...args: string[]) => {
    const { settings, origin } = JSON.parse((await espalier('config', '--json', ...args)).out)
    return `${settings.maxConcurrency} ${origin.maxConcurrency}`
  }
  assert.equal(await inForce(), '3 default')
  mkdirSync(join(root, '.config', 'espalier'), { recursive: true })
  const user = join(root, '.config', 'espalier', 'config.yaml')
  writeFileSync(user, 'maxConcurrency: 2\n')
  assert.equal(await inForce(), `2 ${user}`)
  mkdirSync(join(repo, '.espalier'))
  const own = join(repo, '.espalier', 'config.yaml')
  writeFileSync(own, 'maxConcurrency: 4\n')
  assert.equal(await inForce(), `4 ${own}`)
  assert.equal(await inForce('../plan.yaml'), '5 ../plan.yaml')
  writeFileSync(own, 'maxConcurrencie: 4\n')
  const wrong = await espalier('config')
  assert.equal(wrong.status, 2)
  assert.match(wrong.err, /config\.yaml:1:1: .*maxConcurrency/)
})

/** Says that it works, then waits for the file `go` beside the repository. */
const waiting = (root: string) => `
tasks:
  - id: slow
    run: |
      echo '{"type":"progress","message":"at work"}'
      while [ ! -e '${root}/go' ]; do sleep 0.05; done
      echo 1 > slow.txt
  - {id: next, run: echo 2 > next.txt, needs: [slow], estimate: 1h}
`

test('Ctrl-C once: the agent is ended, exit status 130, and resume completes the run', async (context) => {
  const { root, file, espalier, start } = project(context, '')
  writeFileSync(file, waiting(root))
  const child = start('run', file, '--json')
  const exited = once(child, 'exit')
  const { until, rest } = eventsOf(child)
  await until(({ type, message }) => type === 'attempt.progress' && message === 'at work')
  child.kill('SIGINT')
  const last = (await rest()).at(-1) as { type: string; interrupted?: boolean }
  assert.deepEqual([last.type, last.interrupted], ['run.finished', true])
  assert.deepEqual(await exited, [130, null])

  assert.match((await espalier('status')).out, /^plan-1 {2}interrupted {2}branch .*\nnext {2}espalier resume plan-1 /s)
  writeFileSync(join(root, 'go'), '')
  const resumed = await espalier('resume')
  assert.equal(resumed.status, 0, resumed.err)
  assert.match(resumed.out, /✓ landed: slow, next/)
})

test('Ctrl-C twice: exit status 130 at once, and resume takes over', async (context) => {
  const { root, file, espalier, start } = project(context, '')
  writeFileSync(file, waiting(root).replace('    run: |\n', "    run: |\n      trap '' TERM\n"))
  const child = start('run', file, '--json')
  const exited = once(child, 'exit')
  const { until, rest } = eventsOf(child)
  await until(({ type, message }) => type === 'attempt.progress' && message === 'at work')
  child.kill('SIGINT')
  await until(({ type }) => type === 'attempt.stopping')
  child.kill('SIGINT')
  const last = (await rest()).at(-1) as { type: string; abandoned?: boolean }
  assert.deepEqual([last.type, last.abandoned], ['run.finished', true])
  assert.deepEqual(await exited, [130, null])
  writeFileSync(join(root, 'go'), '')
  const resumed = await espalier('resume')
  assert.equal(resumed.status, 0, resumed.err)
})

test('a task can be cancelled from another terminal', async (context) => {
  const { root, file, espalier, start } = project(context, '')
  writeFileSync(file, waiting(root))
  const child = start('run', file, '--json')
  const exited = once(child, 'exit')
  const { until, rest } = eventsOf(child)
  await until(({ type }) => type === 'attempt.progress')
  assert.match((await espalier('status')).out, /about (2h 00m|1h 5\dm) left/, 'by the estimates of the plan')
  const watched = espalier('status', '--watch', '--json')
  assert.match((await espalier('cancel', 'slow')).out, /^cancelling slow of run plan-1/)
  // Whichever of them it is by now; or the run is over.
  const again = await espalier('cancel', 'slow')
  assert.match(
    again.out + again.err,
    /^slow of run plan-1 (is being cancelled already|was cancelled before)|has finished/,
  )
  const unknown = await espalier('cancel', 'slowly')
  assert.deepEqual([unknown.status, unknown.err], [2, 'run plan-1 has no task slowly; it has slow, next\n'])
  await rest()
  assert.deepEqual(await exited, [1, null])
  const { status, out } = await watched
  assert.equal(status, 1)
  const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')
  assert.equal(last.tasks[0].status, 'cancelled')
})

test('a run whose output nobody reads goes on to its end', async (context) => {
  const { root, file, espalier, start } = project(context, '')
  writeFileSync(file, waiting(root))
  const child = start('run', file)
  const exited = once(child, 'close')
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  writeFileSync(join(root, 'go'), '')
  const [status] = await exited
  assert.equal(status, 0, said)
  assert.match(said, /the output was closed/)
  assert.match((await espalier('status')).out, /2\/2 done/)
})

test('a git that fails in the landings stops the run: the cause, exit status 1, and resume goes on', async (context) => {
  // Both begin at the same commit, so that the second to land has to be merged.
  const plan = 'name: shop\ntasks: [{id: one, run: echo 1 > one.txt}, {id: two, run: echo 2 > two.txt}]'
  const { root, file, git, espalier, env } = project(context, plan)
  const broken = join(root, 'bin')
  mkdirSync(broken)
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh
for word; do
  if [ "$word" = merge-tree ]; then echo 'fatal: No space left on device' >&2; exit 128; fi
done
exec ${real} "$@"
`
  writeFileSync(join(broken, 'git'), script, { mode: 0o755 })
  const { PATH } = env
  env.PATH = `${broken}:${PATH}`
  const run = await espalier('run', file)
  assert.equal(run.status, 1, run.out + run.err)
  assert.match(run.err, /run shop-1 was stopped by an environment error: .*No space left on device/)
  assert.match(run.err, /fix that, then `espalier resume shop-1`\n$/)
  assert.match(run.out, /next {2}espalier resume shop-1/)
  env.PATH = PATH
  const resumed = await espalier('resume')
  assert.equal(resumed.status, 0, resumed.out + resumed.err)
  assert.equal(git('ls-tree', '--name-only', 'espalier/shop-1'), 'README.md\none.txt\ntwo.txt')
})
