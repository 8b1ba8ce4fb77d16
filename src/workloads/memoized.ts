/** A function that asks `find` once for each argument. */
export function memoized<In, Out extends object | string>(find: (about: In) => Out): (about: In) => Out {
  const known = new Map<In, Out>()
  return (about) => {
    const found = known.get(about) ?? find(about)
    known.set(about, found)
    return found
  }
}
