// What is shipped, as a person has it after `npm install espalier`: no sources, none of the packages it was built from.
// npm run test:package
import assert from 'node:assert/strict'
import { execFileSync, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { PROGRAMS } from '../../src/files/package-file.ts'
import { type AcpStep, SCRIPTED_ACP_AGENT } from '../agents/scripted-acp-agent.ts'
import { Installed } from './installed.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const installed = new Installed()
after(() => installed[Symbol.dispose]())

test('holds a few files of JavaScript, and the licences of what is in them', () => {
  const packages = readdirSync(join(installed.user, 'node_modules')).filter((name) => !name.startsWith('.'))
  assert.deepEqual(packages.sort(), ['espalier', 'zod'])
  const scripts = globSync('**/*.js', { cwd: join(installed.top, 'dist'), exclude: ['dashboard/**'] })
  assert.ok(scripts.length <= 28, scripts.join(' '))
  assert.deepEqual(globSync('{src,dist}/**/*.ts', { cwd: installed.top, exclude: ['**/*.d.ts'] }), [])
  const licences = readFileSync(join(installed.top, 'dist', 'LICENSES.txt'), 'utf8')
  for (const name of ['commander', 'react', 'yaml', 'zod']) assert.match(licences, new RegExp(`^${name} \\d.*\\(`, 'm'))
})

test('--version, init, plan check and status', async () => {
  await using repository = await installed.repository()
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'))
  const run = (...args: string[]) => installed.espalier(repository.top, args)
  assert.deepEqual(await run('--version'), { status: 0, out: `${version}\n`, err: '' })
  assert.equal((await run('init', 'plan.yaml')).status, 0)
  const checked = await run('plan', 'check', 'plan.yaml')
  assert.equal(checked.status, 0, checked.err)
  assert.match((await run('plan', 'check', 'none.yaml')).err, /none\.yaml/)
  assert.equal((await run('status')).status, 2)
})

test('status loads a few files, and a program that uses the library none of the command line', async () => {
  const loaded = async (...args: string[]) => {
    const { err } = await installed.node(installed.user, ['--import', LOADED, ...args])
    return err.split('\n').flatMap((line) => /^loaded .*\/dist\/(.+)$/.exec(line)?.[1] ?? [])
  }
  const files = await loaded(installed.bin, 'status')
  assert.ok(files.includes('bundle/status.js') && files.length <= 8, files.join(' '))
  const library = await loaded('--input-type=module', '--eval', "import 'espalier'")
  assert.ok(library.includes('bundle/run.js'), library.join(' '))
  for (const group of ['program', 'serve', 'fleet'])
    assert.ok(!library.includes(`bundle/${group}.js`), library.join(' '))
  const sessions = await loaded(installed.bin, 'sessions')
  assert.ok(sessions.includes('bundle/look.js') && !sessions.includes('bundle/run.js'), 'looking needs no engine')
})

/** Says on stderr which files are loaded. */
const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (console.error('loaded', url), next(url, context)) })
`)}`

test('compiled code is kept in a folder of the user', async () => {
  await using repository = await installed.repository()
  await installed.espalier(repository.top, ['status'])
  const kept = globSync('.cache/espalier/*/*', { cwd: installed.home })
  assert.ok(kept.length > 0)
})

test('the demo: twelve tasks land, with a report', async () => {
  const { status, out, err } = await installed.espalier(installed.home, ['demo'])
  assert.equal(status, 0, err)
  const [, report = ''] = /The report:\s+(\S+)/.exec(out) ?? []
  assert.match(readFileSync(report, 'utf8'), /<html/)
})

test('the demo of a search: its ideas come with the package', async () => {
  const { status, out, err } = await installed.espalier(installed.home, ['demo', 'search'])
  assert.equal(status, 0, err)
  assert.match(out, /Best: 12419/)
})

test('a whole run by an ACP agent: its driver, its prompt, and the task manager it is given', async () => {
  const scripted = { program: process.execPath, args: ['--disable-warning=ExperimentalWarning', SCRIPTED_ACP_AGENT] }
  await using repository = await installed.repository({ agents: { acp: { scripted } } })
  const steps: AcpStep[] = [
    { do: 'servers' },
    { do: 'write', path: 'made.txt', text: 'by the agent\n' },
    { do: 'say', text: 'Done.' },
  ]
  const task = { id: 'make', prompt: JSON.stringify(steps), agent: 'acp:scripted', retries: 0 }
  await repository.write('plan.json', JSON.stringify({ name: 'shop', tasks: [task] }))
  const { status, out, err } = await installed.espalier(repository.top, ['run', 'plan.json'])
  assert.equal(status, 0, out + err)
  assert.equal(repository.git('show', 'espalier/shop-1:made.txt'), 'by the agent')
  const printed = await installed.espalier(repository.top, ['logs', 'make'])
  assert.ok(printed.out.includes(installed.bin), printed.out)
})

