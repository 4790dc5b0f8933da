/** @jsxImportSource preact */

import { Closed, type ClosedProps } from './Closed'
import css from './chat.module.css'
import { CloseButton } from './Header'
import { initial } from './initial'
import page from './page.module.css'

type Close = Parameters<typeof CloseButton>[0]

/** A chatbot outside its opening hours, for visitors without a conversation to read; `close` if it is embedded. */
export function ClosedPage({ name, close, ...closed }: ClosedProps & { name: string; close: Close | null }) {
  return (
    <main class={`${css.chat} ${page.alone}`}>
      <header class={css.header}>
        <span class={css.avatar} aria-hidden="true">
          {initial(name)}
        </span>
        <div class={css.titles}>
          <h1 class={css.name}>{name}</h1>
        </div>
        {close && <CloseButton {...close} />}
      </header>
      <div class={page.middle}>
        <Closed {...closed} />
      </div>
    </main>
  )
}
