import type { ParleyApi } from './api'
import { ask } from './ask'
import { createChat } from './chat'
import { publish } from './publish'
import { fix, frameStyles, styled } from './styles'

const styles = `${frameStyles}:host{display:block;height:600px}@media print{:host{display:none}}`

/** `<parley-chat chatbot="…">`: the chat in the page itself, as large as the page makes it. */
export function defineElement(origin: string): void {
  if (customElements.get('parley-chat')) return
  customElements.define(
    'parley-chat',
    class ParleyChat extends HTMLElement {
      /** what `window.Parley` is, for this chat; null until it is there */
      chat: ParleyApi | null = null
      #isBegun = false

      connectedCallback(): void {
        const chatbot = this.getAttribute('chatbot')
        if (this.#isBegun || !chatbot) return
        this.#isBegun = true
        const shadow = this.attachShadow({ mode: 'closed' })
        styled(shadow, styles)
        void ask(origin, chatbot).then((config) => {
          if (!config) return
          const { api } = createChat(origin, chatbot, config, ({ frame }) => {
            frame.title = config.name
            frame.allow = 'microphone; clipboard-write; autoplay'
            frame.loading = 'lazy'
            shadow.appendChild(frame)
            return { show() {}, unread() {}, hide() {}, remove: () => void this.parentNode?.removeChild(this) }
          })
          this.chat = api
          publish(api)
          api.open()
        })
      }

      disconnectedCallback(): void {
        // moved elsewhere, it comes again at once
        queueMicrotask(() => {
          if (!this.isConnected) this.chat?.destroy()
        })
      }
    },
  )
}

/** The chat in the place of the whole page. */
export function fillPage(origin: string, chatbot: string): void {
  defineElement(origin)
  const element = document.createElement('parley-chat')
  element.setAttribute('chatbot', chatbot)
  fix(element, 'all:initial;display:block;position:fixed;inset:0;height:100dvh;z-index:2147483000')
  document.documentElement.appendChild(element)
}
