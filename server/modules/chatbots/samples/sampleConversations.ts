import type { InputRequest } from '../../../../engine/flow/conversation'
import type { BotMessage } from '../../../../engine/flow/effects'
import type { Recording } from '../../../../engine/run/recordingFormat'
import { isOwnWords, visitorSays } from '../../conversations/runtime/visitorSays'

/** The template whose flow the sample chatbot has, and whose kept conversations it has had. */
export const SAMPLE_TEMPLATE = 'support-triage'

interface SamplePerson {
  name: string
  email: string
  company: string
  tags: string[]
}

/** A conversation of the sample: the template's kept one at a place of its list, with whom, and how it stands. */
interface Sample {
  recording: number
  person: SamplePerson
  minutesAgo: number
  status: 'waiting' | 'closed'
}

const HOUR = 60
const DAY = 24 * HOUR

export const samples: readonly Sample[] = [
  {
    ...{ recording: 1, minutesAgo: 12, status: 'waiting' },
    person: { name: 'Grace Hopper', email: 'grace@example.com', company: 'Nautical Charts', tags: ['export'] },
  },
  {
    ...{ recording: 0, minutesAgo: 5 * HOUR, status: 'closed' },
    person: { name: 'Katherine Johnson', email: 'katherine@example.com', company: 'Orbital Maps', tags: [] },
  },
  {
    ...{ recording: 2, minutesAgo: DAY + 2 * HOUR, status: 'closed' },
    person: { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Engine Works', tags: ['billing'] },
  },
  {
    ...{ recording: 3, minutesAgo: 3 * DAY, status: 'closed' },
    person: { name: 'Mary Somerville', email: 'mary@example.com', company: 'Tide Tables', tags: ['sign-in'] },
  },
]

/** Contacts who have not written yet. */
export const silentContacts: readonly SamplePerson[] = [
  { name: 'Emmy Noether', email: 'emmy@example.com', company: 'Ring Bakery', tags: ['newsletter'] },
  { name: 'Hedy Lamarr', email: 'hedy@example.com', company: 'Spread Spectrum', tags: ['newsletter'] },
]

/** A message of a sample. `seconds` after its beginning. */
export interface SampleMessage {
  author: 1 | 2
  content: BotMessage
  blockId: string | null
  ownWords: boolean
  seconds: number
}

/** How long a person takes to answer. */
const ANSWER_SECONDS = 20

/** What was said in a kept conversation, as it would have been stored. */
export function messagesOf({ turns }: Recording): SampleMessage[] {
  const messages: SampleMessage[] = []
  let asked: InputRequest | null = null
  for (const [at, { reply, expected }] of turns.entries()) {
    const seconds = at * ANSWER_SECONDS
    if (reply)
      messages.push({
        ...{ author: 2, content: visitorSays(reply, asked), blockId: null, seconds },
        ownWords: isOwnWords(reply, asked),
      })
    for (const { said, blockId } of expected.steps)
      for (const content of said)
        messages.push({ author: 1, content, blockId: blockId || null, ownWords: false, seconds: seconds + 1 })
    asked = expected.request
  }
  return messages
}
