/** The plan that `run` takes and `init` writes where no other is named. */
export const DEFAULT_PLAN = 'espalier.yaml'
