// Commands that change something outside of the worktree: a registry, a server, a database, the machine.
import { changesHistory } from './git-effects.ts'
import { onlyTells } from './only-tells.ts'
import { operandsOf, programOf } from './operands.ts'
import { changesData, writesOutside } from './outside-writes.ts'
import { scriptsOf } from './real-command.ts'
import { isPublishing } from './script-names.ts'

/** `words`: of a real command. What it does, behind "it"; null where it is nothing of this. */
export function outsideEffect(words: readonly string[]): string | null {
  if (writesOutside(words)) return OUTSIDE
  if (programOf(words) === 'git') return changesHistory(words) ? 'changes what git keeps, here or elsewhere' : null
  return changesOutside(words) || changesData(words) ? OUTSIDE : null
}

const OUTSIDE = 'changes something outside of the worktree'

function changesOutside(words: readonly string[]): boolean {
  const name = programOf(words)
  if (ELSEWHERE.has(name)) return true
  if (onlyTells(words)) return false
  const operands = operandsOf(words)
  if (ALWAYS.has(name)) return true
  if (name === 'rm' || name === 'mv') return operands.some((word) => /^(?:\/|~|\$\{?HOME|\.\.(?:\/|$))/.test(word))
  if (name === 'curl') return sends(words)
  if (CLOUDS.has(name)) return !looksAtCloud(words)
  if (name === 'docker' && words.includes('--push')) return true
  if (scriptsOf(words).some(isPublishing)) return true
  if (name === 'mvn' || name === 'gradle') return operands.some((goal) => PUBLISHING_GOAL.test(goal))
  // A blank behind each word, so that only whole words are compared.
  const said = operands.map((word) => `${word} `).join('')
  const reads = ONLY_READS.get(name)
  if (reads) return (said !== '' || name === DEPLOYS_ALONE) && !reads.test(said)
  return (CHANGES.get(name)?.test(said) ?? false) && !/:(?:status|list|version|show|check)$/.test(operands[0] ?? '')
}

/** What is run as somebody else or on another machine, whatever it is. */
const ELSEWHERE = new Set(['sudo', 'su', 'doas', 'ssh', 'scp', 'sftp'])

/** Whatever is said behind them. */
const ALWAYS = new Set(
  (
    'rsync heroku apt apt-get brew systemctl service launchctl crontab pkill killall shutdown reboot ' +
    'dropdb createdb pg_restore semantic-release changeset-publish np release-it ansible-playbook gh-pages surge'
  ).split(' '),
)

/** Without a word behind it, too: `vercel --prod`. */
const DEPLOYS_ALONE = 'vercel'

/** `curl -X POST`. */
function sends(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const method = /^(?:-\w*X|--request=?)(.*)$/.exec(word)?.[1]
    return method !== undefined && /^(?:POST|PUT|PATCH|DELETE)$/i.test(method || (words[at + 1] ?? ''))
  })
}

const CLOUDS = new Set(['aws', 'az', 'gcloud', 'gsutil', 'doctl'])

/** `az bicep build`, `aws s3 ls`: what they are told to do comes before all flags, at no place of its own. */
function looksAtCloud(words: readonly string[]): boolean {
  const end = words.findIndex((word) => word.startsWith('-'))
  const said = words.slice(1, end < 0 ? undefined : end)
  return said.some((word) => LOOKS.test(word)) && !said.some((word) => TOUCHES.test(word))
}

const LOOKS = /^(?:ls|list|show|describe|get|head|validate|lint|build|version)(?:-|$)/
const TOUCHES = /^(?:rm|mv|cp|sync|set|add|put|start|stop|delete|remove|create|update|deploy|apply|submit|reset)(?:-|$)/

/** `deploy`, `release:perform` and `:api:publishToMavenLocal`; but not `:publish-api:test`. */
const PUBLISHING_GOAL = /^(?:site-)?deploy$|^release:|(?:^|:)(?:publish(?:$|[A-Z])|deploy(?:-file)?$|uploadArchives$)/

