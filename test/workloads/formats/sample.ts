// The sample files, under the names that messages about them have.
import { readdirSync, readFileSync } from 'node:fs'
import type { PlanFile } from '../../../src/workloads/plan/translate-format.ts'

const SAMPLES = new URL('./samples/', import.meta.url)

export function sample(file: string): PlanFile {
  return { file, text: readFileSync(new URL(file, SAMPLES), 'utf8') }
}

/** In the order of the names, as they are given to a reader. */
export function sampleFolder(folder: string): PlanFile[] {
  return readdirSync(new URL(`${folder}/`, SAMPLES))
    .sort()
    .map((name) => sample(`${folder}/${name}`))
}
