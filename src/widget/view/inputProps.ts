import type { ChatTexts } from '../texts'
import type { ChatTransport } from '../transport'
import type { InputRequest, Reply } from '../types'

export interface ComposerProps {
  /** what is asked, or is about to be; null: it is not known yet */
  request: InputRequest | null
  /** names the question: while it is the same, what was entered stays */
  question: string
  /** the bot is still saying something: what was entered stays, out of sight, and a line that takes nothing stands for it */
  hidden: boolean
  refusal: string | null
  busy: boolean
  texts: ChatTexts
  onSend: (reply: Reply, label: string) => void
  onUpload: ChatTransport['upload']
}

/** What each input is given, with the request that it is for. */
export type InputProps<Input extends InputRequest['input']> = Omit<ComposerProps, 'request' | 'question'> & {
  request: Extract<InputRequest, { input: Input }>
}
