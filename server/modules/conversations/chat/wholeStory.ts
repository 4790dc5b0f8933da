import { messageToString } from '../../../../engine/flow/conversationWords'
import type { Db } from '../../../platform/database/database'
import type { ConversationRef } from '../conversations/conversationRef'
import { readEarlier } from '../runtime/transcript'

/** Messages that are read at once. */
const AT_ONCE = 500
/** Most characters: what every mail server takes. Of a longer conversation the end is kept. */
const MOST_CHARACTERS = 2_000_000
const END = 2_147_483_647
const VISITOR = 2

/**
 * All that was said in a conversation, a text for each message, with who said it: the visitor, the person who answered
 * by the name that the visitor was shown, or else the bot. `cut`: what came before is left out.
 */
export async function readWholeStory(
  db: Db,
  ref: ConversationRef,
  { visitor, bot }: { visitor: string; bot: string },
): Promise<{ lines: string[]; cut: boolean }> {
  const parts: string[][] = []
  let room = MOST_CHARACTERS
  for (let before = END; ; ) {
    const { messages, earlier } = await readEarlier(db, ref, { before, most: AT_ONCE })
    const lines: string[] = []
    for (const { author, sender, content } of messages.toReversed()) {
      const text = messageToString(content)
      if (text === '') continue
      const line = `${author === VISITOR ? visitor : sender || bot}: ${text}`
      room -= line.length
      if (room < 0) break
      lines.push(line)
    }
    parts.push(lines.reverse())
    const [first] = messages
    if (!earlier || !first || room < 0) return { lines: parts.toReversed().flat(), cut: room < 0 }
    before = first.seq
  }
}
