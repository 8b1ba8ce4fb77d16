// The parts of a setting: kind of value, default, meaning, and the places that can set it. No code here checks values: that is
// loaded only when a file, a variable or a request is read.

/**
 * Kinds of values. `slots`: a number, for which flags and requests also take `auto`. `other`: see `OTHER_FIELDS` in
 * workloads/settings/settings-file-schema.ts.
 */
export type SettingKind =
  | { type: 'boolean' | 'text' | 'slots' | 'usd' | 'commands' }
  | { type: 'whole'; min: number; max?: number }
  | { type: 'number'; min: number; max: number }
  | { type: 'choice'; of: readonly string[] }
  /** In ms; a name in a settings file has no `Ms` behind it. `never` stands for 0. */
  | { type: 'time'; least?: 'any' | 'positive' | 'never' }
  | { type: 'list'; of: 'text' | 'word' | 'glob' | 'label' | 'variable' }
  | { type: 'other' }

type Flag = {
  /** As `--help` shows it. */
  name: string
  help: string
  /** Commands that have the flag: all in a repository, those that start or continue a run, or `run` alone. */
  of: 'repository' | 'run' | 'start'
  inSearch?: string
}

/** Places besides settings files and the environment. */
type Places = {
  flag?: Flag
  /** A plan can set it. */
  inPlan?: true
  /** A request to start or continue a run can set it. */
  inRequest?: true
  /** No variable of the environment sets it. */
  fileOnly?: true
  /** Takes null although its default is not null. */
  orNull?: true
}

export type Setting<K extends SettingKind = SettingKind, V = unknown, P extends Places = Places> = P & {
  kind: K
  fallback: V
  help: string
}

/** The settings under one name are a group: `landing.verify`. */
export type SettingFields = { [name: string]: Setting | { help?: string; fields: SettingFields } }

type ValueOf<K extends SettingKind> = K extends { type: 'boolean' }
  ? boolean
  : K extends { type: 'text' }
    ? string
    : K extends { type: 'slots' | 'usd' | 'whole' | 'number' | 'time' }
      ? number
      : K extends { type: 'choice'; of: readonly (infer T)[] }
        ? T
        : K extends { type: 'commands' | 'list' }
          ? string[]
          : never

/** Types of these settings in the program. */
export type ValuesOf<F> = {
  -readonly [N in keyof F as F[N] extends Setting<{ type: 'time' }> ? `${N & string}Ms` : N]: F[N] extends Setting<
    SettingKind,
    infer V
  >
    ? V
    : F[N] extends { fields: infer G }
      ? ValuesOf<G>
      : never
}

/** Names of the settings that have this property of `Places`. */
export type NamesWith<F, P extends keyof Places> = {
  [N in keyof F]: F[N] extends { [_ in P]: unknown } ? N : never
}[keyof F]

export function setting<
  const K extends SettingKind,
  D extends ValueOf<K> | null,
  const P extends Places = Record<never, never>,
>(kind: K, fallback: D, help: string, places?: P): Setting<K, ValueOf<K> | Extract<D, null>, P> {
  return { kind, fallback: fallback as never, help, ...(places as P) }
}

export function flag(of: Flag['of'], name: string, help: string): { flag: Flag } {
  return { flag: { of, name, help } }
}

/** A flag of the commands that start or continue a run. `inSearch`: its name in `search run`. */
export function runFlag(name: string, help: string, inSearch?: string): { flag: Flag } {
  return { flag: { of: 'run', name, help, ...(inSearch === undefined ? {} : { inSearch }) } }
}

/** A setting with a form of its own: `OTHER_FIELDS` in workloads/settings/settings-file-schema.ts checks it. */
export function other<V>(fallback: V, help: string): Setting<{ type: 'other' }, V, { fileOnly: true }> {
  return { kind: { type: 'other' }, fallback, help, fileOnly: true }
}

export function isSetting(field: SettingFields[string]): field is Setting {
  return 'kind' in field
}

/** Name of the setting in the program: times end in `Ms`. */
export function valueName(name: string, { kind }: Setting): string {
  return kind.type === 'time' ? `${name}Ms` : name
}

export function defaultsOf<F extends SettingFields>(fields: F): ValuesOf<F> {
  const all = Object.entries(fields).map(([name, field]) =>
    isSetting(field) ? [valueName(name, field), field.fallback] : [name, defaultsOf(field.fields)],
  )
  return Object.fromEntries(all)
}

/** The settings that have this property of `Places`. */
export function settingsWith<F extends SettingFields, P extends keyof Places>(
  fields: F,
  place: P,
): Pick<F, NamesWith<F, P>> {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => place in field)) as Pick<F, NamesWith<F, P>>
}

/** Every setting with its path: `['landing', 'verify']`. */
export function allSettings(
  fields: SettingFields,
  above: readonly string[] = [],
): [path: string[], setting: Setting][] {
  return Object.entries(fields).flatMap(([name, field]): [string[], Setting][] => {
    const path = [...above, name]
    return isSetting(field) ? [[path, field]] : allSettings(field.fields, path)
  })
}
