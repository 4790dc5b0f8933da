/** @jsxImportSource preact */
import { useEffect } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import { isWebAddress, outward } from './address'
import css from './chat.module.css'

/**
 * Sends the visitor to another page once, if the message arrives while they watch; never when an old conversation is
 * shown again. The link remains, since browsers may block a new tab.
 */
export function Redirect(props: { url: string; newTab: boolean; live: boolean; texts: ChatTexts }) {
  const { url, newTab, live, texts } = props
  const goes = isWebAddress(url)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the message arrives
  useEffect(() => {
    if (!live || !goes || document.visibilityState !== 'visible') return
    if (newTab) window.open(url, '_blank', 'noopener,noreferrer')
    else location.assign(url)
  }, [])
  return (
    <div class={css.bubble}>
      <p>
        {texts.goOn}{' '}
        {goes ? (
          <a href={url} {...(newTab ? outward : { rel: outward.rel })}>
            {shown(url)}
          </a>
        ) : (
          url
        )}
      </p>
    </div>
  )
}

/** An address as people read it. */
const shown = (url: string): string => url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
