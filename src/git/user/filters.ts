// Filters (Git LFS, git-crypt and their like) turn what is committed into other bytes on disk by running a program.
// The engine runs none, because an agent could name its own: repositories that depend on one are refused.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Problem, problem } from '../../problem.ts'
import { type GitOptions, git } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'
import { globalFile, type UserConfig } from './config.ts'

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
