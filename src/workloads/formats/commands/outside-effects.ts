// Commands that change something outside of the worktree: the history of git, a registry, a server, a database, the machine.

/** `words`: a program and its arguments. What it does, behind "it"; null where it is nothing of this. */
export function outsideEffect(words: readonly string[]): string | null {
  const name = nameOf(words)
  if (name === 'git') return changesHistory(words.slice(1)) ? 'changes what git keeps, here or elsewhere' : null
  return changesOutside(name, words.slice(1)) ? 'changes something outside of the worktree' : null
}

function nameOf([program = '']: readonly string[]): string {
  return program.slice(program.lastIndexOf('/') + 1).toLowerCase()
}

function changesOutside(name: string, rest: readonly string[]): boolean {
  const plain = rest.filter((word) => !word.startsWith('-'))
  if (ALWAYS.has(name)) return true
  if (rest.some((word) => HARMLESS_FLAG.test(word))) return false
  if (name === 'rm' || name === 'mv') return plain.some((word) => /^(?:\/|~|\$\{?HOME|\.\.(?:\/|$))/.test(word))
  const reads = ONLY_READS.get(name)
  if (reads) return plain.length > 0 && !reads.test(plain.join(' '))
  return CHANGES.get(name)?.test(plain.join(' ')) ?? OTHER_CHANGES.test(`${name} ${plain.join(' ')}`)
}

/** Whatever is said behind them. */
const ALWAYS = new Set([
  ...['sudo', 'su', 'doas', 'ssh', 'scp', 'sftp', 'rsync', 'aws', 'gcloud', 'gsutil', 'az', 'heroku', 'doctl'],
  ...[
    'apt',
    'apt-get',
    'brew',
    'systemctl',
    'service',
    'launchctl',
    'crontab',
    'pkill',
    'killall',
    'shutdown',
    'reboot',
  ],
  ...['dropdb', 'createdb', 'twine', 'semantic-release', 'changeset-publish', 'np', 'release-it', 'pg_restore'],
])

/** With one of these it only says what it would do. */
const HARMLESS_FLAG = /^--(?:dry-run|check|syntax-check|plan|help|version|no-push)(?:=|$)/

/** Programs that mostly change something: what only reads is named. */
const ONLY_READS = new Map<string, RegExp>([
  ['gh', /\b(?:view|list|status|diff|checks)\b/],
  ['kubectl', /^(?:get|describe|logs|version|explain|diff|config view)\b/],
  ['helm', /^(?:lint|template|show|list|version|dependency|package|status)\b/],
  ['terraform', /^(?:validate|fmt|plan|show|version|providers|graph|init|output|test)\b/],
  ['tofu', /^(?:validate|fmt|plan|show|version|providers|graph|init|output|test)\b/],
  ['pulumi', /^(?:preview|version|about)\b/],
  [
    'docker',
    /^(?:build|buildx|run|exec|ps|images|inspect|version|info|logs|compose (?:config|build|ps|run|exec|logs|images|version))\b/,
  ],
  ['docker-compose', /^(?:config|build|ps|run|exec|logs|images|version)\b/],
  ['vercel', /^build\b/],
  ['fly', /^(?:status|version|config validate)\b/],
  ['flyctl', /^(?:status|version|config validate)\b/],
])

const REGISTRY = String.raw`publish|unpublish|login|logout|adduser|deprecate|dist-tag|owner|link|version (?:major|minor|patch|pre\w*|\d\S*)`

/** Programs that mostly do not: what changes something is named. */
const CHANGES = new Map<string, RegExp>([
  ...['npm', 'pnpm', 'yarn', 'bun', 'cargo', 'poetry', 'uv', 'lerna', 'vsce', 'ovsx', 'hatch', 'flit'].map(
    (name): [string, RegExp] => [
      name,
      new RegExp(String.raw`^(?:${REGISTRY})(?:\s|$)|^run (?:\S+:)?(?:deploy|publish|release)(?:\s|$)`),
    ],
  ),
  ['changeset', /^(?:publish|version)\b/],
  ['gem', /^(?:push|yank|install)\b/],
  ['mvn', /\b(?:deploy|release:\w+)\b/],
  ['gradle', /\bpublish\w*/],
  ['gradlew', /\bpublish\w*/],
  ['ansible-playbook', /./],
  ['cdk', /^(?:deploy|destroy|bootstrap)\b/],
  ['sam', /^(?:deploy|delete|sync)\b/],
  ['serverless', /^(?:deploy|remove)\b/],
  ['sls', /^(?:deploy|remove)\b/],
  ['netlify', /^(?:deploy|link|env)\b/],
  ['firebase', /^(?:deploy|functions:delete|login)\b/],
  ['wrangler', /^(?:deploy|publish|secret|delete|d1 migrations apply)\b|^d1 execute\b/],
  ['prisma', /^(?:migrate (?:reset|deploy|dev|resolve)|db (?:push|seed|execute))\b/],
  ['alembic', /^(?:upgrade|downgrade|stamp)\b/],
  ['drizzle-kit', /^(?:push|migrate|drop)\b/],
  ['knex', /^(?:migrate|seed):(?!list|status)/],
  ['sequelize', /^db:/],
  ['sequelize-cli', /^db:/],
  ['typeorm', /^(?:migration:(?:run|revert)|schema:(?:sync|drop))/],
  ['supabase', /^(?:db (?:reset|push)|functions deploy|link|start|stop|migration (?:up|repair))\b/],
  ['flyway', /^(?:migrate|clean|repair|baseline|undo)\b/],
  ['diesel', /^(?:migration (?:run|revert|redo)|database (?:reset|setup|drop))\b/],
  ['rails', /^db:(?!migrate:status|version)/],
  ['rake', /^db:(?!migrate:status|version)/],
  ['artisan', /^(?:migrate|db:)/],
  ['mix', /^ecto\.(?:migrate|drop|create|reset|rollback)\b/],
  ['make', /^(?:deploy|publish|release|push)\b/],
  ['just', /^(?:deploy|publish|release|push)\b/],
])

/** What is run through another program. */
const OTHER_CHANGES =
  /^python3? (?:\S*\/)?manage\.py (?:migrate|flush|loaddata|reset_db|createsuperuser|collectstatic)\b|^php (?:\S*\/)?artisan (?:migrate|db:)|^rails db:(?!migrate:status|version)|^curl .*\b(?:POST|PUT|PATCH|DELETE)\b/

/** A check reads. What an agent has done is committed by Espalier, so nothing is to be put away, taken back or pushed. */
function changesHistory(rest: readonly string[]): boolean {
  const from = rest.findIndex((word, i) => !word.startsWith('-') && rest[i - 1] !== '-C' && rest[i - 1] !== '-c')
  if (from < 0 || rest.includes('--dry-run')) return false
  const [command = '', ...args] = rest.slice(from)
  if (GIT_READS.has(command)) return false
  const plain = args.filter((word) => !word.startsWith('-'))
  // Alone, or only with flags, they list.
  if (GIT_LISTS.has(command))
    return plain.length > 0 && !args.some((word) => /^(?:-l|--list|--contains|--merged|list|show)$/.test(word))
  if (command === 'stash') return plain[0] !== 'list' && plain[0] !== 'show'
  return true
}

const GIT_READS = new Set([
  ...['diff', 'log', 'show', 'status', 'grep', 'ls-files', 'ls-tree', 'rev-parse', 'rev-list', 'cat-file', 'describe'],
  ...[
    'blame',
    'shortlog',
    'merge-base',
    'check-ignore',
    'check-attr',
    'name-rev',
    'version',
    'help',
    'fsck',
    'diff-tree',
  ],
  ...[
    'diff-index',
    'diff-files',
    'for-each-ref',
    'verify-commit',
    'verify-tag',
    'count-objects',
    'symbolic-ref',
    'show-ref',
  ],
  ...['hash-object', 'archive', 'var', 'whatchanged', 'ls-remote', 'interpret-trailers'],
])
const GIT_LISTS = new Set(['branch', 'tag', 'remote', 'worktree', 'config', 'notes', 'submodule', 'lfs'])
