/** @jsxImportSource preact */

import type { Look } from '../types'
import { Closed, type ClosedProps } from './Closed'
import css from './chat.module.css'
import { Avatar, CloseButton } from './Header'
import { useLookStyle } from './lookContext'
import page from './page.module.css'

type Close = Parameters<typeof CloseButton>[0]

/** A chatbot outside its opening hours, for visitors without a conversation to read; `close` if it is embedded. */
export function ClosedPage({
  name,
  look,
  close,
  ...closed
}: ClosedProps & { name: string; look: Look; close: Close | null }) {
  return (
    <main class={`${css.chat} ${page.alone}`} style={useLookStyle(look)}>
      <header class={css.header}>
        <Avatar name={name} image={look.brand.avatar} />
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
