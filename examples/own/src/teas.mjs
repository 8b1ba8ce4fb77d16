export const teas = [
  { name: 'Oolong', cents: 890 },
  { name: 'Sencha', cents: 650 },
  { name: 'Rooibos', cents: 425 },
]
