import { h, render } from 'preact'
import { type ChatSession, createChatSession } from './conversation'
import { type ChatTexts, english } from './texts'
import type { ChatTransport, Opened } from './transport'
import type { ChatPage, Look } from './types'
import { ChatView } from './view/ChatView'
import type { ClosedProps } from './view/Closed'
import type { Scheme } from './view/lookStyle'

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
  /** true where it is a part of a page that has landmarks and a title of its own */
  part?: boolean
  /** false leaves the cursor where it is: in a chat that is only looked at */
  takesCursor?: boolean
  /** false keeps the browser where it is: a message that leads elsewhere shows its link alone */
  mayLeave?: boolean
  /** how it looks; left out: as a chat does without a look */
  look?: Look | null
  /** light or dark whatever the look and the system say */
  scheme?: Scheme | null
  /** outside of its hours: what stands where visitors else write */
  closed?: ClosedProps | undefined
  /** what visitors are asked at the end, where the transport can take an answer; left out: nothing */
  survey?: ChatPage['survey']
  /** the language of the texts; English unless said */
  language?: string
  /** a button in the header that closes the chat, where something else stands around it */
  close?: { label: string; run: () => void }
  /** false lets the caller open it by the session */
  opensAtOnce?: boolean
  /** a conversation that the page came with, whose first message stands in the element */
  opened?: Opened | null
}

/** What can be another while the conversation goes on. */
type Drawn = Pick<ChatOptions, 'name' | 'look' | 'scheme' | 'texts' | 'language' | 'closed' | 'survey'>

export interface MountedChat {
  session: ChatSession
  /** draws the same conversation by another name, look, language and so on; what is left out stays */
  draw: (as: Drawn) => void
  /** takes it away */
  unmount: () => void
}

/** Puts a chat into an element, which it fills. */
export function mountChat(element: HTMLElement, options: ChatOptions): MountedChat {
  const session = createChatSession(options.transport)
  if (options.opened) session.take(options.opened, true)
  const { survey: asks } = options.transport
  let drawn: Drawn = options
  const draw = (as: Drawn) => {
    drawn = { ...drawn, ...as }
    const { name, look = null, scheme = null, texts = english, language = 'en', closed, survey } = drawn
    render(
      h(ChatView, {
        session,
        name,
        texts,
        paced: options.paced ?? true,
        header: options.header ?? true,
        takesCursor: options.takesCursor ?? true,
        part: options.part ?? options.header === false,
        mayLeave: options.mayLeave ?? true,
        look,
        scheme,
        language,
        survey: asks && survey ? { ...asks, settings: survey } : undefined,
        closed,
        close: options.close,
      }),
      element,
    )
  }
  draw(options)
  if (!options.opened && (options.opensAtOnce ?? true)) void session.open()
  return {
    session,
    draw,
    unmount() {
      session.close()
      render(null, element)
    },
  }
}
