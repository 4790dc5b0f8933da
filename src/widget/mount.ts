import { h, render } from 'preact'
import { type ChatSession, createChatSession } from './conversation'
import { type ChatTexts, english } from './texts'
import type { ChatTransport } from './transport'
import { ChatView } from './view/ChatView'

export interface ChatOptions {
  transport: ChatTransport
  /** the chatbot's name, in the header */
  name: string
  /** in English unless said */
  texts?: ChatTexts
  /** false shows every message at once (tests, people who step through a flow) */
  paced?: boolean
  /** false leaves the header out, where the surroundings have one */
  header?: boolean
  /** false keeps the browser where it is: a message that leads elsewhere shows its link alone */
  mayLeave?: boolean
  /** false lets the caller open it by the session */
  opensAtOnce?: boolean
}

/** Puts a chat into an element, which it fills. `unmount` takes it away; `session` is its state. */
export function mountChat(element: HTMLElement, options: ChatOptions): { session: ChatSession; unmount: () => void } {
  const session = createChatSession(options.transport)
  render(
    h(ChatView, {
      session,
      name: options.name,
      texts: options.texts ?? english,
      paced: options.paced ?? true,
      header: options.header ?? true,
      mayLeave: options.mayLeave ?? true,
    }),
    element,
  )
  if (options.opensAtOnce ?? true) void session.open()
  return {
    session,
    unmount() {
      session.close()
      render(null, element)
    },
  }
}