/** Programs that mostly change something: what only reads is named. */
const ONLY_READS = new Map<string, RegExp>([
  ['gh', /^(?:status |\S+ (?:view|list|status|diff|checks) )/],
  [
    'kubectl',
    /^(?:get|describe|logs|version|explain|diff|kustomize|wait|top|events|api-resources|cluster-info|config (?:view|current-context|get-\w+)|rollout (?:status|history)|auth can-i) /,
  ],
  [
    'helm',
    /^(?:lint|template|unittest|show|get|list|ls|version|dependency|dep|package|status|history|search|env|verify|diff) /,
  ],
  [
    'terraform',
    /^(?:validate|fmt|plan|show|version|providers|graph|init|output|test|get|console|(?:state|workspace) (?:list|show)) /,
  ],
  ['pulumi', /^(?:preview|version|about|stack (?:ls|output)) /],
  [
    'docker',
    /^(?:build|buildx|run|exec|ps|images|inspect|version|info|logs|history|(?:image|container|volume|network|manifest|context|builder|system) (?:build|run|exec|ls|list|inspect|logs|history|show|df|info)|compose (?:config|build|ps|ls|run|exec|logs|images|version|top|port)) /,
  ],
  ['vercel', /^(?:build|ls|list|inspect) /],
  ['fly', /^(?:status|version|logs|config (?:validate|show)) /],
  ['railway', /^(?:status|logs|list|whoami|version) /],
  ['twine', /^check /],
])

const REGISTRY = String.raw`publish|unpublish|login|logout|adduser|deprecate|dist-tag|owner|link|version (?:major|minor|patch|pre\w*|\d\S*)`

/** Programs that mostly do not: what changes something is named. */
const CHANGES = new Map<string, RegExp>([
  ...'npm pnpm yarn bun cargo poetry uv lerna vsce ovsx hatch flit'
    .split(' ')
    .map((name): [string, RegExp] => [name, new RegExp(`^(?:npm )?(?:${REGISTRY}) `)]),
  ['changeset', /^(?:publish|version) /],
  ['gem', /^(?:push|yank|install) /],
  ['cdk', /^(?:deploy|destroy|bootstrap) /],
  ['sam', /^(?:deploy|delete|sync) /],
  ['serverless', /^(?:deploy|remove) /],
  ['netlify', /^(?:deploy|link|env) /],
  ['firebase', /^(?:deploy|functions:delete|login) /],
  ...'anchor convex cap goreleaser eb amplify ampx copilot sst kamal modal shopify deployctl hardhat truffle cdktf'
    .split(' ')
    .map((name): [string, RegExp] => [name, /(?:^| )(?:deploy|publish|release|remove|destroy)[: ]/]),
  ['eas', /^(?:submit|build|update|deploy) /],
  ['dotnet', /^(?:ef database (?:update|drop)|nuget (?:push|delete)) /],
  ['dotnet-ef', /^database (?:update|drop) /],
  [
    'wrangler',
    /^(?:deploy|publish|secret|delete|pages (?:deploy|publish)|versions (?:upload|deploy)|d1 migrations apply|d1 execute) /,
  ],
  ['prisma', /^(?:migrate (?:reset|deploy|dev|resolve)|db (?:push|seed|execute)) /],
  ['alembic', /^(?:upgrade|downgrade|stamp) /],
  ['drizzle-kit', /^(?:push|migrate|drop) /],
  ['knex', /^(?:migrate|seed):/],
  ['sequelize', /^db:/],
  ['typeorm', /^(?:migration:(?:run|revert)|schema:(?:sync|drop)) /],
  ['supabase', /^(?:db (?:reset|push)|functions deploy|link|start|stop|migration (?:up|repair)) /],
  ['flyway', /^(?:migrate|clean|repair|baseline|undo) /],
  ['diesel', /^(?:migration (?:run|revert|redo)|database (?:reset|setup|drop)) /],
  ['rails', /^db:/],
  ['rake', /^db:/],
  ['artisan', /^(?:migrate(?::\S+)?|db:\S+) /],
  ['manage.py', /^(?:migrate|flush|loaddata|reset_db|createsuperuser|collectstatic) /],
  ['mix', /^ecto\.(?:migrate|drop|create|reset|rollback) /],
])
