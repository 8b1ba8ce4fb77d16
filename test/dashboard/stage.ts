// What the browser is shown: a real server with real runs. One run is over, with a failure and a conflict that waits for a
// person; one is at work, and ends when the test says so.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtApp } from '../../src/reports/built-app.ts'
import { makeRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from '../server/server-rig.ts'
import { Network } from './network.ts'

export class Stage implements AsyncDisposable {
  readonly rig: ServerRig
  /** Between the browser and the server. */
  readonly network: Network
  /** The runs, by what they are. */
  readonly over: string
  readonly live: string

  private constructor(rig: ServerRig, network: Network, runs: { over: string; live: string }) {
    this.rig = rig
    this.network = network
    this.over = runs.over
    this.live = runs.live
  }

  static async open(): Promise<Stage> {
    const repository = await makeRepository({ files: FILES })
    const network = await Network.open()
    const publicUrl = `http://127.0.0.1:${network.port}`
    const rig = await ServerRig.open({ repository, app: builtApp, publicUrl })
    network.target = rig.port
    const signals = repository.at('signals')
    mkdirSync(signals)
    const { client } = rig
    const over = await client.runs.start({ project: PROJECT, plan: { text: planText(signals), name: 'shop.yaml' } })
    await until('the end of the first run', async () => {
      const { engine, status } = await client.runs.get({ project: PROJECT, run: over.run })
      return engine === null && status !== 'running' ? true : null
    })
    const text = livePlan(signals)
    const live = await client.runs.start({ project: PROJECT, plan: { text, name: 'import.yaml' } })
    await until('agents at work', async () => {
      const { counts } = await client.runs.get({ project: PROJECT, run: live.run })
      return counts.running === 2 && counts.landed === 1 ? true : null
    })
    return new Stage(rig, network, { over: over.run, live: live.run })
  }

  /** Lets an agent that waits go on. */
  signal(name: string): void {
    writeFileSync(join(this.rig.repository.at('signals'), name), '')
  }

  /** Ends the run at work: only one of a repository is at work at a time. */
  async endLive(): Promise<void> {
    for (const name of ['fetch', 'parse']) this.signal(name)
    await this.rig.client.runs.cancel({ project: PROJECT, run: this.live }).catch(() => {})
    await until('no engine', async () => {
      const { items } = await this.rig.client.runs.list({ project: PROJECT })
      return items.every(({ engine }) => engine === null) ? true : null
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endLive()
    await this.network[Symbol.asyncDispose]()
    await this.rig[Symbol.asyncDispose]()
    await this.rig.repository[Symbol.asyncDispose]()
  }
}

export const PROJECT = 'repo'

const FILES = {
  'README.md': '# Tea shop\n\nA small shop that agents are building.\n',
  'api/routes.txt': '# one route a line\nGET /health\n',
  '.gitignore': 'node_modules/\n',
}

function planText(signals: string): string {
  return `name: tea-shop
objective: Sell tea on the web before the summer, with accounts, orders and a search that finds what people mean
maxConcurrency: 4
defaults: {retries: 0, agent: command}
command: sh ${writeAgent(signals)}
landing: {conflict: manual}
epics:
  - {id: data, title: Data}
  - {id: api, title: API}
  - {id: web, title: Web}
tasks:
  - {id: schema, epic: data, title: Create the tables, prompt: Create the tables users and orders., claims: [db/**], verify: [test -s db/schema.sql], estimate: 2s}
  - {id: seed, epic: data, title: Add sample data, needs: [schema], prompt: Add a few users and orders., claims: [db/**]}
  - {id: header, epic: web, title: Build the header, prompt: Build web/header.html., claims: [web/header.html]}
  - {id: footer, epic: web, title: Build the footer, prompt: Build web/footer.html., claims: [web/footer.html]}
  - {id: users, epic: api, title: Users endpoint, needs: [schema], prompt: Build the users endpoint., claims: [api/users.js]}
  - {id: orders, epic: api, title: Orders endpoint, needs: [schema], prompt: Build the orders endpoint., claims: [api/orders.js]}
  - {id: payments, epic: api, title: Payments, needs: [seed], prompt: Build the payments module., claims: [api/payments.js], retries: 1}
  - {id: home, epic: web, title: Home page, needs: [header, footer], prompt: Put header and footer together., claims: [web/home.html]}
  - {id: checkout, epic: web, title: Checkout page, needs: [payments, home], prompt: Build the checkout., claims: [web/checkout.html]}
  - {id: docs, title: Document the API, needs: [users], prompt: Describe every route., claims: [docs/**]}
`
}

function livePlan(signals: string): string {
  return `name: import
maxConcurrency: 2
defaults: {retries: 0, agent: command}
budgetUsd: 5
command: sh ${writeAgent(signals)}
tasks:
  - {id: prepare, title: Prepare the folder, prompt: Prepare it., estimate: 1m}
  - {id: fetch, title: Fetch the catalogue of all teas, needs: [prepare], prompt: Fetch it., estimate: 10m}
  - {id: parse, title: Parse what was fetched before, needs: [prepare], prompt: Parse it., estimate: 5m}
  - {id: merge, title: Merge both into one list, needs: [fetch, parse], prompt: Merge them., estimate: 5m}
  - {id: publish, title: Publish the list, needs: [merge], prompt: Publish it., estimate: 2m}
  - {id: announce, title: Tell everybody, needs: [publish], prompt: Tell them., estimate: 1m}
`
}

function writeAgent(signals: string): string {
  const file = join(signals, 'agent.sh')
  writeFileSync(file, agent(signals))
  return file
}

/** Reads its prompt, reports progress, writes files. Nothing in it waits for a time. */
function agent(signals: string): string {
  return `
say() { printf '{"type":"progress","message":"%s"}\\n' "$1"; }
wait_for() { while [ ! -e "${signals}/$1" ]; do sleep 0.05; done; }
prompt=$(cat)
say "reading the task"
mkdir -p db web docs
case $ESPALIER_TASK in
  schema) printf 'create table users (id, name);\\ncreate table orders (id, user_id);\\n' > db/schema.sql ;;
  seed) printf "insert into users values (1, 'Ada');\\n" > db/seed.sql ;;
  users|orders) printf 'export const list = () => []\\n' > "api/$ESPALIER_TASK.js"
    touch "${signals}/$ESPALIER_TASK"
    # Each changes the same line and starts before the other has landed, so one of them conflicts.
    wait_for users; wait_for orders
    printf '# one route a line\\nGET /health\\nGET /%s\\n' "$ESPALIER_TASK" > api/routes.txt ;;
  payments) printf '\\033[32mconnecting\\033[0m to <b>the gateway</b>\\nAssertionError: expected 200, got 503\\n'
    printf 'export const pay = () => "ok"\\n' > api/payments.js
    printf '{"type":"outcome","status":"failed","summary":"the gateway stub did not answer"}\\n'; exit 1 ;;
  header|footer) printf '<%s>Tea</%s>\\n' "$ESPALIER_TASK" "$ESPALIER_TASK" > "web/$ESPALIER_TASK.html" ;;
  home) cat web/header.html web/footer.html > web/home.html ;;
  fetch|parse) say "page 3 of 12"; echo "GET /teas?page=3"; wait_for "$ESPALIER_TASK"; echo "$ESPALIER_TASK" > "$ESPALIER_TASK.txt" ;;
  *) echo "$ESPALIER_TASK" > "docs/$ESPALIER_TASK.md" ;;
esac
printf '{"type":"usage","inputTokens":%s,"outputTokens":%s,"costUsd":0.04}\\n' "$(( \${#prompt} * 12 ))" 420
printf '{"type":"outcome","status":"success","summary":"%s is done"}\\n' "$ESPALIER_TASK"
`
}
