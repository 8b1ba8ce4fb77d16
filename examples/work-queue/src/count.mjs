export const count = (text) => text.split(/\s+/).filter((word) => word !== '').length
