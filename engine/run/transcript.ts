import { charge } from '../budget'
import type { BotMessage, InputRequest, Reply } from '../flow/conversation'
import { messageToString, replyWords } from '../flow/conversationWords'
import { cleanText } from '../values/cleanText'
import { printValue } from '../values/render'
import { TRANSCRIPT } from '../values/systemVariables'
import type { VariableStore } from './variables'

/** The most characters; of a longer conversation the end is kept. */
const LONGEST = 30_000

/**
 * The transcript since the variable was last written. It is written when a block reads it, and at the end of a turn.
 */
export class TranscriptWriter {
  private readonly lines: string[] = []

  constructor(private readonly isKept: boolean) {}

  visitor(reply: Reply, request: InputRequest | null): void {
    if (this.isKept) this.add('Visitor', replyWords(reply, request))
  }

  bot(message: BotMessage): void {
    if (this.isKept) this.add('Bot', messageToString(message))
  }

  /** Appends new lines to the variable. */
  write(variables: VariableStore): void {
    if (this.lines.length === 0) return
    const before = printValue(variables.present[TRANSCRIPT])
    const whole = [...(before === '' ? [] : [before]), ...this.lines.splice(0)].join('\n')
    charge(whole.length)
    variables.set(TRANSCRIPT, endOf(whole), true)
  }

  private add(side: string, words: string): void {
    if (words.trim() === '') return
    charge(words.length)
    this.lines.push(`${side}: ${words}`)
  }
}

/** Starts at the beginning of a line if possible. */
function endOf(text: string): string {
  if (text.length <= LONGEST) return text
  const end = text.slice(-LONGEST)
  return cleanText(end.slice(end.indexOf('\n') + 1))
}
