/** @jsxImportSource preact */
import type { ChatTexts } from '../texts'
import type { Look } from '../types'
import { isLinkable, isWebAddress, outward } from './address'
import css from './look.module.css'

/** Below the composer: a line of the chatbot's owner, links, and whose product it is. */
export function Footer({ look: { texts: own, parts }, texts }: { look: Look; texts: ChatTexts }) {
  const links = own.footer_links.filter(({ url }) => isLinkable(url))
  if (!own.footer && links.length === 0 && !parts.branding) return null
  return (
    <footer class={css.footer}>
      {own.footer && <span>{own.footer}</span>}
      {links.map(({ label, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two links may be alike
        <a key={index} href={url} {...(isWebAddress(url) && outward)}>
          {label}
        </a>
      ))}
      {parts.branding && <span class={css.branding}>{texts.poweredBy}</span>}
    </footer>
  )
}
