/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string'
import type { FirstView } from '../../server/contracts/firstView'
import { createChatSession } from './conversation'
import { withOwnTexts } from './ownTexts'
import { type ChatTexts, loadTexts } from './texts'
import { ChatFailure, type ChatTransport } from './transport'
import { ChatView } from './view/ChatView'
import { lookStyle } from './view/lookStyle'

/**
 * The chat as the browser draws it at first, for the server, which puts it into the page: by the same components, so
 * that the page's script takes it over as it stands. Built as a program of its own.
 */
const firstView: FirstView = {
  speak: async ({ language, texts }, browsers) =>
    withOwnTexts(await loadTexts(language === 'auto' ? browsers : language), texts),

  draw({ page: { name, look }, spoken, conversation, close }) {
    const session = createChatSession(nothing)
    session.take({ conversation, resumed: false }, true)
    const html = renderToString(
      <ChatView
        session={session}
        name={name}
        texts={spoken.texts as ChatTexts}
        paced
        header
        part={false}
        takesCursor={false}
        mayLeave={false}
        // the time of day is the browser's, and what is copied goes to its clipboard
        look={{ ...look, parts: { ...look.parts, times: false, copy: false } }}
        scheme={look.colours.scheme === 'dark' ? 'dark' : 'light'}
        language={spoken.language}
        close={close === null ? undefined : { label: close, run() {} }}
      />,
    )
    if (look.colours.scheme !== 'system') return { html, darkStyle: '' }
    const rules = Object.entries(lookStyle(look, 'dark')).map(([name, value]) => `${name}:${value}!important`)
    // no value of a look has one (server/contracts/web/look.ts); a style would end there
    const safe = rules.filter((rule) => !/[<{}]/.test(rule))
    return { html, darkStyle: `@media (prefers-color-scheme:dark){#chat>*{${safe.join(';')}}}` }
  },
}

/** Nothing is sent before the page's own script is there. */
const refuse = () => Promise.reject(new ChatFailure('offline', 'Drawn on the server'))
const nothing: ChatTransport = {
  open: refuse,
  send: refuse,
  restart: refuse,
  upload: refuse,
  listen: () => () => {},
}

export const { speak, draw } = firstView
