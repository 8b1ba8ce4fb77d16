// `espalier demo`: the main job, from a plan to a landed branch, on a throw-away repository with scripted agents.
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DEFAULT_SETTINGS } from '../../config.ts'
import { openRun } from '../../engine/open/open-run.ts'
import { packageFile } from '../../files/package-file.ts'
import { createSampleRepository, landedLog } from '../../git/engine/sample-repository.ts'
import { builtApp } from '../../reports/built-app.ts'
import { readPlan } from '../../workloads/plan/read.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { call, help } from '../command-line/command.ts'
import { findWorkspace } from '../inputs/repository.ts'
import { runToRest } from '../live/follow-run.ts'
import type { Done } from '../refusal.ts'
import { runSearch } from '../search/run.ts'
import { show } from '../search/show.ts'
import type { Surroundings } from '../surroundings.ts'
import { runPage, writeText } from '../terminal/write-page.ts'

export const commands = {
  demo: call(
    {},
    help(
      'Makes a throw-away repository, runs a small plan on it with scripted agents (no model, no cost), and shows the result.',
      '0 it worked, 1 it did not.',
    ),
    async (here, _, what: 'plan' | 'search') => (what === 'plan' ? planDemo(here) : searchDemo(here)),
    {
      args: ['what to run'],
      also: (command) => command.registeredArguments[0]?.choices(['plan', 'search']).default('plan'),
    },
  ),
}

async function planDemo(surroundings: Surroundings): Promise<Done> {
  const since = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'tea-shop')
  const agent = join(folder, 'agent.sh')
  await createSampleRepository(repo, DEMO_FILES)
  await writeFile(agent, DEMO_AGENT)
  const settings = { ...DEFAULT_SETTINGS, ...DEMO_SETTINGS, maxConcurrency: 4, command: `sh ${agent}` }
  const read = readPlan(DEMO_PLAN, 'tea-shop.yaml', settings)
  if (!read.ok) return read
  surroundings.out.write(
    `A small repository: ${repo}\nA plan of ${read.value.plan.tasks.length} tasks, four at a time; the agents are small scripts.\n\n`,
  )

  const workspace = await openWorkspace({ repo })
  if (!workspace.ok) return workspace
  const opened = await openRun(surroundings.resources.use(workspace.value), {
    plan: read.value.plan,
    settings,
    environment: surroundings.env,
  })
  if (!opened.ok) return opened
  await using run = opened.value
  const status = await runToRest(run, { since }, { ...surroundings, repeat: ` --repo ${repo}` })

  surroundings.out.write(
    `\nWhat landed on ${run.branch}:\n\n${(await landedLog(repo, run.branch)).replace(/^/gm, '  ')}\n`,
  )
  const built = builtApp()
  const page = built === null ? null : await runPage(workspace.value, run.id, surroundings, { built })
  if (page && !page.ok) return page
  surroundings.out.write('\nThe report:  ')
  if (page) await writeText(page.value.text, page.value.file, surroundings)
  else surroundings.out.write(`espalier report --html --repo ${repo}\n`)
  surroundings.out.write(`To clean up: rm -r ${folder}\n`)
  return status
}

const DEMO_FILES: Record<string, string> = {
  'README.md': '# Tea shop\n\nA small shop that agents are building.\n',
  'api/routes.txt': '# one route a line\nGET /health\n',
  '.gitignore': 'node_modules/\n',
}

