import { inboxEvents } from '../../server/contracts/inbox'
import { loadAccount } from './account'
import { pathOf } from './client'
import { ApiFailure } from './failure'

/** How long after a refusal it is asked why. */
const ASK_MS = 2_000

/** Of this page: a stream takes the place of the one before of the same page. */
const TAB = crypto.randomUUID().replaceAll('-', '')

/**
 * The stream of a project's inbox that also goes on after an answer that is none, which ends a browser's stream for
 * good: it is asked what the account may do now, which takes a screen away that it may not see, and the stream is
 * opened again.
 * @param listen adds what listens, each time
 * @param onOut the account is no longer of the project, or its session has ended
 * @returns ends it
 */
export function openEvents(pgid: string, listen: (events: EventSource) => void, onOut: () => void): () => void {
  const url = `${pathOf(inboxEvents.path, { pgid })}?tab=${TAB}`
  let events: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let isEnded = false
  const ask = () =>
    loadAccount({ pgid }, true).then(open, (failure) => {
      if (isEnded) return
      const status = failure instanceof ApiFailure ? failure.status : undefined
      if (status === 401 || status === 403 || status === 404) return onOut()
      timer = setTimeout(ask, ASK_MS)
    })
  function open(): void {
    if (isEnded) return
    events = new EventSource(url)
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(ask, ASK_MS)
    })
    listen(events)
  }
  open()
  return () => {
    isEnded = true
    clearTimeout(timer)
    events.close()
  }
}
