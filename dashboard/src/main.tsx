import './styles/theme.css'
import './styles/base.css'
import './styles/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { openData } from './data/source.ts'

const place = document.getElementById('app')
if (place) {
  const data = await openData()
  createRoot(place).render(
    <StrictMode>
      <App data={data} />
    </StrictMode>,
  )
}
