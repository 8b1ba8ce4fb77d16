export const shouted = (text) => `${text.toUpperCase()}!`
