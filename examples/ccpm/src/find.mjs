export const all = (bookmarks) => bookmarks
