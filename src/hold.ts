// A claim that a person holds, so that agents keep out of what they are editing. It is kept in the state folder, outlives
// runs, and ends by itself.

export type Hold = {
  /** Never used again. */
  id: number
  /** Whose it is, for others to read. */
  name: string
  glob: string
  /** In ms since the epoch. */
  since: number
  until: number
}
