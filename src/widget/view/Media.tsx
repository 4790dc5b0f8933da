/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { FRAME_ALLOWS, FRAME_REFERRER, sandboxOf } from '../../../engine/values/foreignFrame'
import { videoSource } from '../../../engine/values/videoSource'
import type { ChatTexts } from '../texts'
import { isFile, isWebAddress, outward } from './address'
import { Later } from './Later'
import css from './media.module.css'

/** A picture, which may lead somewhere; its words where it can't be loaded. */
export function Picture(props: {
  url: string
  alt: string
  link?: string
  texts: ChatTexts
  class?: string
  /** shown as large as the window at a click, where it leads nowhere */
  enlarges?: boolean
}) {
  const { url, alt, link, texts, enlarges = false } = props
  const [broken, setBroken] = useState(false)
  if (broken || !(isWebAddress(url) || isFile(url))) {
    return <p class={css.broken}>{alt || texts.imageFailed}</p>
  }
  const image = (
    <img class={props.class ?? css.picture} src={url} alt={alt} loading="lazy" onError={() => setBroken(true)} />
  )
  if (!link || !isWebAddress(link)) {
    return enlarges ? (
      <Enlarged url={url} alt={alt} texts={texts}>
        {image}
      </Enlarged>
    ) : (
      image
    )
  }
  return (
    <a href={link} {...outward}>
      {image}
    </a>
  )
}

/** A picture that opens over the chat; Escape and a click close it. */
function Enlarged(props: { url: string; alt: string; texts: ChatTexts; children: ComponentChildren }) {
  const { url, alt, texts, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        class={css.enlarge}
        aria-label={alt ? `${texts.enlarge}: ${alt}` : texts.enlarge}
        onClick={() => dialog.current?.showModal()}
      >
        {children}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself, and there is a button */}
      <dialog ref={dialog} class={css.large} aria-label={alt || texts.enlarge} onClick={() => dialog.current?.close()}>
        <img src={url} alt={alt} loading="lazy" />
        <button type="button" aria-label={texts.close}>
          <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
            <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
          </svg>
        </button>
      </dialog>
    </>
  )
}

interface Recording {
  url: string
  caption: string
  texts: ChatTexts
}

/** A video: the player of the site it comes from, or the file itself. */
export function Video({ url, caption, texts }: Recording) {
  const [broken, setBroken] = useState(false)
  const source = videoSource(url)
  if (source.kind !== 'file') {
    return (
      <Captioned caption={caption}>
        <Frame class={css.video} url={source.embedUrl} title={caption || texts.video} />
      </Captioned>
    )
  }
  if (broken || !(isWebAddress(url) || isFile(url))) return <Unplayable url={url} caption={caption} texts={texts} />
  return (
    <Captioned caption={caption}>
      {/* biome-ignore lint/a11y/useMediaCaption: what an editor links to comes as it is */}
      <video
        class={css.video}
        src={url}
        controls
        playsInline
        preload="metadata"
        aria-label={caption || texts.video}
        onError={() => setBroken(true)}
      />
    </Captioned>
  )
}

const waveform = () => import('./Waveform').then((part) => part.Waveform)

/** A recording: with its shape where it is of this installation, else in the browser's own player. */
export function Audio({ url, caption, texts }: Recording) {
  const [broken, setBroken] = useState(false)
  if (broken || !(isWebAddress(url) || isFile(url))) return <Unplayable url={url} caption={caption} texts={texts} />
  return (
    <Captioned caption={caption}>
      {isFile(url) ? (
        <Later load={waveform} given={{ url, caption, texts, onBroken: () => setBroken(true) }} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what an editor links to comes as it is
        <audio
          class={css.audio}
          src={url}
          controls
          preload="metadata"
          aria-label={caption || texts.audio}
          onError={() => setBroken(true)}
        />
      )}
    </Captioned>
  )
}

/** Another page within the chat. */
export function Embed(props: { url: string; title: string; height: number; texts: ChatTexts }) {
  const { url, title, height, texts } = props
  if (!isWebAddress(url)) return <p class={css.broken}>{title || texts.mediaFailed}</p>
  return (
    <div class={css.embed}>
      <Frame class={css.page} url={url} title={title || new URL(url).hostname} height={height} />
      <a class={css.below} href={url} {...outward}>
        {texts.openIt}
      </a>
    </div>
  )
}

/** A foreign page in a sandbox. */
function Frame({ url, title, height, ...rest }: { url: string; title: string; height?: number; class?: string }) {
  const own = URL.canParse(url) && new URL(url).origin === location.origin
  return (
    <iframe
      class={rest.class}
      src={url}
      title={title}
      height={height}
      loading="lazy"
      sandbox={sandboxOf(own)}
      allow={FRAME_ALLOWS}
      referrerpolicy={FRAME_REFERRER}
    />
  )
}

function Captioned({ caption, children }: { caption: string; children: ComponentChildren }) {
  return (
    <figure class={css.figure}>
      {children}
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  )
}

function Unplayable({ url, caption, texts }: Recording) {
  return (
    <p class={css.broken}>
      {caption && <>{caption}. </>}
      {texts.mediaFailed}{' '}
      {isWebAddress(url) && (
        <a href={url} {...outward}>
          {texts.openIt}
        </a>
      )}
    </p>
  )
}
