// Whose work is in the bundle, and on which terms: their licences ask for that.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `files`: of node_modules. One part for each package, by name. */
export function licences(files: readonly string[]): string {
  const folders = [...new Set(files.map(packageFolder))].sort()
  return `${INTRODUCTION}\n${folders.map(part).join('\n')}`
}

const INTRODUCTION = 'The JavaScript in this folder contains parts of the following packages.\n'

/** The nearest that has a name: some packages have files of that name in their inner folders, too. */
function packageFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name) return folder
    if (folder === dirname(folder)) throw new Error(`${file} belongs to no package`)
  }
}

function part(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  const words = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${words.join('\n\n')}\n`
}
