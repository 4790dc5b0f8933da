import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { handleNoAnswer, handleUnauthenticated } from '../api/client'
import { serverWatch } from '../api/serverWatch'
import { startI18n } from '../i18n'
import { UiProvider } from '../ui/UiProvider'
import { guardChunks } from './chunkReload'
import { fetchLinksAhead } from './fetchAhead'
import { loginPath } from './nextPath'
import { pauseQueriesWhileAway, queries } from './queries'
import { router } from './router'
import { routes } from './routes'
import { ServerAway } from './ServerAway'
import { leaveUnauthenticated, whenLeaving } from './session'

startI18n()
guardChunks()
whenLeaving((again) => router.navigate(loginPath(again?.next)))
handleUnauthenticated(leaveUnauthenticated)
handleNoAnswer(serverWatch.suspect)
pauseQueriesWhileAway(serverWatch)
for (const event of ['online', 'offline']) window.addEventListener(event, serverWatch.suspect)

fetchLinksAhead(routes, { root: document, line: navigator })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <ServerAway />
      </QueryClientProvider>
    </UiProvider>
  </StrictMode>,
)
