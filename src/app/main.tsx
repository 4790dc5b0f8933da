import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { handleUnauthenticated } from '../api/client'
import { startI18n } from '../i18n'
import { UiProvider } from '../ui/UiProvider'
import { guardChunks } from './chunkReload'
import { loginPath } from './nextPath'
import { queries } from './queries'
import { router } from './router'
import { leaveUnauthenticated, whenLeaving } from './session'

startI18n()
guardChunks()
whenLeaving((again) => router.navigate(loginPath(again?.next)))
handleUnauthenticated(leaveUnauthenticated)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  </StrictMode>,
)
