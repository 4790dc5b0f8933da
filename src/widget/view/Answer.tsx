/** @jsxImportSource preact */
import { useContext } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import type { BotMessage } from '../types'
import { isWebAddress, outward } from './address'
import css from './attachments.module.css'
import chat from './chat.module.css'
import { Parts } from './lookContext'
import { Words } from './Words'

/** An answer with what it rests on, numbered as in its text. */
export function Answer({ text, sources, texts }: Extract<BotMessage, { kind: 'answer' }> & { texts: ChatTexts }) {
  const parts = useContext(Parts)
  return (
    <>
      <div class={chat.bubble}>
        <Words text={text} />
      </div>
      {parts.sources && sources.length > 0 && (
        <ol class={css.sources} aria-label={texts.sources}>
          {sources.map(({ title, url }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the number is what names a source
            <li key={index}>
              {url && isWebAddress(url) ? (
                <a class={css.source} href={url} title={title} {...outward}>
                  <b>{index + 1}</b>
                  <span>{title}</span>
                </a>
              ) : (
                <span class={css.source} title={title}>
                  <b>{index + 1}</b>
                  <span>{title}</span>
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
