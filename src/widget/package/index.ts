import type { ParleyApi } from '../embed/api'

export type { ParleyApi, ParleyEvents } from '../embed/api'
export type { SignedUser, Variables } from '../embed/protocol'

export interface ParleyOptions {
  /** where Parley runs, such as `https://parley.example.com` */
  server: string
  /** the chatbot's external id */
  chatbot: string
  /** a bubble in a corner, unless said */
  kind?: 'bubble' | 'popup' | 'page' | undefined
  /** of the page's Content-Security-Policy */
  nonce?: string | undefined
}

/**
 * Shows a chatbot on the page like the script tag does. It loads the server's own script, which is current whatever
 * version this package has.
 * @returns its API once it is loaded; if the chatbot is not allowed here, the console says why and the promise stays
 * pending
 */
export function loadParley({ server, chatbot, kind, nonce }: ParleyOptions): Promise<ParleyApi> {
  const present = window.Parley
  if (present?.chatbot !== chatbot) {
    const query = new URLSearchParams({ chatbot, ...(kind && { kind }) })
    addScript(`${server}/embed.js?${query}`, nonce)
  }
  window.Parley ??= []
  const { Parley } = window
  return new Promise((done) => Parley.push(done))
}

/** Has `<parley-chat>` work in the page. */
export function defineParleyChat({ server, nonce }: Pick<ParleyOptions, 'server' | 'nonce'>): void {
  if (!customElements.get('parley-chat')) addScript(`${server}/embed.js?kind=inline`, nonce)
}

function addScript(src: string, nonce: string | undefined): void {
  for (const script of document.scripts) if (script.src === src) return
  const script = document.createElement('script')
  script.async = true
  script.src = src
  if (nonce) script.nonce = nonce
  document.head.append(script)
}
