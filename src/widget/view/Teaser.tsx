/** @jsxImportSource preact */
import type { ChatTexts } from '../texts'
import type { ChatMessage } from '../types'
import css from './chat.module.css'
import { Avatar } from './Header'
import { Words } from './Words'

/** A chat that begins without being asked: its first words, and the way in. */
export function Teaser(props: {
  name: string
  avatar: string
  style: Record<string, string> | undefined
  texts: ChatTexts
  messages: ChatMessage[]
  onOpen: () => void
}) {
  const { name, avatar, style, texts, messages, onOpen } = props
  const first = messages.map(({ content }) => content).find((content) => content.kind === 'text')
  return (
    <main class={`${css.chat} ${css.notice}`} style={style}>
      <Avatar name={name} image={avatar} />
      <h1>{name}</h1>
      <div class={`${css.bot} ${css.teaser}`} role="status">
        {first && (
          <div class={css.bubble}>
            <Words text={first.text} />
          </div>
        )}
      </div>
      <button type="button" class={css.primary} onClick={onOpen}>
        {texts.openChat}
      </button>
    </main>
  )
}
