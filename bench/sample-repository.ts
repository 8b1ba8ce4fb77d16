// A git repository like one that was cloned: one pack of objects, a checkout, the same bytes every time.
import { execFileSync, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { finished } from 'node:stream/promises'

/** `files` files of 1 to 2 KB, ten to a folder, three levels of folders deep. Returns its paths, in order. */
export async function createSampleRepository(dir: string, files: number): Promise<string[]> {
  await mkdir(dir, { recursive: true })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.org')
  git('config', 'gc.auto', '0')
  const paths = Array.from({ length: files }, (_, n) => samplePath(n))
  const importer = spawn('git', ['fast-import', '--quiet'], { cwd: dir, stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    importer.on('error', reject)
    importer.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`git fast-import: ${code}`))))
  })
  const { stdin } = importer
  stdin.write('commit refs/heads/main\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 5\nfirst\n')
  for (const [n, path] of paths.entries()) {
    const text = sampleText(n)
    stdin.write(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
  }
  stdin.end()
  await finished(stdin)
  await ended
  git('reset', '-q', '--hard', 'main')
  return paths
}

export function samplePath(n: number): string {
  const folder = Math.floor(n / 10)
  return `src/area-${folder % 20}/part-${Math.floor(folder / 20) % 10}/unit-${Math.floor(folder / 200)}/file-${n}.ts`
}

const WORDS = 'branch trellis graft prune leaf root bud wall espalier orchard cordon spur fan tier bloom'.split(' ')

function sampleText(n: number): string {
  let state = (n * 2654435761 + 12345) >>> 0
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const lines: string[] = []
  for (let bytes = 1024 + next(1024); bytes > 0; ) {
    const line = `export const ${WORDS[next(WORDS.length)]}${next(1e6)} = '${WORDS[next(WORDS.length)]} ${next(1e9)}'`
    lines.push(line)
    bytes -= line.length + 1
  }
  return `${lines.join('\n')}\n`
}