export const DEMO_PLAN = `name: tea-shop
maxConcurrency: 4
epics:
  - {id: data, title: Data}
  - {id: api, title: API}
  - {id: web, title: Web}
tasks:
  - {id: schema, epic: data, title: Create the tables, prompt: Create the tables users and orders., claims: [db/**], verify: [test -s db/schema.sql]}
  - {id: seed, epic: data, title: Add sample data, needs: [schema], prompt: Add a few users and orders., claims: [db/**]}
  - {id: config, title: Write the configuration, prompt: Write config/app.json., claims: [config/**]}
  - {id: header, epic: web, title: Build the header, prompt: Build web/header.html., claims: [web/header.html]}
  - {id: footer, epic: web, title: Build the footer, prompt: Build web/footer.html., claims: [web/footer.html]}
  # Both add a line to api/routes.txt and neither claims it: whoever lands second conflicts and is done again.
  - {id: users, epic: api, title: Users endpoint, needs: [schema], prompt: Build the users endpoint., claims: [api/users.js]}
  - {id: orders, epic: api, title: Orders endpoint, needs: [schema], prompt: Build the orders endpoint., claims: [api/orders.js]}
  # Fails the first time; the second attempt is told why.
  - {id: payments, epic: api, title: Payments, needs: [config], prompt: Build the payments module., claims: [api/payments.js], retries: 1}
  - {id: home, epic: web, title: Home page, needs: [header, footer], prompt: Put header and footer together., claims: [web/home.html]}
  - {id: search, epic: api, title: Search, needs: [seed], prompt: Build the search endpoint., claims: [api/search.js]}
  - {id: docs, title: Document the API, needs: [users, orders, payments, search], prompt: Describe every route., claims: [docs/**], verify: [grep -q users docs/api.md]}
  - {id: release, title: Release notes, needs: [docs, home], run: "git log --first-parent --format='- %s' | sed 's/Land //' > RELEASE.md"}
`

const DEMO_SETTINGS = { backoff: { initialMs: 800, maxMs: 5_000 } }

/** Reads its prompt on stdin, reports progress, waits a little, writes files. It costs nothing, so it reports no usage. */
const DEMO_AGENT = `
say() { printf '{"type":"progress","message":"%s"}\\n' "$1"; sleep "$2"; }
prompt=$(cat)
say "reading the task" 0.3
case $ESPALIER_TASK in
  schema) mkdir -p db; say "designing the tables" 0.5
    printf 'create table users (id, name);\\ncreate table orders (id, user_id);\\n' > db/schema.sql ;;
  seed) say "inventing customers" 0.6; printf "insert into users values (1, 'Ada');\\n" > db/seed.sql ;;
  config) mkdir -p config; say "choosing defaults" 0.4; printf '{"port": 8080}\\n' > config/app.json ;;
  users|orders) say "writing the handler" 0.6; printf 'export const list = () => []\\n' > "api/$ESPALIER_TASK.js"
    say "adding the route" 0.6; printf 'GET /%s\\n' "$ESPALIER_TASK" >> api/routes.txt ;;
  payments) say "connecting the gateway" 0.7
    if [ "$ESPALIER_ATTEMPT" = 1 ]; then
      printf '{"type":"outcome","status":"failed","summary":"the gateway stub did not answer"}\\n'; exit 1
    fi
    case $prompt in *"gateway stub"*) say "using the fallback the last attempt asked for" 0.4 ;; esac
    printf 'export const pay = () => "ok"\\n' > api/payments.js ;;
  header|footer) mkdir -p web; say "drawing the $ESPALIER_TASK" 1.1; printf '<%s>Tea</%s>\\n' "$ESPALIER_TASK" "$ESPALIER_TASK" > "web/$ESPALIER_TASK.html" ;;
  home) say "putting it together" 0.7; cat web/header.html web/footer.html > web/home.html ;;
  search) say "building the index" 0.8; printf 'export const find = () => []\\n' > api/search.js ;;
  docs) mkdir -p docs; say "describing the routes" 0.6; { printf '# API\\n\\n'; sed 's/^/- /' api/routes.txt; } > docs/api.md ;;
esac
printf '{"type":"outcome","status":"success","summary":"%s is done"}\\n' "$ESPALIER_TASK"
`

async function searchDemo(surroundings: Surroundings): Promise<Done> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'primes')
  await createSampleRepository(repo, await exampleFiles())
  surroundings.out.write(
    `A small repository: ${repo}\nSix ideas to find primes with fewer divisions, two at a time.\n\n`,
  )
  const found = await findWorkspace(surroundings, { repo }, { maxConcurrency: 2 })
  if (!found.ok) return found
  const status = await runSearch(found.value, {}, join(repo, 'search.yaml'))
  surroundings.out.write('\n')
  await show(found.value, {}, undefined)
  surroundings.out.write(`\nThe result:\n\n${await landedLog(repo, 'espalier/search-1')}\n`)
  surroundings.out.write(`\nTo clean up: rm -r ${folder}\n`)
  return status
}

async function exampleFiles(): Promise<Record<string, string>> {
  const folder = packageFile('examples/search')
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')])
  return Object.fromEntries(await Promise.all(files))
}
