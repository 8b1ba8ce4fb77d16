// A matrix times the repetitions: every way in which an entry is executed.
import type { MatrixInput } from './schema.ts'

export type Variant = { values: Record<string, string>; repetition: number | null }

/** Axes in the order they are written, the last one changing first. `repeat`: of a flag, goes before that of the matrix. */
export function variantsOf(matrix: MatrixInput | undefined, repeat?: number): Variant[] {
  const { repeat: written, ...axes } = matrix ?? {}
  let all: Record<string, string>[] = [{}]
  for (const [axis, values] of Object.entries(axes))
    all = all.flatMap((one) => [values].flat().map((value) => ({ ...one, [axis]: String(value) })))
  const times = repeat ?? (typeof written === 'number' ? written : 1)
  if (times === 1) return all.map((values) => ({ values, repetition: null }))
  return all.flatMap((values) => Array.from({ length: times }, (_, n) => ({ values, repetition: n + 1 })))
}

/** Puts values of the variant into a command and its environment: `{node}` and `ESPALIER_MATRIX_NODE`. */
export function filledCommand(command: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [axis, value]) => text.replaceAll(`{${axis}}`, value), command)
}

export function variantVariables(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([axis, value]) => [`ESPALIER_MATRIX_${axis.toUpperCase()}`, value]),
  )
}
