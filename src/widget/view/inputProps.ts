import type { ChatTexts } from '../texts'
import type { ChatTransport } from '../transport'
import type { InputRequest, Look, Reply } from '../types'

export interface ComposerProps {
  /** what is asked, or is about to be; null: it is not known yet */
  request: InputRequest | null
  /** names the question: while it is the same, what was entered stays */
  question: string
  /** the bot is still writing: the entered text is kept but hidden, and a disabled line is shown instead */
  hidden: boolean
  refusal: string | null
  busy: boolean
  texts: ChatTexts
  /** what a line says while it is empty, where the question has no words of its own */
  placeholder: string
  /** what a visitor may begin with */
  queries: Look['texts']['queries']
  onSend: (reply: Reply, label: string) => void
  onUpload: ChatTransport['upload']
}

/** What each input is given, with the request that it is for. */
export type InputProps<Input extends InputRequest['input']> = Omit<
  ComposerProps,
  'request' | 'question' | 'placeholder' | 'queries'
> & {
  request: Extract<InputRequest, { input: Input }>
}
