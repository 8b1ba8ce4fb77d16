/** Numbers from 0 to 1, without 1. */
export function random(seed) {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
