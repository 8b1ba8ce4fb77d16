export const rooms = [
  { name: 'Garden', seats: 12 },
  { name: 'Attic', seats: 4 },
]
