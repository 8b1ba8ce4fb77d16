// Commands that do not end by themselves: servers, what watches files, what waits for somebody at the keyboard.

/** `words`: a program and its arguments. */
export function neverEnds([program = '', ...rest]: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase()
  const plain = rest.filter((word) => !word.startsWith('-'))
  if (ALWAYS.has(name)) return true
  if (rest.some((word) => WATCHES.test(word))) return true
  if (RUNNERS.has(name)) return isServing(plain[0] === 'run' || plain[0] === 'run-script' ? plain[1] : plain[0])
  if (name === 'docker' || name === 'docker-compose')
    return staysUp(name === 'docker' ? plain : ['compose', ...plain], rest)
  if (name === 'tail') return rest.some((word) => /^-\w*[fF]|^--follow/.test(word))
  if (name === 'vite' || name === 'webpack-dev-server') return !/^(?:build|optimize)\b/.test(plain.join(' '))
  return SERVES.get(name)?.test(rest.join(' ')) ?? false
}

/** Servers, and what is for a person at a terminal. */
const ALWAYS = new Set([
  ...['nodemon', 'ts-node-dev', 'live-server', 'http-server', 'http.server', 'json-server', 'start-storybook', 'serve'],
  ...['uvicorn', 'gunicorn', 'hypercorn', 'daphne', 'webpack-dev-server', 'browser-sync', 'ngrok', 'watchman', 'entr'],
  ...['vim', 'vi', 'nano', 'emacs', 'less', 'more', 'top', 'htop', 'watch', 'open', 'xdg-open', 'code', 'iex', 'irb'],
])

const WATCHES = /^--(?:watch|watchall|watch-all|ui|headed|interactive)(?:=true)?$/i

const RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'make', 'just', 'task', 'deno'])

/** The name of a script: `dev`, `start:prod`, `test:watch`; but `build:dev` builds, and ends. */
function isServing(script = ''): boolean {
  const parts = script.toLowerCase().split(/[:_-]/)
  if (parts.includes('watch')) return true
  return parts.some((part) => SERVING.has(part)) && !parts.some((part) => ENDING.has(part))
}

const SERVING = new Set(['dev', 'start', 'serve', 'server', 'preview', 'storybook', 'develop'])
const ENDING = new Set([
  'build',
  'test',
  'tests',
  'lint',
  'check',
  'typecheck',
  'types',
  'e2e',
  'ci',
  'install',
  'smoke',
])

/** With `-d` it comes back. */
function staysUp(plain: readonly string[], all: readonly string[]): boolean {
  const [first = '', second = ''] = plain
  if (first === 'compose' && second === 'up') return !all.some((word) => COMES_BACK.test(word))
  if (first === 'run') return all.some((word) => /^-(?:it|ti|i|t|d)$|^--(?:detach|interactive)/.test(word))
  return (first === 'logs' || second === 'logs') && all.some((word) => word === '-f' || word === '--follow')
}

const COMES_BACK = /^-d$|^--(?:detach|wait|exit-code-from|abort-on-container)/

const SERVES = new Map<string, RegExp>([
  ...[
    'next',
    'nuxt',
    'astro',
    'remix',
    'gatsby',
    'expo',
    'ng',
    'vue-cli-service',
    'webpack',
    'react-scripts',
    'wrangler',
    'storybook',
  ].map((name): [string, RegExp] => [name, /^(?:dev|start|serve|preview|develop)\b/]),
  ['tsx', /^watch\b|(?:^|\/)server\.[cm]?[jt]s$/],
  ['node', /(?:^|\/)server\.[cm]?[jt]s$/],
  ['ts-node', /(?:^|\/)server\.[cm]?[jt]s$/],
  ['python', /manage\.py (?:runserver|shell)\b|^-m http\.server\b|(?:^|\/)(?:app|server)\.py$/],
  ['python3', /manage\.py (?:runserver|shell)\b|^-m http\.server\b|(?:^|\/)(?:app|server)\.py$/],
  ['flask', /\brun\b/],
  ['streamlit', /^run\b/],
  ['jupyter', /^(?:notebook|lab|server)\b/],
  ['celery', /\b(?:worker|beat|flower)\b/],
  ['rails', /^(?:s|server|c|console)\b/],
  ['php', /^-S\b|artisan (?:serve|tinker|queue:work)\b/],
  ['mix', /^phx\.server\b/],
  ['cargo', /^watch\b/],
  ['tsc', /^(?:.* )?-w\b/],
  ['hugo', /^(?:server|serve)\b/],
  ['jekyll', /^(?:serve|s)\b/],
  ['mkdocs', /^serve\b/],
  ['kubectl', /^(?:port-forward|proxy)\b/],
  ['playwright', /^(?:codegen|open|show-report)\b/],
  ['cypress', /^open\b/],
  ['prisma', /^studio\b/],
])
