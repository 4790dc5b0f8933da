import type { z } from 'zod'
import type { ChatPage, Conversation, startConversation } from './chat'

/** The chat's own texts in one language; the keys are those of src/widget/texts.ts. */
export interface SpokenTexts {
  language: string
  dir: 'ltr' | 'rtl'
  texts: Readonly<Record<string, string>>
}

/** A conversation that began with the page that shows it, and whose it is from now on. */
export interface BegunChat extends Pick<z.infer<(typeof startConversation)['answer']>, 'token' | 'conversation'> {
  visitor: string
  visit: string
}

/** What the page in a frame has in it, as JSON, so that it asks for nothing before it shows something. */
export interface GivenPage {
  page: ChatPage
  spoken: SpokenTexts
  /** null: the page asks for a conversation itself */
  begun: BegunChat | null
}

/**
 * What the built program `firstView.js` (src/widget/firstView.tsx) offers the server: the chat as the browser draws it
 * at first, by the same components.
 */
export interface FirstView {
  /** the chat's texts as its page would choose them. @param language the browser's */
  speak(page: ChatPage, language: string): Promise<SpokenTexts>
  /**
   * @param close the words of the button that closes the chat; null: there is none
   * @returns HTML, without scripts, and a style for those whose system is dark
   */
  draw(given: { page: ChatPage; spoken: SpokenTexts; conversation: Conversation; close: string | null }): {
    html: string
    darkStyle: string
  }
}
