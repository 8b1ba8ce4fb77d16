/** In millilitres. */
export const units = { ml: 1, l: 1000, cup: 240, spoon: 15 }
