/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { PendingMessage } from '../conversation'
import type { ChatTexts } from '../texts'
import type { ChatMessage } from '../types'
import css from './chat.module.css'

const USER = 2

/** Messages in order; runs of one author stand together. */
export function MessageList(props: {
  messages: ChatMessage[]
  pending: PendingMessage | null
  texts: ChatTexts
  onRetry: () => void
}) {
  const { messages, pending, texts, onRetry } = props
  return (
    <>
      {messages.map((message, index) => {
        const starts = messages[index - 1]?.author !== message.author
        return (
          <div key={message.seq} class={`${message.author === USER ? css.user : css.bot} ${starts ? css.first : ''}`}>
            <Content content={message.content} texts={texts} />
          </div>
        )
      })}
      {pending && (
        <div class={`${css.user} ${css.first} ${pending.failed ? '' : css.sending}`}>
          <div class={css.bubble}>
            <p>{pending.label}</p>
          </div>
          {pending.failed && (
            <p class={css.failed} role="alert">
              {texts.notSent}{' '}
              <button type="button" class={css.link} onClick={onRetry}>
                {texts.retry}
              </button>
            </p>
          )}
        </div>
      )}
    </>
  )
}

function Content({ content, texts }: { content: ChatMessage['content']; texts: ChatTexts }) {
  if (content.kind === 'image') return <Picture {...content} texts={texts} />
  return (
    <div class={css.bubble}>
      {content.text.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a message never change
        <p key={index}>
          {paragraph.children.map((leaf, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: likewise
            <Leaf key={position} leaf={leaf} />
          ))}
        </p>
      ))}
    </div>
  )
}

type TextLeaf = Extract<ChatMessage['content'], { kind: 'text' }>['text'][number]['children'][number]

function Leaf({ leaf }: { leaf: TextLeaf }) {
  let node = <>{leaf.text}</>
  if (leaf.bold) node = <strong>{node}</strong>
  if (leaf.italic) node = <em>{node}</em>
  if (leaf.underline) node = <u>{node}</u>
  if (!leaf.link || !isWebAddress(leaf.link)) return node
  return (
    <a href={leaf.link} target="_blank" rel="noopener noreferrer nofollow">
      {node}
    </a>
  )
}

function Picture({ url, alt, link, texts }: { url: string; alt: string; link?: string; texts: ChatTexts }) {
  const [broken, setBroken] = useState(false)
  if (broken || !(isWebAddress(url) || isFile(url))) {
    return <p class={css.broken}>{alt || texts.imageFailed}</p>
  }
  const image = <img class={css.picture} src={url} alt={alt} loading="lazy" onError={() => setBroken(true)} />
  if (!link || !isWebAddress(link)) return image
  return (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow">
      {image}
    </a>
  )
}

/** Addresses come out of variables too: nothing but the web is ever linked. */
const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value)

/** Uploaded to the installation that the chat runs on. */
const isFile = (value: string): boolean => /^\/files\/[a-z0-9]{16}$/.test(value)
