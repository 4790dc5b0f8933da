import type { ParleyApi, QueuedCall } from './api'

/** Makes a chat the page's `Parley`, unless another one is, and carries out what was asked for before. */
export function publish(api: ParleyApi): void {
  const present = window.Parley
  if (present?.chatbot && (present.chatbot !== api.chatbot || !Array.isArray(present))) return
  const carryOut = (calls: readonly QueuedCall[]) => {
    for (let n = 0; n < calls.length; n++) {
      const call = calls[n] as QueuedCall
      if (typeof call === 'function') call(api)
      else {
        const method: unknown = api[call[0] as keyof ParleyApi]
        if (typeof method === 'function') method.apply(api, call.slice(1))
      }
    }
  }
  window.Parley = { ...api, push: (...calls) => carryOut(calls) }
  if (Array.isArray(present)) carryOut(present)
  api.on('destroy', () => {
    if (window.Parley?.chatbot === api.chatbot) delete window.Parley
  })
}
