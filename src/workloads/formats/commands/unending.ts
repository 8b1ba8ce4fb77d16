// Commands that do not end by themselves: servers, what watches files, what waits for somebody at the keyboard.
import { onlyTells } from './only-tells.ts'
import { beforeOperand, operandsOf, programOf } from './operands.ts'
import { scriptsOf } from './real-command.ts'
import { isServing } from './script-names.ts'

/** `words`: of a real command. */
export function neverEnds(words: readonly string[]): boolean {
  if (onlyTells(words)) return false
  // `docker run --interactive` only passes on what it is given.
  if (programOf(words) !== 'docker' && words.some((word) => WATCHES.test(word))) return true
  return scriptsOf(words).some(isServing) || servesItself(words)
}

const WATCHES = /^--(?:watch|watchall|watch-all|ui|headed|interactive)(?:=true)?$/i

function servesItself(words: readonly string[]): boolean {
  const name = programOf(words)
  const operands = operandsOf(words)
  if (ALWAYS.has(name)) return true
  if (FOLLOWERS.has(name) && operands.slice(0, 2).includes('logs'))
    return words.some((word) => /^(?:-f|--follow)$/.test(word))
  if (name === 'docker') return staysUp(words, operands)
  if (name === 'tail') return words.some((word) => /^-\w*[fF]$|^--follow/.test(word))
  if (WATCHERS.has(name) && words.includes('-w')) return true
  if (name === 'mvn' || name === 'gradle') return operands.some((goal) => SERVING_GOAL.test(goal))
  if (name === 'php' && words[1] === '-S') return true
  if (name === 'vite') return !/^(?:build|optimize)$/.test(operands[0] ?? '')
  return startsServer(words, operands) || (SERVES.get(name)?.test(`${operands.join(' ')} `) ?? false)
}

/** Their `-w` is `--watch`; elsewhere it may be anything. */
const WATCHERS = new Set(['tsc', 'rollup', 'webpack', 'babel', 'sass', 'postcss', 'tailwindcss', 'mocha', 'tsup'])

/** `bootRun`, `:api:bootRun`, `spring-boot:run`, `quarkus:dev`. */
const SERVING_GOAL =
  /(?:^|:)(?:bootRun|quarkusDev|appRun|jettyRun)$|^(?:spring-boot|jetty|tomcat7?|mn):run$|^(?:quarkus|liberty):dev$/

/** With `logs -f` they wait for more. */
const FOLLOWERS = new Set(['docker', 'kubectl'])

/** Servers, and what is for a person at a terminal. */
const ALWAYS = new Set([
  ...['nodemon', 'ts-node-dev', 'live-server', 'http-server', 'http.server', 'json-server', 'start-storybook', 'serve'],
  ...['uvicorn', 'gunicorn', 'hypercorn', 'daphne', 'webpack-dev-server', 'browser-sync', 'ngrok', 'watchman', 'entr'],
  ...['redis-server', 'mongod', 'mysqld', 'postgres', 'anvil', 'ganache', 'cloudflared'],
  ...['vim', 'vi', 'nano', 'emacs', 'less', 'more', 'top', 'htop', 'watch', 'open', 'xdg-open', 'code', 'iex', 'irb'],
])

/** `node dist/server.js`; but not `node --test test/server.js`, nor a file that is given to another: `node check.js server.js`. */
function startsServer(words: readonly string[], operands: readonly string[]): boolean {
  const file = SERVER_FILES.get(programOf(words))
  if (!file || beforeOperand(words, 0).some((word) => /^(?:--test|--eval|--print|-[cep])$/.test(word))) return false
  return file.test((operands[0] === 'run' ? operands[1] : operands[0]) ?? '')
}

const SERVER_FILES = new Map([
  ...['node', 'tsx', 'ts-node', 'bun', 'deno'].map((name): [string, RegExp] => [name, /(?:^|\/)server\.[cm]?[jt]s$/]),
  ['python', /(?:^|\/)(?:app|server)\.py$/],
])

/** What comes back with `-d` changes something outside, which is looked at elsewhere; but a container of its own stays. */
function staysUp(words: readonly string[], [first = '', second = '']: readonly string[]): boolean {
  if (first === 'compose' && second === 'up') return !words.some((word) => COMES_BACK.test(word))
  if (first !== 'run') return false
  // Behind the image are the flags of what runs in it.
  const flags = beforeOperand(words, 1)
  const has = (letter: string, long: string): boolean =>
    flags.some((word) => word === long || (/^-[a-z]+$/.test(word) && word.includes(letter)))
  return has('d', '--detach') || (has('i', '--interactive') && has('t', '--tty'))
}

const COMES_BACK = /^-d$|^--(?:detach|wait|exit-code-from|abort-on-container)/

/** By what stands behind the program, each word with a blank behind it. */
const SERVES = new Map<string, RegExp>([
  ...'next nuxt astro remix gatsby expo ng nx vue-cli-service webpack react-scripts storybook hugo jekyll mkdocs'
    .split(' ')
    .map((name): [string, RegExp] => [name, /^(?:dev|start|serve|server|preview|develop) /]),
  ...'trunk skaffold tauri convex netlify vercel sst docusaurus ionic zola symfony react-native'
    .split(' ')
    .map((name): [string, RegExp] => [name, /^(?:dev|start|serve|server:start) /]),
  ['tsx', /^watch /],
  ['cargo', /^(?:watch|tauri dev|leptos (?:watch|serve)) /],
  ['dotnet', /^watch /],
  ['flutter', /^(?:run|attach|logs) /],
  ['sam', /^local start-/],
  ['supabase', /^functions serve /],
  ['firebase', /^(?:serve|emulators:start) /],
  ['hardhat', /^node /],
  ['wrangler', /^(?:pages )?dev /],
  ['tilt', /^up /],
  ['caddy', /^run /],
  ['manage.py', /^(?:runserver|shell) /],
  ['artisan', /^(?:serve|tinker|queue:work) /],
  ['flask', /^run /],
  ['streamlit', /^run /],
  ['jupyter', /^(?:notebook|lab|server) /],
  ['celery', /^(?:worker|beat|flower) /],
  ['rails', /^(?:s|server|c|console) /],
  ['mix', /^phx\.server /],
  ['kubectl', /^(?:port-forward|proxy) /],
  ['playwright', /^(?:codegen|open|show-report) /],
  ['cypress', /^open /],
  ['prisma', /^studio /],
])
