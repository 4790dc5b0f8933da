import { loadAccount } from '../../api/account'
import { ApiFailure } from '../../api/failure'

/** How long after a refusal it is asked why. */
const ASK_MS = 2_000

/**
 * A stream of a project's events that also goes on after an answer that is none, which ends a browser's stream for
 * good: it is asked what the account may do now, which takes a screen away that it may not see, and the stream is
 * opened again.
 * @param listen adds what listens, each time
 * @param onOut the account is no longer of the project, or its session has ended
 * @returns ends it
 */
export function openEvents(
  { pgid, url }: { pgid: string; url: string },
  listen: (events: EventSource) => void,
  onOut: () => void,
): () => void {
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
