/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import type { Look } from '../types'
import { isShownImage } from './address'
import css from './chat.module.css'
import { initial } from './initial'

/** Who one talks to, and the way to begin again. */
export function Header(props: {
  name: string
  title: 'h1' | 'h2'
  look: Look | null
  texts: ChatTexts
  /** null: a conversation can't be begun now */
  onRestart: (() => void) | null
  /** closes the chat, where something else stands around it */
  close?: { label: string; run: () => void } | undefined
}) {
  const { name, title: Title, look, texts, onRestart, close } = props
  const title = look?.texts.header_title
  return (
    <header class={css.header}>
      <Avatar name={name} image={look?.brand.avatar ?? ''} />
      <div class={css.titles}>
        <Title class={css.name}>{title || name}</Title>
        {title && <p class={css.subtitle}>{name}</p>}
      </div>
      {onRestart && <Restart texts={texts} onRestart={onRestart} />}
      {close && <CloseButton {...close} />}
    </header>
  )
}

export const CloseButton = ({ label, run }: { label: string; run: () => void }) => (
  <button type="button" class={css.quiet} aria-label={label} onClick={run}>
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d="M6 6l12 12M18 6L6 18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
    </svg>
  </button>
)

/** The chatbot's picture, or its initial. */
export function Avatar({ name, image, class: more = '' }: { name: string; image: string; class?: string | undefined }) {
  const [broken, setBroken] = useState('')
  if (image && image !== broken && isShownImage(image)) {
    return <img class={`${css.avatar} ${more}`} src={image} alt="" onError={() => setBroken(image)} />
  }
  return (
    <span class={`${css.avatar} ${more}`} aria-hidden="true">
      {initial(name)}
    </span>
  )
}

function Restart({ texts, onRestart }: { texts: ChatTexts; onRestart: () => void }) {
  const [asking, ask] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useLayoutEffect(() => {
    if (asking) cancel.current?.focus()
    else if (wasAsking.current) opener.current?.focus()
    wasAsking.current = asking
  }, [asking])
  if (!asking) {
    return (
      <button ref={opener} type="button" class={css.quiet} onClick={() => ask(true)}>
        {texts.restart}
      </button>
    )
  }
  return (
    <div
      class={css.confirm}
      role="alertdialog"
      aria-label={texts.restartConfirm}
      onKeyDown={({ key }) => key === 'Escape' && ask(false)}
    >
      <span>{texts.restartConfirm}</span>
      <div class={css.answers}>
        <button ref={cancel} type="button" class={css.quiet} onClick={() => ask(false)}>
          {texts.cancel}
        </button>
        <button
          type="button"
          class={css.quiet}
          onClick={() => {
            ask(false)
            onRestart()
          }}
        >
          {texts.restart}
        </button>
      </div>
    </div>
  )
}
