import { createElement, useEffect, useRef } from 'react'
import { defineParleyChat, loadParley, type ParleyApi, type ParleyOptions } from './index'

export interface ParleyBubbleProps extends ParleyOptions {
  /** told once the chat is there */
  onReady?: (chat: ParleyApi) => void
}

/** A chatbot beside the page, for as long as this is rendered. */
export function ParleyBubble({ server, chatbot, kind, nonce, onReady }: ParleyBubbleProps): null {
  const told = useRef(onReady)
  told.current = onReady
  useEffect(() => {
    let api: ParleyApi | null = null
    let isGone = false
    void loadParley({ server, chatbot, kind, nonce }).then((chat) => {
      api = chat
      // rendered no more before it was there
      if (isGone) chat.destroy()
      else told.current?.(chat)
    })
    return () => {
      isGone = true
      api?.destroy()
    }
  }, [server, chatbot, kind, nonce])
  return null
}

export interface ParleyChatProps extends Pick<ParleyOptions, 'server' | 'chatbot' | 'nonce'> {
  className?: string
}

/** A chatbot as a part of the page. */
export function ParleyChat({ server, chatbot, nonce, className }: ParleyChatProps) {
  useEffect(() => defineParleyChat({ server, nonce }), [server, nonce])
  return createElement('parley-chat', { key: chatbot, chatbot, class: className })
}
