/** @jsxImportSource preact */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { drawQr } from '../../../engine/values/qrCode'
import { loadPageTexts, type PageTexts } from '../pageTexts'
import type { ChatTexts } from '../texts'
import { ChatFailure, type PhoneLink } from '../transport'
import { outward } from './address'
import css from './chat.module.css'
import look from './look.module.css'
import { matches } from './matches'

interface OnWhatsappProps {
  texts: ChatTexts
  language: string
  ask: () => Promise<PhoneLink>
}

/**
 * The way to go on at WhatsApp: a button first, then a link that holds for one message, and for some minutes. Who sits
 * at a computer has it as a code for their phone as well.
 */
export function OnWhatsapp({ texts, language, ask }: OnWhatsappProps) {
  const [said, setSaid] = useState<PageTexts | null>(null)
  const [made, setMade] = useState<PhoneLink | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isThere = true
    void loadPageTexts(language, texts).then((loaded) => isThere && setSaid(loaded))
    return () => {
      isThere = false
    }
  }, [language, texts])
  useEffect(() => {
    if (!made) return
    // one that is too old leads nowhere
    const timer = setTimeout(() => setMade(null), Math.max(0, Date.parse(made.expires_at) - Date.now()))
    return () => clearTimeout(timer)
  }, [made])
  const press = async () => {
    setBusy(true)
    setProblem(null)
    try {
      setMade(await ask())
    } catch (failure) {
      setProblem((failure instanceof ChatFailure ? failure.said : null) ?? texts.failedText)
    }
    setBusy(false)
  }
  if (!said) return null
  if (!made)
    return (
      <div class={look.transcript}>
        <button type="button" class={css.quiet} disabled={busy} onClick={() => void press()}>
          {said.toWhatsapp}
        </button>
        {problem && (
          <p class={css.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
    )
  return (
    <section class={look.transcript} aria-label={said.toWhatsapp}>
      <a class={css.primary} href={made.link} {...outward}>
        {said.openWhatsapp}
      </a>
      <button type="button" class={css.quiet} onClick={() => setMade(null)}>
        {texts.cancel}
      </button>
      <p role="status">{said.sendWhatsapp}</p>
      {matches('(hover: hover) and (pointer: fine)') && <Code link={made.link} label={said.scanWhatsapp} />}
    </section>
  )
}

/** Dark on light, whatever the chat's colours are: else phones can't read it. */
function Code({ link, label }: { link: string; label: string }) {
  const { size, path } = useMemo(() => drawQr(link), [link])
  return (
    <figure class={look.code}>
      <svg viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" role="img" aria-label={label}>
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  )
}
