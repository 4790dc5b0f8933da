/** @jsxImportSource preact */
import type { Look } from '../types'
import { isShownImage } from './address'
import css from './chat.module.css'
import look from './look.module.css'

/** What stands before the conversation: the logo, the welcome, and what the bot says before its flow does. */
export function Welcome({ look: { brand, texts }, name }: { look: Look; name: string }) {
  const hasLogo = brand.logo !== '' && isShownImage(brand.logo)
  return (
    <>
      {(hasLogo || texts.welcome) && (
        <div class={look.welcome}>
          {hasLogo && <img class={look.logo} src={brand.logo} alt={name} />}
          {texts.welcome && <p>{texts.welcome}</p>}
        </div>
      )}
      {texts.initial_messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be alike
        <div key={index} class={`${css.bot} ${index === 0 ? css.first : ''}`}>
          <div class={css.bubble}>
            <p>{message}</p>
          </div>
        </div>
      ))}
    </>
  )
}