test("Claude Code's hook keeps an agent within its claims", async () => {
  const fake = join(installed.folder, 'claude')
  mkdirSync(fake)
  const script = join(CHECKOUT, 'test', 'rig', 'fake-claude.mjs')
  writeFileSync(join(fake, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(join(fake, 'claude'), 0o755)
  writeFileSync(join(fake, '1.json'), JSON.stringify({ writes: ['src/in.txt', 'out.txt'], say: 'Done.' }))
  const settings = { agents: { claude: { program: join(fake, 'claude') } }, claims: 'enforce' }
  await using repository = await installed.repository(settings)
  const work = { prompt: 'Write two files.', agent: 'claude', env: { CLAUDE_FAKE: fake } }
  const task = { id: 'write', ...work, claims: { write: ['src/**'] }, retries: 0 }
  await repository.write('plan.json', JSON.stringify({ name: 'shop', tasks: [task] }))
  const { status, out, err } = await installed.espalier(repository.top, ['run', 'plan.json'])
  assert.equal(status, 0, out + err)
  assert.match(repository.git('show', '--stat', '--format=', '--first-parent', 'espalier/shop-1'), /src\/in\.txt/)
  assert.throws(() => repository.git('cat-file', '-e', 'espalier/shop-1:out.txt'))
})

test('plan new: the check of plans that its agent gets', async () => {
  await using repository = await installed.repository()
  const bad = "printf 'name: x\\ntasks: 3\\n' >espalier-plan.yaml"
  const good = 'printf \'name: made\\ntasks:\\n  - { id: one, run: "true" }\\n\' >espalier-plan.yaml'
  const command = `if [ -e espalier-plan.yaml ]; then ${good}; else ${bad}; fi`
  const args = ['plan', 'new', 'Something', '-o', 'made.yaml', '--agent', 'command', '--command', command]
  const { status, out, err } = await installed.espalier(repository.top, args)
  assert.equal(status, 0, out + err)
  assert.match(readFileSync(join(repository.top, 'made.yaml'), 'utf8'), /name: made/)
})

test('mcp answers a client', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const { env } = installed
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [installed.bin, 'mcp'], env }))
  const { tools } = await client.listTools()
  await client.close()
  assert.ok(
    tools.some(({ name }) => name === 'request_claim'),
    JSON.stringify(tools),
  )
})

test('every program is there, and the one that starts git says that it is ready', async () => {
  for (const name of Object.keys(PROGRAMS)) assert.ok(existsSync(join(installed.top, 'dist', 'programs', `${name}.js`)))
  const runner = fork(join(installed.top, 'dist', 'programs', 'git-runner.js'), [], { serialization: 'advanced' })
  const [message] = await once(runner, 'message')
  runner.disconnect()
  await once(runner, 'exit')
  assert.equal(message, 'ready')
})

test('the library: its types, its functions, and where it fails in the sources', async () => {
  const program = `
    import { DEFAULT_SETTINGS, readPlan, type RunView } from 'espalier'
    import { connect } from 'espalier/client'
    const status: RunView['status'] = 'running'
    const read = readPlan('name: shop\\ntasks: [{ id: one, run: "true" }]', 'plan.yaml', DEFAULT_SETTINGS)
    console.log(status, read.ok && read.value.plan.tasks[0]?.id, typeof connect === 'function')
    // @ts-expect-error
    readPlan(1)
  `
  writeFileSync(join(installed.user, 'program.ts'), program)
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2024,esnext.disposable',
  ]
  const types = ['--types', 'node', '--typeRoots', join(CHECKOUT, 'node_modules', '@types')]
  const tsc = join(CHECKOUT, 'node_modules', '.bin', 'tsc')
  const checked = spawnSync(tsc, [...options, ...types, 'program.ts'], { cwd: installed.user, encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stdout)
  const { out, err } = await installed.node(installed.user, ['--enable-source-maps', 'program.ts'])
  assert.equal(out, 'running one true\n')
  assert.match(err, /src\/workloads\/[\w/-]+\.ts:\d+/)
})

test('runs on the oldest Node that it claims to run on', async () => {
  const { engines } = JSON.parse(readFileSync(join(installed.top, 'package.json'), 'utf8'))
  const oldest = ['--yes', '--package', `node@${engines.node.replace('>=', '')}`, 'node', '-p', 'process.execPath']
  const program = execFileSync('npx', oldest, { cwd: installed.folder, encoding: 'utf8' }).trim()
  await using repository = await installed.repository()
  await repository.write('plan.json', JSON.stringify({ name: 'shop', tasks: [{ id: 'one', run: 'echo 1 >one.txt' }] }))
  const run = (...args: string[]) => installed.espalier(repository.top, args, program)
  const { status, out, err } = await run('run', 'plan.json')
  assert.equal(status, 0, out + err)
  assert.match((await run('status')).out, /completed/)
})

test('serve is ready in a few dozen times the time that Node takes to start, also on a busy machine', async () => {
  await using repository = await installed.repository()
  const time = async (args: string[]) => {
    const start = performance.now()
    const child = spawn(process.execPath, args, {
      cwd: repository.top,
      env: installed.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
    const ms = performance.now() - start
    child.kill('SIGTERM')
    await ended
    return ms
  }
  const [bare, serve]: [number[], number[]] = [[], []]
  // In turns, so that a busy moment hits both.
  for (let n = 0; n < 7; n++) {
    bare.push(await time(['-e', '0']))
    serve.push(await time([installed.bin, 'serve', '--json', '--port', '0']))
  }
  const least = (times: number[]) => Math.min(...times)
  assert.ok(least(serve) <= 30 * least(bare), `${least(serve)} ms, and Node alone ${least(bare)} ms`)
})
