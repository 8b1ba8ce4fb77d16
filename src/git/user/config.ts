// Parts of the user's git configuration that change what we do.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type Problem, problem } from '../../problem.ts'
import { type GitOptions, git } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'

/** Keys in lower case, as git prints them; the last value wins. */
export type UserConfig = ReadonlyMap<string, string>

export function parseConfig(output: Buffer): UserConfig {
  const records = output
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
  const settings = records.map((record): [string, string] => {
    const [key = '', ...value] = record.split('\n')
    // A key without `=` means true.
    return [key, value.length === 0 ? 'true' : value.join('\n')]
  })
  return new Map(settings)
}

export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|[1-9]\d*)$/i.test(value)
}

const CHECKOUT_KEY = /^core\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|protecthfs|protectntfs)$/

/** Settings that decide how a file looks on disk. A checkout of ours must look like the user's. */
export function checkoutSettings(config: UserConfig): Record<string, string> {
  const settings = [...config].filter(([key]) => CHECKOUT_KEY.test(key))
  return Object.fromEntries(settings.map(([key, value]) => [key.slice('core.'.length), value]))
}

/** A file of git in the home folder that applies unless the configuration names another. */
export async function globalFile(config: UserConfig, key: string, name: string): Promise<string> {
  const home = process.env.HOME ?? homedir()
  const named = config.get(key)?.replace(/^~(?=\/)/, home)
  const path = named ?? join(process.env.XDG_CONFIG_HOME || join(home, '.config'), 'git', name)
  if (!isAbsolute(path)) return ''
  return readFile(path, 'utf8').catch(() => '')
}

export function configLine(key: string, value: string): string {
  const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `\t${key} = "${quoted}"\n`
}

// Filters (Git LFS, git-crypt and their like) turn what is committed into other bytes on disk by running a program.
// The engine runs none, because an agent could name its own: repositories that depend on one are refused.

export async function findFilters(
  attributes: readonly Line[],
  commonDir: string,
  config: UserConfig,
): Promise<{ problems: Problem[]; warnings: Problem[] }> {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const found = [...attributes, ...(await localAttributes(commonDir))]
  for (const { file, line, text } of found) {
    const name = filterIn(text)
    if (name === null || !matters(name, config)) continue
    const what = name === 'lfs' ? 'Git LFS' : `the git filter "${name}"`
    const message = `Files are kept by ${what} here, which Espalier does not run in its worktrees yet. Use a repository or branch without it.`
    problems.push(problem(message, { file, line }))
  }
  for (const text of (await globalFile(config, 'core.attributesfile', 'attributes')).split('\n')) {
    const name = filterIn(text)
    if (name === null || !matters(name, config)) continue
    const message = `Your global git attributes use the filter "${name}"; it does not run on the work of agents.`
    warnings.push(problem(message, { severity: 'warning' }))
  }
  return { problems: problems.slice(0, 10), warnings: warnings.slice(0, 10) }
}

type Line = { file: string; line: number; text: string }

export async function filterAttributes(user: GitOptions): Promise<Line[]> {
  const args = ['grep', '-z', '-n', '-F', '--no-color', '--no-column', '--no-heading', '--no-break', '--full-name']
  const { stdout } = await git([...args, '-e', 'filter=', 'HEAD', '--', ':(top,glob)**/.gitattributes'], {
    ...user,
    okCodes: [0, 1],
  })
  // HEAD:<path>NUL<line>NUL<text>
  return stdout
    .toString('latin1')
    .split('\n')
    .flatMap((match) => {
      const [file, line, ...text] = match.split('\0')
      if (file === undefined || line === undefined) return []
      return [{ file: readable(file.replace(/^HEAD:/, '')), line: Number(line), text: text.join('') }]
    })
}

async function localAttributes(commonDir: string): Promise<Line[]> {
  const text = await readFile(join(commonDir, 'info', 'attributes'), 'utf8').catch(() => '')
  return text.split('\n').map((line, index) => ({ file: '.git/info/attributes', line: index + 1, text: line }))
}

function filterIn(text: string): string | null {
  if (/^\s*#/.test(text)) return null
  return /\sfilter=(\S+)/.exec(text)?.[1] ?? null
}

/** An attribute without its driver does nothing for the user either. No task wants to see pointers of LFS. */
function matters(name: string, config: UserConfig): boolean {
  return name === 'lfs' || ['clean', 'smudge', 'process'].some((kind) => config.has(`filter.${name}.${kind}`))
}
