export const bookmarks = [
  { address: 'https://tea.example/', title: 'All about Tea', tags: ['tea'] },
  { address: 'https://milk.example', title: 'Milk', tags: ['tea', 'coffee'] },
]
