/** @jsxImportSource preact */

import { Closed, type ClosedProps } from './Closed'
import css from './chat.module.css'
import { initial } from './initial'
import page from './page.module.css'

/** A shared page outside of its hours, for who has no conversation to read. */
export function ClosedPage({ name, ...closed }: ClosedProps & { name: string }) {
  return (
    <main class={`${css.chat} ${page.alone}`}>
      <header class={css.header}>
        <span class={css.avatar} aria-hidden="true">
          {initial(name)}
        </span>
        <h1 class={css.name}>{name}</h1>
      </header>
      <div class={page.middle}>
        <Closed {...closed} />
      </div>
    </main>
  )
}
